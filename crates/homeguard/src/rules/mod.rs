//! The rules: board geometry, covers and portals, orders, fire, deaths, score and the end of a game.
//!
//! Everything here is total: any [`Map`] that can be built can be played with any orders, and no input makes a
//! round fail. Orders that are not possible become "stay", as the separation rule requires (Šindelář 2024, section 9.4).

mod battlefield;
mod end;
mod fire;
mod geometry;
mod map;
pub mod maps;
pub mod oracle;
mod round;

pub use battlefield::{Battlefield, Order, OrderSet};
pub use end::{EndReason, GameEnd, MIDDLE_REACH, MiddleControl, PlayRules, SuddenDeath, WINNING_KILLS, middle_points};
pub use fire::{Damage, FireLine, Obstacle};
pub use geometry::{Floor, GridSquare, Site, Size, SizeError};
pub use map::{Cover, MAX_PORTALS, Map, MapError};
pub use round::{Advantage, Faction, Fall, HIT_POINTS, Orders, Round, SOLDIERS, Shot, Soldier, SoldierMove, Troops};
