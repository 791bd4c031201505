//! Trust in a link of a language that is projected into the English space.
//!
//! Words of Czech, Polish and Slovak have the vectors of their English translations, so senses meet that only English
//! joins: *polák* and *kůl* are both a *pole*. A link that no source of the language itself contains is penalised, most of
//! all one through a shared English word.

use super::definitions::{self, english};
use super::jares::forms;
use semantics::{Language, Relation, WordId};
use std::collections::{HashMap, HashSet};

/// How far a link is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTrust {
    /// A source of the language contains it, or none describes the word.
    Trusted,
    /// The language's sources describe the word and do not contain the link.
    Unattested,
    /// The words share an English translation, which may be ambiguous, and no source of the language contains the link.
    EnglishOnly,
}

impl LinkTrust {
    /// Penalty for an operative, in logits: the link may be meant all the same.
    pub fn operative_penalty(self) -> f32 {
        match self {
            Self::Trusted => 0.0,
            Self::Unattested => 2.0,
            Self::EnglishOnly => 5.0,
        }
    }

    /// Penalty for a spymaster, in logits: it chooses among many clues.
    pub fn spymaster_penalty(self) -> f32 {
        match self {
            Self::Trusted => 0.0,
            Self::Unattested => 2.0,
            Self::EnglishOnly => 20.0,
        }
    }
}

/// Two words with this many common hand-written entries are linked.
const MIN_COMMON_ENTRIES: usize = 2;

/// Links of one word in the language's own sources.
pub struct OwnSources {
    /// Words linked with it.
    partners: HashSet<WordId>,
    /// Words of its thesaurus groups; some thesauri were made from an English dictionary.
    near: HashSet<WordId>,
    /// Its English translations.
    english: Vec<WordId>,
    /// Whether the hand-written lexicon describes it.
    described: bool,
}

impl OwnSources {
    /// Collects the links of a word; `None` for a language that is not projected.
    pub fn new(language: &Language, word: &str) -> Option<OwnSources> {
        language.pivot()?;
        let readings = forms(language, word);
        let hand = language.hand();
        let mut partners = definitions::partners(language, &readings);
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
        partners.extend(together.into_iter().filter(|t| t.1 >= MIN_COMMON_ENTRIES).map(|t| t.0));
        let described = readings.iter().any(|&r| !hand.of(r).is_empty());
        let english = readings.iter().flat_map(|&r| english(language, r)).collect();
        Some(OwnSources { partners, near, english, described })
    }

    /// How far the link between this word and another is trusted.
    pub fn trust(&self, language: &Language, other: WordId) -> LinkTrust {
        if self.partners.contains(&other) || self.partners.contains(&language.lemma(other)) {
            return LinkTrust::Trusted;
        }
        let shared = english(language, other).any(|e| self.english.contains(&e));
        match (shared, self.near.contains(&other)) {
            (false, true) => LinkTrust::Trusted,
            (true, false) => LinkTrust::EnglishOnly,
            _ if self.described => LinkTrust::Unattested,
            _ => LinkTrust::Trusted,
        }
    }
}
