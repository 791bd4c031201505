//! Who gives clues.

use super::{Ensemble, Leaning, Situation, strong, study};
use crate::meaning::{Model, Tongue};
use crate::rules::Number;

/// A clue worth giving.
#[derive(Clone, Debug, PartialEq)]
pub struct Idea {
    pub word: String,
    pub number: Number,
    /// Cards it is meant for, the surest first.
    pub targets: Vec<usize>,
    /// What the giver expects of it, in cards.
    pub value: f64,
}

/// How a giver thinks.
#[derive(Clone, Debug, PartialEq)]
pub enum GiverKind {
    /// The study's spymaster (5.5); with its hypernyms or without.
    Study { strategy: bool, hypernyms: bool },
    /// Expected value under a noisy guesser, averaged over models.
    Strong { ensemble: Ensemble },
}

/// A spymaster.
#[derive(Clone, Debug, PartialEq)]
pub struct Giver {
    pub kind: GiverKind,
    /// The smallest and the largest number it says.
    pub least: u8,
    pub most: u8,
    /// Only the so many commonest clues.
    pub vocabulary: usize,
}

impl Giver {
    /// The study's spymaster.
    pub const fn study() -> Giver {
        Giver { kind: GiverKind::Study { strategy: true, hypernyms: true }, least: 1, most: 5, vocabulary: usize::MAX }
    }

    /// The strongest spymaster, for a guesser of whom nothing is known.
    pub fn strong() -> Giver {
        Giver { kind: GiverKind::Strong { ensemble: Ensemble::strangers() }, least: 1, most: 5, vocabulary: usize::MAX }
    }

    /// The strongest spymaster for programs of this house.
    pub fn for_house() -> Giver {
        Giver { kind: GiverKind::Strong { ensemble: Ensemble::house() }, ..Giver::strong() }
    }

    /// The strongest spymaster for people.
    pub fn for_people() -> Giver {
        Giver { kind: GiverKind::Strong { ensemble: Ensemble::people() }, ..Giver::strong() }
    }

    /// The same for people instead of programs.
    #[must_use]
    pub fn meeting_people(mut self) -> Giver {
        if matches!(&self.kind, GiverKind::Strong { ensemble } if ensemble.leaning == Leaning::Programs) {
            self.kind = Giver::for_people().kind;
        }
        self
    }

    /// The same for a guesser whose model it must not know.
    #[must_use]
    pub fn for_stranger(mut self, model: Model) -> Giver {
        if let GiverKind::Strong { ensemble } = self.kind {
            self.kind = GiverKind::Strong { ensemble: ensemble.without(model) };
        }
        self
    }

    /// The name used on the command line.
    pub fn parse(text: &str) -> Option<Giver> {
        match text {
            "study" => Some(Giver::study()),
            "strong" => Some(Giver::strong()),
            "people" => Some(Giver::for_people()),
            "house" => Some(Giver::for_house()),
            "vectors" | "glosses" => Some(Giver {
                kind: GiverKind::Strong { ensemble: Ensemble::only(Model::parse(text)?) },
                ..Giver::strong()
            }),
            _ => None,
        }
    }

    /// The best clues for a situation whose key is known, best first; none is one the strict judge refuses.
    pub fn ideas(&self, tongue: &Tongue, situation: &Situation, n: usize) -> Vec<Idea> {
        match &self.kind {
            GiverKind::Study { strategy, hypernyms } => {
                study::give(tongue, situation, self, (*strategy, *hypernyms), n)
            }
            GiverKind::Strong { ensemble } => strong::give(tongue, situation, self, ensemble, n),
        }
    }
}
