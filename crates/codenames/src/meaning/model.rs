//! The models of what a clue makes somebody think of.

use serde::{Deserialize, Serialize};

/// Features that say how words are used in texts.
const USAGE: [&str; 5] = ["cosine", "cosine-squared", "cosine-above-density", "company", "company-known"];
/// Features that compare a word with what defines the other; those that compare two definitions are not among them.
const DEFINITIONS: [&str; 5] =
    ["clue-glosses-to-word", "word-glosses-to-clue", "word-in-clue-glosses", "clue-in-word-glosses", "gloss-overlap"];

/// One way to score a clue against a word. Scores are logits: a person who thinks by this model takes a word with a
/// probability proportional to the exponential of its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Cosine of word vectors alone.
    Vectors,
    /// Dictionary definitions alone: the cosine of their mean vectors, and whether one word stands in the other's.
    Glosses,
    /// The study's combination of vectors, co-occurrence and definitions (5.4.2).
    Study,
    /// The fitted association model.
    Strong,
    /// The part of the association model that knows how words are used in texts.
    Usage,
    /// The part of the association model that compares a word with what defines the other.
    Definitions,
}

/// How many models are sums of the association model's features.
pub const FITTED: usize = 3;

impl Model {
    /// All models.
    pub const ALL: [Model; 6] =
        [Model::Vectors, Model::Glosses, Model::Study, Model::Strong, Model::Usage, Model::Definitions];
    /// Those that are sums of the association model's features, in the order a matrix holds them.
    pub const FITTED: [Model; FITTED] = [Model::Strong, Model::Usage, Model::Definitions];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vectors => "vectors",
            Self::Glosses => "glosses",
            Self::Study => "study",
            Self::Strong => "strong",
            Self::Usage => "usage",
            Self::Definitions => "definitions",
        }
    }

    /// The place of a sum of the association model's features in a matrix.
    pub fn layer(self) -> Option<usize> {
        Self::FITTED.iter().position(|&model| model == self)
    }

    /// Whether a feature of the association model has a part in this one.
    pub fn counts(self, feature: &str) -> bool {
        match self {
            Self::Strong => true,
            Self::Usage => USAGE.contains(&feature),
            Self::Definitions => DEFINITIONS.contains(&feature),
            Self::Vectors | Self::Glosses | Self::Study => false,
        }
    }

    /// Reads a name; `cosine` is another name of `vectors`.
    pub fn parse(text: &str) -> Option<Model> {
        let text = if text == "cosine" { "vectors" } else { text };
        Self::ALL.into_iter().find(|model| model.name() == text)
    }

    /// What a similarity of this model is multiplied with to become a logit: the one-parameter conditional logit fit
    /// to 455 human turns. The association model is fitted as a logit already.
    pub const fn sharpness(self) -> f32 {
        match self {
            Self::Vectors => 10.1,
            Self::Glosses => 7.6,
            Self::Study => 16.0,
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
        assert!(NAMES.iter().all(|name| Model::Strong.counts(name)));
        assert_eq!(NAMES.iter().filter(|name| Model::Usage.counts(name)).count(), USAGE.len());
        for (at, model) in Model::FITTED.into_iter().enumerate() {
            assert_eq!(model.layer(), Some(at));
        }
        assert!(Model::ALL.into_iter().all(|model| Model::parse(model.name()) == Some(model)));
    }
}
