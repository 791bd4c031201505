//! Whose mind the guesser seems to have, by what it took so far.

use crate::meaning::Tongue;
use crate::players::race::chances;
use crate::players::{Ensemble, Situation};
use std::sync::Arc;

/// The weights of an ensemble's members after what the own side took for its clues: a member that found those cards
/// likelier than the others did weighs more.
pub(super) fn weights(tongue: &Tongue, situation: &Situation, ensemble: &Ensemble) -> Vec<f64> {
    let before: Vec<f64> = ensemble.members.iter().map(|m| m.1).collect();
    if situation.turns.iter().all(|t| !t.own || t.guesses.is_empty()) {
        return before;
    }
    let columns: Vec<Vec<Arc<[f32]>>> = ensemble
        .members
        .iter()
        .map(|m| situation.cards.iter().map(|card| tongue.column(m.0, &card.word)).collect())
        .collect();
    let mut logs: Vec<f64> = before.iter().map(|w| w.max(1e-12).ln()).collect();
    // backwards, so that at each guess the cards are known that lay open then
    let mut open = situation.open();
    for turn in situation.turns.iter().rev() {
        let clue = if turn.own { tongue.place(&turn.clue.word) } else { None };
        for &(taken, _) in turn.guesses.iter().rev() {
            open.push(taken);
            let Some(clue) = clue else { continue };
            for (log, (member, columns)) in logs.iter_mut().zip(ensemble.members.iter().zip(&columns)) {
                let scores: Vec<f32> = open.iter().map(|&card| columns[card][clue]).collect();
                // the card taken was laid back last
                let chance = chances(&scores, member.2).pop().unwrap_or(1.0);
                *log += chance.ln();
            }
        }
    }
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
    let sum: f64 = odds.iter().sum();
    odds.into_iter().map(|x| x / sum).collect()
}
