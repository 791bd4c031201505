//! The rules: board geometry, covers and portals, orders, fire, deaths, score and the end of a game.
//!
//! Everything here is total: any [`Map`] that can be built can be played with any orders, and no input makes a
//! round fail. Orders that are not possible become "stay", as the study's separation rule asks (section 9.4).

mod board;
mod end;
mod fire;
mod geometry;
mod map;
pub mod oracle;
mod round;

pub use board::{Board, Order, OrderSet};
pub use end::{Ending, PlayRules, Reason, SuddenDeath};
pub use fire::{Damage, FireLine, Obstacle};
pub use geometry::{Floor, Site, Size, SizeError, Square};
pub use map::{Cover, MAX_PORTALS, Map, MapError};
pub use round::{Fall, HIT_POINTS, Move, Orders, Round, SOLDIERS, Score, Shot, Side, Soldier, Troops};
