//! Scrabble's long-running work: learning leaves, evolving weights, matches between players.

pub mod autoplay;
pub mod leaves;
