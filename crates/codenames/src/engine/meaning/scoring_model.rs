//! The models that score a clue against a board word.

use serde::{Deserialize, Serialize};

/// Features from word vectors and co-occurrence.
const USAGE: [&str; 5] = ["cosine", "cosine-squared", "cosine-above-density", "company", "company-known"];
/// Features that compare a word with the other's definitions; features that compare two definitions are not included.
const DEFINITIONS: [&str; 5] =
    ["clue-glosses-to-word", "word-glosses-to-clue", "word-in-clue-glosses", "clue-in-word-glosses", "gloss-overlap"];

/// A model that scores a clue against a word. Scores are logits: an operative with this model takes a word with a
/// probability proportional to the exponential of its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoringModel {
    /// Cosine of word vectors alone.
    Vectors,
    /// Dictionary definitions alone: the cosine of their mean vectors, and whether one word occurs in the other's.
    Glosses,
    /// The combination of vectors, co-occurrence and definitions of Jareš 2019, section 5.4.2.
    #[serde(rename = "study")]
    Jares,
    /// The fitted association model.
    Strong,
    /// The association model's features from word vectors and co-occurrence.
    Usage,
    /// The association model's features that compare a word with the other's definitions.
    Definitions,
}

/// Number of models that are weighted sums of the association model's features.
pub const FITTED: usize = 3;

impl ScoringModel {
    /// All models.
    pub const ALL: [ScoringModel; 6] = [
        ScoringModel::Vectors,
        ScoringModel::Glosses,
        ScoringModel::Jares,
        ScoringModel::Strong,
        ScoringModel::Usage,
        ScoringModel::Definitions,
    ];
    /// The models that are weighted sums of the association model's features, in the order of a matrix.
    pub const FITTED: [ScoringModel; FITTED] = [ScoringModel::Strong, ScoringModel::Usage, ScoringModel::Definitions];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vectors => "vectors",
            Self::Glosses => "glosses",
            Self::Jares => "jares",
            Self::Strong => "strong",
            Self::Usage => "usage",
            Self::Definitions => "definitions",
        }
    }

    /// Index of a weighted sum of features in a matrix.
    pub fn layer(self) -> Option<usize> {
        Self::FITTED.iter().position(|&model| model == self)
    }

    /// Whether this model contains a feature of the association model.
    pub fn counts(self, feature: &str) -> bool {
        match self {
            Self::Strong => true,
            Self::Usage => USAGE.contains(&feature),
            Self::Definitions => DEFINITIONS.contains(&feature),
            Self::Vectors | Self::Glosses | Self::Jares => false,
        }
    }

    /// Parses a name; `cosine` and `study` are former names of `vectors` and `jares`.
    pub fn parse(text: &str) -> Option<ScoringModel> {
        let text = match text {
            "cosine" => "vectors",
            "study" => "jares",
            other => other,
        };
        Self::ALL.into_iter().find(|model| model.name() == text)
    }

    /// Factor that turns a similarity of this model into a logit: a one-parameter conditional logit fitted to 455 human
    /// turns. The association model is fitted as a logit already.
    pub const fn sharpness(self) -> f32 {
        match self {
            Self::Vectors => 10.1,
            Self::Glosses => 7.6,
            Self::Jares => 16.0,
            Self::Strong => 1.0,
            Self::Usage => 2.2,
            Self::Definitions => 2.6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::assoc::features::NAMES;

    #[test]
    fn parts_of_the_association_model_are_made_of_its_features() {
        assert!(USAGE.iter().chain(&DEFINITIONS).all(|name| NAMES.contains(name)));
        assert!(NAMES.iter().all(|name| ScoringModel::Strong.counts(name)));
        assert_eq!(NAMES.iter().filter(|name| ScoringModel::Usage.counts(name)).count(), USAGE.len());
        for (at, model) in ScoringModel::FITTED.into_iter().enumerate() {
            assert_eq!(model.layer(), Some(at));
        }
        assert!(ScoringModel::ALL.into_iter().all(|model| ScoringModel::parse(model.name()) == Some(model)));
    }
}
