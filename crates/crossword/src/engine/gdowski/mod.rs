//! The method of Gdowski 2019: candidates by vector similarity (chapter 2), order of the slots (figure 3.1) and best-first
//! search (figures 3.2–3.4). The thesis calls slots holes.

mod order;
mod search;
mod similarity;

pub use order::order_holes;
pub use search::{GdowskiLimits, GdowskiSolution, Stopped, solve};
pub use similarity::{MIN_SIMILARITY, holes, ranked};

/// A word with its similarity to the clue.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedWord {
    pub word: Vec<char>,
    pub rank: f64,
}

/// A slot of the grid: its cells and its candidates, most similar first.
#[derive(Clone, Debug)]
pub struct Slot {
    pub cells: Vec<usize>,
    pub words: Vec<RankedWord>,
}
