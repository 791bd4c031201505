//! From evidence to chances, for one genre of puzzle.

use super::candidates::Gathered;
use crate::inference::{Candidate, EntryModel, Letters};
use serde::{Deserialize, Serialize};

/// What speaks for a candidate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Score of word meaning; `None` for words that the language's packs do not have.
    pub meaning: Option<f32>,
    /// Score of meaning as American puzzles weigh it, of names and phrases too.
    pub american: Option<f32>,
    /// Logarithm of 1 + how often the memory has it as an answer at all.
    pub uses: f32,
    /// Logarithm of 1 + how often it answered exactly this clue.
    pub exact: f32,
    /// Share of the answers to exactly this clue that it is.
    pub exact_share: f32,
    /// Similarity of the most similar clue it answered.
    pub similarity: f32,
    /// Logarithm of 1 + the similarities of all clues it answered.
    pub support: f32,
    /// Score in a further word list, 0 to 1.
    pub list: f32,
    /// 1 if it is an announced anagram.
    pub anagram: f32,
    /// How surely it is a kind of what the clue names an example of.
    pub example: f32,
    /// How well its look fits the look of the clue, and American grids.
    pub look: f32,
}

/// Similarity from which on a clue may be the same in other words.
const NEARLY: f32 = 0.75;

/// Names of the weighed numbers, in order.
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
    /// Evidence of meaning alone.
    pub fn meaning(score: f32) -> Self {
        Self { meaning: Some(score), american: Some(score), ..Self::default() }
    }

    /// The same with another weight in American puzzles.
    pub fn as_american(self, score: f32) -> Self {
        Self { american: Some(score), ..self }
    }

    /// The numbers named in [`FEATURES`].
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

    /// Whether only the list of names and phrases has it.
    fn is_name_alone(&self) -> bool {
        self.meaning.is_none() && self.uses == 0.0 && self.list == 0.0 && self.anagram == 0.0
    }
}

/// How evidence becomes chances for one genre.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Calibration {
    #[serde(skip)]
    pub name: &'static str,
    /// Only for grids in which every cell is crossed, as American ones are.
    #[serde(default)]
    pub fully_checked: bool,
    /// Whether names and phrases beyond the vocabulary may be answers.
    #[serde(default)]
    pub names: bool,
    /// Weights in the order of [`FEATURES`].
    pub weights: [f32; FEATURES.len()],
    /// Chance that an answer is in no list, by length from 0; the last holds for all longer ones.
    pub unlisted: Vec<f64>,
    /// How much of what two crossing entries say only because a letter is common is taken out: 0 nothing, 1 all of it.
    #[serde(default)]
    pub commonness: f64,
    /// What makes the reported chances of words and letters honest.
    #[serde(default)]
    pub word_honesty: Honesty,
    #[serde(default)]
    pub letter_honesty: Honesty,
}

/// A correction of stated chances: their odds to a power, times a factor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Honesty {
    pub power: f64,
    /// Logarithm of the factor.
    pub shift: f64,
}

impl Default for Honesty {
    fn default() -> Self {
        Self { power: 1.0, shift: 0.0 }
    }
}

impl Honesty {
    /// The chance that should be stated where the model believes this one.
    pub fn correct(self, belief: f64) -> f64 {
        let belief = belief.clamp(1e-9, 1.0 - 1e-9);
        let log_odds = (belief / (1.0 - belief)).ln() * self.power + self.shift;
        1.0 / (1.0 + (-log_odds).exp())
    }
}

/// Candidates less likely than this share of the best are left to the chance of being unlisted.
const LEAST_SHARE: f64 = 1e-7;
/// Most candidates of an entry.
const MOST: usize = 6_000;

impl Calibration {
    /// The calibrations this program was shipped with, fitted as docs/results/crossword.md says.
    pub fn shipped(with_memory: bool) -> Vec<Self> {
        let read = |name: &'static str, text: &str| {
            let fitted: Self = serde_json::from_str(text).expect("the shipped calibrations are checked by a test");
            Self { name, ..fitted }
        };
        if with_memory {
            vec![
                read("american with memory", include_str!("calibrations/american-memory.json")),
                read("quick with memory", include_str!("calibrations/quick-memory.json")),
            ]
        } else {
            vec![
                read("american", include_str!("calibrations/american.json")),
                read("quick", include_str!("calibrations/quick.json")),
            ]
        }
    }

    /// Score of a candidate before it is compared with others.
    pub fn score(&self, evidence: &Evidence) -> f64 {
        evidence.features().iter().zip(&self.weights).map(|(x, w)| f64::from(x * w)).sum()
    }

    /// Whether a candidate is one in this genre.
    pub fn admits(&self, evidence: &Evidence) -> bool {
        self.names || !evidence.is_name_alone()
    }

    /// Chance that an answer of a length is in no list.
    pub fn unlisted(&self, length: usize) -> f64 {
        self.unlisted.get(length).or(self.unlisted.last()).copied().unwrap_or(0.1)
    }

    /// The model of one entry: the likeliest candidates and their chances.
    pub fn entry(&self, cells: Vec<usize>, gathered: &Gathered, letters: &Letters) -> EntryModel {
        let mut scored: Vec<(f64, usize)> = gathered
            .candidates
            .iter()
            .enumerate()
            .filter(|(_, (_, evidence))| self.admits(evidence))
            .map(|(at, (_, evidence))| (self.score(evidence), at))
            .collect();
        let better = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        let top = scored.iter().map(|&(score, _)| score).fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = scored.iter().map(|&(score, _)| (score - top).exp()).sum();
        if scored.len() > MOST {
            scored.select_nth_unstable_by(MOST, better);
            scored.truncate(MOST);
        }
        scored.sort_unstable_by(better);
        let unlisted = self.unlisted(cells.len());
        let mut kept = 0.0;
        let candidates: Vec<Candidate> = scored
            .into_iter()
            .map(|(score, at)| ((score - top).exp() / total, &gathered.candidates[at].0))
            .take_while(|&(share, _)| share > LEAST_SHARE)
            .filter_map(|(share, word)| Some((share, letters.word(word)?)))
            .map(|(share, word)| {
                kept += share;
                Candidate { word, probability: share }
            })
            .collect();
        EntryModel { cells, candidates, unlisted: 1.0 - (1.0 - unlisted) * kept }
    }

    /// The reported chance of a word.
    pub fn word_chance(&self, belief: f64) -> f64 {
        self.word_honesty.correct(belief)
    }

    /// The reported chance of a letter.
    pub fn letter_chance(&self, belief: f64) -> f64 {
        self.letter_honesty.correct(belief)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_calibrations_are_complete() {
        for with_memory in [false, true] {
            for calibration in Calibration::shipped(with_memory) {
                assert!(!calibration.name.is_empty());
                assert!(calibration.unlisted.iter().all(|chance| (0.0..1.0).contains(chance)));
                assert!(calibration.word_honesty.power > 0.0 && calibration.letter_honesty.power > 0.0);
            }
        }
    }

    #[test]
    fn an_entry_keeps_the_chance_of_what_it_leaves_out() {
        let calibration = &Calibration::shipped(false)[0];
        let letters = Letters::new('A'..='Z');
        let gathered = Gathered {
            candidates: vec![("CAT".into(), Evidence::meaning(5.0)), ("ČAP".into(), Evidence::meaning(5.0))],
        };
        let entry = calibration.entry(vec![0, 1, 2], &gathered, &letters);
        assert_eq!(entry.candidates.len(), 1, "the other has a letter outside the alphabet");
        let expected = 1.0 - (1.0 - calibration.unlisted(3)) * 0.5;
        assert!((entry.unlisted - expected).abs() < 1e-9);
    }
}
