//! Scrabble's long-running work: learning leaves, prices and chances, evolving weights, matches between players.

pub mod autoplay;
pub mod chances;
pub mod evolve;
pub mod leaves;
pub mod outlook;
