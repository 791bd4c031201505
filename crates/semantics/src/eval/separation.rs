//! Separation of related pairs from random pairs.

use super::pairs::scores;
use crate::assoc::Assoc;
use crate::words::{WordFlags, WordId};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// Random partners for every word of the list.
const PARTNERS: usize = 40;
/// Random partners come from this many of the most frequent words.
const COMMON: u32 = 20_000;

/// How often a true pair scores above a random one.
#[derive(Clone, Debug, Serialize)]
pub struct SeparationReport {
    /// Number of pairs.
    pub pairs: usize,
    /// Pairs with both words known.
    pub covered: usize,
    /// Random pairs they were compared with.
    pub random: usize,
    /// Area under the curve of each score; an unknown pair counts as the lowest.
    pub auc: Auc,
    /// The true pairs that most random pairs beat, worst first.
    pub worst: Vec<String>,
}

/// Areas under the curve of two scores.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Auc {
    /// By cosine alone.
    pub vectors: f64,
    /// By likeness, everything together.
    pub all: f64,
}

/// Reads lines of two words; lines that begin with `#` are notes.
pub fn read(text: &str) -> Result<Vec<(String, String)>, String> {
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
    lines
        .map(|(i, line)| match line.split('\t').map(str::trim).collect::<Vec<_>>()[..] {
            [a, b, ..] if !a.is_empty() && !b.is_empty() => Ok((a.to_owned(), b.to_owned())),
            _ => Err(format!("line {}: expected two words separated by a tab", i + 1)),
        })
        .collect()
}

/// Share of the comparisons in which a true score beats a random one; draws count half.
pub fn auc(good: &[f64], random: &[f64]) -> f64 {
    let mut sorted = random.to_vec();
    sorted.sort_by(f64::total_cmp);
    let beaten = |x: f64| {
        let (below, upto) = (sorted.partition_point(|r| *r < x), sorted.partition_point(|r| *r <= x));
        (below + upto) as f64 / 2.0
    };
    let total: f64 = good.iter().map(|&x| beaten(x)).sum();
    total / (good.len() * random.len()).max(1) as f64
}

/// Compares the pairs with random pairs: each word with common words drawn by the seed.
pub fn evaluate(model: &Assoc<'_>, pairs: &[(String, String)], seed: u64, without: &[String]) -> SeparationReport {
    let language = model.language();
    let telling = |w: WordId| {
        let flags = language.words().flags(w);
        flags.has(WordFlags::LEMMA) && !flags.has(WordFlags::STOP) && !flags.has(WordFlags::NAME)
    };
    let common: Vec<WordId> =
        (0..COMMON.min(language.words().len() as u32)).map(WordId).filter(|&w| telling(w)).collect();
    let mut random = Vec::new();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for word in pairs.iter().flat_map(|(a, b)| [a, b]) {
        for _ in 0..PARTNERS.min(common.len()) {
            let other = language.words().text(common[rng.random_range(0..common.len())]);
            random.extend(scores(model, word, other, without).filter(|_| other != word.as_str()));
        }
    }
    let good: Vec<Option<(f64, f64)>> = pairs.iter().map(|(a, b)| scores(model, a, b, without)).collect();
    let lowest = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let column = |pick: fn(&(f64, f64)) -> f64| {
        let good: Vec<f64> = good.iter().map(|s| pick(&s.unwrap_or(lowest))).collect();
        auc(&good, &random.iter().map(pick).collect::<Vec<_>>())
    };
    let all: Vec<f64> = random.iter().map(|r| r.1).collect();
    let mut ranked: Vec<(f64, String)> = pairs
        .iter()
        .zip(&good)
        .map(|((a, b), s)| (auc(&[s.unwrap_or(lowest).1], &all), format!("{a} – {b}")))
        .filter(|(share, _)| *share < 0.95)
        .collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    SeparationReport {
        pairs: pairs.len(),
        covered: good.iter().flatten().count(),
        random: random.len(),
        auc: Auc { vectors: column(|s| s.0), all: column(|s| s.1) },
        worst: ranked.into_iter().take(5).map(|r| r.1).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_counts_comparisons_won() {
        // 3 beats both, 1 beats one and draws none, 0.5 draws with one
        assert_eq!(auc(&[3.0, 1.0], &[0.0, 2.0]), 0.75);
        assert_eq!(auc(&[0.5], &[0.5, 1.0]), 0.25);
        assert_eq!(auc(&[], &[1.0]), 0.0);
    }

    #[test]
    fn notes_are_passed_over_and_short_lines_named() {
        assert_eq!(read("# note\npes\tkočka\n").unwrap(), [("pes".to_owned(), "kočka".to_owned())]);
        assert!(read("a\tb\nc").unwrap_err().starts_with("line 2"));
    }
}
