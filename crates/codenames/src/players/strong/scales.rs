//! What a clue is weighed against: the open cards as different people see them.

use super::costs::Costs;
use super::plan::{Plan, Promise};
use crate::meaning::{Doubt, Model, Tongue};
use crate::players::race::{MOST, outlook, rate};
use crate::rules::Side;
use std::sync::Arc;

/// How much the model that thinks least of a clue counts beside the mean of all: whom it plays with is not known.
const WORST: f64 = 0.12;
/// Models below this weight are not feared: the guesser's choices speak against them.
const PLAUSIBLE: f64 = 0.05;
/// What ten times as common a word gains, in cards: rare words are known to few, and to few sources.
const COMMON: f64 = 0.1;
/// What puts clues behind all others whose first card is somebody else's.
const LAST: f64 = 1_000.0;
/// The most certain that anything is.
const SURE: f64 = 0.9999;

/// One model of the ensemble: the columns of the open cards, its weight and its sharpness.
pub(super) struct Member {
    pub model: Model,
    pub columns: Vec<Arc<[f32]>>,
    pub weight: f64,
    pub sharp: f32,
}

impl Member {
    /// Writes down its scores of the open cards for a clue.
    fn scores(&self, clue: usize, scores: &mut [f32]) {
        scores.iter_mut().zip(&self.columns).for_each(|(score, column)| *score = column[clue]);
    }
}

/// Everything a clue is weighed against.
pub(super) struct Scales<'a> {
    pub tongue: &'a Tongue,
    /// Whose the open cards are.
    pub sides: Vec<Side>,
    pub members: Vec<Member>,
    pub costs: Costs,
    /// The smallest and the largest number that may be said.
    pub least: usize,
    pub most: usize,
    /// For each own card, how far its links are to be trusted.
    pub doubts: Vec<Option<Vec<Doubt>>>,
}

/// A clue under one model: the clocks of the open cards.
struct Race {
    /// Rates of the own cards.
    own: Vec<f64>,
    /// The sum of all others' rates, and the mean cost of a card among them.
    others: f64,
    harm: f64,
}

impl Scales<'_> {
    /// The score of an open card between all models.
    fn mean(&self, card: usize, clue: usize) -> f32 {
        self.members.iter().map(|m| m.weight as f32 * m.sharp * m.columns[card][clue]).sum()
    }

    /// What a clue is worth to somebody between all models; if another's card comes first to that mind, less than any
    /// other, by how far an own card comes behind.
    pub fn glance(&self, clue: usize) -> f64 {
        let scores: Vec<f32> = (0..self.sides.len()).map(|card| self.mean(card, clue)).collect();
        let top = |mine: bool| {
            let some = scores.iter().zip(&self.sides).filter(|s| (*s.1 == Side::Own) == mine);
            some.map(|s| *s.0).fold(f32::NEG_INFINITY, f32::max)
        };
        let ahead = top(true) - top(false);
        if ahead < 0.0 {
            return f64::from(ahead) - LAST;
        }
        let race = self.race(&scores, 1.0);
        let look = outlook(&race.own, race.others);
        let worth = |k: usize| look.found[k] - race.harm * look.wrong[k];
        (self.least..=self.most(clue)).map(worth).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Value and best number of a clue by all models: the cards it finds at once, or with a plan what it saves of the whole
    /// game. `personal` are the association model's scores for the open cards where they differ from its columns.
    pub fn weigh(&self, clue: usize, plan: Option<&Plan>, personal: Option<&[f32]>) -> (f64, usize) {
        let mut values = [0.0; MOST + 1];
        let mut lowest = [f64::INFINITY; MOST + 1];
        let mut total = 0.0;
        let mut scores = vec![0.0; self.sides.len()];
        for member in &self.members {
            match personal {
                Some(own) if member.model == Model::Strong => scores.copy_from_slice(own),
                _ => member.scores(clue, &mut scores),
            }
            let race = self.race(&scores, member.sharp);
            let look = outlook(&race.own, race.others);
            let gains = plan.map_or(look.found, |plan| plan.saved(&race.own, &look));
            total += member.weight;
            for (k, value) in values.iter_mut().enumerate().skip(1) {
                let worth = gains[k] - race.harm * look.wrong[k];
                *value += member.weight * worth;
                if member.weight >= PLAUSIBLE {
                    lowest[k] = lowest[k].min(worth);
                }
            }
        }
        for (value, lowest) in values.iter_mut().zip(lowest).skip(1) {
            *value = (1.0 - WORST) * *value / total.max(1e-9) + WORST * lowest;
        }
        let common = COMMON * (f64::from(self.tongue.zipf(clue)) - 4.0).clamp(-1.5, 1.0);
        // of equal values the larger number: it leaves the guesser a choice
        let numbers = self.least..=self.most(clue);
        let best = numbers.max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(self.least);
        (values[best] + common, best)
    }

    /// The largest number for a clue: words that own sources of the language link with it, where there are such.
    fn most(&self, clue: usize) -> usize {
        let sure = self.doubts.iter().flatten().filter(|doubts| doubts[clue] == Doubt::None).count();
        if self.doubts.iter().all(Option::is_none) { self.most } else { self.most.min(sure.max(self.least)) }
    }

    /// The clocks of the open cards under one model.
    fn race(&self, scores: &[f32], sharp: f32) -> Race {
        let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut own = Vec::with_capacity(self.sides.len());
        let (mut others, mut harm) = (0.0, 0.0);
        for (&score, side) in scores.iter().zip(&self.sides) {
            let rate = rate(score - top, sharp);
            let cost = match side {
                Side::Own => {
                    own.push(rate);
                    continue;
                }
                Side::Enemy => self.costs.enemy,
                Side::Assassin => self.costs.assassin,
                Side::Bystander | Side::Unknown => self.costs.bystander,
            };
            others += rate;
            harm += rate * cost;
        }
        Race { own, others, harm: if others > 0.0 { harm / others } else { 0.0 } }
    }

    /// What a clue promises to find when it is said later, by all models together.
    pub fn promise(&self, clue: usize) -> Promise {
        let mut found = vec![0.0; self.sides.iter().filter(|side| **side == Side::Own).count()];
        let (mut total, mut wrong, mut harm) = (0.0, 0.0, 0.0);
        let mut scores = vec![0.0; self.sides.len()];
        for member in &self.members {
            member.scores(clue, &mut scores);
            let race = self.race(&scores, member.sharp);
            total += member.weight;
            found.iter_mut().zip(&race.own).for_each(|(sum, rate)| *sum += member.weight * rate / (rate + race.others));
            let first = member.weight * race.others / (race.others + race.own.iter().sum::<f64>());
            wrong += first;
            harm += first * race.harm;
        }
        let odds = found.into_iter().map(|sum| (sum / total.max(1e-9)).min(SURE)).map(|share| share / (1.0 - share));
        Promise { odds: odds.collect(), harm: if wrong > 0.0 { harm / wrong } else { 0.0 }, most: self.most(clue) }
    }

    /// The open cards that a clue speaks of most, own ones only, as many as the number.
    pub fn targets(&self, open: &[usize], clue: usize, number: usize) -> Vec<usize> {
        let own = (0..open.len()).filter(|&k| self.sides[k] == Side::Own);
        let mut own: Vec<(f32, usize)> = own.map(|k| (self.mean(k, clue), open[k])).collect();
        own.sort_by(|a, b| b.0.total_cmp(&a.0));
        own.into_iter().take(number).map(|t| t.1).collect()
    }
}
