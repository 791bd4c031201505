//! Construction of puzzles: a block pattern, a filling from scored words, clues from a collection and from dictionaries.
//!
//! [`make`] draws block patterns (`blocks`) or takes a given grid, fills each with words of a [`FillWordList`] (`fill`)
//! and keeps the best filling. Clues come from the [`ClueCollection`], and from dictionaries for words outside it.

mod bit_set;
mod blocks;
mod clue_collection;
mod clue_text;
mod fill;
mod template;
mod word_list;

pub use blocks::Symmetry;
pub use clue_collection::ClueCollection;
pub use fill::{FillFailure, FillOptions, FilledEntry, FilledGrid, Filler};
pub use template::{TemplateError, ThemeEntry, explain, read_template, user_words};
pub use word_list::{FillWordList, GridWord, WordTier};

use crate::rules::{CellKind, GridCell, Puzzle, PuzzleGrid, PuzzleMeta};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use semantics::Language;
use serde_json::json;

/// Sizes that can be made.
pub const SIZES: &str = "5 to 21";

/// The puzzle to construct.
#[derive(Clone, Debug, Default)]
pub struct ConstructionRequest {
    /// Cells a side; ignored if a grid is given.
    pub size: usize,
    /// 1 easy, 2 medium, 3 hard.
    pub difficulty: u8,
    pub seed: u64,
    pub title: String,
    pub author: String,
    pub symmetry: Symmetry,
    /// Lowest score of a word, 0 to 100.
    pub min_score: f32,
    /// The blocks and given letters (as solutions) of the grid; a pattern is drawn if absent.
    pub grid: Option<PuzzleGrid>,
    /// Words with fixed places.
    pub theme: Vec<ThemeEntry>,
}

/// Why no puzzle was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstructionError {
    #[error("a grid of {0} × {0} cannot be made: the size should be {SIZES}")]
    Size(usize),
    #[error("the difficulty {0} should be 1 (easy), 2 (medium) or 3 (hard)")]
    Difficulty(u8),
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error("{0}")]
    Impossible(String),
    #[error("no grid of {size} × {size} could be filled from {words} words; another seed or size may work")]
    NoFilling { size: usize, words: usize },
}

/// Patterns tried per level of [`LADDER`], and fillings among which the best is kept.
const PATTERNS: usize = 16;
const FILLINGS: usize = 3;

/// Levels of what a filling may use, best puzzles first: the worst tier of words, whether words outside the clue collection
/// may cross, and the search steps per run.
const LADDER: [(WordTier, bool, usize); 4] = [
    (WordTier::Common, false, 300),
    (WordTier::Common, true, 400),
    (WordTier::Rare, true, 800),
    (WordTier::Rare, true, 4_000),
];

/// Makes a puzzle: the same request, words and clues give the same puzzle.
pub fn make(
    request: &ConstructionRequest,
    clues: &ClueCollection,
    words: &FillWordList,
    language: Option<&Language>,
) -> Result<Puzzle, ConstructionError> {
    if !(1..=3).contains(&request.difficulty) {
        return Err(ConstructionError::Difficulty(request.difficulty));
    }
    if request.grid.is_none() && !(5..=21).contains(&request.size) {
        return Err(ConstructionError::Size(request.size));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    for (worst_tier, unlisted_may_cross, steps) in LADDER {
        let mut best: Option<(PuzzleGrid, FilledGrid)> = None;
        let mut filled = 0;
        for _ in 0..PATTERNS {
            if game::cancelled() {
                break;
            }
            let Some(grid) = pattern(request, words, &mut rng)? else { continue };
            let options =
                FillOptions { seed: rng.random(), min_score: request.min_score, worst_tier, unlisted_may_cross, steps };
            let filling = Filler::new(&grid, words).fill(&options);
            if let (Err(failure), true, WordTier::Rare) = (&filling, request.grid.is_some(), worst_tier)
                && *failure != FillFailure::Unknown
            {
                return Err(ConstructionError::Impossible(template::explain(&grid, failure)));
            }
            let Ok(filling) = filling else { continue };
            filled += 1;
            if best.as_ref().is_none_or(|(_, best)| filling.score > best.score) {
                best = Some((grid, filling));
            }
            if filled == FILLINGS {
                break;
            }
        }
        if let Some((grid, filling)) = best {
            return Ok(Work { request, clues, words, language }.puzzle(grid, &filling, &mut rng));
        }
    }
    Err(ConstructionError::NoFilling { size: request.size, words: words.len() })
}

/// Patterns without room for the theme that are drawn before one is given up.
const THEME_PATTERNS: usize = 40;

/// The next grid to fill: the given one or a drawn pattern, with the theme written in.
fn pattern(
    request: &ConstructionRequest,
    words: &FillWordList,
    rng: &mut ChaCha8Rng,
) -> Result<Option<PuzzleGrid>, ConstructionError> {
    if let Some(grid) = &request.grid {
        let mut grid = grid.clone();
        template::place_theme(&mut grid, &request.theme)?;
        return Ok(Some(grid));
    }
    for _ in 0..THEME_PATTERNS {
        let drawn = blocks::generate(request.size, request.symmetry, &|length| words.count(length), rng);
        let Some(blocks) = drawn else { return Ok(None) };
        let mut grid = grid_of(request.size, &blocks);
        if template::place_theme(&mut grid, &request.theme).is_ok() {
            return Ok(Some(grid));
        }
    }
    Ok(None)
}

fn grid_of(size: usize, blocks: &[bool]) -> PuzzleGrid {
    let cell =
        |&block: &bool| GridCell { kind: if block { CellKind::Block } else { CellKind::Open }, ..GridCell::default() };
    PuzzleGrid::new(size, blocks.iter().map(cell).collect()).expect("the size was checked")
}

/// What a puzzle is made from.
struct Work<'w> {
    request: &'w ConstructionRequest,
    clues: &'w ClueCollection,
    words: &'w FillWordList,
    language: Option<&'w Language>,
}

impl Work<'_> {
    /// Writes the words into the grid and clues them.
    fn puzzle(&self, mut grid: PuzzleGrid, filling: &FilledGrid, rng: &mut ChaCha8Rng) -> Puzzle {
        write_words(&mut grid, filling, self.words);
        let mut entries = grid.number_runs();
        let difficulty = self.request.difficulty;
        for (entry, word) in entries.iter_mut().zip(&filling.words) {
            let letters = entry.cells.iter().map(|&cell| grid.cell(cell).solution.as_deref().unwrap_or_default());
            let answer: String = letters.collect();
            let id = match word {
                FilledEntry::Listed(number) => self.words.word(entry.cells.len(), *number).id,
                FilledEntry::Given => self.language.and_then(|language| language.find(&answer.to_lowercase())),
            };
            let from_dictionary = || clue_text::clue(self.language?, id?, difficulty);
            entry.clue = self.clues.clue(&answer, difficulty, rng).or_else(from_dictionary).unwrap_or_default();
        }
        entries.sort_by_key(|entry| entry.direction);
        let meta = PuzzleMeta {
            title: self.request.title.clone(),
            author: self.request.author.clone(),
            language: self.clues.language().to_owned(),
            ..PuzzleMeta::default()
        };
        let name = ["easy", "medium", "hard"][usize::from(difficulty) - 1];
        let extras = serde_json::Map::from_iter([("difficulty".to_owned(), json!(name))]);
        Puzzle { meta, grid, entries, extras }
    }
}

/// Writes the words of a filling into the solutions of the grid.
pub fn write_words(grid: &mut PuzzleGrid, filling: &FilledGrid, words: &FillWordList) {
    for (run, word) in grid.runs().into_iter().zip(&filling.words) {
        let FilledEntry::Listed(number) = word else { continue };
        let text = &words.word(run.cells.len(), *number).text;
        for (&cell, letter) in run.cells.iter().zip(text.chars()) {
            grid.cell_mut(cell).solution = Some(letter.to_string());
        }
    }
}

#[cfg(test)]
mod tests;
