//! One language as the players use it: its words, its clues and the scores between them.

use super::study::Known;
use super::{Matrix, MatrixError, Model, WEIGHTS, glosses};
use rayon::prelude::*;
use semantics::assoc::{Profile, Reason, Weights};
use semantics::words::WordFlags;
use semantics::{Assoc, Language, WordId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// How many different clues the computer knows per language, commonest first.
const CLUES: usize = 9_000;
/// Columns kept in memory before the store is emptied.
const KEPT: usize = 2_400;

/// A language with its board words and everything the players ask of it.
pub struct Tongue {
    language: Language,
    boards: Vec<String>,
    weights: Weights,
    clues: Vec<WordId>,
    matrix: Option<Matrix>,
    gloss_vectors: OnceLock<Vec<Vec<f32>>>,
    columns: Mutex<HashMap<(Model, String), Arc<[f32]>>>,
}

impl Tongue {
    /// A language with the shipped weights and the text of its list of board words (one per line, `#` comments).
    pub fn new(language: Language, boards: &str) -> Tongue {
        let weights = serde_json::from_str(WEIGHTS).expect("the shipped weights are checked by a test");
        Tongue::with_weights(language, boards, weights)
    }

    /// The same with other weights, for instance fitted on other turns.
    pub fn with_weights(language: Language, boards: &str, weights: Weights) -> Tongue {
        let boards = boards.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
        let clues = clues(&language);
        Tongue {
            boards: boards.map(str::to_owned).collect(),
            clues,
            language,
            weights,
            matrix: None,
            gloss_vectors: OnceLock::new(),
            columns: Mutex::default(),
        }
    }

    /// Takes over the file with computed scores, or says why it does not fit.
    pub fn use_matrix(&mut self, bytes: &[u8]) -> Result<(), MatrixError> {
        self.matrix = Some(Matrix::from_bytes(bytes, self.fingerprint())?);
        Ok(())
    }

    /// Computes the scores of all clues for all board words; `done` hears of each finished word.
    pub fn make_matrix(&self, done: impl Fn(usize) + Sync) -> Matrix {
        let assoc = self.assoc();
        let profiles = self.profiles(&assoc);
        let finished = std::sync::atomic::AtomicUsize::new(0);
        let columns: Vec<(String, Vec<f32>)> = self
            .boards
            .par_iter()
            .map(|word| {
                let target = assoc.profile(word);
                let column = profiles.iter().map(|clue| assoc.score(clue, &target)).collect();
                done(finished.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
                (word.clone(), column)
            })
            .collect();
        Matrix::new(self.fingerprint(), self.clues.len(), &columns)
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

    /// How common a clue is (Zipf frequency).
    pub fn zipf(&self, at: usize) -> f32 {
        self.language.zipf(self.clues[at])
    }

    /// The association model with this tongue's weights.
    pub fn assoc(&self) -> Assoc<'_> {
        Assoc::with(&self.language, &self.weights)
    }

    /// Logits of a clue in anybody's words for some board words, by one model.
    pub fn scores<S: AsRef<str>>(&self, model: Model, clue: &str, words: &[S]) -> Vec<f32> {
        let raw: Vec<f32> = match model {
            Model::Strong => {
                let assoc = self.assoc();
                let clue = assoc.profile(clue);
                words.iter().map(|w| assoc.score(&clue, &assoc.profile(w.as_ref()))).collect()
            }
            Model::Vectors => words.iter().map(|w| self.language.similarity(clue, w.as_ref()).unwrap_or(0.0)).collect(),
            Model::Glosses => {
                let of = |text: &str| self.language.find_form(text).map(|id| glosses::vector(&self.language, id));
                let clue = of(&clue.to_lowercase());
                let with = |word: Option<Vec<f32>>| match (&clue, word) {
                    (Some(c), Some(w)) => dot(c, &w),
                    _ => 0.0,
                };
                words.iter().map(|w| with(of(&w.as_ref().to_lowercase()))).collect()
            }
            Model::Study => {
                let known = Known::new(&self.language, clue);
                words
                    .iter()
                    .map(|w| {
                        let word = w.as_ref().to_lowercase();
                        let cosine = self.language.similarity(clue, &word).unwrap_or(0.0);
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

    /// Logits of every known clue for one board word, by one model.
    pub fn column(&self, model: Model, word: &str) -> Arc<[f32]> {
        let key = (model, word.to_owned());
        if let Some(column) = self.columns.lock().expect("nobody panics with the columns").get(&key) {
            return Arc::clone(column);
        }
        let column: Arc<[f32]> = self.compute(model, word).into_iter().map(|x| x * model.sharpness()).collect();
        let mut columns = self.columns.lock().expect("nobody panics with the columns");
        if columns.len() >= KEPT {
            columns.clear();
        }
        columns.insert(key, Arc::clone(&column));
        column
    }

    fn compute(&self, model: Model, word: &str) -> Vec<f32> {
        match model {
            Model::Strong => self.matrix.as_ref().and_then(|m| m.column(word)).unwrap_or_else(|| {
                let assoc = self.assoc();
                let target = assoc.profile(word);
                let score = |&id: &WordId| assoc.score(&assoc.profile(self.language.words().text(id)), &target);
                self.clues.par_iter().map(score).collect()
            }),
            Model::Vectors => match self.language.vector(word) {
                Some(vector) => {
                    let query = self.language.vectors().query(&vector);
                    self.clues.iter().map(|&id| self.language.vectors().compare(&query, id)).collect()
                }
                None => vec![0.0; self.clues.len()],
            },
            Model::Glosses => {
                let vectors = self
                    .gloss_vectors
                    .get_or_init(|| self.clues.par_iter().map(|&id| glosses::vector(&self.language, id)).collect());
                let target = self.language.find_form(word).map(|id| glosses::vector(&self.language, id));
                target.map_or_else(|| vec![0.0; vectors.len()], |t| vectors.iter().map(|v| dot(v, &t)).collect())
            }
            Model::Study => {
                // the combination is the same from either side except for words without a vector of their own
                let known = Known::new(&self.language, word);
                let cosines = self.compute(Model::Vectors, word);
                self.clues.iter().zip(cosines).map(|(&id, cosine)| known.similarity(&[id], cosine)).collect()
            }
        }
    }

    fn profiles(&self, assoc: &Assoc<'_>) -> Vec<Profile> {
        self.clues.par_iter().map(|&id| assoc.profile(self.language.words().text(id))).collect()
    }

    /// What links a clue and a word, strongest first.
    pub fn reasons(&self, clue: &str, word: &str) -> Vec<Reason> {
        let assoc = self.assoc();
        assoc.explain(&assoc.profile(clue), &assoc.profile(word))
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Words fit to be clues: base forms that say something, written with letters alone, commonest first.
fn clues(language: &Language) -> Vec<WordId> {
    let words = language.words();
    let spoken = WordFlags::NOUN | WordFlags::ADJECTIVE | WordFlags::VERB;
    words
        .iter()
        .filter(|(id, text)| {
            let flags = words.flags(*id);
            flags.has(WordFlags::LEMMA)
                && flags.0 & spoken != 0
                && !flags.has(WordFlags::STOP)
                && !flags.has(WordFlags::NAME)
                && language.vectors().has(*id)
                && text.chars().count() >= 3
                && text.chars().all(char::is_alphabetic)
        })
        .map(|(id, _)| id)
        .take(CLUES)
        .collect()
}
