//! The factor graph of a grid: one factor per entry, one variable per cell.

use super::{LetterIndex, LetterModel};
use std::collections::HashSet;

/// A listed answer of an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedAnswer {
    pub word: Vec<LetterIndex>,
    /// Prior probability, from the clue alone.
    pub probability: f64,
}

/// The factor of one entry.
#[derive(Clone, Debug)]
pub struct EntryModel {
    /// Its cells in the order of the letters.
    pub cells: Vec<usize>,
    /// Listed answers of the entry's length, without duplicates.
    pub candidates: Vec<ListedAnswer>,
    /// Probability that the answer is none of them.
    pub unlisted: f64,
}

/// Why a model is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("entry {entry}: a candidate has {have} letters for {want} cells")]
    Length { entry: usize, have: usize, want: usize },
    #[error("entry {entry}: cell {cell} is outside the grid of {cells}")]
    Cell { entry: usize, cell: usize, cells: usize },
    #[error("cell {cell} belongs to {count} entries; at most two can cross")]
    Crossing { cell: usize, count: usize },
    #[error("entry {entry}: a letter or a fixed letter is outside the alphabet of {letters}")]
    Letter { entry: usize, letters: usize },
}

/// The model of a grid: entries, fixed letters and the letter model.
#[derive(Clone, Debug)]
pub struct GridModel {
    pub cells: usize,
    pub entries: Vec<EntryModel>,
    /// Fixed letters.
    pub fixed: Vec<Option<LetterIndex>>,
    pub letters: LetterModel,
    /// Weight of each letter where two entries cross; divides out the letter prior that both entries contain.
    shared: Vec<f64>,
}

impl GridModel {
    /// Validates the parts and normalises the probabilities of each entry.
    pub fn new(
        cells: usize,
        mut entries: Vec<EntryModel>,
        fixed: Vec<Option<LetterIndex>>,
        letters: LetterModel,
    ) -> Result<Self, ModelError> {
        let mut uses = vec![0; cells];
        let alphabet = letters.letters();
        for (number, entry) in entries.iter_mut().enumerate() {
            for &cell in &entry.cells {
                *uses.get_mut(cell).ok_or(ModelError::Cell { entry: number, cell, cells })? += 1;
                if fixed.get(cell).copied().flatten().is_some_and(|letter| usize::from(letter) >= alphabet) {
                    return Err(ModelError::Letter { entry: number, letters: alphabet });
                }
            }
            for candidate in &entry.candidates {
                if candidate.word.len() != entry.cells.len() {
                    return Err(ModelError::Length {
                        entry: number,
                        have: candidate.word.len(),
                        want: entry.cells.len(),
                    });
                }
                if candidate.word.iter().any(|&letter| usize::from(letter) >= alphabet) {
                    return Err(ModelError::Letter { entry: number, letters: alphabet });
                }
            }
            scale(entry);
        }
        if let Some((cell, &count)) = uses.iter().enumerate().find(|&(_, &count)| count > 2) {
            return Err(ModelError::Crossing { cell, count });
        }
        let shared = vec![1.0; alphabet];
        Ok(Self { cells, entries, fixed, letters, shared })
    }

    /// Divides out the letter prior, to the power `part`, where two entries cross: 0 off, 1 full.
    #[must_use]
    pub fn without_commonness(mut self, part: f64) -> Self {
        self.shared = (0..self.letters.letters()).map(|letter| self.letters.common(letter).powf(-part)).collect();
        self
    }

    /// Adds generated answers to an entry: they take their probability from that of an unlisted answer, of which at least a
    /// tenth stays with the letter model. Words that are listed already are skipped.
    pub fn add_generated(&mut self, entry: usize, words: Vec<ListedAnswer>) {
        let entry = &mut self.entries[entry];
        let known: HashSet<Vec<LetterIndex>> = entry.candidates.iter().map(|listed| listed.word.clone()).collect();
        let fresh: Vec<ListedAnswer> = words.into_iter().filter(|listed| !known.contains(&listed.word)).collect();
        let total: f64 = fresh.iter().map(|listed| listed.probability).sum();
        if total <= 0.0 {
            return;
        }
        let moved = total.min(0.9 * entry.unlisted);
        entry.unlisted -= moved;
        let scale = moved / total;
        entry.candidates.extend(
            fresh
                .into_iter()
                .map(|listed| ListedAnswer { probability: (listed.probability * scale).max(LEAST), ..listed }),
        );
    }

    /// Weight of each letter in a cell where two entries cross.
    pub(super) fn shared(&self) -> &[f64] {
        &self.shared
    }

    /// Log of the letter model's total weight of all strings as long as the entry.
    pub(super) fn log_total(&self, entry: usize) -> f64 {
        self.letters.log_total(self.entries[entry].cells.len())
    }

    /// The entries through each cell, with the position of the cell in them.
    pub(super) fn crossings(&self) -> Vec<Vec<(usize, usize)>> {
        let mut crossings = vec![Vec::new(); self.cells];
        for (number, entry) in self.entries.iter().enumerate() {
            for (at, &cell) in entry.cells.iter().enumerate() {
                crossings[cell].push((number, at));
            }
        }
        crossings
    }
}

/// Lower bound of a candidate's probability, so that rounding never excludes it.
const LEAST: f64 = 1e-12;

fn scale(entry: &mut EntryModel) {
    let listed: f64 = entry.candidates.iter().map(|candidate| candidate.probability.max(LEAST)).sum();
    entry.unlisted = if entry.candidates.is_empty() { 1.0 } else { entry.unlisted.clamp(0.0, 1.0) };
    let share = 1.0 - entry.unlisted;
    for candidate in &mut entry.candidates {
        candidate.probability = candidate.probability.max(LEAST) / listed * share;
    }
}
