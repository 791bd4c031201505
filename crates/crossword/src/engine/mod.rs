//! What makes the computer strong: solving from clues, construction of puzzles, and the databases behind both.

pub mod clue_database;
pub mod gdowski;
pub mod inference;
pub mod maker;
pub mod solver;
