//! Measuring speed and quality.

mod bench;
pub mod oracle;

pub use bench::{AllMoves, BestMoves, all_moves, best_moves, simulation_rate};
