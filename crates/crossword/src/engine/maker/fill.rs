//! Filling a grid: search over entries with arc consistency after every word, restarts, no word family twice.

use super::bit_set::BitSet;
use super::word_list::FillWordList;
use crate::rules::PuzzleGrid;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A filled grid: for every entry the number of its word among the words of its length.
pub struct FilledGrid {
    pub words: Vec<usize>,
    /// Mean score of the words.
    pub score: f32,
}

/// Words tried per step, steps per run, runs.
const WIDTH: usize = 8;
const STEPS: usize = 1_500;
const RUNS: u64 = 4;
/// How far a word of lower score may move up by chance.
const SPREAD: f32 = 40.0;

struct Crossing {
    place: usize,
    other: usize,
    other_place: usize,
}

/// A grid to be filled.
pub struct Filler<'b> {
    words: &'b FillWordList,
    lengths: Vec<usize>,
    crossings: Vec<Vec<Crossing>>,
}

#[derive(Clone)]
struct Search {
    domains: Vec<BitSet>,
    chosen: Vec<Option<usize>>,
}

impl<'b> Filler<'b> {
    /// A filler, or `None` if some length has no words.
    pub fn new(grid: &PuzzleGrid, words: &'b FillWordList) -> Option<Self> {
        let runs = grid.clone().number_runs();
        let lengths: Vec<usize> = runs.iter().map(|run| run.cells.len()).collect();
        if lengths.iter().any(|length| words.count(*length) == 0) {
            return None;
        }
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
        Some(Self { words, lengths, crossings })
    }

    /// Fills the grid, or gives up after a few runs.
    pub fn fill(&self, seed: u64) -> Option<FilledGrid> {
        let mut start = Search {
            domains: self.lengths.iter().map(|&length| BitSet::all(self.words.count(length))).collect(),
            chosen: vec![None; self.lengths.len()],
        };
        if !self.settle(&mut start.domains, (0..self.lengths.len()).collect()) {
            return None;
        }
        let mut weights = vec![1.0f32; self.lengths.len()];
        for run in 0..RUNS {
            let mut rng = ChaCha8Rng::seed_from_u64(seed.wrapping_add(run));
            let mut steps = STEPS;
            if let Some(done) = self.search(start.clone(), &mut rng, &mut weights, &mut steps) {
                let words: Vec<usize> = done.chosen.into_iter().map(|word| word.unwrap_or(0)).collect();
                let of = |(&length, &word): (&usize, &usize)| self.words.word(length, word).score;
                let total: f32 = self.lengths.iter().zip(&words).map(of).sum();
                return Some(FilledGrid { score: total / words.len() as f32, words });
            }
        }
        None
    }

    fn search(&self, state: Search, rng: &mut ChaCha8Rng, weights: &mut [f32], steps: &mut usize) -> Option<Search> {
        let open = (0..state.chosen.len()).filter(|&entry| state.chosen[entry].is_none());
        // The entry with the fewest words left, hard ones first.
        let tight = |entry: usize| state.domains[entry].count() as f32 / weights[entry];
        let Some(entry) = open.min_by(|&a, &b| tight(a).total_cmp(&tight(b))) else { return Some(state) };
        let length = self.lengths[entry];
        let mut order: Vec<(f32, usize)> = state.domains[entry]
            .iter()
            .map(|word| (self.words.word(length, word).score + rng.random::<f32>() * SPREAD, word))
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, word) in order.into_iter().take(WIDTH) {
            if *steps == 0 {
                return None;
            }
            *steps -= 1;
            let mut next = state.clone();
            if self.place(&mut next, entry, word)
                && let Some(done) = self.search(next, rng, weights, steps)
            {
                return Some(done);
            }
        }
        weights[entry] += 1.0;
        None
    }

    /// Writes a word; `false` if nothing fits any more.
    fn place(&self, state: &mut Search, entry: usize, number: usize) -> bool {
        let word = self.words.word(self.lengths[entry], number);
        state.chosen[entry] = Some(number);
        let mut only = BitSet::none(self.words.count(self.lengths[entry]));
        only.insert(number);
        state.domains[entry] = only;
        let mut changed = vec![entry];
        for other in (0..self.lengths.len()).filter(|&other| other != entry && state.chosen[other].is_none()) {
            let mut family = BitSet::none(self.words.count(self.lengths[other]));
            let relatives = self.words.families[word.family].iter();
            relatives.filter(|(length, _)| *length == self.lengths[other]).for_each(|&(_, at)| family.insert(at));
            if state.domains[other].remove(&family) {
                changed.push(other);
            }
        }
        if word.plain {
            for crossing in self.crossings[entry].iter().filter(|crossing| state.chosen[crossing.other].is_none()) {
                let length = &self.words.lengths[&self.lengths[crossing.other]];
                if state.domains[crossing.other].remove(&length.plain) {
                    changed.push(crossing.other);
                }
            }
        }
        self.settle(&mut state.domains, changed)
    }

    /// Arc consistency: every word left in a domain has a word left in each crossing one.
    fn settle(&self, domains: &mut [BitSet], mut changed: Vec<usize>) -> bool {
        while let Some(entry) = changed.pop() {
            if domains[entry].count() == 0 {
                return false;
            }
            let masks = &self.words.lengths[&self.lengths[entry]].masks;
            for crossing in &self.crossings[entry] {
                let other_length = &self.words.lengths[&self.lengths[crossing.other]];
                let mut allowed = BitSet::none(other_length.words.len());
                for letter in 0..self.words.letters.len() {
                    if domains[entry].meets(&masks[crossing.place][letter]) {
                        allowed.add(&other_length.masks[crossing.other_place][letter]);
                    }
                }
                if domains[crossing.other].keep(&allowed) {
                    if domains[crossing.other].count() == 0 {
                        return false;
                    }
                    if !changed.contains(&crossing.other) {
                        changed.push(crossing.other);
                    }
                }
            }
        }
        true
    }
}
