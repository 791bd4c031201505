//! Models of how answers of one language are spelt, shared by all puzzles: alphabet, letter model, phrase model.

use super::name_index::NameIndex;
use super::phrase_model::PhraseModel;
use crate::engine::inference::{BOUNDARY, GridAlphabet, LetterIndex, LetterModel};
use semantics::Language;
use std::collections::BTreeMap;

/// The models of one language.
#[derive(Debug)]
pub(super) struct SpellingModels {
    /// The letters of the vocabulary and the names, frequent ones first after A to Z.
    pub(super) alphabet: GridAlphabet,
    /// Trained on the vocabulary.
    pub(super) of_words: LetterModel,
    /// Trained on names and phrases too.
    pub(super) of_names: LetterModel,
    pub(super) phrases: PhraseModel,
}

impl SpellingModels {
    pub(super) fn new(language: &Language, names: Option<&NameIndex>) -> Self {
        let words: Vec<String> = language.words().iter().map(|(_, text)| text.to_uppercase()).collect();
        let named: Vec<String> =
            names.map(|names| names.written().map(|(text, _)| text.to_uppercase()).collect()).unwrap_or_default();
        let mut uses: BTreeMap<char, usize> = BTreeMap::new();
        for c in words.iter().chain(&named).flat_map(|text| text.chars()).filter(|c| c.is_alphanumeric()) {
            *uses.entry(c).or_default() += 1;
        }
        let mut alphabet = GridAlphabet::new('A'..='Z');
        let mut by_use: Vec<(usize, char)> = uses.into_iter().map(|(c, count)| (count, c)).collect();
        by_use.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, c) in by_use {
            let _ = alphabet.add(c);
        }
        let encoded =
            |texts: &[String]| -> Vec<Vec<LetterIndex>> { texts.iter().map(|text| encode(text, &alphabet)).collect() };
        let (words, named) = (encoded(&words), encoded(&named));
        let of_words = LetterModel::train(alphabet.len(), words.iter().map(Vec::as_slice));
        let of_names = if named.is_empty() {
            of_words.clone()
        } else {
            LetterModel::train(alphabet.len(), words.iter().chain(&named).map(Vec::as_slice))
        };
        let vocabulary = language.words().iter().map(|(id, text)| (text.to_uppercase(), language.zipf(id)));
        let single = names.into_iter().flat_map(NameIndex::written).filter(|(text, _)| !text.contains([' ', '-']));
        let pieces: Vec<(String, f32)> =
            vocabulary.chain(single.map(|(text, zipf)| (text.to_uppercase(), zipf))).collect();
        let pieces = pieces.iter().map(|(text, zipf)| (text.as_str(), *zipf));
        let phrases = PhraseModel::new(pieces, language.code() == "en", |text| alphabet.word(text));
        Self { alphabet, of_words, of_names, phrases }
    }
}

/// A written text as letters and word boundaries; other characters are dropped.
fn encode(text: &str, alphabet: &GridAlphabet) -> Vec<LetterIndex> {
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match alphabet.letter(c) {
            Some(letter) => out.push(letter),
            None if matches!(c, ' ' | '-') && out.last().is_some_and(|&last| last != BOUNDARY) => out.push(BOUNDARY),
            None => {}
        }
    }
    if out.last() == Some(&BOUNDARY) {
        out.pop();
    }
    out
}
