//! Vectors of whole clues: the crossword study's four methods (section 2) and a fifth.

use crate::language::Language;
use crate::vectors::normalise;
use crate::words::{WordFlags, WordId};

/// How the word vectors of a clue become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Plain mean of all words.
    Average,
    /// Mean without the 100 most common words.
    Ban100,
    /// Each word divided by the logarithm of its popularity.
    FreqLog,
    /// Ban100 and FreqLog together; the study's choice.
    Mixed,
    /// Each word weighted by a/(a + probability), after Arora, Liang and Ma (2017); the common
    /// component is already gone from our vectors.
    Weighted,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 5] = [Method::Average, Method::Ban100, Method::FreqLog, Method::Mixed, Method::Weighted];
}

/// How common a word is: its Zipf value, at least that of a word seen once in ten thousand million.
fn popularity(language: &Language, word: WordId) -> f32 {
    language.zipf(word).max(0.5)
}

/// The weight of a word in a clue under a method, before any ban.
pub fn weight(language: &Language, method: Method, word: WordId) -> f32 {
    match method {
        Method::Average | Method::Ban100 => 1.0,
        // the logarithm of a frequency in uses per ten thousand million words, always above zero
        Method::FreqLog | Method::Mixed => 1.0 / ((popularity(language, word) + 1.0) * std::f32::consts::LN_10),
        Method::Weighted => {
            let probability = 10f32.powf(popularity(language, word) - 9.0);
            let stop = language.words().flags(word).has(WordFlags::STOP);
            1e-3 / (1e-3 + probability) * if stop { 0.2 } else { 1.0 }
        }
    }
}

/// The unit vector of words in a text; nothing if none of them has a vector.
/// If the ban leaves no word, the ban list is halved until one is left.
pub fn vector(language: &Language, words: &[WordId], method: Method) -> Option<Vec<f32>> {
    let known: Vec<WordId> = words.iter().copied().filter(|&w| language.vectors().has(w)).collect();
    if known.is_empty() {
        return None;
    }
    let mut ban = if matches!(method, Method::Ban100 | Method::Mixed) { 100 } else { 0 };
    while known.iter().all(|w| w.index() < ban) {
        ban /= 2;
    }
    let mut sum = vec![0.0; language.vectors().dim()];
    for &w in known.iter().filter(|w| w.index() >= ban) {
        language.vectors().add_to(w, weight(language, method, w), &mut sum);
    }
    normalise(&mut sum);
    Some(sum)
}
