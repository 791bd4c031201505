//! The lab: everything long. What can be cut into jobs goes through the queue ([`desk`]).

pub mod counting;
pub mod crossword;
pub mod desk;
pub mod external;
pub mod gomoku;
pub mod homeguard;
pub mod matches;
pub mod scrabble;
