//! Turns the evidence for a candidate into a probability, per genre of puzzle (conditional logit).

use super::candidates::ClueEvidence;
use crate::engine::inference::{EntryModel, GridAlphabet, ListedAnswer};
use serde::{Deserialize, Serialize};

/// The evidence for one candidate answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Score of word meaning; `None` for words outside the language's vocabulary.
    pub meaning: Option<f32>,
    /// Score of meaning with the weights for American puzzles; covers names and phrases too.
    pub american: Option<f32>,
    /// ln(1 + number of times the clue database has it as an answer, per 80,000 pairs).
    pub uses: f32,
    /// ln(1 + number of times it answered exactly this clue).
    pub exact: f32,
    /// Its share of the answers to exactly this clue.
    pub exact_share: f32,
    /// Similarity of the most similar clue in the database that it answers.
    pub similarity: f32,
    /// ln(1 + sum of the similarities of all clues it answers).
    pub support: f32,
    /// Score in a user's word list, 0 to 1.
    pub list: f32,
    /// 1 if it is an anagram that the clue announces.
    pub anagram: f32,
    /// Hypernym score, where the clue is a definition by example.
    pub example: f32,
    /// Score of its surface features (spelling, plural, abbreviation) against those of the clue.
    pub look: f32,
}

/// From this similarity on, a clue may be a paraphrase.
const NEARLY: f32 = 0.75;

/// Names of the features, in the order of the weights.
pub const FEATURES: [&str; 15] = [
    "meaning",
    "strange",
    "uses",
    "used",
    "exact",
    "is-exact",
    "exact-share",
    "similarity",
    "nearly-exact",
    "support",
    "list",
    "anagram",
    "american",
    "example",
    "look",
];

impl Evidence {
    /// Evidence from word meaning only.
    pub fn meaning(score: f32) -> Self {
        Self { meaning: Some(score), american: Some(score), ..Self::default() }
    }

    /// The same evidence with a separate score for American puzzles.
    pub fn as_american(self, score: f32) -> Self {
        Self { american: Some(score), ..self }
    }

    /// The feature values in the order of [`FEATURES`].
    pub fn features(&self) -> [f32; FEATURES.len()] {
        let flag = |is: bool| f32::from(u8::from(is));
        let similarity = if self.exact > 0.0 { 0.0 } else { self.similarity };
        [
            self.meaning.unwrap_or(0.0),
            flag(self.meaning.or(self.american).is_none()),
            self.uses,
            flag(self.uses > 0.0),
            self.exact,
            flag(self.exact > 0.0),
            self.exact_share,
            similarity.powi(3),
            (similarity - NEARLY).max(0.0) / (1.0 - NEARLY),
            self.support,
            self.list,
            self.anagram,
            self.american.unwrap_or(0.0),
            self.example,
            self.look,
        ]
    }

    /// Whether the name index is the only source that lists it.
    fn is_name_alone(&self) -> bool {
        self.meaning.is_none() && self.uses == 0.0 && self.list == 0.0 && self.anagram == 0.0
    }
}

/// Feature weights and probabilities for one genre.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Calibration {
    #[serde(skip)]
    pub name: &'static str,
    /// Applies only to grids in which every cell is crossed, such as American ones.
    #[serde(default)]
    pub fully_checked: bool,
    /// Whether names and phrases outside the vocabulary are candidates.
    #[serde(default)]
    pub names: bool,
    /// Weights in the order of [`FEATURES`].
    pub weights: [f32; FEATURES.len()],
    /// Probability that no source lists the answer, by length from 0; the last value holds for all longer answers.
    pub unlisted: Vec<f64>,
    /// Exponent by which the letter prior is divided out where two entries cross, so that it does not count twice: 0 off, 1 full.
    #[serde(default)]
    pub commonness: f64,
    /// Platt scaling of the reported probabilities of words and of letters.
    #[serde(default)]
    pub word_scaling: PlattScaling,
    #[serde(default)]
    pub letter_scaling: PlattScaling,
}

/// Platt scaling: a linear map of log-odds, fitted so that stated probabilities match observed frequencies (Platt 1999).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlattScaling {
    pub power: f64,
    /// Added to the log-odds.
    pub shift: f64,
}

impl Default for PlattScaling {
    fn default() -> Self {
        Self { power: 1.0, shift: 0.0 }
    }
}

impl PlattScaling {
    /// The calibrated probability for a model probability.
    pub fn correct(self, belief: f64) -> f64 {
        let belief = belief.clamp(1e-9, 1.0 - 1e-9);
        let log_odds = (belief / (1.0 - belief)).ln() * self.power + self.shift;
        1.0 / (1.0 + (-log_odds).exp())
    }
}

impl Calibration {
    /// The shipped calibrations; docs/results/crossword.md has the commands that fitted them.
    pub fn shipped(with_database: bool) -> Vec<Self> {
        let read = |name: &'static str, text: &str| {
            let fitted: Self = serde_json::from_str(text).expect("the shipped calibrations are checked by a test");
            Self { name, ..fitted }
        };
        if with_database {
            vec![
                read(
                    "american with database",
                    include_str!("../../../../../data/crossword/calibrations/american-database.json"),
                ),
                read(
                    "quick with database",
                    include_str!("../../../../../data/crossword/calibrations/quick-database.json"),
                ),
            ]
        } else {
            vec![
                read("american", include_str!("../../../../../data/crossword/calibrations/american.json")),
                read("quick", include_str!("../../../../../data/crossword/calibrations/quick.json")),
            ]
        }
    }

    /// Linear score of a candidate, before normalisation over all candidates.
    pub fn score(&self, evidence: &Evidence) -> f64 {
        evidence.features().iter().zip(&self.weights).map(|(x, w)| f64::from(x * w)).sum()
    }

    /// Whether this genre admits the candidate.
    pub fn admits(&self, evidence: &Evidence) -> bool {
        self.names || !evidence.is_name_alone()
    }

    /// Probability that no source lists an answer of this length.
    pub fn unlisted(&self, length: usize) -> f64 {
        self.unlisted.get(length).or(self.unlisted.last()).copied().unwrap_or(0.1)
    }

    /// The model of one entry: every admitted candidate with its probability.
    pub fn entry(&self, cells: Vec<usize>, gathered: &ClueEvidence, letters: &GridAlphabet) -> EntryModel {
        let admitted: Vec<(f64, &str)> = gathered
            .candidates
            .iter()
            .filter(|(_, evidence)| self.admits(evidence))
            .map(|(word, evidence)| (self.score(evidence), &**word))
            .collect();
        let top = admitted.iter().map(|&(score, _)| score).fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = admitted.iter().map(|&(score, _)| (score - top).exp()).sum();
        let unlisted = self.unlisted_after(gathered, cells.len());
        let mut kept = 0.0;
        let mut candidates = Vec::with_capacity(admitted.len());
        // Every listed answer stays possible, however little its clue says of it: crossings may still need it.
        for (score, word) in admitted {
            let share = (score - top).exp() / total;
            if let Some(word) = letters.word(word) {
                kept += share;
                candidates.push(ListedAnswer { word, probability: share });
            }
        }
        EntryModel { cells, candidates, unlisted: 1.0 - (1.0 - unlisted) * kept }
    }

    /// Probability that no source lists the answer: fitted for the genre, lower if a large clue database estimates less.
    fn unlisted_after(&self, gathered: &ClueEvidence, length: usize) -> f64 {
        let fitted = self.unlisted(length);
        gathered.unlisted.map_or(fitted, |estimate| estimate.min(fitted)).max(1e-5)
    }

    /// The reported probability of a word.
    pub fn word_chance(&self, belief: f64) -> f64 {
        self.word_scaling.correct(belief)
    }

    /// The reported probability of a letter.
    pub fn letter_chance(&self, belief: f64) -> f64 {
        self.letter_scaling.correct(belief)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_calibrations_are_complete() {
        for with_database in [false, true] {
            for calibration in Calibration::shipped(with_database) {
                assert!(!calibration.name.is_empty());
                assert!(calibration.unlisted.iter().all(|chance| (0.0..1.0).contains(chance)));
                assert!(calibration.word_scaling.power > 0.0 && calibration.letter_scaling.power > 0.0);
            }
        }
    }

    #[test]
    fn an_entry_keeps_the_chance_of_what_it_leaves_out() {
        let calibration = &Calibration::shipped(false)[0];
        let letters = GridAlphabet::new('A'..='Z');
        let gathered = ClueEvidence {
            candidates: vec![("CAT".into(), Evidence::meaning(5.0)), ("ČAP".into(), Evidence::meaning(5.0))],
            unlisted: None,
        };
        let entry = calibration.entry(vec![0, 1, 2], &gathered, &letters);
        assert_eq!(entry.candidates.len(), 1, "the other has a letter outside the alphabet");
        let expected = 1.0 - (1.0 - calibration.unlisted(3)) * 0.5;
        assert!((entry.unlisted - expected).abs() < 1e-9);
    }
}
