//! The words for a hole by the similarity of their vectors to the clue's (the study's section 2).

use super::{Hole, Ranked};
use crate::puzzle::Puzzle;
use semantics::Language;
use semantics::sentence::{self, Method};

/// The study drops words less similar than this.
pub const LEAST_SIMILARITY: f64 = 0.39;

/// All words of a length with their similarity to a clue, most similar first; none below `least`.
pub fn ranked(language: &Language, clue: &str, length: usize, method: Method, least: f64) -> Vec<Ranked> {
    let Some(vector) = sentence::vector(language, &language.tokens(clue), method) else { return Vec::new() };
    let vectors = language.vectors();
    let mut similarities = Vec::new();
    vectors.compare_all(&vectors.query(&vector), &mut similarities);
    let mut words: Vec<Ranked> = language
        .words()
        .iter()
        .filter(|(id, text)| f64::from(similarities[id.index()]) >= least && text.chars().count() == length)
        .filter(|(_, text)| text.chars().all(char::is_alphanumeric))
        .map(|(id, text)| Ranked {
            word: text.to_uppercase().chars().collect(),
            rank: f64::from(similarities[id.index()]),
        })
        .collect();
    words.sort_by(|a, b| b.rank.total_cmp(&a.rank).then_with(|| a.word.cmp(&b.word)));
    words.dedup_by(|a, b| a.word == b.word);
    words
}

/// The holes of a puzzle with their words by the study's method *Mixed*.
pub fn holes(puzzle: &Puzzle, language: &Language, least: f64) -> Vec<Hole> {
    let hole = |entry: &crate::puzzle::Entry| Hole {
        cells: entry.cells.clone(),
        words: ranked(language, &entry.clue, entry.cells.len(), Method::Mixed, least),
    };
    puzzle.entries.iter().map(hole).collect()
}
