//! Scrabble's long-running work: learning leaves, prices and chances, evolving weights, matches between players.

pub mod autoplay;
pub mod chances;
pub mod evolve;
pub mod fitness;
mod least_squares;
pub mod leaves;
pub mod likeness;
pub mod outlook;
pub mod regret;
pub mod shelf;

#[cfg(test)]
mod queue_tests;
