//! Players: who gives clues and who takes them.
//!
//! A [`Situation`] is everything a player may go by: the cards as it sees them and all turns so far. Players keep
//! nothing between calls, so an undo or a restart cannot confuse them.

mod bot;
mod ensemble;
mod giver;
mod guesser;
mod levels;
pub mod race;
mod situation;
mod strong;
pub mod study;

pub use bot::LevelBot;
pub use ensemble::{Aim, Ensemble, Leaning};
pub use giver::{Giver, GiverKind, Idea};
pub use guesser::{Guess, Guesser, GuesserKind};
pub use levels::{DEFAULT_LEVEL, bot, levels};
pub use situation::{Card, Past, Situation};
