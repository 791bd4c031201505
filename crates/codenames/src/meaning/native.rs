//! What a language's own sources say of a pair, where everything else comes by way of English.
//!
//! Words of Czech, Polish and Slovak stand where their English translations stand, so that senses meet which only English
//! has: *polák* and *kůl* are both a *pole*. A link that no source of the language itself knows is doubted, and most of
//! all one by way of a common English word.

use super::glosses::{self, english};
use super::study::forms;
use semantics::{Language, Relation, WordId};
use std::collections::{HashMap, HashSet};

/// How far a link is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// An own source knows it, or no own source describes the word.
    None,
    /// Own sources describe the word and do not know the link.
    Unknown,
    /// The two share an English word, which may have several meanings, and no own source knows the link.
    Foreign,
}

impl Doubt {
    /// What the link loses, in logits, for somebody who hears the clue: it may be one all the same.
    pub fn heard(self) -> f32 {
        match self {
            Self::None => 0.0,
            Self::Unknown => 2.0,
            Self::Foreign => 5.0,
        }
    }

    /// What it loses for somebody who chooses among many clues.
    pub fn hoped(self) -> f32 {
        match self {
            Self::None => 0.0,
            Self::Unknown => 2.0,
            Self::Foreign => 20.0,
        }
    }
}

/// Words that have this many hand-written entries in common belong together.
const TOGETHER: usize = 2;

/// What the own sources of a language know of one word.
pub struct Native {
    /// Words that an own source links with it.
    partners: HashSet<WordId>,
    /// Words of its thesaurus groups; some thesauri were made from a dictionary into English.
    near: HashSet<WordId>,
    /// English words it stands for.
    english: Vec<WordId>,
    /// Whether the hand-written lexicon describes it.
    described: bool,
}

impl Native {
    /// Gathers what is known; nothing for a language with knowledge of its own.
    pub fn new(language: &Language, word: &str) -> Option<Native> {
        language.pivot()?;
        let readings = forms(language, word);
        let hand = language.hand();
        let mut partners = glosses::partners(language, &readings);
        let mut near = HashSet::new();
        let mut together: HashMap<WordId, usize> = HashMap::new();
        for &reading in &readings {
            partners.extend(language.relations().of(reading, Relation::Emoji));
            near.extend(language.relations().of(reading, Relation::Thesaurus));
            partners.extend(hand.of(reading).iter().map(|w| w.0));
            for &(head, _) in hand.mentioning(reading) {
                partners.insert(head);
                for &(other, _) in hand.of(head) {
                    *together.entry(other).or_default() += 1;
                }
            }
        }
        partners.extend(together.into_iter().filter(|t| t.1 >= TOGETHER).map(|t| t.0));
        let described = readings.iter().any(|&r| !hand.of(r).is_empty());
        let english = readings.iter().flat_map(|&r| english(language, r)).collect();
        Some(Native { partners, near, english, described })
    }

    /// How far a link between this word and another is to be trusted.
    pub fn doubt(&self, language: &Language, other: WordId) -> Doubt {
        if self.partners.contains(&other) || self.partners.contains(&language.lemma(other)) {
            return Doubt::None;
        }
        let shared = english(language, other).any(|e| self.english.contains(&e));
        match (shared, self.near.contains(&other)) {
            (false, true) => Doubt::None,
            (true, false) => Doubt::Foreign,
            _ if self.described => Doubt::Unknown,
            _ => Doubt::None,
        }
    }
}
