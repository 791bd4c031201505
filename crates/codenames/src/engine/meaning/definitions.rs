//! Dictionary definitions of a word: their mean vector, and which words occur in each other's definitions.

use super::jares::forms;
use semantics::vectors::normalise;
use semantics::{Language, WordId};
use std::collections::HashSet;

/// Meanings per word and dictionary.
const SENSES: usize = 6;
/// Main translations, as in the association model.
const SHARE: f32 = 0.2;
const TRANSLATIONS: usize = 3;

/// The definitions of a word: those of its language and, in a language projected into the English space, those of its
/// English translations.
pub struct DefinitionProfile {
    /// Mean vector of the definitions; zero if there are none.
    pub vector: Vec<f32>,
    partners: HashSet<WordId>,
    english: HashSet<WordId>,
}

impl DefinitionProfile {
    /// The definitions of a word in any form.
    pub fn new(language: &Language, text: &str) -> DefinitionProfile {
        let readings = forms(language, text);
        let translated: Vec<WordId> = readings.iter().flat_map(|&r| english(language, r)).collect();
        DefinitionProfile {
            vector: of_text(language, text),
            partners: partners(language, &readings),
            english: language.pivot().map_or_else(HashSet::new, |english| partners(english, &translated)),
        }
    }

    /// Whether one word occurs in the other's definition.
    pub fn mentions(&self, language: &Language, other: WordId) -> bool {
        self.partners.contains(&other) || english(language, other).any(|e| self.english.contains(&e))
    }
}

/// The definition vector of a word in any form.
pub fn of_text(language: &Language, text: &str) -> Vec<f32> {
    let first = forms(language, text).first().map(|&first| vector(language, first));
    let guessed = || language.pivot().and_then(|_| language.vector(text));
    first.or_else(guessed).unwrap_or_else(|| vec![0.0; language.vectors().dim()])
}

/// The unit vector of a word's definitions; zero if it has none. In a projected language the definitions of its English
/// translations count too, and an undefined word falls back to its own vector: such a language has too few definitions.
pub fn vector(language: &Language, word: WordId) -> Vec<f32> {
    let mut sum = vec![0.0; language.vectors().dim()];
    add(language, word, 1.0, &mut sum);
    if let Some(english) = language.pivot() {
        translations(language, word).for_each(|(translated, share)| add(english, translated, share, &mut sum));
        if sum.iter().all(|x| *x == 0.0) && language.vectors().has(word) {
            return language.vectors().get(word);
        }
    }
    normalise(&mut sum);
    sum
}

/// Adds the vectors of a word's definitions; more frequent meanings weigh more.
fn add(language: &Language, word: WordId, weight: f32, sum: &mut [f32]) {
    let lemma = language.lemma(word);
    for glosses in language.glosses() {
        for (rank, &gloss) in glosses.of(lemma).iter().take(SENSES).enumerate() {
            let mut v = vec![0.0; sum.len()];
            for token in glosses.defining(gloss).iter().copied().map(WordId) {
                language.vectors().add_to(token, glosses.idf(token), &mut v);
            }
            normalise(&mut v);
            let common = weight / (1.0 + 0.3 * rank as f32);
            sum.iter_mut().zip(&v).for_each(|(s, x)| *s += common * x);
        }
    }
}

/// The main English translations of a word with their shares.
fn translations(language: &Language, word: WordId) -> impl Iterator<Item = (WordId, f32)> + '_ {
    language.translations(word).filter(|t| t.1 >= SHARE).take(TRANSLATIONS)
}

/// The English translations of a word, base forms included.
pub fn english(language: &Language, word: WordId) -> impl Iterator<Item = WordId> + '_ {
    translations(language, word).flat_map(|(e, _)| [e, language.pivot().map_or(e, |english| english.lemma(e))])
}

/// Words that the definitions of these readings use, and words whose definitions use them.
pub fn partners(language: &Language, readings: &[WordId]) -> HashSet<WordId> {
    let mut partners = HashSet::new();
    for glosses in language.glosses() {
        for &reading in readings {
            for &gloss in glosses.of(reading) {
                partners.extend(glosses.tokens(gloss).map(WordId));
            }
            for gloss in glosses.using(reading) {
                partners.extend(glosses.words(gloss).iter().map(|&w| WordId(w)));
            }
        }
    }
    partners
}
