//! Spymasters, operatives and the levels a person can choose.
//!
//! A [`BoardPosition`](crate::engine::BoardPosition) holds everything a player may use: the cards as it sees them and all
//! turns so far. Players keep nothing between calls, so an undo or a restart cannot confuse them.

mod levels;
mod operative;
mod spymaster;

pub use levels::{DEFAULT_LEVEL, bot, levels};
pub use operative::{Operative, OperativeKind, RankedCard};
pub use spymaster::{ScoredClue, Spymaster, SpymasterKind};
