//! Candidates of a slot by vector similarity to the clue (Gdowski 2019, chapter 2).

use super::{RankedWord, Slot};
use crate::rules::Puzzle;
use semantics::Language;
use semantics::sentence::{self, Method};

/// Similarity threshold of the thesis (section 4.1).
pub const MIN_SIMILARITY: f64 = 0.39;

/// All words of a length with their similarity to a clue, most similar first; none below `least`.
pub fn ranked(language: &Language, clue: &str, length: usize, method: Method, least: f64) -> Vec<RankedWord> {
    let Some(vector) = sentence::vector(language, &language.tokens(clue), method) else { return Vec::new() };
    let vectors = language.vectors();
    let mut similarities = Vec::new();
    vectors.compare_all(&vectors.query(&vector), &mut similarities);
    let mut words: Vec<RankedWord> = language
        .words()
        .iter()
        .filter(|(id, text)| f64::from(similarities[id.index()]) >= least && text.chars().count() == length)
        .filter(|(_, text)| text.chars().all(char::is_alphanumeric))
        .map(|(id, text)| RankedWord {
            word: text.to_uppercase().chars().collect(),
            rank: f64::from(similarities[id.index()]),
        })
        .collect();
    words.sort_by(|a, b| b.rank.total_cmp(&a.rank).then_with(|| a.word.cmp(&b.word)));
    words.dedup_by(|a, b| a.word == b.word);
    words
}

/// The slots of a puzzle with their candidates by the method *Mixed*.
pub fn holes(puzzle: &Puzzle, language: &Language, least: f64) -> Vec<Slot> {
    let hole = |entry: &crate::rules::PuzzleEntry| Slot {
        cells: entry.cells.clone(),
        words: ranked(language, &entry.clue, entry.cells.len(), Method::Mixed, least),
    };
    puzzle.entries.iter().map(hole).collect()
}
