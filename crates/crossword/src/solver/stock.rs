//! The answers of one length that are known before a clue is read, from all sources, each once.

use super::candidates::WordList;
use super::names::Names;
use crate::memory::ClueMemory;
use semantics::ClueScorer;
use std::sync::Arc;

/// Pairs in a memory by which uses of an answer are counted, so that they mean the same in small and large ones.
const PAIRS: f32 = 80_000.0;

/// Answers of one length, sorted by text.
#[derive(Debug, Default)]
pub(super) struct Stock {
    pub(super) texts: Vec<Arc<str>>,
    /// Where each word of the vocabulary stands, in the order of [`ClueScorer::words_of_length`]; `None` if no grid can
    /// hold it.
    pub(super) words: Vec<Option<u32>>,
    /// Where each name stands, in the order of [`Names::of_length`].
    pub(super) names: Vec<u32>,
    /// Per answer: logarithm of 1 + how often the memory has it, and its score in word lists from 0 to 1.
    pub(super) uses: Vec<f32>,
    pub(super) scores: Vec<f32>,
}

impl Stock {
    pub(super) fn new(
        scorer: &ClueScorer<'_>,
        names: Option<&Names>,
        lists: &[WordList],
        memory: Option<&ClueMemory>,
        length: usize,
    ) -> Self {
        let vocabulary: Vec<Option<String>> = scorer
            .words_of_length(length)
            .iter()
            .map(|&word| scorer.language().words().text(word).to_uppercase())
            .map(|text| Some(text).filter(|t| t.chars().all(char::is_alphanumeric) && t.chars().count() == length))
            .collect();
        let named = names.map_or(&[][..], |names| names.of_length(length));
        let used = memory.map(|memory| memory.answers(length)).unwrap_or_default();
        let mut texts: Vec<&str> = vocabulary.iter().flatten().map(String::as_str).collect();
        texts.extend(named.iter().map(|(text, _)| text.as_str()));
        texts.extend(lists.iter().flat_map(|list| list.of_length(length)).map(|(word, _)| word.as_str()));
        texts.extend(used.iter().map(|(answer, _)| answer.as_str()));
        texts.sort_unstable();
        texts.dedup();
        let place = |text: &str| texts.binary_search(&text).ok();
        let mut stock = Self {
            words: vocabulary.iter().map(|text| place(text.as_ref()?).map(|at| at as u32)).collect(),
            names: named.iter().filter_map(|(text, _)| place(text)).map(|at| at as u32).collect(),
            uses: vec![0.0; texts.len()],
            scores: vec![0.0; texts.len()],
            texts: Vec::new(),
        };
        let scale = PAIRS / memory.map_or(PAIRS, |memory| memory.pairs().max(1) as f32);
        for (answer, count) in &used {
            if let Some(at) = place(answer) {
                stock.uses[at] = (1.0 + *count as f32 * scale).ln();
            }
        }
        for (word, score) in lists.iter().flat_map(|list| list.of_length(length)) {
            if let Some(at) = place(word) {
                stock.scores[at] = score / 100.0;
            }
        }
        stock.texts = texts.into_iter().map(Arc::from).collect();
        stock
    }

    /// Where an answer stands.
    pub(super) fn place(&self, text: &str) -> Option<usize> {
        self.texts.binary_search_by(|have| (**have).cmp(text)).ok()
    }
}
