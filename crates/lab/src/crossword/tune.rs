//! Tunes what cannot be fitted clue by clue, by solving puzzles with known solutions: sharpness of the evidence, odds of an
//! unlisted answer, and Platt scaling of the reported probabilities.

use crossword::engine::solver::{Calibration, Knowledge, PlattScaling, collect_all_evidence, solve_with_evidence};
use crossword::rules::Puzzle;
use std::time::Duration;

/// The result of one setting.
#[derive(Clone, Debug)]
pub struct TuningResult {
    /// Factor of all weights, and of the odds of an unlisted answer.
    pub sharpness: f32,
    pub unlisted: f64,
    pub words: usize,
    pub words_right: usize,
    pub letters: usize,
    pub letters_right: usize,
    /// Platt scaling fitted on the outcomes.
    pub word_scaling: PlattScaling,
    pub letter_scaling: PlattScaling,
}

/// Stated probabilities and whether each was right.
type Stated = Vec<(f64, bool)>;

/// Solves every puzzle under every setting of the calibration.
pub fn tune(
    knowledge: &Knowledge<'_>,
    puzzles: &[Puzzle],
    base: &Calibration,
    sharpness: &[f32],
    unlisted: &[f64],
    mut progress: impl FnMut(usize),
) -> Vec<TuningResult> {
    let settings: Vec<(f32, f64)> = sharpness.iter().flat_map(|&s| unlisted.iter().map(move |&u| (s, u))).collect();
    let calibrations: Vec<Calibration> = settings.iter().map(|&(s, u)| with(base, s, u)).collect();
    let mut stated: Vec<(Stated, Stated)> = vec![Default::default(); settings.len()];
    for (number, puzzle) in puzzles.iter().enumerate() {
        let mut empty = puzzle.clone();
        empty.grid.cells_mut().iter_mut().filter(|cell| !cell.given).for_each(|cell| cell.fill = None);
        let gathered = collect_all_evidence(&empty, knowledge);
        for (calibration, (words, letters)) in calibrations.iter().zip(&mut stated) {
            let one = std::slice::from_ref(calibration);
            let Ok(solution) =
                solve_with_evidence(&empty, knowledge, &gathered, one, Duration::from_secs(60), &mut None)
            else {
                continue;
            };
            for (entry, belief) in puzzle.entries.iter().zip(&solution.entries) {
                words.push((belief.probability, puzzle.answer(entry).is_some_and(|answer| answer == belief.answer)));
            }
            for (cell, belief) in puzzle.grid.cells().iter().zip(&solution.cells) {
                if let (Some(want), Some(belief)) = (&cell.solution, belief) {
                    letters.push((belief.probability, want.starts_with(belief.letter)));
                }
            }
        }
        progress(number + 1);
    }
    let right = |stated: &Stated| stated.iter().filter(|(_, right)| *right).count();
    settings
        .into_iter()
        .zip(stated)
        .map(|((sharpness, unlisted), (words, letters))| TuningResult {
            sharpness,
            unlisted,
            words: words.len(),
            words_right: right(&words),
            letters: letters.len(),
            letters_right: right(&letters),
            word_scaling: honesty(&words),
            letter_scaling: honesty(&letters),
        })
        .collect()
}

/// The calibration with scaled weights and scaled odds of unlisted answers, without Platt scaling.
pub fn with(base: &Calibration, sharpness: f32, unlisted: f64) -> Calibration {
    let mut changed = base.clone();
    changed.weights.iter_mut().for_each(|weight| *weight *= sharpness);
    for chance in &mut changed.unlisted {
        let odds = *chance / (1.0 - *chance) * unlisted;
        *chance = odds / (1.0 + odds);
    }
    (changed.word_scaling, changed.letter_scaling) = (PlattScaling::default(), PlattScaling::default());
    changed
}

/// The maximum-likelihood scaling on a parameter grid.
fn honesty(stated: &Stated) -> PlattScaling {
    let mut best = (f64::NEG_INFINITY, PlattScaling::default());
    for power in (2..=30).map(|step| f64::from(step) * 0.05) {
        for shift in (-20..=20).map(|step| f64::from(step) * 0.1) {
            let tried = PlattScaling { power, shift };
            let likelihood: f64 = stated
                .iter()
                .map(|&(chance, right)| {
                    let told = tried.correct(chance);
                    if right { told.ln() } else { (1.0 - told).ln() }
                })
                .sum();
            if likelihood > best.0 {
                best = (likelihood, tried);
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_make_overstated_chances_honest() {
        // Nine in ten were stated, half were right; one in ten were stated, one in ten right.
        let stated: Stated =
            (0..400).map(|i| if i % 2 == 0 { (0.9, i % 4 == 0) } else { (0.1, i % 20 == 1) }).collect();
        let found = honesty(&stated);
        assert!((found.correct(0.9) - 0.5).abs() < 0.05 && (found.correct(0.1) - 0.1).abs() < 0.05, "{found:?}");
    }
}
