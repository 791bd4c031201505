//! How word meaning is weighed in American puzzles: names and rare words are welcome there.

use super::names::NAME_FEATURES;
use semantics::clue::FEATURES;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Weights of word meaning and of names, by the names of their numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GenreWeights {
    /// Weights of [`semantics::clue::FEATURES`].
    pub words: BTreeMap<String, f32>,
    /// Weights of [`NAME_FEATURES`].
    pub names: BTreeMap<String, f32>,
}

impl GenreWeights {
    /// The weights for American puzzles that this program was shipped with.
    pub fn american() -> Self {
        serde_json::from_str(include_str!("calibrations/american-meaning.json"))
            .expect("the shipped weights are checked by a test")
    }

    /// Weights in the order of [`FEATURES`] and of [`NAME_FEATURES`], one after the other.
    pub fn from_ordered(weights: &[f32]) -> Self {
        let (words, names) = weights.split_at(FEATURES.len().min(weights.len()));
        let named = |names: &[&str], weights: &[f32]| {
            names.iter().zip(weights).map(|(name, weight)| ((*name).to_owned(), *weight)).collect()
        };
        Self { words: named(&FEATURES, words), names: named(&NAME_FEATURES, names) }
    }

    /// The weights in the order of [`FEATURES`].
    pub fn of_words(&self) -> Vec<f32> {
        ordered(&FEATURES, &self.words)
    }

    /// The weights in the order of [`NAME_FEATURES`].
    pub fn of_names(&self) -> Vec<f32> {
        ordered(&NAME_FEATURES, &self.names)
    }
}

fn ordered(names: &[&str], weights: &BTreeMap<String, f32>) -> Vec<f32> {
    names.iter().map(|name| weights.get(*name).copied().unwrap_or(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_weights_name_known_numbers() {
        let shipped = GenreWeights::american();
        assert!(shipped.words.keys().all(|name| FEATURES.contains(&name.as_str())));
        assert!(shipped.names.keys().all(|name| NAME_FEATURES.contains(&name.as_str())));
        let both = [shipped.of_words(), shipped.of_names()].concat();
        let again = GenreWeights::from_ordered(&both);
        assert_eq!([again.of_words(), again.of_names()].concat(), both);
    }
}
