//! Inflected forms that no source lists: the answer to *Most tree-lined* is *shadiest*, but the dictionary only has *shady*.

use semantics::ClueScorer;
use semantics::clue::{Inflection, inflection};

/// The degree of comparison of an English clue, and the clue without its marker.
fn wanted(clue: &str) -> Option<(&'static str, String)> {
    let words: Vec<&str> = clue.split_whitespace().collect();
    let (first, rest) = words.split_first()?;
    match first.to_lowercase().as_str() {
        "most" if !rest.is_empty() => return Some(("est", rest.join(" "))),
        "more" if !rest.is_empty() => return Some(("er", rest.join(" "))),
        _ => {}
    }
    let plain = first.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    (inflection(&plain) == Inflection::Superlative).then(|| ("est", clue.to_owned()))
}

/// The adjective with *-er* or *-est*.
fn degree(word: &str, ending: &str) -> String {
    let letters: Vec<char> = word.chars().collect();
    let vowel = |c: char| "aeiou".contains(c);
    match letters.as_slice() {
        [.., 'e'] => format!("{word}{}", &ending[1..]),
        [start @ .., before, 'y'] if !vowel(*before) => {
            format!("{}{before}i{ending}", start.iter().collect::<String>())
        }
        [start @ .., a, b, c] if start.len() <= 1 && !vowel(*a) && vowel(*b) && !vowel(*c) && !"wxy".contains(*c) => {
            format!("{word}{c}{ending}")
        }
        _ => format!("{word}{ending}"),
    }
}

/// Inflected forms of a length that fit the clue, with the score of their base word.
pub fn inflected_forms(scorer: &ClueScorer<'_>, clue: &str, length: usize) -> Vec<(String, f32)> {
    if scorer.language().code() != "en" {
        return Vec::new();
    }
    let Some((ending, clue)) = wanted(clue) else { return Vec::new() };
    let words = scorer.language().words();
    let longest = ending.len();
    (length.saturating_sub(longest + 1)..=length.saturating_sub(longest - 1))
        .filter(|base| *base >= 3)
        .flat_map(|base| scorer.rank(&clue, base))
        .map(|(word, score)| (degree(words.text(word), ending), score))
        .filter(|(form, _)| form.chars().count() == length && form.chars().all(char::is_alphabetic))
        .map(|(form, score)| (form.to_uppercase(), score))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_spelt_as_people_do() {
        for (word, form) in [
            ("shady", "shadiest"),
            ("wide", "widest"),
            ("big", "biggest"),
            ("tall", "tallest"),
            ("grey", "greyest"),
            ("slow", "slowest"),
        ] {
            assert_eq!(degree(word, "est"), form);
        }
        assert_eq!(degree("shady", "er"), "shadier");
        assert_eq!(wanted("Most tree-lined"), Some(("est", "tree-lined".to_owned())));
        assert_eq!(wanted("Most"), None);
    }
}
