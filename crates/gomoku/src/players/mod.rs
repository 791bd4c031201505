//! Players: from random stones to the engine, by name, and the levels that people choose.

mod bot;
mod foundation;
mod fours;
mod grid;
mod heuristic;
mod levels;
mod opening;
mod player;

pub use foundation::{Foundation, FoundationMove};
pub use heuristic::Attention;
pub use levels::{DEFAULT_LEVEL, bot, levels};
pub use opening::{Answer, OpeningError, answer, three_stones};
pub(crate) use player::engine_stones;
pub use player::{Clock, Decision, NAMES, Nets, Player, Resources, player};
