//! The association model: a conditional logit (McFadden 1974) of how strongly a clue suggests a word.
//!
//! [`Assoc::profile`] collects the data of a word once; [`Assoc::features`] compares two
//! profiles; [`Assoc::score`] is the fitted sum, [`Assoc::probability`] its calibrated form and
//! [`Assoc::explain`] gives the links in words. The weights were fitted on human associations
//! and Codenames turns; features of a missing source are zero.

mod bitmap_table;
mod explain;
pub mod features;
pub mod fit;
mod profile;

pub use explain::LinkReason;
pub use profile::WordProfile;

use crate::language::Language;
use crate::logit;
use crate::words::WordId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Fitted weights of an association model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AssocWeights {
    /// Weight of each feature, by name.
    pub features: BTreeMap<String, f32>,
    /// Slope and offset that turn a score into a probability.
    pub calibration: (f32, f32),
}

/// Parameters of a model, prepared once per language and shared.
#[derive(Debug)]
pub struct AssocParams {
    sample: Vec<WordId>,
    weights: Vec<f32>,
    calibration: (f32, f32),
}

impl AssocParams {
    /// Prepares weights for a language.
    pub fn new(language: &Language, weights: &AssocWeights) -> AssocParams {
        AssocParams {
            sample: profile::sample(language),
            weights: features::NAMES.iter().map(|n| weights.features.get(*n).copied().unwrap_or(0.0)).collect(),
            calibration: weights.calibration,
        }
    }

    /// The parameters with every weight multiplied by `factor` of its feature.
    #[must_use]
    pub fn scaled(&self, factor: impl Fn(&str) -> f32) -> AssocParams {
        let weights = features::NAMES.iter().zip(&self.weights).map(|(name, w)| factor(name) * w).collect();
        AssocParams { sample: self.sample.clone(), weights, calibration: self.calibration }
    }
}

/// The association model of a language.
pub struct Assoc<'a> {
    language: &'a Language,
    params: Arc<AssocParams>,
}

const SHIPPED: &str = include_str!("../../../../data/semantics/association.weights.json");

impl AssocWeights {
    /// The shipped weights.
    pub fn shipped() -> AssocWeights {
        serde_json::from_str(SHIPPED).expect("the shipped weights are checked by a test")
    }
}

impl<'a> Assoc<'a> {
    /// The model with the shipped weights.
    pub fn new(language: &'a Language) -> Assoc<'a> {
        Assoc::with(language, &AssocWeights::shipped())
    }

    /// The model with other weights, for instance fitted on other data.
    pub fn with(language: &'a Language, weights: &AssocWeights) -> Assoc<'a> {
        Assoc::from_params(language, Arc::new(AssocParams::new(language, weights)))
    }

    /// The model with parameters prepared for this language.
    pub fn from_params(language: &'a Language, params: Arc<AssocParams>) -> Assoc<'a> {
        Assoc { language, params }
    }

    /// The language the model speaks.
    pub fn language(&self) -> &'a Language {
        self.language
    }

    /// The profile of a word; keep it while the word is in use.
    pub fn profile(&self, text: &str) -> WordProfile {
        profile::profile(self.language, &self.params.sample, text)
    }

    /// The features of a clue and a word, in the order of [`features::NAMES`].
    pub fn features(&self, clue: &WordProfile, word: &WordProfile) -> [f32; features::COUNT] {
        features::features(self.language, clue, word)
    }

    /// The fitted score of a clue and a word; higher is closer.
    pub fn score(&self, clue: &WordProfile, word: &WordProfile) -> f32 {
        logit::score(&self.params.weights, &self.features(clue, word))
    }

    /// The probability that a clue for some words of a board of 25 is meant for this word.
    pub fn probability(&self, clue: &WordProfile, word: &WordProfile) -> f32 {
        self.calibrate(self.score(clue, word))
    }

    /// Turns a score into a probability.
    pub fn calibrate(&self, score: f32) -> f32 {
        1.0 / (1.0 + (-(self.params.calibration.0 * score + self.params.calibration.1)).exp())
    }

    /// Scores one clue against several words.
    pub fn scores(&self, clue: &WordProfile, words: &[WordProfile]) -> Vec<f32> {
        words.iter().map(|w| self.score(clue, w)).collect()
    }

    /// The links of a clue and a word, strongest first.
    pub fn explain(&self, clue: &WordProfile, word: &WordProfile) -> Vec<LinkReason> {
        explain::explain(self.language, &self.params.weights, clue, word)
    }
}

/// `assoc(clue, word)`: the calibrated association of two words as texts.
pub fn assoc(model: &Assoc<'_>, clue: &str, word: &str) -> f32 {
    model.probability(&model.profile(clue), &model.profile(word))
}

/// Names fitted numbers, leaving out zeros.
pub fn name_weights(weights: &[f32], calibration: (f32, f32)) -> AssocWeights {
    let named = features::NAMES.iter().zip(weights).filter(|(_, w)| **w != 0.0);
    AssocWeights { features: named.map(|(n, w)| ((*n).to_owned(), *w)).collect(), calibration }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_weights_name_known_features() {
        let weights = AssocWeights::shipped();
        for name in weights.features.keys() {
            assert!(features::NAMES.contains(&name.as_str()), "{name}");
        }
        assert!(weights.features["cosine"].is_finite());
    }
}
