use super::*;
use crate::engine::inference::{EntryModel, LetterModel, ListedAnswer};
use proptest::prelude::*;

const LETTERS: usize = 3;

/// One across entry of three cells, crossed in each by a down entry of two cells: a tree.
/// Cells 0–2 are the across entry, 3–5 the second letters of the downs.
fn comb(
    across: Vec<ListedAnswer>,
    downs: [Vec<ListedAnswer>; 3],
    unlisted: [f64; 4],
    fixed: Option<(usize, LetterIndex)>,
    part: f64,
) -> GridModel {
    let mut entries = vec![EntryModel { cells: vec![0, 1, 2], candidates: across, unlisted: unlisted[0] }];
    for (column, candidates) in downs.into_iter().enumerate() {
        entries.push(EntryModel { cells: vec![column, column + 3], candidates, unlisted: unlisted[column + 1] });
    }
    let mut standing = vec![None; 6];
    if let Some((cell, letter)) = fixed {
        standing[cell] = Some(letter);
    }
    let words: [&[LetterIndex]; 4] = [&[0, 1, 2], &[0, 0], &[2, 1], &[1, 1, 0]];
    let model = GridModel::new(6, entries, standing, LetterModel::train(LETTERS, words)).expect("it fits together");
    model.without_commonness(part)
}

/// The weight an entry gives to a string: listed chance plus the letter model's share of being unlisted.
fn weight(model: &GridModel, entry: usize, word: &[LetterIndex]) -> f64 {
    let entry = &model.entries[entry];
    let listed: f64 = entry.candidates.iter().filter(|c| c.word == word).map(|c| c.probability).sum();
    let total: f64 = strings(word.len()).iter().map(|word| model.letters.log_weight(word).exp()).sum();
    listed + entry.unlisted * model.letters.log_weight(word).exp() / total
}

fn strings(length: usize) -> Vec<Vec<LetterIndex>> {
    (0..LETTERS.pow(length as u32))
        .map(|mut code| {
            (0..length)
                .map(|_| {
                    let letter = (code % LETTERS) as LetterIndex;
                    code /= LETTERS;
                    letter
                })
                .collect()
        })
        .collect()
}

/// Cell beliefs by adding up every possible grid.
fn exact(model: &GridModel, part: f64) -> Vec<f64> {
    let mut sums = vec![0.0; model.cells * LETTERS];
    for grid in strings(model.cells) {
        if grid.iter().zip(&model.fixed).any(|(&letter, fixed)| fixed.is_some_and(|fixed| fixed != letter)) {
            continue;
        }
        let all: f64 = (0..model.entries.len())
            .map(|entry| {
                let word: Vec<LetterIndex> = model.entries[entry].cells.iter().map(|&cell| grid[cell]).collect();
                weight(model, entry, &word)
            })
            .product();
        // The first three cells are crossed.
        let shared: f64 =
            grid[..3].iter().map(|&letter| model.letters.common(usize::from(letter)).powf(-part)).product();
        let all = all * shared;
        for (cell, &letter) in grid.iter().enumerate() {
            sums[cell * LETTERS + usize::from(letter)] += all;
        }
    }
    for cell in sums.chunks_mut(LETTERS) {
        let total: f64 = cell.iter().sum();
        cell.iter_mut().for_each(|share| *share /= total);
    }
    sums
}

fn candidates(length: usize) -> impl Strategy<Value = Vec<ListedAnswer>> {
    prop::collection::btree_map(prop::collection::vec(0..LETTERS as LetterIndex, length), 0.01..1.0, 1..6)
        .prop_map(|words| words.into_iter().map(|(word, probability)| ListedAnswer { word, probability }).collect())
}

proptest! {
    #[test]
    fn beliefs_are_exact_on_trees(
        across in candidates(3),
        downs in [candidates(2), candidates(2), candidates(2)],
        unlisted in [0.01..0.9, 0.01..0.9, 0.01..0.9, 0.01..0.9],
        fixed in prop::option::of((0usize..6, 0u8..3)),
        part in prop::sample::select(vec![0.0, 0.5, 1.0]),
    ) {
        let model = comb(across, downs, unlisted, fixed, part);
        let beliefs = propagate(&model, 50, 0.0);
        for (have, want) in beliefs.cells.iter().zip(exact(&model, part)) {
            prop_assert!((have - want).abs() < 1e-5, "{have} instead of {want}");
        }
        for (chances, unlisted) in beliefs.entries.iter().zip(&beliefs.unlisted) {
            let total: f64 = chances.iter().sum::<f64>() + unlisted;
            prop_assert!((total - 1.0).abs() < 1e-9);
        }
    }
}
