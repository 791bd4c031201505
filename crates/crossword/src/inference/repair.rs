//! One filled grid from beliefs: start with the likeliest letters, then exchange whole answers while the grid gets better.

use super::{Beliefs, GridModel, Letter};
use std::collections::HashMap;

/// A filled grid and how good it is.
#[derive(Clone, Debug)]
pub struct Filling {
    /// A letter for every cell that belongs to an entry; fixed letters elsewhere.
    pub cells: Vec<Option<Letter>>,
    /// Logarithm of the product of all entries' chances and of what letters count where entries cross.
    pub score: f64,
}

/// Looks up the chance of any string in an entry.
struct Scorer<'m> {
    model: &'m GridModel,
    listed: Vec<HashMap<&'m [Letter], f64>>,
    /// Logarithm of what each letter counts where two entries cross.
    shared: Vec<f64>,
}

impl<'m> Scorer<'m> {
    fn new(model: &'m GridModel) -> Self {
        let listed = model
            .entries
            .iter()
            .map(|entry| entry.candidates.iter().map(|c| (c.word.as_slice(), c.probability)).collect())
            .collect();
        Self { model, listed, shared: model.shared().iter().map(|counts| counts.ln()).collect() }
    }

    /// Logarithm of the chance of a string in an entry.
    fn score(&self, entry: usize, word: &[Letter]) -> f64 {
        let listed = self.listed[entry].get(word).copied().unwrap_or(0.0);
        let unlisted = self.model.entries[entry].unlisted;
        let string = if unlisted > 0.0 {
            (self.model.letters.log_weight(word) - self.model.log_total(entry)).exp() * unlisted
        } else {
            0.0
        };
        (listed + string).max(f64::MIN_POSITIVE).ln()
    }

    /// Logarithm of what a letter counts in a cell that so many entries cross in.
    fn crossing(&self, entries: usize, letter: Letter) -> f64 {
        if entries > 1 { self.shared[usize::from(letter)] } else { 0.0 }
    }
}

/// Fills the grid: likeliest letters first, then exchanges of whole answers (the best `width` of each entry by belief)
/// as long as the score of the grid rises, or until `stop` says so. The score never falls.
pub fn repair(model: &GridModel, beliefs: &Beliefs, width: usize, mut stop: impl FnMut() -> bool) -> Filling {
    let scorer = Scorer::new(model);
    let crossings = model.crossings();
    let mut cells: Vec<Option<Letter>> = (0..model.cells)
        .map(|cell| model.fixed[cell].or_else(|| (!crossings[cell].is_empty()).then(|| beliefs.best_letter(cell).0)))
        .collect();
    let orders: Vec<Vec<usize>> = beliefs.entries.iter().map(|chances| best(chances, width)).collect();
    let mut scores: Vec<f64> =
        (0..model.entries.len()).map(|entry| scorer.score(entry, &word(model, &cells, entry))).collect();
    let mut improved = true;
    while improved && !stop() {
        improved = false;
        for entry in worst_first(&scores) {
            if stop() {
                break;
            }
            improved |= exchange(model, &scorer, &crossings, &orders[entry], entry, &mut cells, &mut scores);
        }
    }
    let crossed: f64 = cells
        .iter()
        .zip(&crossings)
        .filter_map(|(letter, entries)| Some(scorer.crossing(entries.len(), (*letter)?)))
        .sum();
    Filling { cells, score: scores.iter().sum::<f64>() + crossed }
}

/// Tries every candidate of an entry in the grid and keeps the best; says whether something changed.
fn exchange(
    model: &GridModel,
    scorer: &Scorer<'_>,
    crossings: &[Vec<(usize, usize)>],
    order: &[usize],
    entry: usize,
    cells: &mut [Option<Letter>],
    scores: &mut [f64],
) -> bool {
    let here = &model.entries[entry];
    let mut best: Option<(f64, usize)> = None;
    for &candidate in order {
        let answer = &here.candidates[candidate].word;
        if here.cells.iter().zip(answer).any(|(&cell, &letter)| model.fixed[cell].is_some_and(|fixed| fixed != letter))
        {
            continue;
        }
        let mut gain = scorer.score(entry, answer) - scores[entry];
        for (at, (&cell, &letter)) in here.cells.iter().zip(answer).enumerate() {
            if cells[cell] == Some(letter) {
                continue;
            }
            for &(other, place) in crossings[cell].iter().filter(|&&(other, place)| (other, place) != (entry, at)) {
                let mut crossed = word(model, cells, other);
                crossed[place] = letter;
                gain += scorer.score(other, &crossed) - scores[other];
                let shared = |letter| scorer.crossing(crossings[cell].len(), letter);
                gain += shared(letter) - cells[cell].map_or(0.0, shared);
            }
        }
        if gain > 1e-9 && best.is_none_or(|(most, _)| gain > most) {
            best = Some((gain, candidate));
        }
    }
    let Some((_, candidate)) = best else { return false };
    for (&cell, &letter) in here.cells.iter().zip(&here.candidates[candidate].word) {
        cells[cell] = Some(letter);
    }
    let touched = here.cells.iter().flat_map(|&cell| crossings[cell].iter().map(|&(other, _)| other));
    for other in touched {
        scores[other] = scorer.score(other, &word(model, cells, other));
    }
    true
}

fn word(model: &GridModel, cells: &[Option<Letter>], entry: usize) -> Vec<Letter> {
    model.entries[entry].cells.iter().map(|&cell| cells[cell].unwrap_or(0)).collect()
}

/// Indices of the largest values, largest first.
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
    use crate::inference::{Candidate, EntryModel, LetterModel, propagate};
    use proptest::prelude::*;

    /// A 3 × 3 grid without blocks: loops everywhere.
    fn square(lists: Vec<Vec<(Vec<Letter>, f64)>>) -> GridModel {
        let lines =
            (0..3).map(|row| vec![row * 3, row * 3 + 1, row * 3 + 2]).chain((0..3).map(|c| vec![c, c + 3, c + 6]));
        let entries = lines
            .zip(lists)
            .map(|(cells, list)| EntryModel {
                cells,
                candidates: list.into_iter().map(|(word, probability)| Candidate { word, probability }).collect(),
                unlisted: 0.05,
            })
            .collect();
        GridModel::new(9, entries, vec![None; 9], LetterModel::uniform(4)).expect("it fits together")
    }

    fn lists() -> impl Strategy<Value = Vec<Vec<(Vec<Letter>, f64)>>> {
        let list = prop::collection::btree_map(prop::collection::vec(0u8..4, 3), 0.01..1.0f64, 1..8);
        prop::collection::vec(list.prop_map(|words| words.into_iter().collect()), 6)
    }

    proptest! {
        #[test]
        fn repair_never_lowers_the_score(lists in lists()) {
            let model = square(lists);
            let beliefs = propagate(&model, 20, 0.3);
            let start = repair(&model, &beliefs, 50, || true);
            let end = repair(&model, &beliefs, 50, || false);
            prop_assert!(end.score >= start.score - 1e-9);
            let scorer = Scorer::new(&model);
            let again: f64 = (0..6).map(|entry| scorer.score(entry, &word(&model, &end.cells, entry))).sum();
            prop_assert!((again - end.score).abs() < 1e-6, "the score is that of the grid");
        }
    }

    #[test]
    fn agreeing_answers_win_against_likelier_ones_that_do_not_cross() {
        let cat = |word: &[Letter], chance: f64| (word.to_vec(), chance);
        let model = square(vec![
            vec![cat(&[0, 1, 2], 0.4), cat(&[3, 3, 3], 0.6)],
            vec![cat(&[1, 2, 0], 1.0)],
            vec![cat(&[2, 0, 1], 1.0)],
            vec![cat(&[0, 1, 2], 1.0)],
            vec![cat(&[1, 2, 0], 1.0)],
            vec![cat(&[2, 0, 1], 1.0)],
        ]);
        let filling = repair(&model, &propagate(&model, 20, 0.0), 10, || false);
        let letters: Vec<Letter> =
            filling.cells.into_iter().map(|letter| letter.expect("all cells belong to entries")).collect();
        assert_eq!(letters, [0, 1, 2, 1, 2, 0, 2, 0, 1]);
    }
}
