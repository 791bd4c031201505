//! Fitting the association model to turns of people, and the honest figures by cross-fitting.

use crate::formats::TurnRecord;
use semantics::assoc::{AssocWeights, fit as assoc_fit};
use semantics::logit::{ChoiceExample, score};
use semantics::{Assoc, Language};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// Figures of a cross-fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitReport {
    pub turns: usize,
    pub folds: usize,
    /// Groups of turns that share a board; a group is never split.
    pub boards: usize,
    /// Mean average precision of turns by weights fitted without them.
    pub ap_targets: f64,
    pub recall_at_k: f64,
    /// The same by weights fitted with them: the difference is what fitting on one's own exam gives.
    pub ap_in_sample: f64,
}

/// The group of every turn: turns whose boards share nine tenths of their words belong to one game.
pub fn folds(turns: &[TurnRecord]) -> Vec<usize> {
    let mut boards: Vec<HashSet<&str>> = Vec::new();
    turns
        .iter()
        .map(|turn| {
            let words: HashSet<&str> = turn.board.iter().map(String::as_str).collect();
            let like = |b: &HashSet<&str>| b.intersection(&words).count() * 10 >= 9 * b.len().min(words.len());
            boards.iter().position(like).unwrap_or_else(|| {
                boards.push(words.clone());
                boards.len() - 1
            })
        })
        .collect()
}

pub(super) fn choices(language: &Language, turns: &[TurnRecord]) -> Vec<Option<ChoiceExample>> {
    let model = Assoc::new(language);
    let mut profiles = HashMap::new();
    turns
        .iter()
        .map(|turn| {
            let turn = assoc_fit::TrainingTurn {
                clue: turn.clue.to_lowercase(),
                board: turn.board.clone(),
                targets: turn.targets.clone(),
            };
            assoc_fit::choice(&model, &mut profiles, &turn)
        })
        .collect()
}

/// Fits weights on all turns (`also` are further turns that take part in every fit, by their weight 0 to 1) and
/// measures them on turns that had no part.
pub fn fit(
    language: &Language,
    turns: &[TurnRecord],
    also: &[TurnRecord],
    folds_count: usize,
    l2: f32,
) -> (AssocWeights, FitReport) {
    let groups = folds(turns);
    let own = choices(language, turns);
    let further: Vec<ChoiceExample> = choices(language, also).into_iter().flatten().collect();
    let weigh = |keep: &dyn Fn(usize) -> bool| {
        let mut used: Vec<ChoiceExample> =
            own.iter().enumerate().filter(|(i, _)| keep(*i)).filter_map(|(_, c)| c.clone()).collect();
        used.extend(further.iter().cloned());
        assoc_fit::weights(&used, l2)
    };
    let order = |weights: &AssocWeights| -> Vec<f32> {
        semantics::assoc::features::NAMES.iter().map(|n| weights.features.get(*n).copied().unwrap_or(0.0)).collect()
    };
    let quality = |weights: &[f32], keep: &dyn Fn(usize) -> bool| {
        let rows: Vec<(f64, f64)> = own
            .iter()
            .enumerate()
            .filter(|(i, _)| keep(*i))
            .filter_map(|(_, c)| {
                let c = c.as_ref()?;
                let scores: Vec<f32> = c.features.iter().map(|f| score(weights, f)).collect();
                let meant: Vec<bool> = c.chosen.iter().map(|y| *y > 0.0).collect();
                assoc_fit::precision(&scores, &meant)
            })
            .collect();
        (rows.iter().map(|r| r.0).sum::<f64>(), rows.iter().map(|r| r.1).sum::<f64>(), rows.len())
    };
    let (mut ap, mut recall, mut n) = (0.0, 0.0, 0usize);
    let fitted: Vec<AssocWeights> =
        (0..folds_count).map(|fold| weigh(&|i: usize| groups[i] % folds_count != fold)).collect();
    for (fold, weights) in fitted.iter().enumerate() {
        let (a, r, k) = quality(&order(weights), &|i: usize| groups[i] % folds_count == fold);
        ap += a;
        recall += r;
        n += k;
    }
    let all = weigh(&|_| true);
    let (inside, _, count) = quality(&order(&all), &|_| true);
    let report = FitReport {
        turns: turns.len(),
        folds: folds_count,
        boards: groups.iter().max().map_or(0, |m| m + 1),
        ap_targets: ap / n.max(1) as f64,
        recall_at_k: recall / n.max(1) as f64,
        ap_in_sample: inside / count.max(1) as f64,
    };
    (all, report)
}
