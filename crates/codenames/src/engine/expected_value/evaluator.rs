//! Evaluates a clue against the open cards under every model of the ensemble.

use super::costs::Costs;
use super::plan::{FutureClue, SubsetPlan};
use crate::engine::choice_model::{MAX_NUMBER, expected_outcome, rate};
use crate::engine::meaning::{LanguageModel, LinkTrust, ScoringModel};
use crate::rules::CardSide;
use std::sync::Arc;

/// Weight of the model with the lowest value against the mean of all: the operative's model is not known.
const WORST_CASE_WEIGHT: f64 = 0.12;
/// Models below this posterior weight are left out of the worst case.
const MIN_PLAUSIBLE_WEIGHT: f64 = 0.05;
/// Bonus per factor of ten in word frequency, in cards: rare words are known to fewer people and fewer sources.
const FREQUENCY_BONUS: f64 = 0.1;
/// Puts clues whose best card is not the own side's behind all others.
const WRONG_FIRST: f64 = 1_000.0;
/// Upper bound of a probability.
const MAX_PROBABILITY: f64 = 0.9999;

/// One model of the ensemble with its scores of the open cards.
pub(super) struct Member {
    pub model: ScoringModel,
    /// For each open card, the scores of all clues.
    pub columns: Vec<Arc<[f32]>>,
    pub weight: f64,
    pub sharpness: f32,
}

impl Member {
    /// Writes its scores of the open cards for a clue into `scores`.
    fn scores(&self, clue: usize, scores: &mut [f32]) {
        scores.iter_mut().zip(&self.columns).for_each(|(score, column)| *score = column[clue]);
    }
}

/// The position, models and costs that clues are evaluated with.
pub(super) struct ClueEvaluator<'a> {
    pub lm: &'a LanguageModel,
    /// Sides of the open cards.
    pub sides: Vec<CardSide>,
    pub members: Vec<Member>,
    pub costs: Costs,
    /// The smallest and the largest number that may be said.
    pub least: usize,
    pub most: usize,
    /// For each own card, how far its link to every clue is trusted.
    pub link_trust: Vec<Option<Vec<LinkTrust>>>,
}

/// The choice model's rates of the open cards for one clue.
struct CardRates {
    /// Rates of the own cards.
    own: Vec<f64>,
    /// Sum of the rates of all other cards.
    others: f64,
    /// Mean cost of a wrong card, weighted by rate.
    mean_loss: f64,
}

impl ClueEvaluator<'_> {
    /// The score of an open card, averaged over the models.
    fn mean_score(&self, card: usize, clue: usize) -> f32 {
        self.members.iter().map(|m| m.weight as f32 * m.sharpness * m.columns[card][clue]).sum()
    }

    /// A cheap value of a clue from the mean scores. A clue whose best card is wrong ranks behind all others, by the score
    /// difference to the best own card.
    pub fn quick_value(&self, clue: usize) -> f64 {
        let scores: Vec<f32> = (0..self.sides.len()).map(|card| self.mean_score(card, clue)).collect();
        let top = |own: bool| {
            let some = scores.iter().zip(&self.sides).filter(|s| (*s.1 == CardSide::Own) == own);
            some.map(|s| *s.0).fold(f32::NEG_INFINITY, f32::max)
        };
        let ahead = top(true) - top(false);
        if ahead < 0.0 {
            return f64::from(ahead) - WRONG_FIRST;
        }
        let rates = self.rates(&scores, 1.0);
        let outcome = expected_outcome(&rates.own, rates.others);
        let value = |k: usize| outcome.found[k] - rates.mean_loss * outcome.wrong[k];
        (self.least..=self.max_number(clue)).map(value).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Value and best number of a clue: the expected own cards found or, with a plan, the cost saved over the game, less the
    /// expected loss. `personal` replaces the association model's scores of the open cards.
    pub fn evaluate(&self, clue: usize, plan: Option<&SubsetPlan>, personal: Option<&[f32]>) -> (f64, usize) {
        let mut values = [0.0; MAX_NUMBER + 1];
        let mut lowest = [f64::INFINITY; MAX_NUMBER + 1];
        let mut total = 0.0;
        let mut scores = vec![0.0; self.sides.len()];
        for member in &self.members {
            match personal {
                Some(own) if member.model == ScoringModel::Strong => scores.copy_from_slice(own),
                _ => member.scores(clue, &mut scores),
            }
            let rates = self.rates(&scores, member.sharpness);
            let outcome = expected_outcome(&rates.own, rates.others);
            let gains = plan.map_or(outcome.found, |plan| plan.saved(&rates.own, &outcome));
            total += member.weight;
            for (k, value) in values.iter_mut().enumerate().skip(1) {
                let member_value = gains[k] - rates.mean_loss * outcome.wrong[k];
                *value += member.weight * member_value;
                if member.weight >= MIN_PLAUSIBLE_WEIGHT {
                    lowest[k] = lowest[k].min(member_value);
                }
            }
        }
        for (value, lowest) in values.iter_mut().zip(lowest).skip(1) {
            *value = (1.0 - WORST_CASE_WEIGHT) * *value / total.max(1e-9) + WORST_CASE_WEIGHT * lowest;
        }
        let bonus = FREQUENCY_BONUS * (f64::from(self.lm.zipf(clue)) - 4.0).clamp(-1.5, 1.0);
        // of equal values the larger number: it leaves the operative a choice
        let numbers = self.least..=self.max_number(clue);
        let best = numbers.max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(self.least);
        (values[best] + bonus, best)
    }

    /// The largest number for a clue. In a projected language it is at most the number of own cards with trusted links.
    fn max_number(&self, clue: usize) -> usize {
        let trusted = self.link_trust.iter().flatten().filter(|trust| trust[clue] == LinkTrust::Trusted).count();
        if self.link_trust.iter().all(Option::is_none) { self.most } else { self.most.min(trusted.max(self.least)) }
    }

    /// The choice model's rates of the open cards under one model.
    fn rates(&self, scores: &[f32], sharpness: f32) -> CardRates {
        let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut own = Vec::with_capacity(self.sides.len());
        let (mut others, mut loss) = (0.0, 0.0);
        for (&score, side) in scores.iter().zip(&self.sides) {
            let rate = rate(score - top, sharpness);
            let cost = match side {
                CardSide::Own => {
                    own.push(rate);
                    continue;
                }
                CardSide::Enemy => self.costs.enemy,
                CardSide::Assassin => self.costs.assassin,
                CardSide::Bystander | CardSide::Unknown => self.costs.bystander,
            };
            others += rate;
            loss += rate * cost;
        }
        CardRates { own, others, mean_loss: if others > 0.0 { loss / others } else { 0.0 } }
    }

    /// A clue as the whole-game plan sees it: odds and loss averaged over the models.
    pub fn future_clue(&self, clue: usize) -> FutureClue {
        let mut found = vec![0.0; self.sides.iter().filter(|side| **side == CardSide::Own).count()];
        let (mut total, mut wrong, mut loss) = (0.0, 0.0, 0.0);
        let mut scores = vec![0.0; self.sides.len()];
        for member in &self.members {
            member.scores(clue, &mut scores);
            let rates = self.rates(&scores, member.sharpness);
            total += member.weight;
            let before = |rate: f64| rate / (rate + rates.others);
            found.iter_mut().zip(&rates.own).for_each(|(sum, rate)| *sum += member.weight * before(*rate));
            let first = member.weight * rates.others / (rates.others + rates.own.iter().sum::<f64>());
            wrong += first;
            loss += first * rates.mean_loss;
        }
        let probability = |sum: f64| (sum / total.max(1e-9)).min(MAX_PROBABILITY);
        let odds = found.into_iter().map(probability).map(|p| p / (1.0 - p)).collect();
        FutureClue { odds, loss: if wrong > 0.0 { loss / wrong } else { 0.0 }, most: self.max_number(clue) }
    }

    /// The own cards with the highest scores for a clue, as many as the number.
    pub fn targets(&self, open: &[usize], clue: usize, number: usize) -> Vec<usize> {
        let own = (0..open.len()).filter(|&k| self.sides[k] == CardSide::Own);
        let mut own: Vec<(f32, usize)> = own.map(|k| (self.mean_score(k, clue), open[k])).collect();
        own.sort_by(|a, b| b.0.total_cmp(&a.0));
        own.into_iter().take(number).map(|t| t.1).collect()
    }
}
