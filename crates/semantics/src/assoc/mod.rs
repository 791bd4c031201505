//! The association model: how strongly a clue makes people think of a word.
//!
//! [`Assoc::profile`] gathers what is known of a word once; [`Assoc::features`] compares two
//! profiles; [`Assoc::score`] is the fitted sum, [`Assoc::probability`] its calibrated form and
//! [`Assoc::explain`] says in words what links the two. Weights were fitted on human associations
//! and Codenames turns; a source that a language lacks leaves its features at zero.

mod explain;
pub mod features;
pub mod fit;
mod profile;
mod table;

pub use explain::Reason;
pub use profile::Profile;

use crate::language::Language;
use crate::logit;
use crate::words::WordId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Fitted numbers of an association model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Weights {
    /// Weight of each feature, by name.
    pub features: BTreeMap<String, f32>,
    /// Slope and offset that turn a score into a probability.
    pub calibration: (f32, f32),
}

/// What a model needs besides its language, made once and shared by all that ask.
#[derive(Debug)]
pub struct Kit {
    sample: Vec<WordId>,
    weights: Vec<f32>,
    calibration: (f32, f32),
}

impl Kit {
    /// Prepares weights for a language.
    pub fn new(language: &Language, weights: &Weights) -> Kit {
        Kit {
            sample: profile::sample(language),
            weights: features::NAMES.iter().map(|n| weights.features.get(*n).copied().unwrap_or(0.0)).collect(),
            calibration: weights.calibration,
        }
    }

    /// The same with every weight multiplied by what `factor` says for its feature.
    #[must_use]
    pub fn scaled(&self, factor: impl Fn(&str) -> f32) -> Kit {
        let weights = features::NAMES.iter().zip(&self.weights).map(|(name, w)| factor(name) * w).collect();
        Kit { sample: self.sample.clone(), weights, calibration: self.calibration }
    }
}

/// The association model of a language.
pub struct Assoc<'a> {
    language: &'a Language,
    kit: Arc<Kit>,
}

const SHIPPED: &str = include_str!("weights.json");

impl Weights {
    /// The weights this program was shipped with.
    pub fn shipped() -> Weights {
        serde_json::from_str(SHIPPED).expect("the shipped weights are checked by a test")
    }
}

impl<'a> Assoc<'a> {
    /// The model with the shipped weights.
    pub fn new(language: &'a Language) -> Assoc<'a> {
        Assoc::with(language, &Weights::shipped())
    }

    /// The model with other weights, for instance fitted on other data.
    pub fn with(language: &'a Language, weights: &Weights) -> Assoc<'a> {
        Assoc::from_kit(language, Arc::new(Kit::new(language, weights)))
    }

    /// The model with a kit that was made for this language.
    pub fn from_kit(language: &'a Language, kit: Arc<Kit>) -> Assoc<'a> {
        Assoc { language, kit }
    }

    /// The language the model speaks.
    pub fn language(&self) -> &'a Language {
        self.language
    }

    /// What is known of a word; keep it while the word stays in play.
    pub fn profile(&self, text: &str) -> Profile {
        profile::profile(self.language, &self.kit.sample, text)
    }

    /// What a clue and a word have in common, by the names in [`features::NAMES`].
    pub fn features(&self, clue: &Profile, word: &Profile) -> [f32; features::COUNT] {
        features::features(self.language, clue, word)
    }

    /// The fitted score of a clue and a word; higher is closer.
    pub fn score(&self, clue: &Profile, word: &Profile) -> f32 {
        logit::score(&self.kit.weights, &self.features(clue, word))
    }

    /// The probability that a clue for some words of a board of 25 is meant for this word.
    pub fn probability(&self, clue: &Profile, word: &Profile) -> f32 {
        self.calibrate(self.score(clue, word))
    }

    /// Turns a score into a probability.
    pub fn calibrate(&self, score: f32) -> f32 {
        1.0 / (1.0 + (-(self.kit.calibration.0 * score + self.kit.calibration.1)).exp())
    }

    /// Scores one clue against several words.
    pub fn scores(&self, clue: &Profile, words: &[Profile]) -> Vec<f32> {
        words.iter().map(|w| self.score(clue, w)).collect()
    }

    /// What links a clue and a word, strongest first.
    pub fn explain(&self, clue: &Profile, word: &Profile) -> Vec<Reason> {
        explain::explain(self.language, &self.kit.weights, clue, word)
    }
}

/// `assoc(clue, word)`: the calibrated association of two words as texts.
pub fn assoc(model: &Assoc<'_>, clue: &str, word: &str) -> f32 {
    model.probability(&model.profile(clue), &model.profile(word))
}

/// Names fitted numbers, leaving out zeros.
pub fn name_weights(weights: &[f32], calibration: (f32, f32)) -> Weights {
    let named = features::NAMES.iter().zip(weights).filter(|(_, w)| **w != 0.0);
    Weights { features: named.map(|(n, w)| ((*n).to_owned(), *w)).collect(), calibration }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_weights_name_known_features() {
        let weights = Weights::shipped();
        for name in weights.features.keys() {
            assert!(features::NAMES.contains(&name.as_str()), "{name}");
        }
        assert!(weights.features["cosine"].is_finite());
    }
}
