//! What definitions say of a word: their mean vector, and which words define one another.

use semantics::vectors::normalise;
use semantics::{Language, WordId};
use std::collections::HashSet;

/// Meanings looked at per word and dictionary.
const SENSES: usize = 6;

/// The unit vector of a word's definitions, the commoner meanings weighing more; zero if it has none.
pub fn vector(language: &Language, word: WordId) -> Vec<f32> {
    let mut sum = vec![0.0; language.vectors().dim()];
    let lemma = language.lemma(word);
    for glosses in language.glosses() {
        for (rank, &gloss) in glosses.of(lemma).iter().take(SENSES).enumerate() {
            let mut v = vec![0.0; sum.len()];
            for token in glosses.defining(gloss).iter().copied().map(WordId) {
                language.vectors().add_to(token, glosses.idf(token), &mut v);
            }
            normalise(&mut v);
            let common = 1.0 / (1.0 + 0.3 * rank as f32);
            sum.iter_mut().zip(&v).for_each(|(s, x)| *s += common * x);
        }
    }
    normalise(&mut sum);
    sum
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
