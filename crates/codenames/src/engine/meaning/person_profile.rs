//! How one person's associations differ from other people's: learned from past turns, shown to the table, and deleted on
//! request.

use super::LanguageModel;
use game::RuleError;
use semantics::assoc::features::NAMES;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Kinds of links with a factor per person, and the features of each.
const KINDS: [(&str, &[&str]); 5] = [
    ("usage", &["cosine", "cosine-squared", "cosine-above-density", "company", "company-known"]),
    (
        "definitions",
        &[
            "clue-glosses-to-word",
            "word-glosses-to-clue",
            "glosses-to-glosses",
            "best-sense-pair",
            "word-in-clue-glosses",
            "clue-in-word-glosses",
            "gloss-overlap",
        ],
    ),
    (
        "kinds",
        &[
            "synonym",
            "clue-is-kind",
            "word-is-kind",
            "antonym",
            "part",
            "whole",
            "related",
            "thesaurus",
            "kind-distance",
            "common-kind",
            "thesaurus-overlap",
        ],
    ),
    ("phrases", &["phrase-clue-first", "phrase-word-first", "compound", "derived", "same-stem"]),
    ("everyday", &["emoji", "written-for-word", "written-for-clue", "written-together", "written-overlap"]),
];

/// Range of a factor, in per cent.
const FACTOR_RANGE: std::ops::RangeInclusive<u16> = 40..=250;
/// Largest number of remembered pairs.
const MAX_PAIRS: usize = 200;
/// Bonus of a pair that the person connected before, in logits.
const REPEATED_PAIR: f32 = 1.5;
/// Standard deviation of the Gaussian prior on the logarithm of a factor.
const PRIOR_SD: f64 = 0.3;

/// What is remembered of one person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PersonProfile {
    /// Factors of the kinds of links, in per cent (100 is the population's): `usage`, `definitions`, `kinds`, `phrases`,
    /// `everyday`.
    pub leanings: BTreeMap<String, u16>,
    /// Pairs of clue and word that the person connected before.
    pub pairs: Vec<[String; 2]>,
    /// Number of turns this was learned from.
    pub turns: u32,
}

/// One turn of a person: the clue, the open words, and the words the person took.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
pub struct PersonTurn {
    pub clue: String,
    pub board: Vec<String>,
    pub taken: Vec<String>,
}

impl PersonProfile {
    /// Whether the profile is empty.
    pub fn is_empty(&self) -> bool {
        self.leanings.is_empty() && self.pairs.is_empty()
    }

    /// Refuses values that learning cannot produce.
    pub fn check(&self) -> Result<(), RuleError> {
        let refuse = |message: String| Err(RuleError::new("codenames.person", message));
        for (kind, per_cent) in &self.leanings {
            if !KINDS.iter().any(|k| k.0 == kind) {
                let known: Vec<&str> = KINDS.iter().map(|k| k.0).collect();
                return refuse(format!("person: no kind of links is called {kind:?}; there is {}", known.join(", ")));
            }
            if !FACTOR_RANGE.contains(per_cent) {
                return refuse(format!(
                    "person: {kind} at {per_cent} %; {} to {} are taken",
                    FACTOR_RANGE.start(),
                    FACTOR_RANGE.end()
                ));
            }
        }
        if self.pairs.len() > MAX_PAIRS {
            return refuse(format!("person: {} pairs; at most {MAX_PAIRS} are remembered", self.pairs.len()));
        }
        match self.pairs.iter().flatten().find(|w| w.chars().count() > 40) {
            Some(word) => refuse(format!("person: “{word}” is too long for a word")),
            None => Ok(()),
        }
    }

    /// Factor on a feature's weight.
    pub(super) fn factor(&self, feature: &str) -> f32 {
        let kind = KINDS.iter().find(|k| k.1.contains(&feature)).map(|k| k.0);
        kind.and_then(|k| self.leanings.get(k)).map_or(1.0, |&per_cent| f32::from(per_cent) / 100.0)
    }

    /// Bonus of a pair that the person connected before.
    pub(super) fn pair_bonus(&self, clue: &str, word: &str) -> f32 {
        if self.pairs.iter().any(|[c, w]| c == clue && w == word) { REPEATED_PAIR } else { 0.0 }
    }

    /// Learns from turns, the newest last: maximum a posteriori factors with a prior around 1, by gradient ascent.
    pub fn learn(lm: &LanguageModel, turns: &[PersonTurn]) -> PersonProfile {
        let weights = lm.weights();
        let lower = |w: &String| w.trim().to_lowercase();
        let mut seen: Vec<(Vec<[f64; KINDS.len() + 1]>, Vec<bool>)> = Vec::new();
        let mut person = PersonProfile::default();
        for turn in turns {
            let board: Vec<String> = turn.board.iter().map(lower).collect();
            let taken: Vec<String> = turn.taken.iter().map(lower).collect();
            let chosen: Vec<bool> = board.iter().map(|w| taken.contains(w)).collect();
            if !chosen.contains(&true) {
                continue;
            }
            let clue = lower(&turn.clue);
            let features = lm.features(&clue, &board);
            let parts = features.iter().map(|f| {
                let mut parts = [0.0; KINDS.len() + 1];
                for (k, name) in NAMES.iter().enumerate() {
                    let kind = KINDS.iter().position(|kind| kind.1.contains(name)).unwrap_or(KINDS.len());
                    parts[kind] += f64::from(f[k] * weights.features.get(*name).copied().unwrap_or(0.0));
                }
                parts
            });
            seen.push((parts.collect(), chosen));
            for word in taken.into_iter().filter(|w| board.contains(w)) {
                let pair = [clue.clone(), word];
                person.pairs.retain(|p| *p != pair);
                person.pairs.push(pair);
            }
            person.turns += 1;
        }
        person.pairs.drain(..person.pairs.len().saturating_sub(MAX_PAIRS));
        let mut logs = [0.0f64; KINDS.len()];
        for _ in 0..200 {
            let mut slope = logs.map(|x| -x / (PRIOR_SD * PRIOR_SD));
            for (cards, chosen) in &seen {
                let score = |p: &[f64; KINDS.len() + 1]| {
                    p[KINDS.len()] + (0..KINDS.len()).map(|k| logs[k].exp() * p[k]).sum::<f64>()
                };
                let scores: Vec<f64> = cards.iter().map(score).collect();
                let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let rates: Vec<f64> = scores.iter().map(|s| (s - top).exp()).collect();
                let sum: f64 = rates.iter().sum();
                let share = 1.0 / chosen.iter().filter(|c| **c).count() as f64;
                for ((parts, rate), &hit) in cards.iter().zip(&rates).zip(chosen) {
                    let error = if hit { share } else { 0.0 } - rate / sum;
                    for k in 0..KINDS.len() {
                        slope[k] += error * logs[k].exp() * parts[k];
                    }
                }
            }
            let step = 0.3 / (1.0 / (PRIOR_SD * PRIOR_SD) + 2.0 * seen.len() as f64);
            logs.iter_mut().zip(&slope).for_each(|(x, s)| *x = (*x + step * s).clamp(-0.9, 0.9));
        }
        if !seen.is_empty() {
            let per_cent = |x: f64| (100.0 * x.exp()).round() as u16;
            person.leanings = KINDS.iter().zip(logs).map(|(k, x)| (k.0.to_owned(), per_cent(x))).collect();
        }
        person
    }
}
