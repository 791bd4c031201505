//! Names and phrases outside the vocabulary, which American puzzles use heavily.

use super::surface_features::AnswerKind;
use semantics::pack::{ByteRows, Column, unpack_sorted};
use semantics::sentence::{self, Method};
use semantics::{Language, Pack, PackError, Vectors, Vocabulary, WordFlags, WordId};
use std::collections::HashMap;

/// Names of the features of a name or phrase, in order.
pub const NAME_FEATURES: [&str; 10] = [
    "name",
    "phrase",
    "name-vectors",
    "phrase-vectors",
    "mixed",
    "nearest-clue-word",
    "linked",
    "frequency",
    "rare",
    "repeats-clue",
];

/// Zipf values are centred on this one.
const ZIPF_MIDDLE: f32 = 3.0;
/// Maximum number of clue words compared one by one.
const COMPARED: usize = 6;

/// Names and phrases of one language, with vectors in the space of its vocabulary.
#[derive(Clone, Debug)]
pub struct NameIndex {
    words: Vocabulary,
    vectors: Vectors,
    zipf: Column<u8>,
    /// Per vocabulary word, the phrases linked to it.
    links: ByteRows,
    /// Grid forms by number of letters.
    by_length: Vec<Vec<(String, WordId)>>,
}

/// A name or phrase as a candidate.
pub struct NameCandidate<'n> {
    /// Grid form.
    pub text: &'n str,
    /// Feature values in the order of [`NAME_FEATURES`].
    pub features: [f32; NAME_FEATURES.len()],
}

impl NameCandidate<'_> {
    /// Whether it is a name or a phrase.
    pub fn kind(&self) -> AnswerKind {
        if self.features[0] > 0.0 { AnswerKind::Name } else { AnswerKind::Phrase }
    }

    /// Frequency as a Zipf value.
    pub fn zipf(&self) -> f32 {
        self.features[7] + ZIPF_MIDDLE
    }
}

impl NameIndex {
    /// Opens the pack of names and the pack of their frequencies; both must match the language's vocabulary.
    pub fn open(language: &Language, names: &Pack, frequencies: &Pack) -> Result<Self, PackError> {
        if names.slice::<u64>("vocabulary")?.first() != Some(&language.words().fingerprint()) {
            return Err(names.damaged("made for another vocabulary; rebuild it with `cargo xtask data names`".into()));
        }
        let words = Vocabulary::open(names)?;
        let vectors = Vectors::open(names, words.len())?;
        let zipf: Column<u8> = frequencies.column("freq.zipf")?;
        let links = ByteRows::open(names, "links")?;
        if vectors.dim() != language.vectors().dim()
            || zipf.len() != words.len()
            || links.len() != language.words().len()
        {
            return Err(names.damaged("its tables do not fit the vocabulary".into()));
        }
        let mut by_length: Vec<Vec<(String, WordId)>> = Vec::new();
        for (id, text) in words.iter() {
            let grid = crate::engine::clue_database::clue_text::grid_form(text);
            let length = grid.chars().count();
            if by_length.len() <= length {
                by_length.resize(length + 1, Vec::new());
            }
            by_length[length].push((grid, id));
        }
        Ok(Self { words, vectors, zipf, links, by_length })
    }

    /// Every name and phrase in grid form.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.by_length.iter().flatten().map(|(text, _)| text.as_str())
    }

    /// Every name and phrase as written, with its Zipf frequency.
    pub(super) fn written(&self) -> impl Iterator<Item = (&str, f32)> {
        self.words.iter().map(|(id, text)| (text, self.zipf(id)))
    }

    /// Names and phrases with a number of letters.
    pub(super) fn of_length(&self, length: usize) -> &[(String, WordId)] {
        self.by_length.get(length).map_or(&[], Vec::as_slice)
    }

    /// Zipf frequency of a name, or of the rarest word of a phrase.
    fn zipf(&self, id: WordId) -> f32 {
        f32::from(self.zipf[id.index()]) / 25.0
    }

    /// The evidence of a clue for every name and phrase of a length.
    pub fn evidence(&self, language: &Language, clue: &str, length: usize) -> Vec<NameCandidate<'_>> {
        let here = self.of_length(length);
        if here.is_empty() {
            return Vec::new();
        }
        let tokens = language.tokens(clue);
        let content = language.content(clue);
        let query = |method| sentence::vector(language, &tokens, method).map(|v| self.vectors.query(&v));
        let (weighted, mixed) = (query(Method::Weighted), query(Method::Mixed));
        let single: Vec<_> = content
            .iter()
            .filter(|&&word| language.vectors().has(word))
            .take(COMPARED)
            .map(|&word| self.vectors.query(&language.vectors().get(word)))
            .collect();
        let linked = self.linked(language, &content);
        let clue_words: Vec<String> = semantics::tokens::words_of(clue).filter(|word| word.len() > 2).collect();
        here.iter()
            .map(|(text, id)| {
                let id = *id;
                let cosine = weighted.as_ref().map_or(0.0, |query| self.vectors.compare(query, id));
                let is_name = self.words.flags(id).has(WordFlags::NAME);
                let zipf = self.zipf(id);
                let written = self.words.text(id);
                let repeats = written.split(' ').any(|word| clue_words.iter().any(|told| told == word));
                let flag = |is: bool| f32::from(u8::from(is));
                let features = [
                    flag(is_name),
                    flag(!is_name),
                    if is_name { cosine } else { 0.0 },
                    if is_name { 0.0 } else { cosine },
                    mixed.as_ref().map_or(0.0, |query| self.vectors.compare(query, id)),
                    single.iter().map(|query| self.vectors.compare(query, id)).fold(0.0, f32::max),
                    linked.get(&id.0).copied().unwrap_or(0.0),
                    zipf - ZIPF_MIDDLE,
                    (2.0 - zipf).max(0.0),
                    flag(repeats),
                ];
                NameCandidate { text, features }
            })
            .collect()
    }

    /// Phrases linked to words of the clue, with the share of clue words that link to them.
    fn linked(&self, language: &Language, content: &[WordId]) -> HashMap<u32, f32> {
        let mut shares: HashMap<u32, f32> = HashMap::new();
        for &word in content {
            let lemma = language.lemma(word);
            let forms = if lemma == word { vec![word] } else { vec![word, lemma] };
            let mut reached: Vec<u32> =
                forms.iter().flat_map(|form| unpack_sorted(self.links.row(form.index()))).collect();
            reached.sort_unstable();
            reached.dedup();
            for phrase in reached {
                *shares.entry(phrase).or_default() += 1.0 / content.len() as f32;
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests;
