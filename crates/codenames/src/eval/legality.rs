//! Legality against labelled pairs of clue and board word.

use crate::rules::ClueLegality;
use serde::Serialize;

/// A pair and its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledPair {
    pub clue: String,
    pub word: String,
    /// Whether people would allow the clue.
    pub legal: bool,
}

/// Shares of wrong verdicts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegalityReport {
    pub pairs: usize,
    /// Share of the illegal pairs that are accepted.
    pub false_accept: f64,
    /// Share of the legal pairs that are refused.
    pub false_refuse: f64,
    /// The pairs with a wrong verdict, as `clue/word`.
    pub wrong: Vec<String>,
}

/// Reads lines of clue, word and `legal` or `illegal`, separated by tabs; `#` begins a comment.
pub fn read_labelled_pairs(text: &str) -> Result<Vec<LabelledPair>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(at, line)| match line.split('\t').map(str::trim).collect::<Vec<_>>()[..] {
            [clue, word, label @ ("legal" | "illegal"), ..] => {
                Ok(LabelledPair { clue: clue.to_owned(), word: word.to_owned(), legal: label == "legal" })
            }
            _ => Err(format!("line {}: expected clue, word and `legal` or `illegal`, separated by tabs", at + 1)),
        })
        .collect()
}

/// Compares the verdicts with the labels.
pub fn legality_report(legality: &ClueLegality<'_>, pairs: &[LabelledPair]) -> LegalityReport {
    let wrong: Vec<&LabelledPair> =
        pairs.iter().filter(|pair| legality.check(&pair.clue, &[&pair.word]).is_ok() != pair.legal).collect();
    let share = |legal: bool| {
        let all = pairs.iter().filter(|pair| pair.legal == legal).count();
        wrong.iter().filter(|pair| pair.legal == legal).count() as f64 / all.max(1) as f64
    };
    LegalityReport {
        pairs: pairs.len(),
        false_accept: share(false),
        false_refuse: share(true),
        wrong: wrong.iter().map(|pair| format!("{}/{}", pair.clue, pair.word)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Strictness;

    #[test]
    fn shares_are_of_the_pairs_with_that_label() {
        let pairs = read_labelled_pairs("# note\nsnow\tsnowman\tillegal\nleaves\tleaf\tillegal\nocean\tcar\tlegal\n");
        let pairs = pairs.expect("three pairs");
        let report = legality_report(&ClueLegality::new(None, Strictness::Relaxed), &pairs);
        assert_eq!((report.pairs, report.false_refuse), (3, 0.0));
        assert_eq!((report.false_accept, report.wrong), (0.5, vec!["leaves/leaf".to_owned()]));
        assert!(read_labelled_pairs("a\tb\n").unwrap_err().contains("line 1"));
    }
}
