//! Clues for words outside the clue collection, from dictionaries: a cleaned definition or synonyms.

use semantics::relations::Relation;
use semantics::{Language, WordId};

/// Length of a definition that can be a clue, in characters.
const SHORTEST: usize = 6;
const LONGEST: usize = 80;
/// Synonyms in one clue.
const SYNONYMS: usize = 3;

/// A clue for a word: easy ones define it, hard ones name one synonym; whichever exists.
pub(super) fn clue(language: &Language, word: WordId, difficulty: u8) -> Option<String> {
    let defined = || definition(language, word);
    let text = match difficulty {
        3 => synonyms(language, word, 1).or_else(defined),
        2 => defined().or_else(|| synonyms(language, word, 2)),
        _ => defined().or_else(|| synonyms(language, word, SYNONYMS)),
    }?;
    let mut chars = text.chars();
    let first = chars.next()?;
    Some(first.to_uppercase().chain(chars).collect())
}

/// The first definition that is short and does not contain the word.
fn definition(language: &Language, word: WordId) -> Option<String> {
    language.glosses().iter().find_map(|glosses| {
        glosses.of(word).iter().take(3).find_map(|&gloss| {
            let text = cleaned(&glosses.text(gloss)?)?;
            (!names(language, word, &text)).then_some(text)
        })
    })
}

/// A dictionary text without sense numbers, brackets and further senses; `None` if what is left is no clue.
fn cleaned(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let plain = plain.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '-' | '–'));
    // A further sense starts with a semicolon or its number.
    let end = plain.find(';').unwrap_or(plain.len());
    let end = plain[..end].find(|c: char| c.is_ascii_digit()).unwrap_or(end);
    let words: Vec<&str> = plain[..end].split_whitespace().collect();
    let text = words.join(" ");
    let text = text.trim_end_matches(['.', ',', ' ', ':', '-', '–']).replace(" ,", ",");
    let wordy = text.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | ',' | '-' | '\'' | '’' | '–'));
    let size = text.chars().count();
    (wordy && (SHORTEST..=LONGEST).contains(&size) && (words.len() > 1 || size >= SHORTEST)).then_some(text)
}

/// Synonyms as a clue.
fn synonyms(language: &Language, word: WordId, most: usize) -> Option<String> {
    let relations = language.relations();
    let near = relations.of(word, Relation::Synonym).chain(relations.of(word, Relation::Thesaurus));
    let mut texts: Vec<&str> = Vec::new();
    for text in near.map(|other| language.words().text(other)) {
        let wordy = text.chars().count() >= 3 && text.chars().all(|c| c.is_alphabetic() || c == ' ');
        if wordy && !names(language, word, text) && !texts.contains(&text) {
            texts.push(text);
        }
        if texts.len() == most {
            break;
        }
    }
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// Whether a text contains the word or a word with its stem.
fn names(language: &Language, word: WordId, text: &str) -> bool {
    let own = language.words().text(word);
    let root: String = own.chars().take(own.chars().count().saturating_sub(2).max(3)).collect();
    let stem = language.stem(own);
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|part| part.starts_with(&root) || language.stem(part) == stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_lose_numbers_brackets_and_further_senses() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(cleaned("1. majetek, jmění firmy"), some("majetek, jmění firmy"));
        assert_eq!(cleaned("(of a cat) a soft sound; a growl"), some("a soft sound"));
        assert_eq!(cleaned("a deep hole 2. a grave"), some("a deep hole"));
        assert_eq!(cleaned("viz: dům"), None);
        assert_eq!(cleaned("2."), None);
    }
}
