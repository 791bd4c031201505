//! Which words the computer may say.

use semantics::words::WordFlags;
use semantics::{Language, WordId};

/// How many different clues the computer knows per language, commonest first.
const CLUES: usize = 9_000;

/// Words fit to be clues: base forms that say something, written with letters alone, commonest first.
pub(super) fn vocabulary(language: &Language) -> Vec<WordId> {
    let words = language.words();
    let spoken = WordFlags::NOUN | WordFlags::ADJECTIVE | WordFlags::VERB;
    words
        .iter()
        .filter(|(id, text)| {
            let flags = words.flags(*id);
            flags.has(WordFlags::LEMMA)
                && flags.0 & spoken != 0
                && !flags.has(WordFlags::STOP)
                && !flags.has(WordFlags::NAME)
                && language.vectors().has(*id)
                && text.chars().count() >= 3
                && text.chars().all(char::is_alphabetic)
        })
        .map(|(id, _)| id)
        .take(CLUES)
        .collect()
}
