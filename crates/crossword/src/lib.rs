//! Crosswords: puzzles and their file formats, solving from the clues, hints, explanations, making new ones.

pub mod formats;
pub mod inference;
pub mod maker;
pub mod memory;
pub mod print;
pub mod puzzle;
pub mod rules;
mod services;
pub mod solver;
pub mod study;
pub mod table;
