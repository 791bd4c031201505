//! Spymasters: players that give clues.

use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::engine::{Audience, BoardPosition, Ensemble, expected_value, jares};
use crate::rules::Number;

/// A clue with its targets and value.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredClue {
    pub word: String,
    pub number: Number,
    /// Cards it is meant for, the most probable first.
    pub targets: Vec<usize>,
    /// Expected value, in cards (a Jareš spymaster: its score).
    pub value: f64,
}

/// How a spymaster chooses.
#[derive(Clone, Debug, PartialEq)]
pub enum SpymasterKind {
    /// Jareš 2019, section 5.5.
    Jares { strategy: bool, hypernyms: bool },
    /// Expected value under noisy operatives, averaged over the models of an ensemble.
    ExpectedValue { ensemble: Ensemble },
}

/// A spymaster.
#[derive(Clone, Debug, PartialEq)]
pub struct Spymaster {
    pub kind: SpymasterKind,
    /// The smallest and the largest number it says.
    pub least: u8,
    pub most: u8,
    /// Number of clues it knows, most frequent first.
    pub vocabulary: usize,
}

impl Spymaster {
    /// The spymaster of Jareš 2019.
    pub const fn jares() -> Spymaster {
        let kind = SpymasterKind::Jares { strategy: true, hypernyms: true };
        Spymaster { kind, least: 1, most: 5, vocabulary: usize::MAX }
    }

    fn expected_value(ensemble: Ensemble) -> Spymaster {
        Spymaster { kind: SpymasterKind::ExpectedValue { ensemble }, least: 1, most: 5, vocabulary: usize::MAX }
    }

    /// The strongest spymaster for operatives whose model is not known.
    pub fn for_unknown_operatives() -> Spymaster {
        Spymaster::expected_value(Ensemble::unknown_operatives())
    }

    /// The strongest spymaster for bots of this program.
    pub fn for_programs() -> Spymaster {
        Spymaster::expected_value(Ensemble::known_programs())
    }

    /// The strongest spymaster for people.
    pub fn for_people() -> Spymaster {
        Spymaster::expected_value(Ensemble::people())
    }

    /// The spymaster for people, if this one is tuned for programs.
    #[must_use]
    pub fn facing_people(mut self) -> Spymaster {
        if matches!(&self.kind, SpymasterKind::ExpectedValue { ensemble } if ensemble.audience == Audience::Programs) {
            self.kind = Spymaster::for_people().kind;
        }
        self
    }

    /// The spymaster without one model of its ensemble: the operative's, which it must not know.
    #[must_use]
    pub fn without_model(mut self, model: ScoringModel) -> Spymaster {
        if let SpymasterKind::ExpectedValue { ensemble } = self.kind {
            self.kind = SpymasterKind::ExpectedValue { ensemble: ensemble.without(model) };
        }
        self
    }

    /// Parses a name of the command line: `jares`, `strong`, `people`, `programs`, `vectors` or `glosses`; `study` and
    /// `house` are the former names of `jares` and `programs`.
    pub fn parse(text: &str) -> Option<Spymaster> {
        match text {
            "jares" | "study" => Some(Spymaster::jares()),
            "strong" => Some(Spymaster::for_unknown_operatives()),
            "people" => Some(Spymaster::for_people()),
            "programs" | "house" => Some(Spymaster::for_programs()),
            "vectors" | "glosses" => Some(Spymaster::expected_value(Ensemble::only(ScoringModel::parse(text)?))),
            _ => None,
        }
    }

    /// The best clues for a position whose key is known, best first; the strict rules allow all of them.
    pub fn best_clues(&self, lm: &LanguageModel, position: &BoardPosition, n: usize) -> Vec<ScoredClue> {
        match &self.kind {
            SpymasterKind::Jares { strategy, hypernyms } => {
                jares::best_clues(lm, position, self, (*strategy, *hypernyms), n)
            }
            SpymasterKind::ExpectedValue { ensemble } => expected_value::best_clues(lm, position, self, ensemble, n),
        }
    }
}
