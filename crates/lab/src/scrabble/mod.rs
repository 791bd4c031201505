//! Long-running Scrabble work: learning leaves, positional weights and win chances, evolution, matches.

pub mod autoplay;
pub mod evolve;
pub mod fitness;
pub mod language_files;
mod least_squares;
pub mod leaves;
pub mod positional;
pub mod regret;
pub mod static_fit;
pub mod win_model;

#[cfg(test)]
mod queue_tests;
