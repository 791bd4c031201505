//! Local search for the most probable grid: starts from the beliefs and exchanges whole answers.

use super::{Beliefs, GridModel, LetterIndex};
use std::collections::HashMap;

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
        Self { model, listed, shared: model.shared().iter().map(|counts| counts.ln()).collect() }
    }

    /// Log-probability of a string in an entry.
    fn score(&self, entry: usize, word: &[LetterIndex]) -> f64 {
        let listed = self.listed[entry].get(word).copied().unwrap_or(0.0);
        let unlisted = self.model.entries[entry].unlisted;
        let string = if unlisted > 0.0 {
            (self.model.letters.log_weight(word) - self.model.log_total(entry)).exp() * unlisted
        } else {
            0.0
        };
        (listed + string).max(f64::MIN_POSITIVE).ln()
    }

    /// Log-weight of a letter in a cell with this many entries.
    fn crossing(&self, entries: usize, letter: LetterIndex) -> f64 {
        if entries > 1 { self.shared[usize::from(letter)] } else { 0.0 }
    }
}

/// Fills the grid: likeliest letters first, then exchanges of whole answers (the best `width` of each entry by belief)
/// as long as the score of the grid rises, or until `stop` says so. The score never falls.
pub fn local_search(
    model: &GridModel,
    beliefs: &Beliefs,
    width: usize,
    mut stop: impl FnMut() -> bool,
) -> GridAssignment {
    let scorer = Scorer::new(model);
    let crossings = model.crossings();
    let mut cells: Vec<Option<LetterIndex>> = (0..model.cells)
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
    GridAssignment { cells, score: scores.iter().sum::<f64>() + crossed }
}

/// Places the candidate of an entry with the largest gain; returns whether the grid changed.
fn exchange(
    model: &GridModel,
    scorer: &Scorer<'_>,
    crossings: &[Vec<(usize, usize)>],
    order: &[usize],
    entry: usize,
    cells: &mut [Option<LetterIndex>],
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
