//! What definitions say of a word: their mean vector, and which words define one another.

use super::study::forms;
use semantics::vectors::normalise;
use semantics::{Language, WordId};
use std::collections::HashSet;

/// Meanings looked at per word and dictionary.
const SENSES: usize = 6;
/// Main translations, as the association model takes them.
const SHARE: f32 = 0.2;
const TRANSLATIONS: usize = 3;

/// The definitions of a word as somebody knows them who goes by nothing else: those of its language, and of the English
/// words it stands for where the language leans on English.
pub struct Defined {
    /// The mean of the definitions; zero if there are none.
    pub vector: Vec<f32>,
    partners: HashSet<WordId>,
    english: HashSet<WordId>,
}

impl Defined {
    /// What defines a word in anybody's spelling.
    pub fn new(language: &Language, text: &str) -> Defined {
        let readings = forms(language, text);
        let translated: Vec<WordId> = readings.iter().flat_map(|&r| english(language, r)).collect();
        Defined {
            vector: of_text(language, text),
            partners: partners(language, &readings),
            english: language.pivot().map_or_else(HashSet::new, |english| partners(english, &translated)),
        }
    }

    /// Whether one word stands in the other's definition.
    pub fn mentions(&self, language: &Language, other: WordId) -> bool {
        self.partners.contains(&other) || english(language, other).any(|e| self.english.contains(&e))
    }
}

/// The vector of what defines a word in anybody's spelling.
pub fn of_text(language: &Language, text: &str) -> Vec<f32> {
    let first = forms(language, text).first().map(|&first| vector(language, first));
    let guessed = || language.pivot().and_then(|_| language.vector(text));
    first.or_else(guessed).unwrap_or_else(|| vec![0.0; language.vectors().dim()])
}

/// The unit vector of a word's definitions; zero if it has none. In a language that leans on English those of the English
/// words it stands for count as well, and a word that nothing defines stands for itself: such a language has too few
/// definitions to go by them alone.
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

/// Adds the vectors of a word's definitions, the commoner meanings weighing more.
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

/// The English words that a word stands for, base forms included.
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
