//! Candidates for a clue with the evidence of every source.

use super::calibration::{Calibration, Evidence};
use super::candidate_index::CandidateIndex;
use super::definition_by_example::example;
use super::genre_weights::GenreWeights;
use super::inflected_forms::inflected_forms;
use super::name_index::NameIndex;
use super::spelling_models::SpellingModels;
use super::surface_features::{AnswerKind, SurfaceFeatures};
use super::wordplay::anagrams;
use crate::engine::clue_database::ClueDatabase;
use semantics::ClueScorer;
use semantics::clue::{ClueWeights, FEATURES};
use semantics::logit;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

/// A user's word list with scores from 0 to 100, the usual format of crossword constructors.
#[derive(Clone, Debug, Default)]
pub struct WordList {
    by_length: HashMap<usize, Vec<(String, f32)>>,
}

impl WordList {
    /// Reads lines of `WORD;SCORE` or `WORD`; skips empty lines and lines that start with `#`.
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
            let word = crate::engine::clue_database::clue_text::grid_form(word);
            list.by_length.entry(word.chars().count()).or_default().push((word, score));
        }
        Ok(list)
    }

    pub(super) fn of_length(&self, length: usize) -> &[(String, f32)] {
        self.by_length.get(&length).map_or(&[], Vec::as_slice)
    }
}

/// The knowledge sources of the solver for one language.
pub struct Knowledge<'a> {
    scorer: &'a ClueScorer<'a>,
    database: Option<&'a ClueDatabase>,
    lists: &'a [WordList],
    names: Option<&'a NameIndex>,
    calibrations: Vec<Calibration>,
    /// Weights of word meaning: for plain definitions, and for words and names in American puzzles.
    plain: Vec<f32>,
    american: Vec<f32>,
    american_names: Vec<f32>,
    /// Weights of surface features; `None` for languages without fitted weights.
    looks: Option<Vec<f32>>,
    /// Index of the feature "the answer is a hypernym of a clue word".
    kind: usize,
    cache: Arc<KnowledgeCache>,
}

/// Tables that depend on the knowledge sources only, built when first needed. Share one between [`Knowledge`] values with
/// the same sources.
#[derive(Debug)]
pub struct KnowledgeCache {
    /// Candidate index by answer length.
    indexes: Vec<OnceLock<Arc<CandidateIndex>>>,
    spelling: OnceLock<SpellingModels>,
}

impl Default for KnowledgeCache {
    fn default() -> Self {
        Self { indexes: (0..KEPT_LENGTHS).map(|_| OnceLock::new()).collect(), spelling: OnceLock::new() }
    }
}

/// All candidates for one clue with their evidence.
#[derive(Clone, Debug, Default)]
pub struct ClueEvidence {
    /// Sorted by text, without duplicates.
    pub candidates: Vec<(Arc<str>, Evidence)>,
    /// Probability that no source lists the answer, if a clue database tells.
    pub unlisted: Option<f64>,
}

impl ClueEvidence {
    /// The evidence for an answer.
    pub fn of(&self, answer: &str) -> Option<&Evidence> {
        self.place(answer).map(|at| &self.candidates[at].1)
    }

    /// Index of an answer among the candidates.
    pub fn place(&self, answer: &str) -> Option<usize> {
        self.candidates.binary_search_by(|(word, _)| (**word).cmp(answer)).ok()
    }

    /// The candidates' texts.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.candidates.iter().map(|(word, _)| &**word)
    }
}

/// Assumed Zipf frequency of a generated inflected form.
const RARE_FORM: f32 = 2.0;
/// Maximum number of database answers per clue.
const RECALLED: usize = 1_000;
/// Answer lengths below this value have a cached candidate index.
const KEPT_LENGTHS: usize = 32;

impl<'a> Knowledge<'a> {
    /// Knowledge from word meaning, and optionally from a clue database and word lists.
    pub fn new(scorer: &'a ClueScorer<'a>, database: Option<&'a ClueDatabase>, lists: &'a [WordList]) -> Self {
        let plain = ClueWeights::shipped().ordered();
        let genre = GenreWeights::american();
        // The American weights are fitted on English puzzles only; other languages use the general weights.
        let english = scorer.language().code() == "en";
        let american = if english { genre.of_words() } else { plain.clone() };
        let looks = english.then(|| genre.of_looks());
        let calibrations = Calibration::shipped(database.is_some());
        let american_names = genre.of_names();
        let kind = FEATURES.iter().position(|name| *name == "answer-kind").unwrap_or_default();
        let cache = Arc::default();
        Self { scorer, database, lists, names: None, calibrations, plain, american, american_names, looks, kind, cache }
    }

    /// Adds names and phrases outside the vocabulary.
    pub fn with_names(mut self, names: Option<&'a NameIndex>) -> Self {
        self.names = names;
        self.cache = Arc::default();
        self
    }

    /// Shares tables with other knowledge of exactly the same sources.
    pub fn with_cache(mut self, cache: &Arc<KnowledgeCache>) -> Self {
        self.cache = Arc::clone(cache);
        self
    }

    /// The models of spelling.
    pub(super) fn spelling(&self) -> &SpellingModels {
        self.cache.spelling.get_or_init(|| SpellingModels::new(self.scorer.language(), self.names))
    }

    /// Replaces the weights for American puzzles (used for fitting).
    pub fn with_american(mut self, weights: &GenreWeights) -> Self {
        (self.american, self.american_names) = (weights.of_words(), weights.of_names());
        self.looks = Some(weights.of_looks());
        self
    }

    /// The scorer of word meaning.
    pub fn scorer(&self) -> &ClueScorer<'a> {
        self.scorer
    }

    /// Names and phrases outside the vocabulary.
    pub fn names(&self) -> Option<&'a NameIndex> {
        self.names
    }

    /// The calibrations in the order in which they are tried.
    pub fn calibrations(&self) -> &[Calibration] {
        &self.calibrations
    }

    /// Replaces the calibrations (used for fitting).
    pub fn with_calibrations(mut self, calibrations: Vec<Calibration>) -> Self {
        self.calibrations = calibrations;
        self
    }

    /// The candidate index of a length.
    fn index(&self, length: usize) -> Arc<CandidateIndex> {
        let make = || Arc::new(CandidateIndex::new(self.scorer, self.names, self.lists, self.database, length));
        self.cache.indexes.get(length).map_or_else(make, |index| Arc::clone(index.get_or_init(make)))
    }

    /// Collects all candidates of a length for a clue, sorted by text.
    pub fn gather(&self, clue: &str, length: usize) -> ClueEvidence {
        let words = self.scorer.language().words();
        let index = self.index(length);
        let whole = clue;
        let look = SurfaceFeatures::of(clue);
        let looks = |text: &str, kind: AnswerKind, zipf: f32| {
            self.looks.as_ref().map_or(0.0, |weights| look.score(weights, text, kind, zipf))
        };
        let mut all: Vec<Evidence> = index
            .uses
            .iter()
            .zip(&index.scores)
            .map(|(&uses, &list)| Evidence { uses, list, ..Evidence::default() })
            .collect();
        let mut seen = vec![false; all.len()];
        let (clue, is_example) = example(clue).map_or((clue, false), |rest| (rest, true));
        for (candidate, at) in self.scorer.evidence(clue, length).into_iter().zip(&index.words) {
            let Some(at) = at.map(|at| at as usize).filter(|&at| !seen[at]) else { continue };
            let evidence = &mut all[at];
            evidence.meaning = Some(logit::score(&self.plain, &candidate.features));
            evidence.american = Some(logit::score(&self.american, &candidate.features));
            evidence.look = looks(&index.texts[at], AnswerKind::of_word(words.flags(candidate.word)), candidate.zipf());
            if is_example {
                evidence.example = candidate.features[self.kind];
            }
            seen[at] = true;
        }
        let mut unheard: BTreeMap<String, Evidence> = BTreeMap::new();
        for (form, score) in inflected_forms(self.scorer, clue, length) {
            let evidence = match index.place(&form) {
                Some(at) if seen[at] => continue,
                Some(at) => {
                    seen[at] = true;
                    &mut all[at]
                }
                None => unheard.entry(form.clone()).or_default(),
            };
            (evidence.meaning, evidence.american) = (Some(score), Some(score));
            evidence.look = looks(&form, AnswerKind::Word, RARE_FORM);
        }
        let named = self.names.map(|names| names.evidence(self.scorer.language(), clue, length)).unwrap_or_default();
        for (named, &at) in named.iter().zip(&index.names) {
            let score = logit::score(&self.american_names, &named.features);
            let evidence = &mut all[at as usize];
            if !std::mem::replace(&mut seen[at as usize], true) {
                evidence.look = looks(named.text, named.kind(), named.zipf());
            }
            evidence.american = Some(evidence.american.map_or(score, |other| other.max(score)));
        }
        for (at, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
            all[at].look = looks(&index.texts[at], AnswerKind::Other, 0.0);
        }
        if let Some(database) = self.database {
            let recalled = database.recall(whole, length, RECALLED);
            let exact: u32 = recalled.iter().map(|recalled| recalled.exact).sum();
            for recalled in recalled {
                let Some(at) = index.place(&recalled.answer) else { continue };
                all[at].exact = (1.0 + recalled.exact as f32).ln();
                all[at].exact_share = recalled.exact as f32 / exact.max(1) as f32;
                all[at].similarity = recalled.similarity;
                all[at].support = (1.0 + recalled.support).ln();
            }
        }
        let texts = index.texts.iter().map(|text| &**text).chain(unheard.keys().map(String::as_str));
        for word in anagrams(clue, length, texts) {
            match index.place(&word) {
                Some(at) => all[at].anagram = 1.0,
                None => unheard.entry(word).or_default().anagram = 1.0,
            }
        }
        let mut candidates: Vec<(Arc<str>, Evidence)> = index.texts.iter().cloned().zip(all).collect();
        if !unheard.is_empty() {
            candidates.extend(unheard.into_iter().map(|(text, evidence)| (Arc::from(text), evidence)));
            candidates.sort_by(|a, b| a.0.cmp(&b.0));
        }
        ClueEvidence { candidates, unlisted: index.unlisted }
    }
}
