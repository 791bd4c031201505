//! lab

pub mod external;
pub mod gomoku;
pub mod scrabble;
