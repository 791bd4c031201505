//! Fitting of the association model to Codenames turns and free associations.

use super::features::COUNT;
use super::{Assoc, AssocWeights, WordProfile, name_weights};
use crate::logit::{self, ChoiceExample};
use std::collections::HashMap;

/// A clue given for some words of a board.
#[derive(Clone, Debug)]
pub struct TrainingTurn {
    /// The clue.
    pub clue: String,
    /// All open words.
    pub board: Vec<String>,
    /// The words that were meant (or chosen).
    pub targets: Vec<String>,
}

/// The features of a turn's words, with the choice spread evenly over its targets; nothing if no
/// target lies on the board.
pub fn choice(
    model: &Assoc<'_>,
    profiles: &mut HashMap<String, WordProfile>,
    turn: &TrainingTurn,
) -> Option<ChoiceExample> {
    for text in turn.board.iter().chain([&turn.clue]) {
        if !profiles.contains_key(text) {
            profiles.insert(text.clone(), model.profile(text));
        }
    }
    let hit = turn.board.iter().filter(|w| turn.targets.contains(w)).count();
    if hit == 0 {
        return None;
    }
    let clue = &profiles[&turn.clue];
    Some(ChoiceExample {
        features: turn.board.iter().map(|w| model.features(clue, &profiles[w]).to_vec()).collect(),
        chosen: turn.board.iter().map(|w| if turn.targets.contains(w) { 1.0 / hit as f32 } else { 0.0 }).collect(),
        copies: vec![1.0; turn.board.len()],
    })
}

/// Fits weights to choices and calibrates them on the same choices.
pub fn weights(choices: &[ChoiceExample], l2: f32) -> AssocWeights {
    let fitted = logit::fit(choices, l2, 400);
    if fitted.is_empty() {
        return name_weights(&[0.0; COUNT], (1.0, 0.0));
    }
    name_weights(&fitted, calibrate(choices, &fitted))
}

/// Slope and offset of the logistic curve that best gives the chance of a word to be meant from
/// its score (Platt scaling by Newton's method).
pub fn calibrate(choices: &[ChoiceExample], weights: &[f32]) -> (f32, f32) {
    let points: Vec<(f64, f64)> = choices
        .iter()
        .flat_map(|c| c.features.iter().zip(&c.chosen))
        .map(|(f, y)| (f64::from(logit::score(weights, f)), f64::from(u8::from(*y > 0.0))))
        .collect();
    let (mut a, mut b) = (1.0f64, -3.0f64);
    for _ in 0..50 {
        let (mut ga, mut gb, mut haa, mut hab, mut hbb) = (0.0, 0.0, 1e-6, 0.0, 1e-6);
        for &(x, y) in &points {
            let p = 1.0 / (1.0 + (-(a * x + b)).exp());
            let (e, h) = (y - p, p * (1.0 - p));
            ga += e * x;
            gb += e;
            haa += h * x * x;
            hab += h * x;
            hbb += h;
        }
        let det = haa * hbb - hab * hab;
        if det.abs() < 1e-12 {
            break;
        }
        let (da, db) = ((ga * hbb - gb * hab) / det, (gb * haa - ga * hab) / det);
        let shrink = (2.0 / (da.abs() + db.abs())).min(1.0);
        a += da * shrink;
        b += db * shrink;
    }
    (a as f32, b as f32)
}

/// Average precision of a ranking (Σ k/rank over the meant words, divided by their number) and the
/// share of the meant words among the first as many. `None` if nothing was meant.
pub fn precision(scores: &[f32], meant: &[bool]) -> Option<(f64, f64)> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let k = meant.iter().filter(|m| **m).count();
    if k == 0 {
        return None;
    }
    let (mut found, mut sum, mut first) = (0usize, 0.0, 0usize);
    for (rank, &i) in order.iter().enumerate() {
        if meant[i] {
            found += 1;
            sum += found as f64 / (rank + 1) as f64;
            first += usize::from(rank < k);
        }
    }
    Some((sum / k as f64, first as f64 / k as f64))
}

/// Mean average precision and recall of weights over choices.
pub fn quality(choices: &[ChoiceExample], weights: &[f32]) -> (f64, f64) {
    let (mut ap, mut recall, mut n) = (0.0, 0.0, 0.0f64);
    for c in choices {
        let scores: Vec<f32> = c.features.iter().map(|f| logit::score(weights, f)).collect();
        let meant: Vec<bool> = c.chosen.iter().map(|y| *y > 0.0).collect();
        if let Some((a, r)) = precision(&scores, &meant) {
            ap += a;
            recall += r;
            n += 1.0;
        }
    }
    (ap / n.max(1.0), recall / n.max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_by_hand() {
        // meant words at ranks 1 and 3: (1/1 + 2/3) / 2, one of the first two
        let (ap, recall) = precision(&[0.9, 0.1, 0.5, 0.4], &[true, false, false, true]).unwrap();
        assert!((ap - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
        assert_eq!(recall, 0.5);
        assert!(precision(&[1.0], &[false]).is_none());
    }
}
