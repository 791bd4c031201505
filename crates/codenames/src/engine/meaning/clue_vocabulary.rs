//! The clues the computer knows.

use semantics::words::WordFlags;
use semantics::{Language, Relation, WordId};
use std::collections::HashSet;

/// Number of clues per language, most frequent first.
const MAX_CLUES: usize = 9_000;
/// Parts of speech of clues.
const CONTENT_POS: u8 = WordFlags::NOUN | WordFlags::ADJECTIVE | WordFlags::VERB;
/// Least share of a main translation.
const MAIN_SHARE: f32 = 0.2;

/// Words that may be clues, most frequent first: base forms of content words, written with letters alone, and none of the
/// words in `unsaid` (one per line, `#` comments).
pub(super) fn vocabulary(language: &Language, unsaid: &str) -> Vec<WordId> {
    let words = language.words();
    let unsaid: HashSet<&str> = unsaid.lines().map(str::trim).filter(|l| !l.starts_with('#')).collect();
    words
        .iter()
        .filter(|(id, text)| {
            let flags = words.flags(*id);
            flags.has(WordFlags::LEMMA)
                && flags.0 & CONTENT_POS != 0
                && !flags.has(WordFlags::STOP)
                && !flags.has(WordFlags::NAME)
                && language.vectors().has(*id)
                && text.chars().count() >= 3
                && text.chars().all(char::is_alphabetic)
                && !unsaid.contains(text)
        })
        .filter(|(id, text)| language.pivot().is_none_or(|english| everyday(language, english, *id, text)))
        .map(|(id, _)| id)
        .take(MAX_CLUES)
        .collect()
}

/// Whether a language projected into the English space has a word in everyday sources of its own: the hand-written lexicon,
/// keywords of emoji, or, without a lexicon, the thesaurus. The rest of its vocabulary contains English words, names and
/// abbreviations, and its parts of speech are guessed from endings.
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
    // spelled as in English and in no word list of the language
    let borrowed = share > 0.9 && english.words().text(first) == text && !written && !thesaurus;
    let main = all.iter().enumerate().filter(|(k, t)| *k == 0 || t.1 >= MAIN_SHARE);
    let content = main.into_iter().any(|(_, t)| flags(t.0).0 & CONTENT_POS != 0);
    !borrowed && content && !flags(first).has(WordFlags::STOP)
}
