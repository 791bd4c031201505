//! Making puzzles: a symmetric grid, filled from scored words by constraint search, with clues from a clue collection.
//!
//! [`make`] draws shapes ([`blocks`]), fills each with words of a [`FillWordList`] ([`fill`]) and keeps the best filling; clues come
//! from the [`ClueCollection`], and from glosses where the clues has none.

mod bit_set;
mod blocks;
mod clue_collection;
mod fill;
mod word_list;

pub use clue_collection::ClueCollection;
pub use word_list::{FillWordList, GridWord};

use crate::rules::{CellKind, GridCell, Puzzle, PuzzleGrid, PuzzleMeta};
use fill::{FilledGrid, Filler};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use semantics::Language;
use serde_json::json;

/// Sizes that can be made.
pub const SIZES: &str = "5 to 8, or an odd number from 9 to 21";

/// What is wanted.
#[derive(Clone, Debug)]
pub struct ConstructionRequest {
    pub size: usize,
    /// 1 easy, 2 medium, 3 hard.
    pub difficulty: u8,
    pub seed: u64,
    pub title: String,
    pub author: String,
}

/// Why no puzzle was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstructionError {
    #[error("a grid of {0} × {0} cannot be made: the size should be {SIZES}")]
    Size(usize),
    #[error("the difficulty {0} should be 1 (easy), 2 (medium) or 3 (hard)")]
    Difficulty(u8),
    #[error("no grid of {size} × {size} could be filled from {words} words; another seed or size may work")]
    NoFilling { size: usize, words: usize },
}

/// Shapes that are tried, and fillings among which the best is kept.
const SHAPES: usize = 60;
const FILLINGS: usize = 4;

/// Makes a puzzle: the same request, words and clues give the same puzzle.
pub fn make(
    request: &ConstructionRequest,
    clues: &ClueCollection,
    words: &FillWordList,
    language: Option<&Language>,
) -> Result<Puzzle, ConstructionError> {
    if !(5..=8).contains(&request.size) && (!(9..=21).contains(&request.size) || request.size.is_multiple_of(2)) {
        return Err(ConstructionError::Size(request.size));
    }
    if !(1..=3).contains(&request.difficulty) {
        return Err(ConstructionError::Difficulty(request.difficulty));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    let mut best: Option<(PuzzleGrid, FilledGrid)> = None;
    let mut filled = 0;
    for _ in 0..SHAPES {
        let Some(blocks) = blocks::generate(request.size, &|length| words.count(length), &mut rng) else { continue };
        let grid = grid_of(request.size, &blocks);
        let Some(filling) = Filler::new(&grid, words).and_then(|filler| filler.fill(rng.random())) else { continue };
        filled += 1;
        if best.as_ref().is_none_or(|(_, best)| filling.score > best.score) {
            best = Some((grid, filling));
        }
        if filled == FILLINGS {
            break;
        }
    }
    let (grid, filling) = best.ok_or(ConstructionError::NoFilling { size: request.size, words: words.len() })?;
    Ok(puzzle(request, clues, words, language, grid, &filling, &mut rng))
}

fn grid_of(size: usize, blocks: &[bool]) -> PuzzleGrid {
    let cell =
        |&block: &bool| GridCell { kind: if block { CellKind::Block } else { CellKind::Open }, ..GridCell::default() };
    PuzzleGrid::new(size, blocks.iter().map(cell).collect()).expect("the size was checked")
}

fn puzzle(
    request: &ConstructionRequest,
    clues: &ClueCollection,
    words: &FillWordList,
    language: Option<&Language>,
    mut grid: PuzzleGrid,
    filling: &FilledGrid,
    rng: &mut ChaCha8Rng,
) -> Puzzle {
    let mut entries = grid.number_runs();
    for (entry, &word) in entries.iter_mut().zip(&filling.words) {
        let word = words.word(entry.cells.len(), word);
        for (&cell, letter) in entry.cells.iter().zip(word.text.chars()) {
            grid.cell_mut(cell).solution = Some(letter.to_string());
        }
        entry.clue = clues
            .clue(&word.text, request.difficulty, rng)
            .or_else(|| word_list::gloss(language, word))
            .unwrap_or_default();
    }
    entries.sort_by_key(|entry| entry.direction);
    let meta = PuzzleMeta {
        title: request.title.clone(),
        author: request.author.clone(),
        language: clues.language().to_owned(),
        ..PuzzleMeta::default()
    };
    let difficulty = ["easy", "medium", "hard"][usize::from(request.difficulty) - 1];
    let extras = serde_json::Map::from_iter([("difficulty".to_owned(), json!(difficulty))]);
    Puzzle { meta, grid, entries, extras }
}

#[cfg(test)]
mod tests;
