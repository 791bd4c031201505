//! Mean reciprocal rank of the answers to single clues.

use crate::clue::{AnswerCandidate, COUNT, ClueScorer, FEATURES};
use crate::words::WordId;
use serde::Serialize;

/// A clue and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ClueAnswer {
    /// The clue.
    pub clue: String,
    /// The answer in lower case.
    pub answer: String,
}

/// Quality of the ranking by three kinds of evidence.
#[derive(Clone, Debug, Serialize)]
pub struct ClueReport {
    /// Number of clues.
    pub clues: usize,
    /// Mean reciprocal rank of the answer among all words of its length; a missing answer counts 0.
    pub mrr: ClueMrr,
}

/// Mean reciprocal ranks.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ClueMrr {
    /// By the clue vector alone (method Mixed of Gdowski 2019).
    pub vectors: f64,
    /// By the vectors of glosses alone.
    pub glosses: f64,
    /// By everything.
    pub all: f64,
}

/// Reads a puzzle file of Gdowski 2019: rows and columns, the grid, clues across, clues down; answers
/// come in the same order from the solution file (two counts, then one answer a line).
pub fn read_puzzle(puzzle: &str, solution: &str) -> Result<Vec<ClueAnswer>, String> {
    let mut lines = puzzle.lines();
    let head = lines.next().ok_or("the puzzle is empty")?;
    let rows: usize = head
        .split_whitespace()
        .next()
        .and_then(|n| n.parse().ok())
        .ok_or_else(|| format!("line 1: `{head}` should be the number of rows and columns"))?;
    let rest: Vec<&str> = lines.skip(rows).collect();
    let mut clues = Vec::new();
    let mut at = 0;
    while at < rest.len() {
        let count: usize = match rest[at].trim() {
            "" => break,
            text => text.parse().map_err(|_| format!("`{text}` should be a number of clues"))?,
        };
        let block = rest.get(at + 1..at + 1 + count).ok_or(format!("fewer than {count} clues follow"))?;
        clues.extend(block.iter().map(|c| c.trim().to_owned()));
        at += count + 1;
    }
    let answers: Vec<String> =
        solution.lines().skip(1).map(|a| a.trim().to_lowercase()).filter(|a| !a.is_empty()).collect();
    if answers.len() != clues.len() {
        return Err(format!("{} clues but {} answers", clues.len(), answers.len()));
    }
    Ok(clues.into_iter().zip(answers).map(|(clue, answer)| ClueAnswer { clue, answer }).collect())
}

/// 1/rank of the answer when candidates are sorted by `score` (ties count against it).
pub fn reciprocal_rank(candidates: &[AnswerCandidate], answer: WordId, score: impl Fn(&AnswerCandidate) -> f32) -> f64 {
    let Some(own) = candidates.iter().find(|c| c.word == answer).map(&score) else { return 0.0 };
    let better = candidates.iter().filter(|c| c.word != answer && score(c) >= own).count();
    1.0 / (better + 1) as f64
}

/// Measures the scorer on clues; also gives for every clue the reciprocal rank by all evidence.
pub fn evaluate(scorer: &ClueScorer<'_>, weights: &[f32], clues: &[ClueAnswer]) -> (ClueReport, Vec<f64>) {
    let at = |name: &str| FEATURES.iter().position(|f| *f == name).expect("a named feature");
    let (mixed, gloss, defs) = (at("vectors-mixed"), at("gloss-vector"), at("definition-vector"));
    let mut sum = ClueMrr::default();
    let mut each = Vec::new();
    for c in clues {
        let length = c.answer.chars().count();
        let Some(answer) = scorer.language().find(&c.answer) else {
            each.push(0.0);
            continue;
        };
        let candidates = scorer.evidence(&c.clue, length);
        sum.vectors += reciprocal_rank(&candidates, answer, |c| c.features[mixed]);
        sum.glosses += reciprocal_rank(&candidates, answer, |c| c.features[gloss].max(c.features[defs]));
        let all = reciprocal_rank(&candidates, answer, |c| crate::logit::score(weights, &c.features));
        sum.all += all;
        each.push(all);
    }
    let n = clues.len().max(1) as f64;
    let mrr = ClueMrr { vectors: sum.vectors / n, glosses: sum.glosses / n, all: sum.all / n };
    (ClueReport { clues: clues.len(), mrr }, each)
}

/// Keeps a feature vector's width in one place for fitting code.
pub const WIDTH: usize = COUNT;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_studys_files_are_read() {
        let puzzle = "3 4\n....\n####\n....\n1\nhouse top\n1\nbig cat\n";
        let read = read_puzzle(puzzle, "1 1\nroof\nlion\n").unwrap();
        assert_eq!(read[1], ClueAnswer { clue: "big cat".into(), answer: "lion".into() });
        assert!(read_puzzle(puzzle, "1 1\nroof\n").unwrap_err().contains("2 clues but 1 answers"));
        assert!(read_puzzle("x", "").is_err());
    }
}
