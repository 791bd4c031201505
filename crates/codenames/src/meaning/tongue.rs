//! One language as the players use it: its words, its clues and the scores between them.

use super::glosses::Defined;
use super::model::FITTED;
use super::native::{Doubt, Native};
use super::study::{DEFINITION, Known, forms};
use super::{Column, Columns, Lines, Matrix, MatrixError, Model, Person, clues, glosses};
use rayon::prelude::*;
use semantics::assoc::features::{COUNT, NAMES};
use semantics::assoc::{Kit, Profile, Reason, Weights};
use semantics::logit;
use semantics::{Assoc, Language, Readings, WordId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// Columns kept in memory before the store is emptied.
const KEPT: usize = 1_000;
/// Profiles of words kept in memory before the store is emptied.
const KNOWN: usize = 800;
/// Scores of a matrix that are computed anew before it is trusted.
const PROBES: usize = 48;

/// Clues whose profiles are in memory at once while a matrix is made.
const AT_ONCE: usize = 512;

/// A board word while the scores of all clues for it are computed.
struct Scored {
    word: String,
    target: Profile,
    doubts: Option<Vec<Doubt>>,
    columns: [Vec<f32>; FITTED],
}

/// A language with its board words and everything the players ask of it.
pub struct Tongue {
    language: Language,
    boards: Vec<String>,
    weights: Weights,
    clues: Vec<WordId>,
    matrix: OnceLock<Matrix>,
    gloss_vectors: OnceLock<Vec<Vec<f32>>>,
    lines: OnceLock<Lines>,
    columns: Mutex<HashMap<(Model, String), Arc<[f32]>>>,
    natives: Mutex<HashMap<String, Option<Arc<Native>>>>,
    kit: Arc<Kit>,
    /// Weights of the features, by model.
    sums: [Vec<f32>; FITTED],
    known: Mutex<HashMap<String, Arc<Profile>>>,
    readings: Readings,
}

impl Tongue {
    /// A language with the shipped weights, the text of its list of board words and of the words that are never said as
    /// clues (one per line, `#` comments).
    pub fn new(language: Language, boards: &str, unsaid: &str) -> Tongue {
        Tongue::with_weights(language, boards, unsaid, Weights::shipped())
    }

    /// The same with other weights, for instance fitted on other turns.
    pub fn with_weights(language: Language, boards: &str, unsaid: &str, weights: Weights) -> Tongue {
        let boards = boards.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
        let clues = clues::vocabulary(&language, unsaid);
        let kit = Arc::new(Kit::new(&language, &weights));
        let weight = |name: &str| weights.features.get(name).copied().unwrap_or(0.0);
        let part = |model: Model| NAMES.iter().map(|n| if model.counts(n) { weight(n) } else { 0.0 }).collect();
        let sums = Model::FITTED.map(part);
        Tongue {
            boards: boards.map(str::to_owned).collect(),
            clues,
            language,
            weights,
            matrix: OnceLock::new(),
            gloss_vectors: OnceLock::new(),
            lines: OnceLock::new(),
            columns: Mutex::default(),
            natives: Mutex::default(),
            kit,
            sums,
            known: Mutex::default(),
            readings: Readings::default(),
        }
    }

    /// The same with the language's ambiguous forms, which the study's player has rules for.
    #[must_use]
    pub fn with_readings(self, readings: Readings) -> Tongue {
        Tongue { readings, ..self }
    }

    /// Takes over the file with computed scores, or says why it does not fit.
    pub fn use_matrix(&self, bytes: &[u8]) -> Result<(), MatrixError> {
        let matrix = Matrix::from_bytes(bytes, self.fingerprint())?;
        let assoc = self.assoc();
        let step = (self.boards.len() / PROBES).max(1);
        for (k, word) in self.boards.iter().map(|w| w.to_lowercase()).enumerate().step_by(step) {
            let Some((column, grain)) = matrix.column(0, &word).zip(matrix.grain(&word)) else { continue };
            // a word that was written for it by hand, since those lists change most
            let target = assoc.profile(&word);
            let hand = target.id.into_iter().flat_map(|id| self.language.hand().of(id)).map(|w| w.0);
            let at = hand.filter_map(|id| self.clues.iter().position(|c| *c == id)).next();
            let at = at.unwrap_or(k * 97 % self.clues.len().max(1));
            let Some(&clue) = self.clues.get(at) else { continue };
            let said = self.language.words().text(clue);
            let fresh = assoc.score(&assoc.profile(said), &target) - self.doubt(said, &word);
            if (fresh - column[at]).abs() > grain + 0.02 {
                return Err(MatrixError::Stale);
            }
        }
        let _ = self.matrix.set(matrix);
        Ok(())
    }

    /// Whether the scores of all clues for all board words are at hand.
    pub fn filled(&self) -> bool {
        self.matrix.get().is_some()
    }

    /// Computes the scores that no file gave, for idle time at the start: without them the first clue of a board takes
    /// seconds instead of milliseconds.
    pub fn fill(&self) {
        if self.matrix.get().is_none() {
            let _ = self.matrix.set(self.make_matrix(|_| {}));
        }
    }

    /// Computes the scores of all clues for all board words; `done` hears how many words' worth of work is finished.
    /// Clues are taken some at a time: what is known of all of them at once would take more memory than the scores.
    pub fn make_matrix(&self, done: impl Fn(usize)) -> Matrix {
        let assoc = self.assoc();
        let mut scored: Vec<Scored> = self
            .boards
            .par_iter()
            .map(|word| {
                let word = word.to_lowercase();
                let (target, doubts) = (assoc.profile(&word), self.doubts(&word));
                Scored { word, target, doubts, columns: [const { Vec::new() }; FITTED] }
            })
            .collect();
        for first in (0..self.clues.len()).step_by(AT_ONCE) {
            let clues = &self.clues[first..self.clues.len().min(first + AT_ONCE)];
            let profiles = self.profiles(&assoc, clues);
            scored.par_iter_mut().for_each(|scored| {
                for (at, clue) in (first..).zip(&profiles) {
                    let doubt = scored.doubts.as_ref().map_or(0.0, |doubts| doubts[at].heard());
                    let sums = self.sums(&assoc.features(clue, &scored.target), doubt);
                    scored.columns.iter_mut().zip(sums).for_each(|(column, sum)| column.push(sum));
                }
            });
            done(self.boards.len() * (first + clues.len()) / self.clues.len());
        }
        let columns: Vec<(String, Columns)> =
            scored.into_iter().map(|scored| (scored.word, scored.columns.map(|scores| Column::new(&scores)))).collect();
        Matrix::new(self.fingerprint(), self.clues.len(), &columns)
    }

    /// The models that are sums of the association model's features; the whole model knows what is to be doubted.
    fn sums(&self, features: &[f32; COUNT], doubt: f32) -> [f32; FITTED] {
        let mut sums = self.sums.each_ref().map(|weights| logit::score(weights, features));
        sums[0] -= doubt;
        sums
    }

    /// What the language's own sources know of a board word, where everything else comes by way of English.
    fn native(&self, word: &str) -> Option<Arc<Native>> {
        if let Some(native) = self.natives.lock().expect("nobody panics with the own sources").get(word) {
            return native.clone();
        }
        let native = Native::new(&self.language, word).map(Arc::new);
        let mut natives = self.natives.lock().expect("nobody panics with the own sources");
        if natives.len() >= KNOWN {
            natives.clear();
        }
        natives.insert(word.to_owned(), native.clone());
        native
    }

    /// How far the links of a board word to each known clue are to be trusted; nothing if the language does not lean on
    /// another.
    pub fn doubts(&self, word: &str) -> Option<Vec<Doubt>> {
        let own = self.native(word)?;
        Some(self.clues.iter().map(|&clue| own.doubt(&self.language, clue)).collect())
    }

    /// What the link of a board word to a clue in anybody's words loses.
    fn doubt(&self, clue: &str, word: &str) -> f32 {
        let said = self.language.find_form(clue);
        said.and_then(|id| Some(self.native(word)?.doubt(&self.language, id).heard())).unwrap_or(0.0)
    }

    /// Changes when vocabulary, clues or weights change, so that an old matrix is not used with them.
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

    /// How many clues are known.
    pub fn clue_count(&self) -> usize {
        self.clues.len()
    }

    /// The text of a clue by its place in the columns.
    pub fn clue(&self, at: usize) -> &str {
        self.language.words().text(self.clues[at])
    }

    /// The place of a clue in the columns, if it is one the computer knows.
    pub fn place(&self, clue: &str) -> Option<usize> {
        let id = self.language.words().id(clue)?;
        self.clues.iter().position(|&c| c == id)
    }

    /// How common a clue is (Zipf frequency).
    pub fn zipf(&self, at: usize) -> f32 {
        self.language.zipf(self.clues[at])
    }

    /// The association model with this tongue's weights.
    pub fn assoc(&self) -> Assoc<'_> {
        Assoc::from_kit(&self.language, Arc::clone(&self.kit))
    }

    /// How often words stand in the lines of the texts that ship; counted when first asked for.
    fn lines(&self) -> &Lines {
        made(&self.lines, || Lines::new(&self.language))
    }

    /// What is known of a word, from memory if it was asked before.
    fn profile(&self, assoc: &Assoc<'_>, text: &str) -> Arc<Profile> {
        if let Some(profile) = self.known.lock().expect("nobody panics with the profiles").get(text) {
            return Arc::clone(profile);
        }
        let profile = Arc::new(assoc.profile(text));
        let mut known = self.known.lock().expect("nobody panics with the profiles");
        if known.len() >= KNOWN {
            known.clear();
        }
        known.insert(text.to_owned(), Arc::clone(&profile));
        profile
    }

    /// Logits of a clue in anybody's words for some board words, by one model.
    pub fn scores<S: AsRef<str>>(&self, model: Model, clue: &str, words: &[S]) -> Vec<f32> {
        let raw: Vec<f32> = match model {
            Model::Strong | Model::Usage | Model::Definitions => {
                let layer = model.layer().unwrap_or_default();
                let doubt = |word: &S| self.doubt(clue, &word.as_ref().to_lowercase());
                let all = self.features(clue, words);
                all.iter().zip(words).map(|(f, word)| self.sums(f, doubt(word))[layer]).collect()
            }
            Model::Vectors => words.iter().map(|w| self.language.similarity(clue, w.as_ref()).unwrap_or(0.0)).collect(),
            Model::Glosses => {
                let said = Defined::new(&self.language, &clue.to_lowercase());
                let with = |word: &str| {
                    let there = forms(&self.language, word);
                    let near = dot(&said.vector, &glosses::of_text(&self.language, word));
                    let mentioned = there.iter().any(|&id| said.mentions(&self.language, id));
                    near + if mentioned { DEFINITION } else { 0.0 }
                };
                words.iter().map(|w| with(&w.as_ref().to_lowercase())).collect()
            }
            Model::Study => {
                let known = Known::new(&self.language, &self.readings, self.lines(), clue);
                words
                    .iter()
                    .map(|w| {
                        let word = w.as_ref().to_lowercase();
                        // vectors that were learned from plain text know a form better than its base form does
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

    /// Logits of the association model as one person seems to think.
    pub fn scores_for<S: AsRef<str>>(&self, person: &Person, clue: &str, words: &[S]) -> Vec<f32> {
        if person.is_nobody() {
            return self.scores(Model::Strong, clue, words);
        }
        let kit = Arc::new(self.kit.scaled(|feature| person.factor(feature)));
        let assoc = Assoc::from_kit(&self.language, kit);
        let said = self.profile(&assoc, clue);
        let score = |w: &S| {
            let again = person.again(clue, w.as_ref());
            let doubt = self.doubt(clue, &w.as_ref().to_lowercase());
            assoc.score(&said, &self.profile(&assoc, w.as_ref())) + again - doubt
        };
        words.iter().map(score).collect()
    }

    /// The association model's features of a clue and some words.
    pub fn features<S: AsRef<str>>(&self, clue: &str, words: &[S]) -> Vec<[f32; COUNT]> {
        let assoc = self.assoc();
        let said = self.profile(&assoc, clue);
        words.iter().map(|w| assoc.features(&said, &self.profile(&assoc, w.as_ref()))).collect()
    }

    /// The association model's weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Logits of every known clue for one board word, by one model.
    pub fn column(&self, model: Model, word: &str) -> Arc<[f32]> {
        let listed = model.layer().and_then(|layer| self.matrix.get()?.column(layer, word));
        if let Some(column) = listed {
            return column.into_iter().map(|x| x * model.sharpness()).collect();
        }
        let key = (model, word.to_owned());
        if let Some(column) = self.columns.lock().expect("nobody panics with the columns").get(&key) {
            return Arc::clone(column);
        }
        let column: Arc<[f32]> = self.compute(model, word).into_iter().map(|x| x * model.sharpness()).collect();
        self.keep(key, Arc::clone(&column));
        column
    }

    fn keep(&self, key: (Model, String), column: Arc<[f32]>) {
        let mut columns = self.columns.lock().expect("nobody panics with the columns");
        if columns.len() >= KEPT {
            columns.clear();
        }
        columns.insert(key, column);
    }

    /// Computes what the matrix does not hold of some board words, all in one pass over the clues: for own words.
    pub fn prepare(&self, words: &[&str]) {
        let missing: Vec<&str> = {
            let columns = self.columns.lock().expect("nobody panics with the columns");
            let listed = |w: &str| self.matrix.get().is_some_and(|m| m.lists(w));
            words
                .iter()
                .copied()
                .filter(|w| !listed(w) && !columns.contains_key(&(Model::Strong, (*w).to_owned())))
                .collect()
        };
        if missing.is_empty() {
            return;
        }
        let assoc = self.assoc();
        let targets: Vec<Arc<Profile>> = missing.iter().map(|w| self.profile(&assoc, w)).collect();
        let own: Vec<Option<Arc<Native>>> = missing.iter().map(|w| self.native(w)).collect();
        let rows: Vec<Vec<[f32; FITTED]>> = self
            .clues
            .par_iter()
            .map(|&id| {
                let clue = assoc.profile(self.language.words().text(id));
                let doubt =
                    |own: &Option<Arc<Native>>| own.as_ref().map_or(0.0, |own| own.doubt(&self.language, id).heard());
                targets.iter().zip(&own).map(|(t, own)| self.sums(&assoc.features(&clue, t), doubt(own))).collect()
            })
            .collect();
        for (k, word) in missing.iter().enumerate() {
            for (layer, model) in Model::FITTED.into_iter().enumerate() {
                let column = rows.iter().map(|row| row[k][layer] * model.sharpness()).collect();
                self.keep((model, (*word).to_owned()), column);
            }
        }
    }

    fn compute(&self, model: Model, word: &str) -> Vec<f32> {
        match model {
            Model::Strong | Model::Usage | Model::Definitions => {
                let assoc = self.assoc();
                let target = assoc.profile(word);
                let layer = model.layer().unwrap_or_default();
                let own = self.native(word);
                let score = |&id: &WordId| {
                    let doubt = own.as_ref().map_or(0.0, |own| own.doubt(&self.language, id).heard());
                    let clue = assoc.profile(self.language.words().text(id));
                    self.sums(&assoc.features(&clue, &target), doubt)[layer]
                };
                self.clues.par_iter().map(score).collect()
            }
            Model::Vectors => match self.language.vector(word) {
                Some(vector) => {
                    let query = self.language.vectors().query(&vector);
                    self.clues.iter().map(|&id| self.language.vectors().compare(&query, id)).collect()
                }
                None => vec![0.0; self.clues.len()],
            },
            Model::Glosses => {
                let vectors = made(&self.gloss_vectors, || {
                    self.clues.par_iter().map(|&id| glosses::vector(&self.language, id)).collect()
                });
                let target = Defined::new(&self.language, word);
                let mention = |&clue: &WordId| if target.mentions(&self.language, clue) { DEFINITION } else { 0.0 };
                let score = |(clue, v): (&WordId, &Vec<f32>)| dot(v, &target.vector) + mention(clue);
                self.clues.iter().zip(vectors).map(score).collect()
            }
            Model::Study => {
                // the combination is the same from either side except for words without a vector of their own
                let known = Known::new(&self.language, &self.readings, self.lines(), word);
                let cosines = self.compute(Model::Vectors, word);
                self.clues.iter().zip(cosines).map(|(&id, cosine)| known.similarity(&[id], cosine)).collect()
            }
        }
    }

    fn profiles(&self, assoc: &Assoc<'_>, clues: &[WordId]) -> Vec<Profile> {
        clues.par_iter().map(|&id| assoc.profile(self.language.words().text(id))).collect()
    }

    /// What links a clue and a word, strongest first.
    pub fn reasons(&self, clue: &str, word: &str) -> Vec<Reason> {
        let assoc = self.assoc();
        assoc.explain(&self.profile(&assoc, clue), &self.profile(&assoc, word))
    }
}

/// What a cell holds, made when first asked for. Nobody waits while somebody else makes it: that might be work for idle
/// time, which gives way to everybody.
fn made<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    if let Some(value) = cell.get() {
        return value;
    }
    let _ = cell.set(make());
    cell.get().expect("it was set just now")
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
