//! Measuring speed and quality.

mod bench;

pub use bench::{AllMoves, BestMoves, all_moves, best_moves};
