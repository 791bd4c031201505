//! Candidates for a clue from everything that is known.

use super::calibration::{Calibration, Evidence};
use super::examples::example;
use super::forms::forms;
use super::genre::GenreWeights;
use super::looks::{Kind, Look};
use super::names::Names;
use super::stock::Stock;
use super::wordplay::anagrams;
use crate::memory::ClueMemory;
use semantics::ClueScorer;
use semantics::clue::{ClueWeights, FEATURES};
use semantics::logit;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

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

    pub(super) fn of_length(&self, length: usize) -> &[(String, f32)] {
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
    /// Answers by length, each looked up when a clue first asks for it.
    stocks: Vec<OnceLock<Arc<Stock>>>,
}

/// The evidence for one clue, per candidate.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// Sorted by text, each once.
    pub candidates: Vec<(Arc<str>, Evidence)>,
}

impl Gathered {
    /// The evidence for an answer.
    pub fn of(&self, answer: &str) -> Option<&Evidence> {
        self.place(answer).map(|at| &self.candidates[at].1)
    }

    /// Where an answer stands among the candidates.
    pub fn place(&self, answer: &str) -> Option<usize> {
        self.candidates.binary_search_by(|(word, _)| (**word).cmp(answer)).ok()
    }

    /// The candidates' texts.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.candidates.iter().map(|(word, _)| &**word)
    }
}

/// How often a form that no list has is taken to be written, as a Zipf value.
const RARE_FORM: f32 = 2.0;
/// Answers of the memory that are looked at per clue.
const RECALLED: usize = 1_000;
/// Lengths whose answers are kept from clue to clue.
const KEPT_LENGTHS: usize = 32;

fn no_stocks() -> Vec<OnceLock<Arc<Stock>>> {
    (0..KEPT_LENGTHS).map(|_| OnceLock::new()).collect()
}

impl<'a> Knowledge<'a> {
    /// Word meaning alone, or with a clue memory and further lists.
    pub fn new(scorer: &'a ClueScorer<'a>, memory: Option<&'a ClueMemory>, lists: &'a [WordList]) -> Self {
        let plain = ClueWeights::shipped().ordered();
        let genre = GenreWeights::american();
        // Other languages have no puzzles of that kind to learn from: there meaning weighs as usual and looks nothing.
        let english = scorer.language().code() == "en";
        let american = if english { genre.of_words() } else { plain.clone() };
        let looks = english.then(|| genre.of_looks());
        let calibrations = Calibration::shipped(memory.is_some());
        let american_names = genre.of_names();
        let kind = FEATURES.iter().position(|name| *name == "answer-kind").unwrap_or_default();
        let stocks = no_stocks();
        Self { scorer, memory, lists, names: None, calibrations, plain, american, american_names, looks, kind, stocks }
    }

    /// Adds names and phrases beyond the vocabulary.
    pub fn with_names(mut self, names: Option<&'a Names>) -> Self {
        self.names = names;
        self.stocks = no_stocks();
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

    /// What is known of a length before a clue is read.
    fn stock(&self, length: usize) -> Arc<Stock> {
        let make = || Arc::new(Stock::new(self.scorer, self.names, self.lists, self.memory, length));
        self.stocks.get(length).map_or_else(make, |stock| Arc::clone(stock.get_or_init(make)))
    }

    /// All candidates of a length for a clue, by text.
    pub fn gather(&self, clue: &str, length: usize) -> Gathered {
        let words = self.scorer.language().words();
        let stock = self.stock(length);
        let whole = clue;
        let look = Look::of(clue);
        let looks = |text: &str, kind: Kind, zipf: f32| {
            self.looks.as_ref().map_or(0.0, |weights| look.score(weights, text, kind, zipf))
        };
        let mut all: Vec<Evidence> = stock
            .uses
            .iter()
            .zip(&stock.scores)
            .map(|(&uses, &list)| Evidence { uses, list, ..Evidence::default() })
            .collect();
        let mut seen = vec![false; all.len()];
        let (clue, is_example) = example(clue).map_or((clue, false), |rest| (rest, true));
        for (candidate, at) in self.scorer.evidence(clue, length).into_iter().zip(&stock.words) {
            let Some(at) = at.map(|at| at as usize).filter(|&at| !seen[at]) else { continue };
            let evidence = &mut all[at];
            evidence.meaning = Some(logit::score(&self.plain, &candidate.features));
            evidence.american = Some(logit::score(&self.american, &candidate.features));
            evidence.look = looks(&stock.texts[at], Kind::of_word(words.flags(candidate.word)), candidate.zipf());
            if is_example {
                evidence.example = candidate.features[self.kind];
            }
            seen[at] = true;
        }
        let mut unheard: BTreeMap<String, Evidence> = BTreeMap::new();
        for (form, score) in forms(self.scorer, clue, length) {
            let evidence = match stock.place(&form) {
                Some(at) if seen[at] => continue,
                Some(at) => {
                    seen[at] = true;
                    &mut all[at]
                }
                None => unheard.entry(form.clone()).or_default(),
            };
            (evidence.meaning, evidence.american) = (Some(score), Some(score));
            evidence.look = looks(&form, Kind::Word, RARE_FORM);
        }
        let named = self.names.map(|names| names.evidence(self.scorer.language(), clue, length)).unwrap_or_default();
        for (named, &at) in named.iter().zip(&stock.names) {
            let score = logit::score(&self.american_names, &named.features);
            let evidence = &mut all[at as usize];
            if !std::mem::replace(&mut seen[at as usize], true) {
                evidence.look = looks(named.text, named.kind(), named.zipf());
            }
            evidence.american = Some(evidence.american.map_or(score, |other| other.max(score)));
        }
        for (at, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
            all[at].look = looks(&stock.texts[at], Kind::Other, 0.0);
        }
        if let Some(memory) = self.memory {
            let recalled = memory.recall(whole, length, RECALLED);
            let exact: u32 = recalled.iter().map(|recalled| recalled.exact).sum();
            for recalled in recalled {
                let Some(at) = stock.place(&recalled.answer) else { continue };
                all[at].exact = (1.0 + recalled.exact as f32).ln();
                all[at].exact_share = recalled.exact as f32 / exact.max(1) as f32;
                all[at].similarity = recalled.similarity;
                all[at].support = (1.0 + recalled.support).ln();
            }
        }
        let texts = stock.texts.iter().map(|text| &**text).chain(unheard.keys().map(String::as_str));
        for word in anagrams(clue, length, texts) {
            match stock.place(&word) {
                Some(at) => all[at].anagram = 1.0,
                None => unheard.entry(word).or_default().anagram = 1.0,
            }
        }
        let mut candidates: Vec<(Arc<str>, Evidence)> = stock.texts.iter().cloned().zip(all).collect();
        if !unheard.is_empty() {
            candidates.extend(unheard.into_iter().map(|(text, evidence)| (Arc::from(text), evidence)));
            candidates.sort_by(|a, b| a.0.cmp(&b.0));
        }
        Gathered { candidates }
    }
}
