//! Recall: how often the answer of a clue is among the best candidates, per kind of evidence and combined.

use super::fit::SolvedClue;
use crossword::engine::solver::{Calibration, Evidence, Knowledge};
use semantics::clue::{ClueWeights, FEATURES};
use serde::Serialize;
use std::collections::BTreeMap;

/// Ranks at which recall is measured.
pub const RANKS: [usize; 4] = [1, 10, 100, 1000];

/// Kinds of evidence of word meaning, by prefixes of their feature names.
const KINDS: [(&str, &[&str]); 3] = [
    ("vectors", &["vectors", "nearest"]),
    ("definitions", &["gloss", "definition", "in-clue-gloss"]),
    (
        "thesaurus and relations",
        &[
            "synonym",
            "thesaurus",
            "clue-kind",
            "answer-kind",
            "deep-kind",
            "antonym",
            "part-whole",
            "related",
            "phrase",
            "opposite",
            "emoji",
        ],
    ),
];

/// Shares of the clues whose answer ranks at or above each of [`RANKS`].
#[derive(Clone, Debug, Serialize)]
pub struct Recall {
    pub clues: usize,
    /// Number of clues whose answer is listed.
    pub listed: usize,
    /// By kind of evidence: one share per rank of [`RANKS`].
    pub by_kind: BTreeMap<String, [f64; RANKS.len()]>,
}

/// Ranks the answer of every clue.
pub fn recall(knowledge: &Knowledge<'_>, calibration: &Calibration, clues: &[SolvedClue]) -> Recall {
    let weights = ClueWeights::shipped().ordered();
    let masks: Vec<(&str, Vec<f32>)> = KINDS
        .iter()
        .map(|(kind, starts)| {
            let of_kind = |name: &str| starts.iter().any(|start| name.starts_with(start));
            let mask = FEATURES.iter().zip(&weights).map(|(name, w)| if of_kind(name) { *w } else { 0.0 });
            (*kind, mask.collect())
        })
        .collect();
    let mut counts: BTreeMap<String, [usize; RANKS.len()]> = BTreeMap::new();
    let mut listed = 0;
    for known in clues {
        let length = known.answer.chars().count();
        let words = knowledge.scorer().language().words();
        let candidates = knowledge.scorer().evidence(&known.clue, length);
        let own = candidates.iter().find(|candidate| words.text(candidate.word).to_uppercase() == known.answer);
        if let Some(own) = own {
            for (kind, mask) in &masks {
                let score = |features: &[f32]| semantics::logit::score(mask, features);
                let mine = score(&own.features);
                // A score of zero means that this kind has no evidence.
                if mine != 0.0 {
                    let rank = candidates.iter().filter(|other| score(&other.features) > mine).count();
                    note(&mut counts, kind, rank);
                }
            }
        }
        let gathered = knowledge.gather(&known.clue, length);
        let Some(evidence) = gathered.of(&known.answer) else { continue };
        listed += 1;
        let mut rank_by = |kind: &str, score: &dyn Fn(&Evidence) -> Option<f64>| {
            if let Some(mine) = score(evidence) {
                let better = |other: &Evidence| score(other).is_some_and(|other| other > mine);
                note(&mut counts, kind, gathered.candidates.iter().filter(|(_, other)| better(other)).count());
            }
        };
        rank_by("meaning", &|evidence| evidence.meaning.map(f64::from));
        rank_by("meaning with names", &|evidence| evidence.american.map(f64::from));
        let of_database = |evidence: &Evidence| f64::from(10.0 * evidence.exact + evidence.similarity);
        rank_by("memory", &|evidence| Some(of_database(evidence)).filter(|score| *score > 0.0));
        rank_by("all", &|evidence| calibration.admits(evidence).then(|| calibration.score(evidence)));
    }
    let share = |count: usize| count as f64 / clues.len().max(1) as f64;
    let by_kind = counts.into_iter().map(|(kind, counts)| (kind, counts.map(share))).collect();
    Recall { clues: clues.len(), listed, by_kind }
}

fn note(counts: &mut BTreeMap<String, [usize; RANKS.len()]>, kind: &str, better: usize) {
    let counts = counts.entry(kind.to_owned()).or_default();
    counts.iter_mut().zip(RANKS).for_each(|(count, limit)| *count += usize::from(better < limit));
}
