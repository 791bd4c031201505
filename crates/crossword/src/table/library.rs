//! The puzzles that ship with the program.

use crate::rules::Puzzle;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A puzzle that ships with the program.
#[derive(Clone, Debug)]
pub struct LibraryPuzzle {
    /// Language and name, such as `en/01`.
    pub id: String,
    /// 1 easy, 2 medium, 3 hard.
    pub difficulty: u8,
    pub puzzle: Arc<Puzzle>,
}

/// The shipped puzzles by their ids.
#[derive(Clone, Debug, Default)]
pub struct PuzzleLibrary(BTreeMap<String, LibraryPuzzle>);

impl PuzzleLibrary {
    /// A library of puzzles; `texts` are ids and ipuz texts.
    pub fn read<'t>(texts: impl IntoIterator<Item = (String, &'t str)>) -> Result<Self, String> {
        let mut library = Self::default();
        for (id, text) in texts {
            let puzzle = crate::formats::ipuz::read(text).map_err(|fault| format!("{id}: {fault}"))?;
            let difficulty = match puzzle.extras.get("difficulty").and_then(serde_json::Value::as_str) {
                Some("easy") => 1,
                Some("hard") => 3,
                _ => 2,
            };
            library.0.insert(id.clone(), LibraryPuzzle { id, difficulty, puzzle: Arc::new(puzzle) });
        }
        Ok(library)
    }

    /// A puzzle by its id.
    pub fn get(&self, id: &str) -> Option<&LibraryPuzzle> {
        self.0.get(id)
    }

    /// All puzzles, by id.
    pub fn iter(&self) -> impl Iterator<Item = &LibraryPuzzle> {
        self.0.values()
    }
}
