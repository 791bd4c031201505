//! Graded hints: the kind of answer, the pattern of vowels, the dictionary definition.

use super::languages::LanguageResources;
use super::{HintStep, HintView};
use crate::rules::PuzzleEntry;
use semantics::Language;
use semantics::clue::{Inflection, inflection};
use semantics::relations::Relation;
use semantics::words::{WordFlags, WordId};

/// Maximum number of lines of a definition.
const LINES: usize = 4;
/// Maximum number of synonyms in one line.
const SYNONYMS: usize = 6;

/// One hint to an entry whose answer is known or estimated; `known` holds the letters in its cells.
pub fn hint(
    tongue: Option<&LanguageResources>,
    entry: &PuzzleEntry,
    number: usize,
    step: HintStep,
    answer: &str,
    known: &[Option<&str>],
) -> HintView {
    let language = tongue.map(LanguageResources::language);
    let mut view = HintView { entry: number, step, notes: Vec::new(), pattern: None, lines: Vec::new() };
    match step {
        HintStep::Nudge => view.notes = notes(language, entry, answer),
        HintStep::Pattern => view.pattern = Some(pattern(answer, known)),
        HintStep::Definition => {
            view.lines = language.map(|language| definitions(language, answer)).unwrap_or_default();
            if view.lines.is_empty() {
                view.notes.push("not_in_dictionary".to_owned());
            }
        }
    }
    view
}

/// Notes on the kind of clue and the kind of answer.
fn notes(language: Option<&Language>, entry: &PuzzleEntry, answer: &str) -> Vec<String> {
    let clue = entry.clue.to_lowercase();
    let mut notes: Vec<String> = Vec::new();
    let mut note = |holds: bool, name: &str| {
        if holds {
            notes.push(name.to_owned());
        }
    };
    note(clue.contains("__") || clue.starts_with('…') || clue.ends_with('…') || clue.contains("..."), "fill_in");
    note(
        ["abbr", "briefly", "in short", "initially", "zkr", "skr"].iter().any(|mark| clue.contains(mark)),
        "short_form",
    );
    note(clue.contains("anag"), "anagram");
    note(["e.g.", "for one", "for example", "maybe", "např", "np."].iter().any(|mark| clue.contains(mark)), "example");
    note(clue.trim_end().ends_with('?'), "wordplay");
    note(clue.contains('"') || clue.contains('“') || clue.contains('„'), "quotation");
    let words = entry.enumeration.as_ref().map_or(1, |told| told.lengths().count());
    note(words > 1, &format!("words_{words}"));
    if let Some((language, word)) = language.and_then(|l| Some((l, l.find(&answer.to_lowercase())?))) {
        note(language.words().flags(word).has(WordFlags::NAME), "name");
        if language.code() == "en" && language.lemma(word) != word {
            let form = match inflection(&answer.to_lowercase()) {
                Inflection::Plural => "plural",
                Inflection::Past => "past",
                Inflection::Gerund => "gerund",
                Inflection::Comparative => "comparative",
                Inflection::Superlative => "superlative",
                Inflection::Adverb => "adverb",
                Inflection::Plain => "",
            };
            note(!form.is_empty(), form);
        }
        let zipf = language.zipf(word);
        note(zipf >= 4.5, "everyday_word");
        note(zipf < 2.8, "rare_word");
    } else if language.is_some() && words == 1 {
        note(true, "not_in_dictionary");
    }
    if notes.is_empty() {
        notes.push("plain_definition".to_owned());
    }
    notes
}

/// `V` for vowels, `C` for other letters; known letters are shown.
fn pattern(answer: &str, known: &[Option<&str>]) -> String {
    let vowel = |c: char| "AEIOUYÁÉÍÓÚŮÝĚÄÔÖÜĄĘÓ".contains(c);
    answer
        .chars()
        .enumerate()
        .map(|(at, c)| match known.get(at).copied().flatten() {
            Some(letters) if letters.starts_with(c) => c,
            _ if vowel(c) => 'V',
            _ => 'C',
        })
        .collect()
}

/// Glosses and synonyms of an answer, with the answer masked.
fn definitions(language: &Language, answer: &str) -> Vec<String> {
    let Some(word) = language.find(&answer.to_lowercase()) else { return Vec::new() };
    let lemma = language.lemma(word);
    let forms = if lemma == word { vec![word] } else { vec![word, lemma] };
    let texts: Vec<&str> = forms.iter().map(|&form| language.words().text(form)).collect();
    let mut lines: Vec<String> = Vec::new();
    for glosses in language.glosses() {
        for &form in &forms {
            for &gloss in glosses.of(form).iter().take(2) {
                if let Some(text) = glosses.text(gloss) {
                    lines.push(masked(&text, &texts));
                }
            }
        }
    }
    lines.dedup();
    lines.truncate(LINES - 1);
    let near = |form: &WordId| {
        let thesaurus = language.relations().of(*form, Relation::Thesaurus);
        language.relations().of(*form, Relation::Synonym).chain(thesaurus).collect::<Vec<_>>()
    };
    let mut synonyms: Vec<&str> = forms
        .iter()
        .flat_map(near)
        .map(|other| language.words().text(other))
        .filter(|other| !texts.iter().any(|own| alike(own, other)))
        .collect();
    synonyms.dedup();
    synonyms.truncate(SYNONYMS);
    if !synonyms.is_empty() {
        lines.push(format!("≈ {}", synonyms.join(", ")));
    }
    lines
}

/// Whether two words share their beginning, so that one reveals the other.
fn alike(a: &str, b: &str) -> bool {
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    shared >= 4 || shared == a.chars().count().min(b.chars().count())
}

/// A text with the given words and their derivatives masked.
fn masked(text: &str, words: &[&str]) -> String {
    text.split(' ')
        .map(|part| {
            let plain = part.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            if !plain.is_empty()
                && words
                    .iter()
                    .any(|word| plain.starts_with(word) || (plain.chars().count() > 3 && word.starts_with(&plain)))
            {
                "–"
            } else {
                part
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_shows_vowels_and_what_is_known() {
        assert_eq!(pattern("ABBEY", &[Some("A"), None, None, Some("X"), None]), "ACCVV");
    }

    #[test]
    fn a_definition_does_not_name_its_word() {
        assert_eq!(masked("a cat; catlike things, dogs", &["cat"]), "a – – things, dogs");
        assert!(alike("run", "runner") && !alike("run", "ran"));
    }
}
