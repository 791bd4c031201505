//! Scrabble in any language: rules, move generation, players, exact endgames, records of games.

pub mod analysis;
pub mod endgame;
pub mod eval;
pub mod formats;
mod leaves;
pub mod movegen;
pub mod players;
mod rules;
pub mod table;

pub use leaves::{LeaveError, LeaveModel, pair_index, triple_index};
pub use rules::*;
