//! Filling a grid: backtracking search over entries with arc consistency, dom/wdeg entry order and restarts (Boussemart et
//! al. 2004); a word family stands once in a grid.

use super::bit_set::BitSet;
use super::word_list::{FillWordList, WordTier};
use crate::rules::{PuzzleEntry, PuzzleGrid};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// A filled grid.
pub struct FilledGrid {
    /// The entries of the grid in the order of [`PuzzleGrid::runs`], with their words.
    pub words: Vec<FilledEntry>,
    /// Mean score of the words from the list.
    pub score: f32,
}

/// The word of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilledEntry {
    /// The number of the word among the words of its length.
    Listed(usize),
    /// All letters were given.
    Given,
}

/// Which words a filling may use.
#[derive(Clone, Copy, Debug)]
pub struct FillOptions {
    pub seed: u64,
    pub min_score: f32,
    pub worst_tier: WordTier,
    /// Whether two words outside [`WordTier::Listed`] may cross.
    pub unlisted_may_cross: bool,
    /// Search steps per run; later runs get more.
    pub steps: usize,
}

/// Why a grid has no filling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FillFailure {
    /// No word fits the given letters of an entry, an index into the runs of the grid.
    Entry(usize),
    /// The words that fit two crossing entries share no letter in their common cell.
    Crossing(usize, usize),
    /// The search ended without a filling and without a proof that there is none.
    Unknown,
}

/// Words tried per step, and runs.
const WIDTH: usize = 8;
const RUNS: u64 = 5;
/// Largest random bonus of a word's score; it makes fillings differ.
const SPREAD: f32 = 40.0;

struct Crossing {
    place: usize,
    other: usize,
    other_place: usize,
}

/// A grid to fill.
pub struct Filler<'b> {
    words: &'b FillWordList,
    runs: Vec<PuzzleEntry>,
    /// Given letters per entry.
    given: Vec<Vec<Option<char>>>,
    crossings: Vec<Vec<Crossing>>,
}

#[derive(Clone)]
struct Search {
    /// Words left per entry; unused for entries whose letters are all given.
    domains: Vec<BitSet>,
    chosen: Vec<Option<FilledEntry>>,
}

impl<'b> Filler<'b> {
    /// A filler; letters in the cells' solutions are given.
    pub fn new(grid: &PuzzleGrid, words: &'b FillWordList) -> Self {
        let runs = grid.runs();
        let letter = |&cell: &usize| grid.cell(cell).solution.as_deref().and_then(|text| text.chars().next());
        let given = runs.iter().map(|run| run.cells.iter().map(letter).collect()).collect();
        let crossings = runs
            .iter()
            .enumerate()
            .map(|(entry, run)| {
                let of_cell = |(place, cell): (usize, &usize)| {
                    runs.iter().enumerate().filter(|(other, _)| *other != entry).find_map(|(other, crossing)| {
                        let other_place = crossing.cells.iter().position(|at| at == cell)?;
                        Some(Crossing { place, other, other_place })
                    })
                };
                run.cells.iter().enumerate().filter_map(of_cell).collect()
            })
            .collect();
        Self { words, runs, given, crossings }
    }

    fn length(&self, entry: usize) -> usize {
        self.runs[entry].cells.len()
    }

    fn is_given(&self, entry: usize) -> bool {
        self.given[entry].iter().all(Option::is_some)
    }

    /// Fills the grid, or says why not.
    pub fn fill(&self, options: &FillOptions) -> Result<FilledGrid, FillFailure> {
        let mut start = Search {
            domains: (0..self.runs.len()).map(|entry| self.domain(entry, options)).collect(),
            chosen: (0..self.runs.len()).map(|entry| self.is_given(entry).then_some(FilledEntry::Given)).collect(),
        };
        let open: Vec<usize> = (0..self.runs.len()).filter(|&entry| !self.is_given(entry)).collect();
        if let Some(&entry) = open.iter().find(|&&entry| start.domains[entry].count() == 0) {
            return Err(FillFailure::Entry(entry));
        }
        self.settle(&mut start, open).map_err(|(entry, other)| FillFailure::Crossing(entry, other))?;
        let mut weights = vec![1.0f32; self.runs.len()];
        for run in 0..RUNS {
            let mut rng = ChaCha8Rng::seed_from_u64(options.seed.wrapping_add(run));
            let mut steps = options.steps * (1 + run as usize);
            if let Some(done) = self.search(start.clone(), options, &mut rng, &mut weights, &mut steps) {
                return Ok(self.filled(done));
            }
        }
        Err(FillFailure::Unknown)
    }

    fn filled(&self, done: Search) -> FilledGrid {
        let words: Vec<FilledEntry> = done.chosen.into_iter().map(|word| word.unwrap_or(FilledEntry::Given)).collect();
        let scores: Vec<f32> = words
            .iter()
            .enumerate()
            .filter_map(|(entry, word)| match word {
                FilledEntry::Listed(number) => Some(self.words.word(self.length(entry), *number).score),
                FilledEntry::Given => None,
            })
            .collect();
        FilledGrid { score: scores.iter().sum::<f32>() / scores.len().max(1) as f32, words }
    }

    /// The words that fit the given letters of an entry and the options.
    fn domain(&self, entry: usize, options: &FillOptions) -> BitSet {
        let length = self.length(entry);
        let mut domain = BitSet::none(self.words.count(length));
        let Some(list) = self.words.lengths.get(&length) else { return domain };
        for (number, word) in list.words.iter().enumerate() {
            if word.score >= options.min_score && word.tier <= options.worst_tier {
                domain.insert(number);
            }
        }
        for (place, letter) in self.given[entry].iter().enumerate() {
            let Some(letter) = letter else { continue };
            match self.words.letters.binary_search(letter) {
                Ok(at) => _ = domain.keep(&list.masks[place][at]),
                Err(_) => return BitSet::none(self.words.count(length)),
            }
        }
        domain
    }

    fn search(
        &self,
        state: Search,
        options: &FillOptions,
        rng: &mut ChaCha8Rng,
        weights: &mut [f32],
        steps: &mut usize,
    ) -> Option<Search> {
        let open = (0..state.chosen.len()).filter(|&entry| state.chosen[entry].is_none());
        // dom/wdeg: the entry with the fewest words left per failure so far.
        let tight = |entry: usize| state.domains[entry].count() as f32 / weights[entry];
        let Some(entry) = open.min_by(|&a, &b| tight(a).total_cmp(&tight(b))) else { return Some(state) };
        let length = self.length(entry);
        let mut order: Vec<(f32, usize)> = state.domains[entry]
            .iter()
            .map(|word| (self.words.word(length, word).score + rng.random::<f32>() * SPREAD, word))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, word) in order.into_iter().take(WIDTH) {
            if *steps == 0 || game::cancelled() {
                return None;
            }
            *steps -= 1;
            let mut next = state.clone();
            if self.place(&mut next, entry, word, options)
                && let Some(done) = self.search(next, options, rng, weights, steps)
            {
                return Some(done);
            }
        }
        weights[entry] += 1.0;
        None
    }

    /// Writes a word; `false` if some entry has no word left.
    fn place(&self, state: &mut Search, entry: usize, number: usize, options: &FillOptions) -> bool {
        let word = self.words.word(self.length(entry), number);
        state.chosen[entry] = Some(FilledEntry::Listed(number));
        let mut only = BitSet::none(self.words.count(self.length(entry)));
        only.insert(number);
        state.domains[entry] = only;
        let mut changed = vec![entry];
        for other in (0..self.runs.len()).filter(|&other| other != entry && state.chosen[other].is_none()) {
            let mut family = BitSet::none(self.words.count(self.length(other)));
            let relatives = self.words.families[word.family].iter();
            relatives.filter(|(length, _)| *length == self.length(other)).for_each(|&(_, at)| family.insert(at));
            if state.domains[other].remove(&family) {
                changed.push(other);
            }
        }
        if word.tier > WordTier::Listed && !options.unlisted_may_cross {
            for crossing in self.crossings[entry].iter().filter(|crossing| state.chosen[crossing.other].is_none()) {
                let length = &self.words.lengths[&self.length(crossing.other)];
                if state.domains[crossing.other].remove(&length.unlisted) {
                    changed.push(crossing.other);
                }
            }
        }
        self.settle(state, changed).is_ok()
    }

    /// Arc consistency (AC-3): every word left in an entry has a word left in each crossing one. On failure returns the
    /// two entries in conflict.
    fn settle(&self, state: &mut Search, changed: Vec<usize>) -> Result<(), (usize, usize)> {
        let mut queue: BTreeSet<usize> = changed.into_iter().collect();
        while let Some(entry) = queue.pop_first() {
            if state.domains[entry].count() == 0 {
                return Err((entry, entry));
            }
            let masks = &self.words.lengths[&self.length(entry)].masks;
            for crossing in self.crossings[entry].iter().filter(|crossing| !self.is_given(crossing.other)) {
                let other_length = &self.words.lengths[&self.length(crossing.other)];
                let mut allowed = BitSet::none(other_length.words.len());
                for letter in 0..self.words.letters.len() {
                    if state.domains[entry].meets(&masks[crossing.place][letter]) {
                        allowed.add(&other_length.masks[crossing.other_place][letter]);
                    }
                }
                if state.domains[crossing.other].keep(&allowed) {
                    if state.domains[crossing.other].count() == 0 {
                        return Err((entry, crossing.other));
                    }
                    queue.insert(crossing.other);
                }
            }
        }
        Ok(())
    }
}
