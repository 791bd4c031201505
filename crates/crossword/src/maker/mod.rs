//! Making puzzles: a symmetric grid, filled from scored words by constraint search, with clues from a clue book.
//!
//! [`make`] draws shapes ([`shape`]), fills each with words of a [`Bank`] ([`fill`]) and keeps the best filling; clues come
//! from the [`ClueBook`], and from glosses where the book has none.

mod bank;
mod bits;
mod book;
mod fill;
mod shape;

pub use bank::{Bank, Word};
pub use book::ClueBook;

use crate::puzzle::{Cell, CellKind, Grid, Meta, Puzzle};
use fill::{Filler, Filling};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use semantics::Language;
use serde_json::json;

/// Sizes that can be made.
pub const SIZES: &str = "5 to 8, or an odd number from 9 to 21";

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Wish {
    pub size: usize,
    /// 1 easy, 2 medium, 3 hard.
    pub difficulty: u8,
    pub seed: u64,
    pub title: String,
    pub author: String,
}

/// Why no puzzle was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
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

/// Makes a puzzle: the same wish, words and clues give the same puzzle.
pub fn make(wish: &Wish, book: &ClueBook, bank: &Bank, language: Option<&Language>) -> Result<Puzzle, MakeError> {
    if !(5..=8).contains(&wish.size) && (!(9..=21).contains(&wish.size) || wish.size.is_multiple_of(2)) {
        return Err(MakeError::Size(wish.size));
    }
    if !(1..=3).contains(&wish.difficulty) {
        return Err(MakeError::Difficulty(wish.difficulty));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(wish.seed);
    let mut best: Option<(Grid, Filling)> = None;
    let mut filled = 0;
    for _ in 0..SHAPES {
        let Some(blocks) = shape::draw(wish.size, &|length| bank.count(length), &mut rng) else { continue };
        let grid = grid_of(wish.size, &blocks);
        let Some(filling) = Filler::new(&grid, bank).and_then(|filler| filler.fill(rng.random())) else { continue };
        filled += 1;
        if best.as_ref().is_none_or(|(_, best)| filling.score > best.score) {
            best = Some((grid, filling));
        }
        if filled == FILLINGS {
            break;
        }
    }
    let (grid, filling) = best.ok_or(MakeError::NoFilling { size: wish.size, words: bank.len() })?;
    Ok(puzzle(wish, book, bank, language, grid, &filling, &mut rng))
}

fn grid_of(size: usize, blocks: &[bool]) -> Grid {
    let cell = |&block: &bool| Cell { kind: if block { CellKind::Block } else { CellKind::Open }, ..Cell::default() };
    Grid::new(size, blocks.iter().map(cell).collect()).expect("the size was checked")
}

fn puzzle(
    wish: &Wish,
    book: &ClueBook,
    bank: &Bank,
    language: Option<&Language>,
    mut grid: Grid,
    filling: &Filling,
    rng: &mut ChaCha8Rng,
) -> Puzzle {
    let mut entries = grid.number_runs();
    for (entry, &word) in entries.iter_mut().zip(&filling.words) {
        let word = bank.word(entry.cells.len(), word);
        for (&cell, letter) in entry.cells.iter().zip(word.text.chars()) {
            grid.cell_mut(cell).solution = Some(letter.to_string());
        }
        entry.clue =
            book.clue(&word.text, wish.difficulty, rng).or_else(|| bank::gloss(language, word)).unwrap_or_default();
    }
    entries.sort_by_key(|entry| entry.direction);
    let meta = Meta {
        title: wish.title.clone(),
        author: wish.author.clone(),
        language: book.language().to_owned(),
        ..Meta::default()
    };
    let difficulty = ["easy", "medium", "hard"][usize::from(wish.difficulty) - 1];
    let extras = serde_json::Map::from_iter([("difficulty".to_owned(), json!(difficulty))]);
    Puzzle { meta, grid, entries, extras }
}

#[cfg(test)]
mod tests;
