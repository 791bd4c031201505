//! What is known of a grid before its entries talk to each other.

use super::{Letter, LetterModel};

/// A listed answer for an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub word: Vec<Letter>,
    /// Chance that it is the answer, before crossings are looked at.
    pub probability: f64,
}

/// What is known of one entry.
#[derive(Clone, Debug)]
pub struct EntryModel {
    /// Its cells in the order of the letters.
    pub cells: Vec<usize>,
    /// Listed answers, each of the entry's length, each once.
    pub candidates: Vec<Candidate>,
    /// Chance that the answer is none of them.
    pub unlisted: f64,
}

/// Why a model cannot be used.
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

/// A grid: entries, fixed letters and the letter model.
#[derive(Clone, Debug)]
pub struct GridModel {
    pub cells: usize,
    pub entries: Vec<EntryModel>,
    /// Letters that stand.
    pub fixed: Vec<Option<Letter>>,
    pub letters: LetterModel,
    /// Logarithm of the letter model's weight of all strings, by length.
    log_totals: Vec<f64>,
    /// What a letter counts where two entries cross, because both speak for letters that are common anyway.
    shared: Vec<f64>,
}

impl GridModel {
    /// Checks that everything fits together and scales each entry's chances to one.
    pub fn new(
        cells: usize,
        mut entries: Vec<EntryModel>,
        fixed: Vec<Option<Letter>>,
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
        let longest = entries.iter().map(|entry| entry.cells.len()).max().unwrap_or(0);
        let log_totals = letters.log_totals(longest);
        let shared = vec![1.0; alphabet];
        Ok(Self { cells, entries, fixed, letters, log_totals, shared })
    }

    /// Takes out, where two entries cross, what both say only because a letter is common: 0 nothing, 1 all of it.
    #[must_use]
    pub fn without_commonness(mut self, part: f64) -> Self {
        self.shared = (0..self.letters.letters()).map(|letter| self.letters.common(letter).powf(-part)).collect();
        self
    }

    /// What each letter counts in a cell where two entries cross.
    pub(super) fn shared(&self) -> &[f64] {
        &self.shared
    }

    /// Logarithm of the letter model's weight of all strings as long as an entry.
    pub(super) fn log_total(&self, entry: usize) -> f64 {
        self.log_totals[self.entries[entry].cells.len()]
    }

    /// Which entries run through each cell, with the place of the cell in them.
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

/// Least chance that is kept, so that nothing listed becomes impossible by rounding.
const LEAST: f64 = 1e-12;

fn scale(entry: &mut EntryModel) {
    let listed: f64 = entry.candidates.iter().map(|candidate| candidate.probability.max(LEAST)).sum();
    entry.unlisted = if entry.candidates.is_empty() { 1.0 } else { entry.unlisted.clamp(0.0, 1.0) };
    let share = 1.0 - entry.unlisted;
    for candidate in &mut entry.candidates {
        candidate.probability = candidate.probability.max(LEAST) / listed * share;
    }
}
