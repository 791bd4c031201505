//! How well each model knows people: which mixture of models gives the cards that people took the best chances, and
//! what a spymaster who reckons with that mixture brings them.

use super::crossplay::random_board;
use super::fit::{choices, folds};
use crate::engine::choice_model::{choice_probabilities, expected_outcome};
use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::engine::{BoardPosition, Ensemble};
use crate::formats::TurnRecord;
use crate::players::{Spymaster, SpymasterKind};
use crate::rules::{CardSide, Number};
use rayon::prelude::*;
use semantics::assoc::features::NAMES;
use semantics::assoc::{AssocWeights, fit as assoc_fit};
use semantics::logit::score;
use serde::Serialize;

/// Rounds of the fit of a mixture.
const ROUNDS: usize = 500;

/// What was found on turns of people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeopleReport {
    pub turns: usize,
    /// Cards that people took.
    pub guesses: usize,
    /// The models, in the order of all lists.
    pub models: Vec<&'static str>,
    /// How sharply each model has to think to give the cards taken their best chance.
    pub sharpness: Vec<f32>,
    /// The mixture that gives them their best chance.
    pub weights: Vec<f64>,
    /// Mean logarithm of the chance of a turn's cards by each model alone, on turns it was not fitted to.
    pub alone: Vec<f64>,
    /// The same by the mixture, fitted on the other half of the boards.
    pub mixture: f64,
    /// The same by the mixture for operatives of who nothing is known.
    pub robust: f64,
}

/// One turn: by model, the scores of the cards; and which cards were taken, in order.
struct Seen {
    scores: Vec<Vec<f32>>,
    taken: Vec<usize>,
}

impl Seen {
    /// Logarithm of the chance of all cards taken, one after the other, by one model.
    fn chance(&self, model: usize, sharp: f32) -> f64 {
        let mut open: Vec<usize> = (0..self.scores[model].len()).collect();
        let mut log = 0.0;
        for &card in &self.taken {
            let scores: Vec<f32> = open.iter().map(|&c| self.scores[model][c]).collect();
            let at = open.iter().position(|&c| c == card);
            if let Some(at) = at {
                log += choice_probabilities(&scores, sharp)[at].ln();
                open.remove(at);
            }
        }
        log
    }
}

/// The turns by all models; the association model and its parts with weights that were not fitted to them.
fn seen(lm: &LanguageModel, turns: &[TurnRecord], groups: &[usize], fitted: &[AssocWeights]) -> Vec<Option<Seen>> {
    turns
        .par_iter()
        .zip(groups)
        .map(|(turn, group)| {
            let weights = &fitted[group % fitted.len()];
            let clue = turn.clue.to_lowercase();
            let board: Vec<String> = turn.board.iter().map(|w| w.to_lowercase()).collect();
            let taken: Vec<usize> =
                turn.guesses.iter().filter_map(|g| turn.board.iter().position(|w| w == g)).collect();
            let features = lm.features(&clue, &board);
            let scores = ScoringModel::ALL.map(|model| match model.layer() {
                Some(_) => {
                    let weight = |name: &&str| {
                        let counts = model.counts(name);
                        weights.features.get(*name).copied().filter(|_| counts).unwrap_or(0.0)
                    };
                    let sum: Vec<f32> = NAMES.iter().map(weight).collect();
                    features.iter().map(|f| score(&sum, f) * model.sharpness()).collect()
                }
                None => lm.scores(model, &clue, &board),
            });
            (!taken.is_empty()).then(|| Seen { scores: scores.to_vec(), taken })
        })
        .collect()
}

/// How sharply a model has to think, found by trying.
fn sharpest(turns: &[&Seen], model: usize) -> f32 {
    let all = |sharp: f32| turns.iter().map(|t| t.chance(model, sharp)).sum::<f64>();
    let tried = (4..=32).map(|k| k as f32 * 0.05);
    tried.max_by(|a, b| all(*a).total_cmp(&all(*b))).unwrap_or(1.0)
}

/// The shares of the models that make the turns likeliest, by expectation and maximisation.
fn mixture(logs: &[Vec<f64>]) -> Vec<f64> {
    let models = logs.first().map_or(0, Vec::len);
    let mut weights = vec![1.0 / models.max(1) as f64; models];
    for _ in 0..ROUNDS {
        let mut sums = vec![0.0; models];
        for row in logs {
            let shares = posterior(&weights, row);
            sums.iter_mut().zip(shares).for_each(|(s, x)| *s += x);
        }
        weights = sums.into_iter().map(|s| s / logs.len().max(1) as f64).collect();
    }
    weights
}

fn posterior(weights: &[f64], logs: &[f64]) -> Vec<f64> {
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = weights.iter().zip(logs).map(|(w, l)| w * (l - top).exp()).collect();
    let sum: f64 = odds.iter().sum();
    odds.into_iter().map(|x| x / sum.max(1e-300)).collect()
}

/// Logarithm of the chance of a turn by a mixture.
fn log_mean(weights: &[f64], logs: &[f64]) -> f64 {
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    top + weights.iter().zip(logs).map(|(w, l)| w * (l - top).exp()).sum::<f64>().ln()
}

/// Weights of the association model fitted without each half of the boards.
pub fn halves(lm: &LanguageModel, turns: &[TurnRecord], l2: f32) -> [AssocWeights; 2] {
    let groups = folds(turns);
    let own = choices(lm.language(), turns);
    [0, 1].map(|half| {
        let used: Vec<_> =
            own.iter().zip(&groups).filter(|(_, g)| *g % 2 != half).filter_map(|(c, _)| c.clone()).collect();
        assoc_fit::weights(&used, l2)
    })
}

/// Fits the mixture on turns of people and measures it on the half of the boards it was not fitted to.
pub fn people(lm: &LanguageModel, turns: &[TurnRecord], fitted: &[AssocWeights; 2]) -> PeopleReport {
    let groups = folds(turns);
    let rows = seen(lm, turns, &groups, fitted);
    let of = |keep: &dyn Fn(usize) -> bool| -> Vec<&Seen> {
        rows.iter().zip(&groups).filter(|(_, g)| keep(**g)).filter_map(|(r, _)| r.as_ref()).collect()
    };
    let models = 0..ScoringModel::ALL.len();
    let logs = |some: &[&Seen], sharp: &[f32]| -> Vec<Vec<f64>> {
        some.iter().map(|t| models.clone().map(|m| t.chance(m, sharp[m])).collect()).collect()
    };
    let sharpness = |some: &[&Seen]| -> Vec<f32> { models.clone().map(|m| sharpest(some, m)).collect() };
    let robust = Ensemble::unknown_operatives();
    let member = |model: ScoringModel| robust.members.iter().find(|m| m.model == model);
    let robust_weights = ScoringModel::ALL.map(|model| member(model).map_or(0.0, |m| m.weight));
    let robust_sharp = ScoringModel::ALL.map(|model| member(model).map_or(1.0, |m| m.sharpness));
    let mut report = PeopleReport {
        turns: turns.len(),
        guesses: rows.iter().flatten().map(|r| r.taken.len()).sum(),
        models: ScoringModel::ALL.map(ScoringModel::name).to_vec(),
        sharpness: Vec::new(),
        weights: Vec::new(),
        alone: vec![0.0; ScoringModel::ALL.len()],
        mixture: 0.0,
        robust: 0.0,
    };
    let all = of(&|_| true);
    let n = all.len().max(1) as f64;
    for half in 0..2 {
        let (known, unknown) = (of(&|g| g % 2 != half), of(&|g| g % 2 == half));
        let sharp = sharpness(&known);
        let weights = mixture(&logs(&known, &sharp));
        for row in logs(&unknown, &sharp) {
            report.alone.iter_mut().zip(&row).for_each(|(sum, log)| *sum += log / n);
            report.mixture += log_mean(&weights, &row) / n;
        }
        report.robust += logs(&unknown, &robust_sharp).iter().map(|r| log_mean(&robust_weights, r)).sum::<f64>() / n;
    }
    report.sharpness = sharpness(&all);
    report.weights = mixture(&logs(&all, &report.sharpness));
    report
}

/// What a spymaster's first clues bring somebody who thinks by the association model fitted to other people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstClues {
    pub boards: usize,
    /// Mean number said.
    pub number: f64,
    /// Own words found before the first wrong card or the number is reached.
    pub found: f64,
    /// Chance of a wrong card among them, and of the assassin.
    pub wrong: f64,
    pub assassin: f64,
}

/// Plays the first clue of boards: the spymaster knows one half of the people, the operative thinks like the other.
pub fn first_clues(
    spymaster: &LanguageModel,
    operative: &LanguageModel,
    ensemble: Ensemble,
    seeds: &[u64],
) -> FirstClues {
    let giving = Spymaster { kind: SpymasterKind::ExpectedValue { ensemble }, ..Spymaster::for_unknown_operatives() };
    let mut sum = FirstClues { boards: 0, number: 0.0, found: 0.0, wrong: 0.0, assassin: 0.0 };
    for &seed in seeds {
        let position = BoardPosition::of_key(random_board(spymaster, seed), Vec::new());
        let Some(idea) = giving.best_clues(spymaster, &position, 1).into_iter().next() else { continue };
        let Number::Of(number) = idea.number else { continue };
        let scores = operative.scores(ScoringModel::Strong, &idea.word, &position.open_words());
        let rates = choice_probabilities(&scores, 1.0);
        let of = |side: CardSide| rates.iter().zip(&position.cards).filter(move |r| r.1.side == side).map(|r| *r.0);
        let own: Vec<f64> = of(CardSide::Own).collect();
        let others: f64 = rates.iter().sum::<f64>() - own.iter().sum::<f64>();
        let look = expected_outcome(&own, others);
        sum.boards += 1;
        sum.number += f64::from(number);
        sum.found += look.found[usize::from(number)];
        sum.wrong += look.wrong[usize::from(number)];
        sum.assassin += look.wrong[usize::from(number)] * of(CardSide::Assassin).sum::<f64>() / others;
    }
    let n = sum.boards.max(1) as f64;
    FirstClues { number: sum.number / n, found: sum.found / n, wrong: sum.wrong / n, assassin: sum.assassin / n, ..sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixture_is_the_best_of_a_grid() {
        let logs: Vec<Vec<f64>> =
            [[0.5, 0.1], [0.2, 0.6], [0.7, 0.1], [0.4, 0.3]].map(|r| r.map(f64::ln).to_vec()).into();
        let worth = |w: f64| logs.iter().map(|row| log_mean(&[w, 1.0 - w], row)).sum::<f64>();
        let best = (0..=1000).map(|k| f64::from(k) / 1000.0).max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap();
        assert!((mixture(&logs)[0] - best).abs() < 2e-3, "{} {best}", mixture(&logs)[0]);
    }
}
