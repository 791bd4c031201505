//! Homeguard at a table: simultaneous hidden orders, views, notation, levels.

mod action;
mod bots;
mod game;
mod render_text;
mod settings;
mod state;
mod view;

pub use action::{Action, OrderName};
pub use game::Homeguard;
pub use settings::{EndRules, Settings};
pub use state::State;
pub use view::{FallView, MoveView, RoundView, ShotView, SoldierView, SquareView, View};
