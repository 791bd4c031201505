//! Homeguard at a table: simultaneous hidden orders, views, notation, levels.

mod action;
mod bots;
mod draw;
mod homeguard;
mod settings;
mod state;
mod view;

pub use action::{Action, OrderName};
pub use homeguard::Homeguard;
pub use settings::Settings;
pub use state::State;
pub use view::{FallView, MoveView, Place, RoundView, ShotView, SoldierView, View};
