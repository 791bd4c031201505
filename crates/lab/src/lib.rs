//! lab

pub mod scrabble;
