//! Weights of word meaning in American puzzles, which use more names and rare words than quick puzzles.

use super::name_index::NAME_FEATURES;
use super::surface_features::surface_feature_names;
use semantics::clue::FEATURES;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Weights of word meaning, names and surface features, keyed by feature name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GenreWeights {
    /// Weights of [`semantics::clue::FEATURES`].
    pub words: BTreeMap<String, f32>,
    /// Weights of [`NAME_FEATURES`].
    pub names: BTreeMap<String, f32>,
    /// Weights of the surface features (`surface_feature_names`).
    #[serde(default)]
    pub looks: BTreeMap<String, f32>,
}

impl GenreWeights {
    /// The shipped weights for American puzzles.
    pub fn american() -> Self {
        serde_json::from_str(include_str!("../../../../../data/crossword/calibrations/american-meaning.json"))
            .expect("the shipped weights are checked by a test")
    }

    /// Weights concatenated in the order of [`FEATURES`], [`NAME_FEATURES`] and `surface_feature_names`.
    pub fn from_ordered(weights: &[f32]) -> Self {
        let mut left = weights.iter();
        let mut named = |names: &mut dyn Iterator<Item = String>| -> BTreeMap<String, f32> {
            names.map_while(|name| Some((name, *left.next()?))).collect()
        };
        let words = named(&mut FEATURES.iter().map(ToString::to_string));
        let names = named(&mut NAME_FEATURES.iter().map(ToString::to_string));
        Self { words, names, looks: named(&mut surface_feature_names().into_iter()) }
    }

    /// The weights in the order of [`FEATURES`].
    pub fn of_words(&self) -> Vec<f32> {
        ordered(&FEATURES, &self.words)
    }

    /// The weights in the order of [`NAME_FEATURES`].
    pub fn of_names(&self) -> Vec<f32> {
        ordered(&NAME_FEATURES, &self.names)
    }

    /// The weights in the order of `surface_feature_names`.
    pub fn of_looks(&self) -> Vec<f32> {
        surface_feature_names().iter().map(|name| self.looks.get(name).copied().unwrap_or(0.0)).collect()
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
        assert!(shipped.looks.keys().all(|name| surface_feature_names().contains(name)));
        let ordered = |weights: &GenreWeights| [weights.of_words(), weights.of_names(), weights.of_looks()].concat();
        assert_eq!(ordered(&GenreWeights::from_ordered(&ordered(&shipped))), ordered(&shipped));
    }
}
