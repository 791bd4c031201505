//! Candidates for a clue from everything that is known.

use super::calibration::{Calibration, Evidence};
use super::examples::example;
use super::forms::forms;
use super::genre::GenreWeights;
use super::looks::{Kind, Look};
use super::names::Names;
use super::wordplay::anagrams;
use crate::memory::ClueMemory;
use semantics::ClueScorer;
use semantics::clue::{ClueWeights, FEATURES};
use semantics::logit;
use std::collections::HashMap;

/// A further list of words with scores (0 to 100, as crossword makers use them).
#[derive(Clone, Debug, Default)]
pub struct WordList {
    by_length: HashMap<usize, Vec<(String, f32)>>,
}

impl WordList {
    /// Reads `WORD;SCORE` or `WORD` lines; empty lines and lines that start with `#` are left out.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut list = Self::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (word, score) = line.split_once([';', '\t']).unwrap_or((line, "50"));
            let score: f32 = score
                .trim()
                .parse()
                .map_err(|_| format!("line {}: {score:?} should be a score from 0 to 100", number + 1))?;
            let word = crate::memory::words::grid_form(word);
            list.by_length.entry(word.chars().count()).or_default().push((word, score));
        }
        Ok(list)
    }

    fn of_length(&self, length: usize) -> &[(String, f32)] {
        self.by_length.get(&length).map_or(&[], Vec::as_slice)
    }
}

/// Everything the solver may use for puzzles of one language.
pub struct Knowledge<'a> {
    scorer: &'a ClueScorer<'a>,
    memory: Option<&'a ClueMemory>,
    lists: &'a [WordList],
    names: Option<&'a Names>,
    calibrations: Vec<Calibration>,
    /// Weights of meaning: of plain definitions, and of words and names in American puzzles.
    plain: Vec<f32>,
    american: Vec<f32>,
    american_names: Vec<f32>,
    /// Weights of looks; none where the language's looks are not known.
    looks: Option<Vec<f32>>,
    /// Where the evidence says that an answer is a kind of a word in the clue.
    kind: usize,
}

/// The evidence for one clue, per candidate.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    pub candidates: Vec<(String, Evidence)>,
}

impl Gathered {
    /// The candidates' texts.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.candidates.iter().map(|(word, _)| word.as_str())
    }
}

/// How often a form that no list has is taken to be written, as a Zipf value.
const RARE_FORM: f32 = 2.0;
/// Answers of the memory that are looked at per clue.
const RECALLED: usize = 1_000;

impl<'a> Knowledge<'a> {
    /// Word meaning alone, or with a clue memory and further lists.
    pub fn new(scorer: &'a ClueScorer<'a>, memory: Option<&'a ClueMemory>, lists: &'a [WordList]) -> Self {
        let plain = ClueWeights::shipped().ordered();
        let genre = GenreWeights::american(memory.is_some());
        // Other languages have no puzzles of that kind to learn from: there meaning weighs as usual and looks nothing.
        let english = scorer.language().code() == "en";
        let american = if english { genre.of_words() } else { plain.clone() };
        let looks = english.then(|| genre.of_looks());
        let calibrations = Calibration::shipped(memory.is_some());
        let american_names = genre.of_names();
        let kind = FEATURES.iter().position(|name| *name == "answer-kind").unwrap_or_default();
        Self { scorer, memory, lists, names: None, calibrations, plain, american, american_names, looks, kind }
    }

    /// Adds names and phrases beyond the vocabulary.
    pub fn with_names(mut self, names: Option<&'a Names>) -> Self {
        self.names = names;
        self
    }

    /// Weighs meaning in American puzzles otherwise, for fitting.
    pub fn with_american(mut self, weights: &GenreWeights) -> Self {
        (self.american, self.american_names) = (weights.of_words(), weights.of_names());
        self.looks = Some(weights.of_looks());
        self
    }

    /// Finds the evidence of word meaning.
    pub fn scorer(&self) -> &ClueScorer<'a> {
        self.scorer
    }

    /// Names and phrases beyond the vocabulary.
    pub fn names(&self) -> Option<&'a Names> {
        self.names
    }

    /// The calibrations that are tried.
    pub fn calibrations(&self) -> &[Calibration] {
        &self.calibrations
    }

    /// Uses other calibrations, for fitting.
    pub fn with_calibrations(mut self, calibrations: Vec<Calibration>) -> Self {
        self.calibrations = calibrations;
        self
    }

    /// Every word of the vocabulary as a grid has it.
    pub fn vocabulary(&self) -> impl Iterator<Item = String> {
        self.scorer.language().words().iter().map(|(_, text)| text.to_uppercase())
    }

    /// All candidates of a length for a clue.
    pub fn gather(&self, clue: &str, length: usize) -> Gathered {
        let words = self.scorer.language().words();
        let mut all: HashMap<String, Evidence> = HashMap::new();
        let whole = clue;
        let look = Look::of(clue);
        let looks = |text: &str, kind: Kind, zipf: f32| {
            self.looks.as_ref().map_or(0.0, |weights| look.score(weights, text, kind, zipf))
        };
        let (clue, is_example) = example(clue).map_or((clue, false), |rest| (rest, true));
        for candidate in self.scorer.evidence(clue, length) {
            let text = words.text(candidate.word).to_uppercase();
            if text.chars().all(char::is_alphanumeric) && text.chars().count() == length {
                let meaning = logit::score(&self.plain, &candidate.features);
                let american = logit::score(&self.american, &candidate.features);
                let mut evidence = Evidence::meaning(meaning).as_american(american);
                evidence.look = looks(&text, Kind::of_word(words.flags(candidate.word)), candidate.zipf());
                if is_example {
                    evidence.example = candidate.features[self.kind];
                }
                all.entry(text).or_insert(evidence);
            }
        }
        for (form, score) in forms(self.scorer, clue, length) {
            let look = looks(&form, Kind::Word, RARE_FORM);
            all.entry(form).or_insert_with(|| Evidence { look, ..Evidence::meaning(score) });
        }
        for named in self.names.iter().flat_map(|names| names.evidence(self.scorer.language(), clue, length)) {
            let score = logit::score(&self.american_names, &named.features);
            let look = looks(named.text, named.kind(), named.zipf());
            let evidence = all.entry(named.text.to_owned()).or_insert_with(|| Evidence { look, ..Evidence::default() });
            evidence.american = Some(evidence.american.map_or(score, |other| other.max(score)));
        }
        for list in self.lists {
            for (word, score) in list.of_length(length) {
                let unseen = || Evidence { look: looks(word, Kind::Other, 0.0), ..Evidence::default() };
                all.entry(word.clone()).or_insert_with(unseen).list = score / 100.0;
            }
        }
        if let Some(memory) = self.memory {
            for (answer, count) in memory.answers(length) {
                let uses = (1.0 + count as f32).ln();
                match all.get_mut(&answer) {
                    Some(evidence) => evidence.uses = uses,
                    None => {
                        let look = looks(&answer, Kind::Other, 0.0);
                        all.insert(answer, Evidence { uses, look, ..Evidence::default() });
                    }
                }
            }
            for recalled in memory.recall(whole, length, RECALLED) {
                let evidence = all.entry(recalled.answer).or_default();
                evidence.exact = (1.0 + recalled.exact as f32).ln();
                evidence.similarity = recalled.similarity;
                evidence.support = (1.0 + recalled.support).ln();
            }
        }
        for word in anagrams(clue, length, all.keys().map(String::as_str)) {
            all.entry(word).or_default().anagram = 1.0;
        }
        let mut candidates: Vec<_> = all.into_iter().collect();
        candidates.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Gathered { candidates }
    }
}
