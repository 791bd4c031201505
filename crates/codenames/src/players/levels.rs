//! The levels a person can choose.

use super::{Operative, OperativeKind, Spymaster, SpymasterKind};
use crate::engine::Ensemble;
use crate::engine::meaning::ScoringModel;
use crate::table::{Codenames, CodenamesBot};
use game::{Bot, Budget, Level};

/// The level of *Play now*.
pub const DEFAULT_LEVEL: &str = "strong";

/// Levels, weakest first: id, name, description.
const LEVELS: [(&str, &str, &str); 7] = [
    ("novice", "Novice", "Says common words for one or two cards; often takes its second choice."),
    ("casual", "Casual", "Uses dictionary definitions alone; its clues are for at most two cards."),
    ("friend", "Friend", "Uses word vectors alone: how words are used in texts."),
    ("plain", "Jareš, plain", "The player of Jareš 2019 without its strategy."),
    ("study", "Jareš", "The player of Jareš 2019: remembers unfinished clues and suspects the enemy's words."),
    ("strong", "Strong", "Maximises the expected value of a clue over several models of its partners."),
    ("daring", "Daring", "Strong with one model, and with larger numbers."),
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

/// The bot of a level; `jares` is another name of the level `study`.
pub fn bot(level: &str) -> Option<Box<dyn Bot<Codenames>>> {
    let single = |model, most, vocabulary| {
        let kind = SpymasterKind::ExpectedValue { ensemble: Ensemble::only(model) };
        (Spymaster { kind, least: 1, most, vocabulary }, OperativeKind::SingleModel(model))
    };
    let jares = |strategy| {
        let kind = SpymasterKind::Jares { strategy, hypernyms: true };
        (Spymaster { kind, least: 1, most: 5, vocabulary: usize::MAX }, OperativeKind::Jares { strategy })
    };
    let strong = |ensemble, most| {
        let kind = SpymasterKind::ExpectedValue { ensemble };
        (Spymaster { kind, least: 1, most, vocabulary: usize::MAX }, OperativeKind::Posterior)
    };
    let (spymaster, operative) = match level {
        "novice" => single(ScoringModel::Vectors, 2, 1_500),
        "casual" => single(ScoringModel::Glosses, 2, 4_000),
        "friend" => single(ScoringModel::Vectors, 3, 6_000),
        "plain" => jares(false),
        "study" | "jares" => jares(true),
        "strong" => strong(Ensemble::known_programs(), 4),
        "daring" => strong(Ensemble::only(ScoringModel::Strong), 6),
        _ => return None,
    };
    let slips = match level {
        "novice" => 0.3,
        "casual" => 0.1,
        _ => 0.0,
    };
    Some(Box::new(CodenamesBot { spymaster, operative: Operative { kind: operative }, slips, people: false }))
}
