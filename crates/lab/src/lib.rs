//! lab

pub mod crossword;
pub mod external;
pub mod gomoku;
pub mod homeguard;
pub mod scrabble;
