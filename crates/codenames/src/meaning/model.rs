//! The models of what a clue makes somebody think of.

use serde::{Deserialize, Serialize};

/// One way to score a clue against a word. Scores are logits: a person who thinks by this model takes a word with a
/// probability proportional to the exponential of its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Cosine of word vectors alone.
    Vectors,
    /// Cosine of the mean vectors of dictionary definitions alone.
    Glosses,
    /// The study's combination of vectors, co-occurrence and definitions (5.4.2).
    Study,
    /// The fitted association model.
    Strong,
}

impl Model {
    /// All models.
    pub const ALL: [Model; 4] = [Model::Vectors, Model::Glosses, Model::Study, Model::Strong];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vectors => "vectors",
            Self::Glosses => "glosses",
            Self::Study => "study",
            Self::Strong => "strong",
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
            Self::Glosses => 8.5,
            Self::Study => 7.8,
            Self::Strong => 1.0,
        }
    }
}
