//! The syntax of an English clue: its head, and the part of speech and inflection of the answer.

use super::inflection::{Inflection, inflection};
use crate::language::Language;
use crate::words::{WordFlags, WordId};

/// Words that end the noun phrase a clue begins with.
const BREAKS: [&str; 24] = [
    "of", "in", "on", "at", "for", "with", "from", "by", "to", "that", "which", "who", "whose", "where", "when",
    "having", "used", "worth", "without", "into", "over", "under", "like", "as",
];
/// First words of a clue for a thing or person.
const NAMING: [&str; 14] = [
    "a",
    "an",
    "the",
    "one",
    "some",
    "someone",
    "something",
    "somebody",
    "person",
    "place",
    "kind",
    "type",
    "sort",
    "it",
];
/// Words after a first word that show it to be a verb.
const AFTER_VERB: [&str; 22] = [
    "a",
    "an",
    "the",
    "up",
    "out",
    "off",
    "on",
    "in",
    "to",
    "it",
    "someone",
    "something",
    "with",
    "for",
    "into",
    "over",
    "across",
    "away",
    "down",
    "about",
    "oneself",
    "one's",
];

/// Forms that a word can be read as, a bit each.
mod form {
    pub const SINGULAR: u16 = 1;
    pub const PLURAL: u16 = 2;
    pub const VERB: u16 = 4;
    pub const THIRD_PERSON: u16 = 8;
    pub const PAST: u16 = 16;
    pub const GERUND: u16 = 32;
    pub const ADJECTIVE: u16 = 64;
    pub const COMPARATIVE: u16 = 128;
    pub const SUPERLATIVE: u16 = 256;
    pub const ADVERB: u16 = 512;
    pub const NOUNS: u16 = SINGULAR | PLURAL;
    pub const VERBS: u16 = VERB | THIRD_PERSON | PAST | GERUND;
    pub const ADJECTIVES: u16 = ADJECTIVE | COMPARATIVE | SUPERLATIVE;
}

/// What the syntax of a clue says about its answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    /// The head word of the clue.
    pub(super) head: Option<WordId>,
    /// Whether one word is the whole clue.
    pub(super) alone: bool,
    /// Forms that the answer may have and their chances; what is not listed is unlikely.
    wanted: Vec<(u16, f32)>,
}

impl Shape {
    pub(super) fn of(language: &Language, clue: &str) -> Shape {
        let words: Vec<String> = crate::tokens::words_of(clue).collect();
        let known: Vec<Option<WordId>> = words.iter().map(|w| language.find_form(w)).collect();
        let telling = |i: usize| known[i].is_some_and(|w| !language.words().flags(w).has(WordFlags::STOP));
        let content: Vec<usize> = (0..words.len()).filter(|&i| telling(i)).collect();
        let end = (1..words.len()).find(|&i| BREAKS.contains(&words[i].as_str())).unwrap_or(words.len());
        let head = content.iter().rev().find(|&&i| i < end).or(content.first()).copied();
        let read = |i: usize| known[i].map_or(0, |w| forms(language, &words[i], w));
        let first = words.first().map_or("", String::as_str);
        let after = words.get(1).map_or("", String::as_str);
        let alone = words.len() == 1 || (words.len() == 2 && first == "to");
        // a noun comes in the number of the clue's head, a verb in the form of its first word
        let noun = head.map_or(0, |i| read(i) & form::NOUNS);
        let noun = if noun == 0 { form::NOUNS } else { noun };
        let verb = if words.is_empty() { 0 } else { read(0) & form::VERBS };
        let last = content.last().map_or(0, |&i| read(i));
        let wanted = if first == "to" && words.len() > 1 {
            vec![(form::VERB, 0.95)]
        } else if alone {
            let all = read(0);
            if all == 0 { Vec::new() } else { vec![(all, 0.95)] }
        } else if NAMING.contains(&first) {
            vec![(noun, 0.9)]
        } else if verb != 0 && AFTER_VERB.contains(&after) {
            vec![(verb, 0.7), (noun, 0.2), (form::ADJECTIVE, 0.1)]
        } else if matches!(first, "not" | "very" | "most" | "more" | "quite" | "full" | "having" | "being") {
            vec![(form::ADJECTIVES, 0.6), (form::SINGULAR, 0.25), (form::ADVERB, 0.1)]
        } else if matches!(first, "in" | "at" | "on" | "with" | "by" | "after" | "before") {
            vec![(form::SINGULAR, 0.35), (form::ADVERB, 0.35), (form::ADJECTIVE, 0.25)]
        } else if last & form::ADJECTIVES != 0 && last & form::NOUNS == 0 {
            vec![(last & form::ADJECTIVES, 0.65), (noun, 0.2), (form::VERB, 0.1)]
        } else if last & form::ADVERB != 0 && last & form::NOUNS == 0 {
            vec![(if verb == 0 { form::VERB } else { verb }, 0.6), (form::ADVERB, 0.2), (form::ADJECTIVE, 0.2)]
        } else if last & form::VERBS != 0 && last & form::NOUNS == 0 {
            vec![(last & form::VERBS, 0.65), (noun, 0.2), (form::ADJECTIVE, 0.1)]
        } else if verb != 0 && read(0) & (form::ADJECTIVES | form::NOUNS) == 0 {
            vec![(verb, 0.7), (noun, 0.25)]
        } else {
            vec![(noun, 0.75), (form::VERB, 0.1), (form::ADJECTIVE, 0.1)]
        };
        Shape { head: head.and_then(|i| known[i]), alone, wanted }
    }

    /// The chance of the likeliest form that the answer can be read as; about a third if nothing is known.
    pub(super) fn agreement(&self, language: &Language, word: WordId) -> f32 {
        let own = forms(language, language.words().text(word), word);
        if own == 0 || self.wanted.is_empty() {
            return 0.3;
        }
        self.wanted.iter().filter(|(form, _)| own & form != 0).map(|w| w.1).fold(0.0, f32::max)
    }
}

/// The forms that a word as written can be read as; its number may be that of its base form.
fn forms(language: &Language, text: &str, word: WordId) -> u16 {
    let lemma = language.lemma(word);
    let flags = language.words().flags(word);
    let base = language.words().flags(lemma);
    let plain = |has: &dyn Fn(u8) -> bool| {
        [
            (WordFlags::NOUN, form::SINGULAR),
            (WordFlags::VERB, form::VERB),
            (WordFlags::ADJECTIVE, form::ADJECTIVE),
            (WordFlags::ADVERB, form::ADVERB),
        ]
        .iter()
        .filter(|(flag, _)| has(*flag))
        .fold(0, |all, (_, form)| all | form)
    };
    if language.words().text(lemma) == text {
        return plain(&|flag| flags.has(flag));
    }
    // what the dictionaries list of the form itself (*building*, *burnt*) counts besides its ending
    let own = if language.words().text(word) == text { plain(&|flag| flags.has(flag)) & !form::VERB } else { 0 };
    let inflected = match inflection(text) {
        Inflection::Plural => [(WordFlags::NOUN, form::PLURAL), (WordFlags::VERB, form::THIRD_PERSON)]
            .iter()
            .filter(|(flag, _)| base.has(*flag))
            .fold(0, |all, (_, form)| all | form),
        Inflection::Past => form::PAST,
        Inflection::Gerund => form::GERUND,
        Inflection::Comparative if base.has(WordFlags::ADJECTIVE) => form::COMPARATIVE,
        Inflection::Superlative if base.has(WordFlags::ADJECTIVE) => form::SUPERLATIVE,
        Inflection::Adverb => form::ADVERB,
        _ if base.has(WordFlags::VERB) => form::PAST,
        _ => form::PLURAL,
    };
    inflected | own
}
