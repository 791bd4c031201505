//! What a crossword is, whatever file it came from: grid, entries, clues.

mod entry;
mod grid;
mod puzzle;

pub use entry::{EntryDirection, Enumeration, PuzzleEntry};
pub use grid::{CellKind, CellShape, GridCell, MAX_SIDE, PuzzleGrid};
pub use puzzle::{Puzzle, PuzzleMeta};
