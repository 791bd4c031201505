//! Who takes clues.

use super::{Situation, strong, study};
use crate::meaning::{Model, Tongue};
use crate::rules::Clue;

/// One card in a guesser's ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    pub card: usize,
    /// The score it is ranked by.
    pub score: f32,
    /// Chance that the clue is meant for it.
    pub probability: f64,
}

/// How a guesser thinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GuesserKind {
    /// The study's operative (5.4), with its strategy or without.
    Study { strategy: bool },
    /// The most probable cards by one model, nothing remembered.
    Plain(Model),
    /// Probabilities by the association model, a posterior over the key, stops when the next card costs more than it
    /// brings.
    Strong,
}

/// An operative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guesser {
    pub kind: GuesserKind,
}

impl Guesser {
    /// The name used on the command line.
    pub fn parse(text: &str) -> Option<Guesser> {
        let kind = match text {
            "study" => GuesserKind::Study { strategy: true },
            "strong" => GuesserKind::Strong,
            "vectors" | "cosine" => GuesserKind::Plain(Model::Vectors),
            "glosses" => GuesserKind::Plain(Model::Glosses),
            _ => return None,
        };
        Some(Guesser { kind })
    }

    /// The model behind it.
    pub const fn model(&self) -> Model {
        match self.kind {
            GuesserKind::Study { .. } => Model::Study,
            GuesserKind::Plain(model) => model,
            GuesserKind::Strong => Model::Strong,
        }
    }

    /// All open cards for a clue, the most probable first.
    pub fn rank(&self, tongue: &Tongue, situation: &Situation, clue: &Clue) -> Vec<Guess> {
        match self.kind {
            GuesserKind::Study { strategy } => study::rank(tongue, situation, clue, strategy),
            GuesserKind::Plain(model) => {
                let scores = tongue.scores(model, &clue.word, &situation.open_words());
                strong::ranked(situation, &scores, clue.number)
            }
            GuesserKind::Strong => strong::rank(tongue, situation, clue),
        }
    }

    /// The next card to take in the running turn (the last of `situation.turns`), or nothing to stop.
    ///
    /// `first` guesses must be made: it never stops before one.
    pub fn next(&self, tongue: &Tongue, situation: &Situation) -> Option<usize> {
        let turn = situation.turns.last()?;
        let made = turn.guesses.len();
        match self.kind {
            GuesserKind::Study { strategy } => study::next(tongue, situation, strategy),
            GuesserKind::Plain(_) => {
                let meant = usize::from(turn.clue.number.meant().unwrap_or(1).max(1));
                if made >= meant {
                    return None;
                }
                // it must take one card; where its only source of knowledge sees no link, it takes no further one
                let best = self.rank(tongue, situation, &turn.clue).into_iter().next()?;
                (made == 0 || best.score > 0.0).then_some(best.card)
            }
            GuesserKind::Strong => strong::next(tongue, situation),
        }
    }
}
