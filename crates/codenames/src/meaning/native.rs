//! What a language's own sources say of a pair, where everything else comes by way of English.
//!
//! Words of Czech, Polish and Slovak stand where their English translations stand, so that senses meet which only English
//! has: *polák* and *kůl* are both a *pole*. A link that no source of the language itself knows is doubted, and most of
//! all one by way of a common English word.

use super::glosses;
use super::study::forms;
use semantics::{Language, Relation, WordId};
use std::collections::{HashMap, HashSet};

/// What a link loses, in logits, that no own source knows of a word which the hand-written lexicon describes.
const UNKNOWN: f32 = 2.0;
/// What it loses if the two share an English translation: one English word may have several meanings.
const HOMOGRAPH: f32 = 5.0;
/// Words that have this many hand-written entries in common belong together.
const TOGETHER: usize = 2;
/// Main translations, as the association model takes them.
const SHARE: f32 = 0.2;
const TRANSLATIONS: usize = 3;

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

    /// What a link between this word and another loses.
    pub fn doubt(&self, language: &Language, other: WordId) -> f32 {
        if self.partners.contains(&other) || self.partners.contains(&language.lemma(other)) {
            return 0.0;
        }
        let shared = english(language, other).any(|e| self.english.contains(&e));
        match (shared, self.near.contains(&other)) {
            (false, true) => 0.0,
            (true, false) => HOMOGRAPH,
            _ if self.described => UNKNOWN,
            _ => 0.0,
        }
    }
}

/// The English words that a word stands for, base forms included.
fn english(language: &Language, word: WordId) -> impl Iterator<Item = WordId> + '_ {
    let main = language.translations(word).filter(|t| t.1 >= SHARE).take(TRANSLATIONS);
    main.flat_map(|(e, _)| [e, language.pivot().map_or(e, |english| english.lemma(e))])
}
