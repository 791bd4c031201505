//! Operatives: players that guess.

use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::engine::{BoardPosition, expected_value, jares};
use crate::rules::Clue;

/// One card in an operative's ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedCard {
    pub card: usize,
    /// The score it is ranked by.
    pub score: f32,
    /// Probability that the clue is meant for it.
    pub probability: f64,
}

/// How an operative chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OperativeKind {
    /// Jareš 2019, section 5.4, with its strategy or without.
    Jares { strategy: bool },
    /// The most probable cards by one model, without memory.
    SingleModel(ScoringModel),
    /// The association model, a posterior over the key, and a stop when the next card costs more than it brings.
    Posterior,
}

/// An operative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operative {
    pub kind: OperativeKind,
}

impl Operative {
    /// Parses a name of the command line: `jares`, `plain`, `strong`, `vectors` or `glosses`; `study` and `cosine` are the
    /// former names of `jares` and `vectors`.
    pub fn parse(text: &str) -> Option<Operative> {
        let kind = match text {
            "jares" | "study" => OperativeKind::Jares { strategy: true },
            "plain" => OperativeKind::Jares { strategy: false },
            "strong" => OperativeKind::Posterior,
            "vectors" | "cosine" => OperativeKind::SingleModel(ScoringModel::Vectors),
            "glosses" => OperativeKind::SingleModel(ScoringModel::Glosses),
            _ => return None,
        };
        Some(Operative { kind })
    }

    /// The strongest operative.
    pub const fn strong() -> Operative {
        Operative { kind: OperativeKind::Posterior }
    }

    /// Its scoring model.
    pub const fn model(&self) -> ScoringModel {
        match self.kind {
            OperativeKind::Jares { .. } => ScoringModel::Jares,
            OperativeKind::SingleModel(model) => model,
            OperativeKind::Posterior => ScoringModel::Strong,
        }
    }

    /// All open cards for a clue, the most probable first.
    pub fn rank(&self, lm: &LanguageModel, position: &BoardPosition, clue: &Clue) -> Vec<RankedCard> {
        match self.kind {
            OperativeKind::Jares { strategy } => jares::rank(lm, position, clue, strategy),
            OperativeKind::SingleModel(model) => {
                let scores = lm.scores(model, &clue.word, &position.open_words());
                expected_value::ranked(position, &scores, clue.number)
            }
            OperativeKind::Posterior => expected_value::rank(lm, position, clue),
        }
    }

    /// The next card in the running turn (the last of `position.turns`), or `None` to stop.
    pub fn next(&self, lm: &LanguageModel, position: &BoardPosition) -> Option<usize> {
        let turn = position.turns.last()?;
        let made = turn.guesses.len();
        match self.kind {
            OperativeKind::Jares { strategy } => jares::next(lm, position, strategy),
            OperativeKind::SingleModel(_) => {
                let meant = usize::from(turn.clue.number.meant().unwrap_or(1).max(1));
                if made >= meant {
                    return None;
                }
                // the first guess is compulsory; a further one needs a link
                let best = self.rank(lm, position, &turn.clue).into_iter().next()?;
                (made == 0 || best.score > 0.0).then_some(best.card)
            }
            OperativeKind::Posterior => expected_value::next(lm, position),
        }
    }
}
