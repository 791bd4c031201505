//! Rank correlation with human judgements of how similar two words are.

use crate::assoc::features::NAMES;
use crate::assoc::{Assoc, WordProfile};
use serde::Serialize;

/// Two words and how similar people find them.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarityPair {
    /// The first word.
    pub a: String,
    /// The second word.
    pub b: String,
    /// The mean human score.
    pub human: f64,
}

/// Correlation with people.
#[derive(Clone, Debug, Serialize)]
pub struct PairReport {
    /// Number of pairs.
    pub pairs: usize,
    /// How many have both words in the vocabulary (or their base forms).
    pub covered: usize,
    /// Spearman's rank correlation.
    pub spearman: Spearman,
}

/// Rank correlations of two scores.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spearman {
    /// By cosine alone.
    pub vectors: f64,
    /// By the whole model.
    pub all: f64,
}

/// Reads lines of two words and a number; a heading is passed over.
pub fn read(text: &str) -> Result<Vec<SimilarityPair>, String> {
    let mut pairs = Vec::new();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [a, b, score, ..] = fields[..] else {
            return Err(format!("line {}: expected word, word, score separated by tabs", i + 1));
        };
        match score.parse() {
            Ok(human) => pairs.push(SimilarityPair { a: a.to_owned(), b: b.to_owned(), human }),
            Err(_) if i == 0 => {}
            Err(_) => return Err(format!("line {}: `{score}` is not a number", i + 1)),
        }
    }
    Ok(pairs)
}

/// Ranks with ties shared.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut out = vec![0.0; values.len()];
    let mut i = 0;
    while i < order.len() {
        let mut j = i;
        while j + 1 < order.len() && values[order[j + 1]] == values[order[i]] {
            j += 1;
        }
        for &k in &order[i..=j] {
            out[k] = (i + j) as f64 / 2.0;
        }
        i = j + 1;
    }
    out
}

/// Spearman's rank correlation; 0 if one side does not vary.
pub fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let n = a.len() as f64;
    let mean = (n - 1.0) / 2.0;
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(p, q)| (p - mean) * (q - mean)).sum::<f64>();
    let below = (dot(&a, &a) * dot(&b, &b)).sqrt();
    if below > 0.0 { dot(&a, &b) / below } else { 0.0 }
}

/// Score of a pair for [`evaluate`]: cosine, and likeness by everything known of the two.
/// Nothing if the vocabulary does not know both (words, base forms, or all words of a phrase).
/// Features named in `without` are taken for zero.
pub fn scores(model: &Assoc<'_>, a: &str, b: &str, without: &[String]) -> Option<(f64, f64)> {
    let language = model.language();
    if !language.knows(a) || !language.knows(b) {
        return None;
    }
    let (pa, pb) = (model.profile(a), model.profile(b));
    let cosine = f64::from(language.similarity(a, b)?);
    Some((cosine, f64::from(likeness(model, &pa, &pb, without))))
}

/// How alike two words are in meaning: cosine first, then what glosses, thesauri, counts and emoji
/// say, from whichever of the two knows more of the other.
pub fn likeness(model: &Assoc<'_>, a: &WordProfile, b: &WordProfile, without: &[String]) -> f32 {
    let (f, g) = (model.features(a, b), model.features(b, a));
    let place = |name: &str| NAMES.iter().position(|n| *n == name && !without.iter().any(|left_out| left_out == n));
    let at = |name: &str| place(name).map_or(0.0, |k| f[k].max(g[k]));
    at("cosine")
        + 0.8 * at("clue-glosses-to-word").max(at("word-glosses-to-clue"))
        + 0.2 * at("glosses-to-glosses")
        + 0.3 * at("clue-in-word-glosses").max(at("word-in-clue-glosses"))
        + 0.3 * at("company")
        + 0.15 * at("emoji")
        + 0.15 * at("thesaurus")
        + 0.2 * at("thesaurus-overlap")
}

/// Measures a language on pairs; an uncovered pair gets the lowest score.
pub fn evaluate(model: &Assoc<'_>, pairs: &[SimilarityPair], without: &[String]) -> PairReport {
    let both: Vec<Option<(f64, f64)>> = pairs.iter().map(|p| scores(model, &p.a, &p.b, without)).collect();
    let human: Vec<f64> = pairs.iter().map(|p| p.human).collect();
    let column = |pick: fn(&(f64, f64)) -> f64| -> Vec<f64> {
        both.iter().map(|s| s.as_ref().map_or(f64::NEG_INFINITY, pick)).collect()
    };
    PairReport {
        pairs: pairs.len(),
        covered: both.iter().flatten().count(),
        spearman: Spearman { vectors: spearman(&human, &column(|s| s.0)), all: spearman(&human, &column(|s| s.1)) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlation_of_ranks() {
        assert!((spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 21.0]) - 1.0).abs() < 1e-12);
        assert!((spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
        // ties share a rank: ranks 0.5 0.5 2 against 0 1 2
        let expected = (-0.5 * -1.0 + 0.0 + 1.0) / (1.5f64 * 2.0).sqrt();
        assert!((spearman(&[1.0, 1.0, 2.0], &[1.0, 2.0, 3.0]) - expected).abs() < 1e-12);
    }

    #[test]
    fn files_of_pairs() {
        let pairs = read("word\tword\tscore\ndům\tbyt\t7.5\n").unwrap();
        assert_eq!(pairs, [SimilarityPair { a: "dům".into(), b: "byt".into(), human: 7.5 }]);
        assert!(read("a\tb\t1\nc\td\tx").unwrap_err().starts_with("line 2"));
    }
}
