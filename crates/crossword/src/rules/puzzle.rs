//! A puzzle: its description, its grid and its entries.

use super::{CellKind, EntryDirection, PuzzleEntry, PuzzleGrid};

/// Who made a puzzle and what it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleMeta {
    pub title: String,
    pub author: String,
    pub editor: String,
    pub publisher: String,
    pub copyright: String,
    pub date: String,
    /// Introduction or notepad text.
    pub notes: String,
    /// Language tag such as `en`; empty where the file does not say.
    pub language: String,
}

/// A crossword: a grid and the entries written into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    pub meta: PuzzleMeta,
    pub grid: PuzzleGrid,
    /// Across and down entries, each list in the order of its clues.
    pub entries: Vec<PuzzleEntry>,
    /// Unknown fields of an ipuz file, kept for writing it back.
    pub extras: serde_json::Map<String, serde_json::Value>,
}

impl Puzzle {
    /// The entries of one direction, in clue order.
    pub fn of(&self, direction: EntryDirection) -> impl Iterator<Item = &PuzzleEntry> {
        self.entries.iter().filter(move |entry| entry.direction == direction)
    }

    /// The answer of an entry as the solution has it, or `None` where a cell has no solution.
    pub fn answer(&self, entry: &PuzzleEntry) -> Option<String> {
        entry.cells.iter().map(|&cell| self.grid.cell(cell).solution.as_deref()).collect()
    }

    /// Whether every open cell has a solution.
    pub fn has_solution(&self) -> bool {
        self.grid.cells().iter().all(|cell| cell.kind != CellKind::Open || cell.solution.is_some())
    }

    /// A puzzle whose entries are the runs of the grid, numbered in reading order, with the clues given per direction.
    ///
    /// Refuses a list of clues that does not fit the runs.
    pub fn from_runs(
        meta: PuzzleMeta,
        mut grid: PuzzleGrid,
        across: Vec<String>,
        down: Vec<String>,
    ) -> Result<Self, String> {
        let runs = grid.number_runs();
        let mut entries = Vec::with_capacity(across.len() + down.len());
        for (direction, clues) in [(EntryDirection::Across, across), (EntryDirection::Down, down)] {
            let of_direction: Vec<_> = runs.iter().filter(|run| run.direction == direction).collect();
            if of_direction.len() != clues.len() {
                return Err(format!(
                    "the grid has {} entries {direction} but there are {} clues",
                    of_direction.len(),
                    clues.len()
                ));
            }
            for (run, clue) in of_direction.into_iter().zip(clues) {
                entries.push(PuzzleEntry { clue, ..run.clone() });
            }
        }
        Ok(Self { meta, grid, entries, extras: serde_json::Map::new() })
    }
}
