//! Whose mind the guesser seems to have, by what it took so far.

use super::give::{KEEN, STRAY};
use crate::meaning::Tongue;
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
                let score = |card: usize| columns[card][clue] * member.2 * KEEN;
                let top = open.iter().map(|&card| score(card)).fold(f32::NEG_INFINITY, f32::max);
                let rate = |card: usize| f64::from(score(card) - top).exp() + STRAY;
                let all: f64 = open.iter().map(|&card| rate(card)).sum();
                *log += (rate(taken) / all).ln();
            }
        }
    }
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = logs.iter().map(|log| (log - top).exp()).collect();
    let sum: f64 = odds.iter().sum();
    odds.into_iter().map(|x| x / sum).collect()
}
