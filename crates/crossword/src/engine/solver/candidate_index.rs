//! Candidate index: the answers of one length from all sources, built before any clue is read.

use super::candidates::WordList;
use super::name_index::NameIndex;
use crate::engine::clue_database::ClueDatabase;
use semantics::ClueScorer;
use std::sync::Arc;

/// Answer counts are scaled to this number of pairs, so that they are comparable between databases of different size.
const PAIRS: f32 = 80_000.0;

/// All listed answers of one length, sorted by text.
#[derive(Debug, Default)]
pub(super) struct CandidateIndex {
    pub(super) texts: Vec<Arc<str>>,
    /// Index of each vocabulary word, in the order of [`ClueScorer::words_of_length`]; `None` if it has no grid form.
    pub(super) words: Vec<Option<u32>>,
    /// Index of each name, in the order of [`NameIndex::of_length`].
    pub(super) names: Vec<u32>,
    /// Per answer: ln(1 + scaled count in the clue database), and its word-list score from 0 to 1.
    pub(super) uses: Vec<f32>,
    pub(super) scores: Vec<f32>,
}

impl CandidateIndex {
    pub(super) fn new(
        scorer: &ClueScorer<'_>,
        names: Option<&NameIndex>,
        lists: &[WordList],
        database: Option<&ClueDatabase>,
        length: usize,
    ) -> Self {
        let vocabulary: Vec<Option<String>> = scorer
            .words_of_length(length)
            .iter()
            .map(|&word| scorer.language().words().text(word).to_uppercase())
            .map(|text| Some(text).filter(|t| t.chars().all(char::is_alphanumeric) && t.chars().count() == length))
            .collect();
        let named = names.map_or(&[][..], |names| names.of_length(length));
        let used = database.map(|database| database.answers(length)).unwrap_or_default();
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
        let scale = PAIRS / database.map_or(PAIRS, |database| database.pairs().max(1) as f32);
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

    /// Index of an answer.
    pub(super) fn place(&self, text: &str) -> Option<usize> {
        self.texts.binary_search_by(|have| (**have).cmp(text)).ok()
    }
}
