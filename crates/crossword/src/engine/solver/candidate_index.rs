//! Candidate index: the answers of one length from all sources, built before any clue is read.

use super::candidates::WordList;
use super::name_index::NameIndex;
use crate::engine::clue_database::ClueDatabase;
use semantics::ClueScorer;
use std::collections::HashSet;
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
    /// Probability that no source lists an answer of this length, if a clue database tells.
    pub(super) unlisted: Option<f64>,
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
        let mut index = Self {
            words: vocabulary.iter().map(|text| place(text.as_ref()?).map(|at| at as u32)).collect(),
            names: named.iter().filter_map(|(text, _)| place(text)).map(|at| at as u32).collect(),
            uses: vec![0.0; texts.len()],
            scores: vec![0.0; texts.len()],
            texts: Vec::new(),
            unlisted: None,
        };
        let scale = PAIRS / database.map_or(PAIRS, |database| database.pairs().max(1) as f32);
        for (answer, count) in &used {
            if let Some(at) = place(answer) {
                index.uses[at] = (1.0 + *count as f32 * scale).ln();
            }
        }
        for (word, score) in lists.iter().flat_map(|list| list.of_length(length)) {
            if let Some(at) = place(word) {
                index.scores[at] = score / 100.0;
            }
        }
        let elsewhere: HashSet<u32> = index.words.iter().flatten().chain(&index.names).copied().collect();
        let only_used = |answer: &str| place(answer).is_some_and(|at| !elsewhere.contains(&(at as u32)));
        index.unlisted = good_turing(&used, only_used);
        index.texts = texts.into_iter().map(Arc::from).collect();
        index
    }

    /// Index of an answer.
    pub(super) fn place(&self, text: &str) -> Option<usize> {
        self.texts.binary_search_by(|have| (**have).cmp(text)).ok()
    }
}

/// Fewest uses of answers of a length from which the probability of a new one is estimated.
const ENOUGH_USES: f64 = 200.0;

/// The Good–Turing estimate of the probability that the next answer is in no source: answers that the database has once,
/// and nothing else has, out of all uses (Good 1953).
fn good_turing(used: &[(String, u32)], only_used: impl Fn(&str) -> bool) -> Option<f64> {
    let uses: f64 = used.iter().map(|(_, count)| f64::from(*count)).sum();
    let once = used.iter().filter(|(answer, count)| *count == 1 && only_used(answer)).count() as f64;
    (uses >= ENOUGH_USES).then(|| (once + 0.5) / (uses + 1.0))
}
