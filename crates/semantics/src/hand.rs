//! The association lexicon written by hand: what people connect with a word, and how.

use crate::words::{Vocabulary, WordId};
use std::collections::HashMap;

/// How a hand-written association is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HandKind {
    /// The word is such a thing, or such things are the word.
    IsA,
    /// A part of it, or what it is part of.
    Part,
    /// Where it is found.
    Place,
    /// What goes with it.
    UsedWith,
    /// A saying or fixed phrase.
    Saying,
    /// A title of a work.
    Title,
    /// A person or figure.
    Person,
    /// Any other idea.
    Idea,
}

impl HandKind {
    /// All kinds.
    pub const ALL: [HandKind; 8] = [
        HandKind::IsA,
        HandKind::Part,
        HandKind::Place,
        HandKind::UsedWith,
        HandKind::Saying,
        HandKind::Title,
        HandKind::Person,
        HandKind::Idea,
    ];

    /// The name used in the files.
    pub fn name(self) -> &'static str {
        match self {
            HandKind::IsA => "is-a",
            HandKind::Part => "part",
            HandKind::Place => "place",
            HandKind::UsedWith => "used-with",
            HandKind::Saying => "saying",
            HandKind::Title => "title",
            HandKind::Person => "person",
            HandKind::Idea => "idea",
        }
    }

    fn parse(text: &str) -> Option<HandKind> {
        HandKind::ALL.into_iter().find(|k| k.name() == text)
    }
}

/// Hand-written associations of a language, from either side.
#[derive(Clone, Debug, Default)]
pub struct HandLexicon {
    from: HashMap<WordId, Vec<(WordId, HandKind)>>,
    to: HashMap<WordId, Vec<(WordId, HandKind)>>,
}

impl HandLexicon {
    /// Reads lines `word TAB kind TAB a, b, c`; `#` starts a comment. Words outside the vocabulary
    /// and unknown kinds are passed over; of an association of several words each telling word counts.
    pub fn parse(text: &str, words: &Vocabulary) -> HandLexicon {
        let mut lexicon = HandLexicon::default();
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            let mut fields = line.split('\t');
            let (Some(word), Some(kind), Some(list)) = (fields.next(), fields.next(), fields.next()) else { continue };
            let (Some(word), Some(kind)) = (words.id(&word.trim().to_lowercase()), HandKind::parse(kind.trim())) else {
                continue;
            };
            for other in list.split(',') {
                let other = other.trim().to_lowercase();
                match words.id(&other) {
                    Some(id) => lexicon.add(word, id, kind),
                    None => {
                        for part in crate::tokens::words_of(&other) {
                            let telling =
                                words.id(&part).filter(|&id| !words.flags(id).has(crate::words::WordFlags::STOP));
                            if let Some(id) = telling {
                                lexicon.add(word, id, kind);
                            }
                        }
                    }
                }
            }
        }
        lexicon
    }

    fn add(&mut self, from: WordId, to: WordId, kind: HandKind) {
        if from == to {
            return;
        }
        let list = self.from.entry(from).or_default();
        if !list.iter().any(|&(w, _)| w == to) {
            list.push((to, kind));
            self.to.entry(to).or_default().push((from, kind));
        }
    }

    /// What was written for a word.
    pub fn of(&self, word: WordId) -> &[(WordId, HandKind)] {
        self.from.get(&word).map_or(&[], Vec::as_slice)
    }

    /// The words a word was written for.
    pub fn mentioning(&self, word: WordId) -> &[(WordId, HandKind)] {
        self.to.get(&word).map_or(&[], Vec::as_slice)
    }

    /// Words that have an entry of their own.
    pub fn heads(&self) -> impl Iterator<Item = WordId> + '_ {
        self.from.keys().copied()
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.from.is_empty()
    }

    /// Keeps only entries of words that `keep` lets through.
    pub fn retain(&mut self, keep: impl Fn(WordId) -> bool) {
        self.from.retain(|&w, _| keep(w));
        for list in self.to.values_mut() {
            list.retain(|&(w, _)| keep(w));
        }
    }
}
