//! Strengths a person can choose.

use super::{Ensemble, Giver, GiverKind, Guesser, GuesserKind, LevelBot};
use crate::meaning::Model;
use crate::table::Codenames;
use game::{Bot, Budget, Level};

/// The level of *Play now*.
pub const DEFAULT_LEVEL: &str = "strong";

/// Levels, weakest first: id, name, description.
const LEVELS: [(&str, &str, &str); 7] = [
    ("novice", "Novice", "Common words, one or two at a time; takes what first comes to mind."),
    ("casual", "Casual", "Thinks by dictionary definitions alone, and never for more than two words."),
    ("friend", "Friend", "Thinks by how words are used in texts."),
    ("plain", "Study, plain", "The study's player without its strategy."),
    ("study", "Study", "The study's player: remembers unfinished clues and suspects the enemy's words."),
    ("strong", "Strong", "Weighs every clue by what different people would make of it."),
    ("daring", "Daring", "Strong, and says larger numbers."),
];

/// All levels.
pub fn levels() -> Vec<Level> {
    let level = |&(id, name, description): &(&str, &str, &str)| Level {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        budget: Budget::Nodes(1),
    };
    LEVELS.iter().map(level).collect()
}

/// A player of a level.
pub fn bot(level: &str) -> Option<Box<dyn Bot<Codenames>>> {
    let alone = |model| GiverKind::Strong { ensemble: Ensemble::only(model) };
    let (kind, most, vocabulary, guesser, slips) = match level {
        "novice" => (alone(Model::Vectors), 2, 1_500, GuesserKind::Plain(Model::Vectors), 0.3),
        "casual" => (alone(Model::Glosses), 2, 4_000, GuesserKind::Plain(Model::Glosses), 0.1),
        "friend" => (alone(Model::Vectors), 3, 6_000, GuesserKind::Plain(Model::Vectors), 0.0),
        "plain" => (
            GiverKind::Study { strategy: false, hypernyms: true },
            5,
            usize::MAX,
            GuesserKind::Study { strategy: false },
            0.0,
        ),
        "study" => (
            GiverKind::Study { strategy: true, hypernyms: true },
            5,
            usize::MAX,
            GuesserKind::Study { strategy: true },
            0.0,
        ),
        "strong" => (GiverKind::Strong { ensemble: Ensemble::house() }, 4, usize::MAX, GuesserKind::Strong, 0.0),
        "daring" => {
            (GiverKind::Strong { ensemble: Ensemble::only(Model::Strong) }, 6, usize::MAX, GuesserKind::Strong, 0.0)
        }
        _ => return None,
    };
    let giver = Giver { kind, least: 1, most, vocabulary };
    Some(Box::new(LevelBot { giver, guesser: Guesser { kind: guesser }, slips, people: false }))
}
