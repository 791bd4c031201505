//! Local search for the most probable grid: starts from the beliefs and exchanges whole answers.

use super::{Beliefs, GridModel, LetterIndex};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};

/// A filled grid and its score.
#[derive(Clone, Debug)]
pub struct GridAssignment {
    /// A letter for every cell that belongs to an entry; fixed letters elsewhere.
    pub cells: Vec<Option<LetterIndex>>,
    /// Log-likelihood: the sum over entries, plus the crossing weights of the letters.
    pub score: f64,
}

/// Scores any string in an entry.
struct Scorer<'m> {
    model: &'m GridModel,
    listed: Vec<HashMap<&'m [LetterIndex], f64>>,
    /// Log-probabilities of strings that were scored before.
    cache: RefCell<HashMap<(usize, Vec<LetterIndex>), f64>>,
    /// Log-weight of each letter where two entries cross.
    shared: Vec<f64>,
}

impl<'m> Scorer<'m> {
    fn new(model: &'m GridModel) -> Self {
        let listed = model
            .entries
            .iter()
            .map(|entry| entry.candidates.iter().map(|c| (c.word.as_slice(), c.probability)).collect())
            .collect();
        let shared = model.shared().iter().map(|counts| counts.ln()).collect();
        Self { model, listed, cache: RefCell::default(), shared }
    }

    /// Log-probability of a string in an entry.
    fn score(&self, entry: usize, word: &[LetterIndex]) -> f64 {
        let listed = self.listed[entry].get(word).copied().unwrap_or(0.0);
        let unlisted = self.model.entries[entry].unlisted;
        if unlisted <= 0.0 {
            return listed.max(f64::MIN_POSITIVE).ln();
        }
        let key = (entry, word.to_vec());
        if let Some(&known) = self.cache.borrow().get(&key) {
            return known;
        }
        let string = (self.model.letters.log_weight(word) - self.model.log_total(entry)).exp() * unlisted;
        let score = (listed + string).max(f64::MIN_POSITIVE).ln();
        self.cache.borrow_mut().insert(key, score);
        score
    }

    /// Log-weight of a letter in a cell with this many entries.
    fn crossing(&self, entries: usize, letter: LetterIndex) -> f64 {
        if entries > 1 { self.shared[usize::from(letter)] } else { 0.0 }
    }
}

/// Restarts without improvement after which the search ends.
const RESTARTS: usize = 24;
/// A restart forces one of this many best other answers into one of the worst entries.
const FORCED_ANSWERS: usize = 6;
const FORCED_ENTRIES: usize = 12;
/// Letters that a flip tries per cell, and the least posterior of such a letter.
const FLIPPED_LETTERS: usize = 5;
const FLIP_POSTERIOR: f64 = 1e-4;

/// Searches for the most probable grid: exchanges answers (the best `width` of each entry by belief) and single letters
/// while the score rises; then restarts from the best grid with one answer changed and its crossings repaired. Ends when
/// restarts stop helping or when `stop` says so. The score never falls.
pub fn local_search(
    model: &GridModel,
    beliefs: &Beliefs,
    width: usize,
    mut stop: impl FnMut() -> bool,
) -> GridAssignment {
    let scorer = Scorer::new(model);
    let crossings = model.crossings();
    let orders: Vec<Vec<usize>> = beliefs.entries.iter().map(|chances| best(chances, width)).collect();
    let flips: Vec<Vec<LetterIndex>> = (0..model.cells).map(|cell| flip_letters(beliefs, cell)).collect();
    let neighbourhood = Neighbourhood { model, scorer: &scorer, crossings: &crossings, orders: &orders, flips: &flips };
    let mut best_grid = neighbourhood.start(beliefs);
    let all = worst_first(&best_grid.scores);
    neighbourhood.climb(&mut best_grid, all, None, &mut stop);
    let mut failures = 0;
    let mut number = 0;
    while failures < RESTARTS && !stop() {
        let Some((mut grid, forced)) = neighbourhood.perturbed(&best_grid, number) else { break };
        number += 1;
        let around = neighbourhood.crossing(forced);
        neighbourhood.climb(&mut grid, around.clone(), Some(forced), &mut stop);
        neighbourhood.climb(&mut grid, [vec![forced], around].concat(), None, &mut stop);
        if neighbourhood.total(&grid) > neighbourhood.total(&best_grid) + 1e-9 {
            best_grid = grid;
            failures = 0;
        } else {
            failures += 1;
        }
    }
    let score = neighbourhood.total(&best_grid);
    GridAssignment { cells: best_grid.cells, score }
}

/// A grid with the score of each entry.
#[derive(Clone)]
struct Scored {
    cells: Vec<Option<LetterIndex>>,
    scores: Vec<f64>,
}

/// The moves of the search.
struct Neighbourhood<'s, 'm> {
    model: &'m GridModel,
    scorer: &'s Scorer<'m>,
    crossings: &'s [Vec<(usize, usize)>],
    /// Candidates per entry, most probable first.
    orders: &'s [Vec<usize>],
    /// Letters per cell that a flip tries.
    flips: &'s [Vec<LetterIndex>],
}

impl Neighbourhood<'_, '_> {
    /// The grid of the most probable letters.
    fn start(&self, beliefs: &Beliefs) -> Scored {
        let cells: Vec<Option<LetterIndex>> = (0..self.model.cells)
            .map(|cell| {
                let free = || (!self.crossings[cell].is_empty()).then(|| beliefs.best_letter(cell).0);
                self.model.fixed[cell].or_else(free)
            })
            .collect();
        let scores = (0..self.model.entries.len())
            .map(|entry| self.scorer.score(entry, &word(self.model, &cells, entry)))
            .collect();
        Scored { cells, scores }
    }

    fn total(&self, grid: &Scored) -> f64 {
        let letters = grid.cells.iter().zip(self.crossings);
        let crossed: f64 =
            letters.filter_map(|(letter, entries)| Some(self.scorer.crossing(entries.len(), (*letter)?))).sum();
        grid.scores.iter().sum::<f64>() + crossed
    }

    /// The entries that cross an entry.
    fn crossing(&self, entry: usize) -> Vec<usize> {
        let cells = self.model.entries[entry].cells.iter();
        let through = cells.flat_map(|&cell| self.crossings[cell].iter().map(|&(other, _)| other));
        through.filter(|&other| other != entry).collect()
    }

    /// Improves a grid until no move on the entries in the queue helps; entries next to a change join the queue. The cells
    /// of the `locked` entry stay.
    fn climb(&self, grid: &mut Scored, queue: Vec<usize>, locked: Option<usize>, stop: &mut impl FnMut() -> bool) {
        let mut waiting = vec![false; self.model.entries.len()];
        queue.iter().for_each(|&entry| waiting[entry] = true);
        let mut queue = VecDeque::from(queue);
        while let Some(entry) = queue.pop_front() {
            if stop() {
                return;
            }
            waiting[entry] = false;
            let mut changed = self.exchange(grid, entry, locked);
            for &cell in &self.model.entries[entry].cells {
                changed |= self.flip(grid, cell, locked);
            }
            if changed {
                for other in self.crossing(entry).into_iter().chain([entry]) {
                    if !std::mem::replace(&mut waiting[other], true) {
                        queue.push_back(other);
                    }
                }
            }
        }
    }

    fn is_locked(&self, cell: usize, locked: Option<usize>) -> bool {
        self.model.fixed[cell].is_some() || locked.is_some_and(|entry| self.model.entries[entry].cells.contains(&cell))
    }

    /// Places the candidate of an entry with the largest gain; returns whether the grid changed.
    fn exchange(&self, grid: &mut Scored, entry: usize, locked: Option<usize>) -> bool {
        let here = &self.model.entries[entry];
        let fixed: Vec<bool> = here.cells.iter().map(|&cell| self.is_locked(cell, locked)).collect();
        let mut best: Option<(f64, usize)> = None;
        for &candidate in &self.orders[entry] {
            let answer = &here.candidates[candidate].word;
            let clash = |((&cell, letter), fixed): ((&usize, &LetterIndex), &bool)| {
                *fixed && grid.cells[cell].is_some_and(|there| there != *letter)
            };
            if here.cells.iter().zip(answer).zip(&fixed).any(clash) {
                continue;
            }
            let gain = self.gain(grid, entry, answer);
            if gain > 1e-9 && best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, candidate));
            }
        }
        let Some((_, candidate)) = best else { return false };
        self.place(grid, entry, &here.candidates[candidate].word);
        true
    }

    /// Change of the total score if an answer were written.
    fn gain(&self, grid: &Scored, entry: usize, answer: &[LetterIndex]) -> f64 {
        let mut gain = self.scorer.score(entry, answer) - grid.scores[entry];
        for (at, (&cell, &letter)) in self.model.entries[entry].cells.iter().zip(answer).enumerate() {
            if grid.cells[cell] == Some(letter) {
                continue;
            }
            let shared = |letter| self.scorer.crossing(self.crossings[cell].len(), letter);
            gain += shared(letter) - grid.cells[cell].map_or(0.0, shared);
            for &(other, place) in self.crossings[cell].iter().filter(|&&crossing| crossing != (entry, at)) {
                let mut crossed = word(self.model, &grid.cells, other);
                crossed[place] = letter;
                gain += self.scorer.score(other, &crossed) - grid.scores[other];
            }
        }
        gain
    }

    fn place(&self, grid: &mut Scored, entry: usize, answer: &[LetterIndex]) {
        let here = &self.model.entries[entry];
        for (&cell, &letter) in here.cells.iter().zip(answer) {
            grid.cells[cell] = Some(letter);
        }
        for other in here.cells.iter().flat_map(|&cell| self.crossings[cell].iter().map(|&(other, _)| other)) {
            grid.scores[other] = self.scorer.score(other, &word(self.model, &grid.cells, other));
        }
    }

    /// Writes the letter of a cell with the largest gain; returns whether the grid changed.
    fn flip(&self, grid: &mut Scored, cell: usize, locked: Option<usize>) -> bool {
        let Some(now) = grid.cells[cell].filter(|_| !self.is_locked(cell, locked)) else { return false };
        let shared = |letter| self.scorer.crossing(self.crossings[cell].len(), letter);
        let mut best: Option<(f64, LetterIndex)> = None;
        for &letter in self.flips[cell].iter().filter(|&&letter| letter != now) {
            let mut gain = shared(letter) - shared(now);
            for &(entry, place) in &self.crossings[cell] {
                let mut changed = word(self.model, &grid.cells, entry);
                changed[place] = letter;
                gain += self.scorer.score(entry, &changed) - grid.scores[entry];
            }
            if gain > 1e-9 && best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, letter));
            }
        }
        let Some((_, letter)) = best else { return false };
        grid.cells[cell] = Some(letter);
        for &(entry, _) in &self.crossings[cell] {
            grid.scores[entry] = self.scorer.score(entry, &word(self.model, &grid.cells, entry));
        }
        true
    }

    /// The `number`th restart: one of the worst entries gets one of its best other answers. Returns the grid and the entry.
    fn perturbed(&self, grid: &Scored, number: usize) -> Option<(Scored, usize)> {
        let entries: Vec<usize> = worst_first(&grid.scores).into_iter().take(FORCED_ENTRIES).collect();
        let entry = *entries.get(number % FORCED_ENTRIES.min(entries.len()).max(1))?;
        let here = &self.model.entries[entry];
        let now = word(self.model, &grid.cells, entry);
        let fits = |answer: &[LetterIndex]| {
            let fixed = |(&cell, letter): (&usize, &LetterIndex)| self.model.fixed[cell].is_none_or(|f| f == *letter);
            answer != now.as_slice() && here.cells.iter().zip(answer).all(fixed)
        };
        let mut others = self.orders[entry].iter().map(|&at| &here.candidates[at].word).filter(|word| fits(word));
        let answer = others.nth(number / FORCED_ENTRIES % FORCED_ANSWERS)?.clone();
        let mut changed = grid.clone();
        self.place(&mut changed, entry, &answer);
        Some((changed, entry))
    }
}

/// The most probable letters of a cell.
fn flip_letters(beliefs: &Beliefs, cell: usize) -> Vec<LetterIndex> {
    let chances = beliefs.cell(cell);
    let order = best(chances, FLIPPED_LETTERS);
    order.into_iter().filter(|&at| chances[at] > FLIP_POSTERIOR).map(|at| at as LetterIndex).collect()
}

fn word(model: &GridModel, cells: &[Option<LetterIndex>], entry: usize) -> Vec<LetterIndex> {
    model.entries[entry].cells.iter().map(|&cell| cells[cell].unwrap_or(0)).collect()
}

/// Indices of the largest values in descending order.
fn best(values: &[f64], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let by_value = |a: &usize, b: &usize| values[*b].total_cmp(&values[*a]).then(a.cmp(b));
    if order.len() > count {
        order.select_nth_unstable_by(count, by_value);
        order.truncate(count);
    }
    order.sort_by(by_value);
    order
}

fn worst_first(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::inference::{EntryModel, LetterModel, ListedAnswer, propagate};
    use proptest::prelude::*;

    /// A 3 × 3 grid without blocks: loops everywhere.
    fn square(lists: Vec<Vec<(Vec<LetterIndex>, f64)>>) -> GridModel {
        let lines =
            (0..3).map(|row| vec![row * 3, row * 3 + 1, row * 3 + 2]).chain((0..3).map(|c| vec![c, c + 3, c + 6]));
        let entries = lines
            .zip(lists)
            .map(|(cells, list)| EntryModel {
                cells,
                candidates: list.into_iter().map(|(word, probability)| ListedAnswer { word, probability }).collect(),
                unlisted: 0.05,
            })
            .collect();
        GridModel::new(9, entries, vec![None; 9], LetterModel::uniform(4)).expect("it fits together")
    }

    fn lists() -> impl Strategy<Value = Vec<Vec<(Vec<LetterIndex>, f64)>>> {
        let list = prop::collection::btree_map(prop::collection::vec(0u8..4, 3), 0.01..1.0f64, 1..8);
        prop::collection::vec(list.prop_map(|words| words.into_iter().collect()), 6)
    }

    proptest! {
        #[test]
        fn local_search_never_lowers_the_score(lists in lists()) {
            let model = square(lists);
            let beliefs = propagate(&model, 20, 0.3);
            let start = local_search(&model, &beliefs, 50, || true);
            let end = local_search(&model, &beliefs, 50, || false);
            prop_assert!(end.score >= start.score - 1e-9);
            let scorer = Scorer::new(&model);
            let again: f64 = (0..6).map(|entry| scorer.score(entry, &word(&model, &end.cells, entry))).sum();
            prop_assert!((again - end.score).abs() < 1e-6, "the score is that of the grid");
        }
    }

    #[test]
    fn agreeing_answers_win_against_likelier_ones_that_do_not_cross() {
        let cat = |word: &[LetterIndex], chance: f64| (word.to_vec(), chance);
        let model = square(vec![
            vec![cat(&[0, 1, 2], 0.4), cat(&[3, 3, 3], 0.6)],
            vec![cat(&[1, 2, 0], 1.0)],
            vec![cat(&[2, 0, 1], 1.0)],
            vec![cat(&[0, 1, 2], 1.0)],
            vec![cat(&[1, 2, 0], 1.0)],
            vec![cat(&[2, 0, 1], 1.0)],
        ]);
        let filling = local_search(&model, &propagate(&model, 20, 0.0), 10, || false);
        let letters: Vec<LetterIndex> =
            filling.cells.into_iter().map(|letter| letter.expect("all cells belong to entries")).collect();
        assert_eq!(letters, [0, 1, 2, 1, 2, 0, 2, 0, 1]);
    }
}
