//! The study's own method, faithfully: the order of the holes (its figure 3.1) and best-first search (3.2–3.4).

mod order;
mod search;
mod words;

pub use order::order_holes;
pub use search::{Answer, Limits, Stopped, solve};
pub use words::{LEAST_SIMILARITY, holes, ranked};

/// A word for a hole with its similarity to the clue.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    pub word: Vec<char>,
    pub rank: f64,
}

/// A hole of the grid: its cells and the words for it, most similar first.
#[derive(Clone, Debug)]
pub struct Hole {
    pub cells: Vec<usize>,
    pub words: Vec<Ranked>,
}
