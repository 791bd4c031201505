//! Which words the computer may say.

use semantics::words::WordFlags;
use semantics::{Language, Relation, WordId};
use std::collections::HashSet;

/// How many different clues the computer knows per language, commonest first.
const CLUES: usize = 9_000;
/// What can say something of a card.
const SPOKEN: u8 = WordFlags::NOUN | WordFlags::ADJECTIVE | WordFlags::VERB;
/// The share from which a translation is a main one.
const MAIN: f32 = 0.2;

/// Words fit to be clues: base forms that say something, written with letters alone, commonest first, and none of those
/// in `unsaid` (one per line, `#` comments).
pub(super) fn vocabulary(language: &Language, unsaid: &str) -> Vec<WordId> {
    let words = language.words();
    let unsaid: HashSet<&str> = unsaid.lines().map(str::trim).filter(|l| !l.starts_with('#')).collect();
    words
        .iter()
        .filter(|(id, text)| {
            let flags = words.flags(*id);
            flags.has(WordFlags::LEMMA)
                && flags.0 & SPOKEN != 0
                && !flags.has(WordFlags::STOP)
                && !flags.has(WordFlags::NAME)
                && language.vectors().has(*id)
                && text.chars().count() >= 3
                && text.chars().all(char::is_alphabetic)
                && !unsaid.contains(text)
        })
        .filter(|(id, text)| language.pivot().is_none_or(|english| everyday(language, english, *id, text)))
        .map(|(id, _)| id)
        .take(CLUES)
        .collect()
}

/// Whether a language placed into the English space knows a word from everyday sources of its own: the hand-written
/// lexicon, keywords of emoji, or, where nothing was written by hand, the thesaurus. Its vocabulary besides holds English
/// words, names and abbreviations, and its parts of speech are guessed by endings.
fn everyday(language: &Language, english: &Language, id: WordId, text: &str) -> bool {
    let hand = language.hand();
    let linked = |kind: Relation| language.relations().of(id, kind).next().is_some();
    let thesaurus = linked(Relation::Thesaurus);
    let written = !hand.of(id).is_empty() || !hand.mentioning(id).is_empty();
    let known = written || linked(Relation::Emoji) || hand.is_empty() && thesaurus;
    if !known {
        return false;
    }
    let all: Vec<(WordId, f32)> = language.translations(id).collect();
    let Some(&(first, share)) = all.first() else { return true };
    let flags = |word: WordId| english.words().flags(word);
    // written as in English and not known to any list of words of its own
    let borrowed = share > 0.9 && english.words().text(first) == text && !written && !thesaurus;
    let main = all.iter().enumerate().filter(|(k, t)| *k == 0 || t.1 >= MAIN);
    let says = main.into_iter().any(|(_, t)| flags(t.0).0 & SPOKEN != 0);
    !borrowed && says && !flags(first).has(WordFlags::STOP)
}
