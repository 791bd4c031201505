//! From a crossword clue to its answer: evidence for every word of the wanted length.
//!
//! [`ClueScorer::evidence`] gives for each candidate the numbers named in [`FEATURES`];
//! [`ClueScorer::rank`] adds them up with fitted weights. A solver with more to go on (a clue
//! memory, letters in the grid) takes the numbers and weighs them itself.

mod evidence;
mod inflection;
mod shape;
mod support;

pub use evidence::{COUNT, FEATURES};
pub use inflection::{Inflection, inflection};

use crate::language::Language;
use crate::logit;
use crate::words::WordId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Fitted weights of the evidence, by name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClueWeights(pub BTreeMap<String, f32>);

const SHIPPED: &str = include_str!("../../../../data/semantics/clue.weights.json");

impl ClueWeights {
    /// The shipped weights.
    pub fn shipped() -> ClueWeights {
        serde_json::from_str(SHIPPED).expect("the shipped weights are checked by a test")
    }

    /// The weights in the order of [`FEATURES`].
    pub fn ordered(&self) -> Vec<f32> {
        FEATURES.iter().map(|n| self.0.get(*n).copied().unwrap_or(0.0)).collect()
    }
}

/// A word that may be the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerCandidate {
    /// The word.
    pub word: WordId,
    /// The numbers named in [`FEATURES`].
    pub features: [f32; COUNT],
}

impl AnswerCandidate {
    /// How often the word is written, as a Zipf value.
    pub fn zipf(&self) -> f32 {
        self.features[evidence::FREQUENCY] + evidence::ZIPF_MIDDLE
    }
}

/// What a scorer works out once per language: the words by length, their forms, and the weights.
pub struct ClueIndex {
    weights: Vec<f32>,
    by_length: Vec<Vec<WordId>>,
    derived_forms: BTreeMap<WordId, Vec<WordId>>,
}

impl ClueIndex {
    /// The index of a language, with weights.
    pub fn new(language: &Language, weights: &ClueWeights) -> ClueIndex {
        let mut by_length: Vec<Vec<WordId>> = Vec::new();
        let mut derived_forms: BTreeMap<WordId, Vec<WordId>> = BTreeMap::new();
        for (id, text) in language.words().iter() {
            let length = text.chars().count();
            if by_length.len() <= length {
                by_length.resize(length + 1, Vec::new());
            }
            by_length[length].push(id);
            let lemma = language.lemma(id);
            if lemma != id {
                derived_forms.entry(lemma).or_default().push(id);
            }
        }
        ClueIndex { weights: weights.ordered(), by_length, derived_forms }
    }
}

/// Finds answers to clues in one language.
pub struct ClueScorer<'a> {
    language: &'a Language,
    index: Arc<ClueIndex>,
}

impl<'a> ClueScorer<'a> {
    /// A scorer with the shipped weights.
    pub fn new(language: &'a Language) -> ClueScorer<'a> {
        ClueScorer::with(language, &ClueWeights::shipped())
    }

    /// A scorer with other weights.
    pub fn with(language: &'a Language, weights: &ClueWeights) -> ClueScorer<'a> {
        ClueScorer::with_index(language, Arc::new(ClueIndex::new(language, weights)))
    }

    /// A scorer from an index that was made for the same language before.
    pub fn with_index(language: &'a Language, index: Arc<ClueIndex>) -> ClueScorer<'a> {
        ClueScorer { language, index }
    }

    /// The language of the clues.
    pub fn language(&self) -> &'a Language {
        self.language
    }

    /// All words of a length, most frequent first.
    pub fn words_of_length(&self, length: usize) -> &[WordId] {
        self.index.by_length.get(length).map_or(&[], Vec::as_slice)
    }

    /// The evidence of a clue for every word of a length.
    pub fn evidence(&self, clue: &str, length: usize) -> Vec<AnswerCandidate> {
        evidence::gather(self.language, &self.index.derived_forms, clue, self.words_of_length(length))
    }

    /// Words of a length by how well they answer a clue, best first, with their scores.
    pub fn rank(&self, clue: &str, length: usize) -> Vec<(WordId, f32)> {
        let mut out: Vec<(WordId, f32)> = self
            .evidence(clue, length)
            .into_iter()
            .map(|c| (c.word, logit::score(&self.index.weights, &c.features)))
            .collect();
        out.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_weights_name_known_features() {
        for name in ClueWeights::shipped().0.keys() {
            assert!(FEATURES.contains(&name.as_str()), "{name}");
        }
    }
}
