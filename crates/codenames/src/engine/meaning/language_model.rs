//! One language as the players use it: board words, clues, and the scores between them.

use super::definitions::{self, DefinitionProfile};
use super::jares::{DEFINITION, JaresProfile, forms};
use super::link_trust::{LinkTrust, OwnSources};
use super::scoring_model::FITTED;
use super::{
    DefinitionCounts, PersonProfile, ScoreColumn, ScoreColumns, ScoreMatrix, ScoreMatrixError, ScoringModel,
    clue_vocabulary,
};
use rayon::prelude::*;
use semantics::assoc::features::{COUNT, NAMES};
use semantics::assoc::{AssocParams, AssocWeights, LinkReason, WordProfile};
use semantics::logit;
use semantics::{Assoc, Language, Readings, WordId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// Size of the cache of columns; a full cache is emptied.
const MAX_COLUMNS: usize = 1_000;
/// Size of the cache of word profiles; a full cache is emptied.
const MAX_PROFILES: usize = 800;
/// Scores of a matrix that are recomputed before it is used.
const PROBES: usize = 48;

/// Clues whose profiles are in memory at once while a matrix is computed.
const BATCH: usize = 512;

/// A board word while the scores of all clues for it are computed.
struct BoardWord {
    word: String,
    target: WordProfile,
    link_trust: Option<Vec<LinkTrust>>,
    columns: [Vec<f32>; FITTED],
}

/// Scores of all board words for a clue, by scoring model and clue.
type ColumnCache = HashMap<(ScoringModel, String), Arc<[f32]>>;

/// A language with its board words, clues and scores.
pub struct LanguageModel {
    language: Language,
    boards: Vec<String>,
    weights: AssocWeights,
    clues: Vec<WordId>,
    matrix: OnceLock<ScoreMatrix>,
    gloss_vectors: OnceLock<Vec<Vec<f32>>>,
    lines: OnceLock<DefinitionCounts>,
    columns: Mutex<ColumnCache>,
    own_sources: Mutex<HashMap<String, Option<Arc<OwnSources>>>>,
    params: Arc<AssocParams>,
    /// Feature weights, by model.
    sums: [Vec<f32>; FITTED],
    known: Mutex<HashMap<String, Arc<WordProfile>>>,
    readings: Readings,
}

impl LanguageModel {
    /// A language with the shipped weights. `boards` lists the board words, `unsaid` the words that are never clues (one per
    /// line, `#` comments).
    pub fn new(language: Language, boards: &str, unsaid: &str) -> LanguageModel {
        LanguageModel::with_weights(language, boards, unsaid, AssocWeights::shipped())
    }

    /// The language with other weights, for instance fitted to other turns.
    pub fn with_weights(language: Language, boards: &str, unsaid: &str, weights: AssocWeights) -> LanguageModel {
        let boards = boards.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
        let clues = clue_vocabulary::vocabulary(&language, unsaid);
        let params = Arc::new(AssocParams::new(&language, &weights));
        let weight = |name: &str| weights.features.get(name).copied().unwrap_or(0.0);
        let part = |model: ScoringModel| NAMES.iter().map(|n| if model.counts(n) { weight(n) } else { 0.0 }).collect();
        let sums = ScoringModel::FITTED.map(part);
        LanguageModel {
            boards: boards.map(str::to_owned).collect(),
            clues,
            language,
            weights,
            matrix: OnceLock::new(),
            gloss_vectors: OnceLock::new(),
            lines: OnceLock::new(),
            columns: Mutex::default(),
            own_sources: Mutex::default(),
            params,
            sums,
            known: Mutex::default(),
            readings: Readings::default(),
        }
    }

    /// The language with its ambiguous forms, for which the Jareš players have rules.
    #[must_use]
    pub fn with_readings(self, readings: Readings) -> LanguageModel {
        LanguageModel { readings, ..self }
    }

    /// Uses a file of precomputed scores, or says why it does not fit.
    pub fn use_matrix(&self, bytes: &[u8]) -> Result<(), ScoreMatrixError> {
        let matrix = ScoreMatrix::from_bytes(bytes, self.fingerprint())?;
        let assoc = self.assoc();
        let step = (self.boards.len() / PROBES).max(1);
        for (k, word) in self.boards.iter().map(|w| w.to_lowercase()).enumerate().step_by(step) {
            let Some((column, quantum)) = matrix.column(0, &word).zip(matrix.step(&word)) else { continue };
            // a clue from the word's hand-written list, because those lists change most
            let target = assoc.profile(&word);
            let hand = target.id.into_iter().flat_map(|id| self.language.hand().of(id)).map(|w| w.0);
            let at = hand.filter_map(|id| self.clues.iter().position(|c| *c == id)).next();
            let at = at.unwrap_or(k * 97 % self.clues.len().max(1));
            let Some(&clue) = self.clues.get(at) else { continue };
            let said = self.language.words().text(clue);
            let fresh = assoc.score(&assoc.profile(said), &target) - self.trust_penalty(said, &word);
            if (fresh - column[at]).abs() > quantum + 0.02 {
                return Err(ScoreMatrixError::Stale);
            }
        }
        let _ = self.matrix.set(matrix);
        Ok(())
    }

    /// Whether the scores of all clues for all board words are computed.
    pub fn is_filled(&self) -> bool {
        self.matrix.get().is_some()
    }

    /// Computes the matrix if no file gave it. Without it the first clue of a board takes seconds instead of milliseconds.
    pub fn fill(&self) {
        if self.matrix.get().is_none() {
            let _ = self.matrix.set(self.make_matrix(|_| {}));
        }
    }

    /// Computes the scores of all clues for all board words; `done` receives the progress in board words. Clues are taken in
    /// batches, because the profiles of all clues would take more memory than the scores.
    pub fn make_matrix(&self, done: impl Fn(usize)) -> ScoreMatrix {
        let assoc = self.assoc();
        let mut scored: Vec<BoardWord> = self
            .boards
            .par_iter()
            .map(|word| {
                let word = word.to_lowercase();
                let (target, link_trust) = (assoc.profile(&word), self.link_trust(&word));
                BoardWord { word, target, link_trust, columns: [const { Vec::new() }; FITTED] }
            })
            .collect();
        for first in (0..self.clues.len()).step_by(BATCH) {
            let clues = &self.clues[first..self.clues.len().min(first + BATCH)];
            let profiles = self.profiles(&assoc, clues);
            scored.par_iter_mut().for_each(|scored| {
                for (at, clue) in (first..).zip(&profiles) {
                    let trust = scored.link_trust.as_ref().map_or(0.0, |link_trust| link_trust[at].operative_penalty());
                    let sums = self.sums(&assoc.features(clue, &scored.target), trust);
                    scored.columns.iter_mut().zip(sums).for_each(|(column, sum)| column.push(sum));
                }
            });
            done(self.boards.len() * (first + clues.len()) / self.clues.len());
        }
        let columns: Vec<(String, ScoreColumns)> = scored
            .into_iter()
            .map(|scored| (scored.word, scored.columns.map(|scores| ScoreColumn::new(&scores))))
            .collect();
        ScoreMatrix::new(self.fingerprint(), self.clues.len(), &columns)
    }

    /// Scores of the models that are weighted sums of features. Only the association model contains the trust penalty.
    fn sums(&self, features: &[f32; COUNT], trust: f32) -> [f32; FITTED] {
        let mut sums = self.sums.each_ref().map(|weights| logit::score(weights, features));
        sums[0] -= trust;
        sums
    }

    /// The links of a board word in the language's own sources; `None` if the language is not projected.
    fn own_sources_of(&self, word: &str) -> Option<Arc<OwnSources>> {
        if let Some(native) = self.own_sources.lock().expect("no thread panics while it holds this lock").get(word) {
            return native.clone();
        }
        let native = OwnSources::new(&self.language, word).map(Arc::new);
        let mut own_sources = self.own_sources.lock().expect("no thread panics while it holds this lock");
        if own_sources.len() >= MAX_PROFILES {
            own_sources.clear();
        }
        own_sources.insert(word.to_owned(), native.clone());
        native
    }

    /// Trust in the links of a board word to every known clue; `None` if the language is not projected.
    pub fn link_trust(&self, word: &str) -> Option<Vec<LinkTrust>> {
        let own = self.own_sources_of(word)?;
        Some(self.clues.iter().map(|&clue| own.trust(&self.language, clue)).collect())
    }

    /// Trust penalty of the link between any clue and a board word.
    fn trust_penalty(&self, clue: &str, word: &str) -> f32 {
        let said = self.language.find_form(clue);
        said.and_then(|id| Some(self.own_sources_of(word)?.trust(&self.language, id).operative_penalty()))
            .unwrap_or(0.0)
    }

    /// Changes when vocabulary, clues or weights change, so that an outdated matrix is not used.
    pub fn fingerprint(&self) -> u64 {
        let mut h = self.language.words().fingerprint();
        let mut add = |x: u64| h = (h.rotate_left(7) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.clues.iter().for_each(|c| add(u64::from(c.0)));
        for (name, weight) in &self.weights.features {
            name.bytes().for_each(|b| add(u64::from(b)));
            add(u64::from(weight.to_bits()));
        }
        h
    }

    /// The language's code.
    pub fn code(&self) -> &str {
        self.language.code()
    }

    /// The language's packs.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// Words that boards are dealt from.
    pub fn boards(&self) -> &[String] {
        &self.boards
    }

    /// Number of known clues.
    pub fn clue_count(&self) -> usize {
        self.clues.len()
    }

    /// The text of a clue by its index.
    pub fn clue(&self, at: usize) -> &str {
        self.language.words().text(self.clues[at])
    }

    /// The index of a clue, if the computer knows it.
    pub fn place(&self, clue: &str) -> Option<usize> {
        let id = self.language.words().id(clue)?;
        self.clues.iter().position(|&c| c == id)
    }

    /// Zipf frequency of a clue: log10 of its occurrences per billion words.
    pub fn zipf(&self, at: usize) -> f32 {
        self.language.zipf(self.clues[at])
    }

    /// The association model with this lm's weights.
    pub fn assoc(&self) -> Assoc<'_> {
        Assoc::from_params(&self.language, Arc::clone(&self.params))
    }

    /// Co-occurrence counts of the shipped definitions, computed on first use.
    fn lines(&self) -> &DefinitionCounts {
        get_or_compute(&self.lines, || DefinitionCounts::new(&self.language))
    }

    /// The profile of a word, from the cache if possible.
    fn profile(&self, assoc: &Assoc<'_>, text: &str) -> Arc<WordProfile> {
        if let Some(profile) = self.known.lock().expect("no thread panics while it holds this lock").get(text) {
            return Arc::clone(profile);
        }
        let profile = Arc::new(assoc.profile(text));
        let mut known = self.known.lock().expect("no thread panics while it holds this lock");
        if known.len() >= MAX_PROFILES {
            known.clear();
        }
        known.insert(text.to_owned(), Arc::clone(&profile));
        profile
    }

    /// Logits of any clue for some board words, by one model.
    pub fn scores<S: AsRef<str>>(&self, model: ScoringModel, clue: &str, words: &[S]) -> Vec<f32> {
        let raw: Vec<f32> = match model {
            ScoringModel::Strong | ScoringModel::Usage | ScoringModel::Definitions => {
                let layer = model.layer().unwrap_or_default();
                let trust = |word: &S| self.trust_penalty(clue, &word.as_ref().to_lowercase());
                let all = self.features(clue, words);
                all.iter().zip(words).map(|(f, word)| self.sums(f, trust(word))[layer]).collect()
            }
            ScoringModel::Vectors => {
                words.iter().map(|w| self.language.similarity(clue, w.as_ref()).unwrap_or(0.0)).collect()
            }
            ScoringModel::Glosses => {
                let said = DefinitionProfile::new(&self.language, &clue.to_lowercase());
                let with = |word: &str| {
                    let there = forms(&self.language, word);
                    let near = dot(&said.vector, &definitions::of_text(&self.language, word));
                    let mentioned = there.iter().any(|&id| said.mentions(&self.language, id));
                    near + if mentioned { DEFINITION } else { 0.0 }
                };
                words.iter().map(|w| with(&w.as_ref().to_lowercase())).collect()
            }
            ScoringModel::Jares => {
                let known = JaresProfile::new(&self.language, &self.readings, self.lines(), clue);
                words
                    .iter()
                    .map(|w| {
                        let word = w.as_ref().to_lowercase();
                        // vectors trained on plain text fit an inflected form better than its base form
                        let lemmas = !self.readings.is_empty();
                        let vector = lemmas.then(|| self.language.vector(&word)).flatten();
                        let best = vector.and_then(|v| known.cosine(&self.language, &v));
                        let cosine = best.or_else(|| self.language.similarity(clue, &word)).unwrap_or(0.0);
                        let mut readings = Vec::new();
                        if let Some(id) = self.language.find_form(&word) {
                            readings.extend([id, self.language.lemma(id)]);
                        }
                        known.similarity(&readings, cosine)
                    })
                    .collect()
            }
        };
        raw.into_iter().map(|x| x * model.sharpness()).collect()
    }

    /// Logits of the association model with a person's factors.
    pub fn scores_for<S: AsRef<str>>(&self, person: &PersonProfile, clue: &str, words: &[S]) -> Vec<f32> {
        if person.is_empty() {
            return self.scores(ScoringModel::Strong, clue, words);
        }
        let params = Arc::new(self.params.scaled(|feature| person.factor(feature)));
        let assoc = Assoc::from_params(&self.language, params);
        let said = self.profile(&assoc, clue);
        let score = |w: &S| {
            let again = person.pair_bonus(clue, w.as_ref());
            let trust = self.trust_penalty(clue, &w.as_ref().to_lowercase());
            assoc.score(&said, &self.profile(&assoc, w.as_ref())) + again - trust
        };
        words.iter().map(score).collect()
    }

    /// Features of the association model for a clue and some words.
    pub fn features<S: AsRef<str>>(&self, clue: &str, words: &[S]) -> Vec<[f32; COUNT]> {
        let assoc = self.assoc();
        let said = self.profile(&assoc, clue);
        words.iter().map(|w| assoc.features(&said, &self.profile(&assoc, w.as_ref()))).collect()
    }

    /// The association model's weights.
    pub fn weights(&self) -> &AssocWeights {
        &self.weights
    }

    /// Logits of every known clue for one board word, by one model.
    pub fn column(&self, model: ScoringModel, word: &str) -> Arc<[f32]> {
        let listed = model.layer().and_then(|layer| self.matrix.get()?.column(layer, word));
        if let Some(column) = listed {
            return column.into_iter().map(|x| x * model.sharpness()).collect();
        }
        let key = (model, word.to_owned());
        if let Some(column) = self.columns.lock().expect("no thread panics while it holds this lock").get(&key) {
            return Arc::clone(column);
        }
        let column: Arc<[f32]> = self.compute(model, word).into_iter().map(|x| x * model.sharpness()).collect();
        self.keep(key, Arc::clone(&column));
        column
    }

    fn keep(&self, key: (ScoringModel, String), column: Arc<[f32]>) {
        let mut columns = self.columns.lock().expect("no thread panics while it holds this lock");
        if columns.len() >= MAX_COLUMNS {
            columns.clear();
        }
        columns.insert(key, column);
    }

    /// Computes the columns of board words that are not in the matrix, in one pass over the clues.
    pub fn prepare(&self, words: &[&str]) {
        let missing: Vec<&str> = {
            let columns = self.columns.lock().expect("no thread panics while it holds this lock");
            let listed = |w: &str| self.matrix.get().is_some_and(|m| m.contains(w));
            words
                .iter()
                .copied()
                .filter(|w| !listed(w) && !columns.contains_key(&(ScoringModel::Strong, (*w).to_owned())))
                .collect()
        };
        if missing.is_empty() {
            return;
        }
        let assoc = self.assoc();
        let targets: Vec<Arc<WordProfile>> = missing.iter().map(|w| self.profile(&assoc, w)).collect();
        let own: Vec<Option<Arc<OwnSources>>> = missing.iter().map(|w| self.own_sources_of(w)).collect();
        let rows: Vec<Vec<[f32; FITTED]>> = self
            .clues
            .par_iter()
            .map(|&id| {
                let clue = assoc.profile(self.language.words().text(id));
                let trust = |own: &Option<Arc<OwnSources>>| {
                    own.as_ref().map_or(0.0, |own| own.trust(&self.language, id).operative_penalty())
                };
                targets.iter().zip(&own).map(|(t, own)| self.sums(&assoc.features(&clue, t), trust(own))).collect()
            })
            .collect();
        for (k, word) in missing.iter().enumerate() {
            for (layer, model) in ScoringModel::FITTED.into_iter().enumerate() {
                let column = rows.iter().map(|row| row[k][layer] * model.sharpness()).collect();
                self.keep((model, (*word).to_owned()), column);
            }
        }
    }

    fn compute(&self, model: ScoringModel, word: &str) -> Vec<f32> {
        match model {
            ScoringModel::Strong | ScoringModel::Usage | ScoringModel::Definitions => {
                let assoc = self.assoc();
                let target = assoc.profile(word);
                let layer = model.layer().unwrap_or_default();
                let own = self.own_sources_of(word);
                let score = |&id: &WordId| {
                    let trust = own.as_ref().map_or(0.0, |own| own.trust(&self.language, id).operative_penalty());
                    let clue = assoc.profile(self.language.words().text(id));
                    self.sums(&assoc.features(&clue, &target), trust)[layer]
                };
                self.clues.par_iter().map(score).collect()
            }
            ScoringModel::Vectors => match self.language.vector(word) {
                Some(vector) => {
                    let query = self.language.vectors().query(&vector);
                    self.clues.iter().map(|&id| self.language.vectors().compare(&query, id)).collect()
                }
                None => vec![0.0; self.clues.len()],
            },
            ScoringModel::Glosses => {
                let vectors = get_or_compute(&self.gloss_vectors, || {
                    self.clues.par_iter().map(|&id| definitions::vector(&self.language, id)).collect()
                });
                let target = DefinitionProfile::new(&self.language, word);
                let mention = |&clue: &WordId| if target.mentions(&self.language, clue) { DEFINITION } else { 0.0 };
                let score = |(clue, v): (&WordId, &Vec<f32>)| dot(v, &target.vector) + mention(clue);
                self.clues.iter().zip(vectors).map(score).collect()
            }
            ScoringModel::Jares => {
                // the combination is symmetric except for words without a vector of their own
                let known = JaresProfile::new(&self.language, &self.readings, self.lines(), word);
                let cosines = self.compute(ScoringModel::Vectors, word);
                self.clues.iter().zip(cosines).map(|(&id, cosine)| known.similarity(&[id], cosine)).collect()
            }
        }
    }

    fn profiles(&self, assoc: &Assoc<'_>, clues: &[WordId]) -> Vec<WordProfile> {
        clues.par_iter().map(|&id| assoc.profile(self.language.words().text(id))).collect()
    }

    /// The links of a clue and a word, strongest first.
    pub fn reasons(&self, clue: &str, word: &str) -> Vec<LinkReason> {
        let assoc = self.assoc();
        assoc.explain(&self.profile(&assoc, clue), &self.profile(&assoc, word))
    }
}

/// The value of a cell, computed on first use. A caller does not wait for another thread that computes it, because that
/// thread may run at idle priority.
fn get_or_compute<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    if let Some(value) = cell.get() {
        return value;
    }
    let _ = cell.set(make());
    cell.get().expect("it was set just now")
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
