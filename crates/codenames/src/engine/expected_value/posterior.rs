//! Posterior over the ensemble's models from the operative's guesses so far.

use crate::engine::choice_model::choice_probabilities;
use crate::engine::meaning::LanguageModel;
use crate::engine::{BoardPosition, Ensemble};
use std::sync::Arc;

/// Weights of the ensemble's members after the guesses for the own side's clues: Bayes' rule with the choice model's
/// probability of every card taken as the likelihood.
pub(super) fn member_weights(lm: &LanguageModel, position: &BoardPosition, ensemble: &Ensemble) -> Vec<f64> {
    let prior: Vec<f64> = ensemble.members.iter().map(|m| m.weight).collect();
    if position.turns.iter().all(|t| !t.own || t.guesses.is_empty()) {
        return prior;
    }
    let columns: Vec<Vec<Arc<[f32]>>> = ensemble
        .members
        .iter()
        .map(|m| position.cards.iter().map(|card| lm.column(m.model, &card.word)).collect())
        .collect();
    let mut logs: Vec<f64> = prior.iter().map(|w| w.max(1e-12).ln()).collect();
    // backwards, so that `open` holds the cards that were open at each guess
    let mut open = position.open();
    for turn in position.turns.iter().rev() {
        let clue = if turn.own { lm.place(&turn.clue.word) } else { None };
        for &(taken, _) in turn.guesses.iter().rev() {
            open.push(taken);
            let Some(clue) = clue else { continue };
            for (log, (member, columns)) in logs.iter_mut().zip(ensemble.members.iter().zip(&columns)) {
                let scores: Vec<f32> = open.iter().map(|&card| columns[card][clue]).collect();
                // the card taken was pushed last
                let probability = choice_probabilities(&scores, member.sharpness).pop().unwrap_or(1.0);
                *log += probability.ln();
            }
        }
    }
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
    let sum: f64 = odds.iter().sum();
    odds.into_iter().map(|x| x / sum).collect()
}
