//! Vectors in files of other programs: word2vec text and binary, fastText `.vec` and `.bin`.
//!
//! [`read`] recognises the format; [`WordVectors`] answers the same questions for all of them.
//! Quantised fastText models are refused with a clear message.

mod fasttext;
mod word2vec;

pub(crate) use fasttext::subword_buckets;
pub use fasttext::{FastText, FastTextSettings};
pub use word2vec::{write_binary, write_text};

use crate::vectors::{cosine, normalise, top};
use crate::words::WordId;
use std::collections::HashMap;

/// Why a file of vectors could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Cut short: what was being read and at which byte.
    #[error("the file ends at byte {at} while reading {what}")]
    Short { what: &'static str, at: usize },
    /// Something is not as the format wants it.
    #[error("{0}")]
    Wrong(String),
}

/// Words with vectors of floats, as files of other programs hold them.
#[derive(Clone, Debug, Default)]
pub struct WordVectors {
    words: Vec<String>,
    index: HashMap<String, usize>,
    dim: usize,
    data: Vec<f32>,
    subwords: Option<FastText>,
}

impl WordVectors {
    /// Vectors of the given words, one after another in `data`.
    ///
    /// # Errors
    /// If the numbers do not fit the words.
    pub fn new(words: Vec<String>, dim: usize, data: Vec<f32>) -> Result<WordVectors, FileError> {
        if words.len().checked_mul(dim) != Some(data.len()) {
            return Err(FileError::Wrong(format!(
                "{} words of {dim} numbers need {} numbers, not {}",
                words.len(),
                words.len().saturating_mul(dim),
                data.len()
            )));
        }
        let mut index = HashMap::with_capacity(words.len());
        for (i, w) in words.iter().enumerate() {
            index.entry(w.clone()).or_insert(i);
        }
        Ok(WordVectors { words, index, dim, data, subwords: None })
    }

    /// Numbers in a vector.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// All words in the order of the file.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The vector of the word at a place.
    pub fn row(&self, i: usize) -> &[f32] {
        &self.data[i * self.dim..][..self.dim]
    }

    /// The vector of a word: as stored, or from its n-grams if the model has them.
    pub fn vector(&self, word: &str) -> Option<Vec<f32>> {
        match self.index.get(word) {
            Some(&i) => Some(self.row(i).to_vec()),
            None => self.subwords.as_ref()?.vector(word),
        }
    }

    /// Cosine of two words.
    pub fn similarity(&self, a: &str, b: &str) -> Option<f32> {
        Some(cosine(&self.vector(a)?, &self.vector(b)?))
    }

    /// Words nearest to the sum of some words less others, those words left out.
    pub fn nearest(&self, plus: &[&str], minus: &[&str], n: usize) -> Option<Vec<(&str, f32)>> {
        let mut sum = vec![0.0; self.dim];
        for (list, sign) in [(plus, 1.0), (minus, -1.0)] {
            for word in list {
                let mut v = self.vector(word)?;
                normalise(&mut v);
                sum.iter_mut().zip(&v).for_each(|(s, x)| *s += sign * x);
            }
        }
        let scores: Vec<f32> = (0..self.words.len()).map(|i| cosine(self.row(i), &sum)).collect();
        let asked = |w: WordId| {
            let word = self.words[w.index()].as_str();
            !plus.contains(&word) && !minus.contains(&word)
        };
        Some(top(&scores, n, asked).into_iter().map(|(w, s)| (self.words[w.index()].as_str(), s)).collect())
    }
}

/// Reads a file of any of the formats.
///
/// # Errors
/// If it is none of them, cut short, damaged or quantised.
pub fn read(bytes: &[u8]) -> Result<WordVectors, FileError> {
    if FastText::recognises(bytes) {
        return FastText::read(bytes).map(FastText::into_vectors);
    }
    word2vec::read(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn fixture(name: &str) -> Vec<u8> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/semantics").join(name);
        std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// Vectors that the writing program itself reports, as `word x x x` lines.
    fn expected(name: &str) -> Vec<(String, Vec<f32>)> {
        let text = String::from_utf8(fixture(name)).unwrap();
        let line = |l: &str| {
            let mut f = l.split(' ');
            (f.next().unwrap().to_owned(), f.map(|x| x.parse().unwrap()).collect())
        };
        text.lines().map(line).collect()
    }

    fn agrees(vectors: &WordVectors, name: &str) {
        for (word, v) in expected(name) {
            let ours = vectors.vector(&word).unwrap_or_else(|| panic!("{word} has no vector"));
            let gap = ours.iter().zip(&v).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(gap < 1e-4, "{word}: {ours:?} instead of {v:?}");
        }
    }

    #[test]
    fn files_of_gensim_are_read() {
        for file in ["gensim.txt", "gensim.bin"] {
            agrees(&read(&fixture(file)).unwrap(), "gensim.expected");
        }
    }

    #[test]
    fn fasttext_models_are_read_with_unknown_words() {
        // the expected vectors include words that the model never saw
        let model = read(&fixture("gensim-fasttext.bin")).unwrap();
        agrees(&model, "gensim-fasttext.expected");
        let vec = read(&write_text(&model)).unwrap();
        assert!(vec.vector("nosuchwordanywhere").is_none(), "the text form has no n-grams");
    }

    #[test]
    fn files_of_fasttext_itself_are_read() {
        agrees(&read(&fixture("fasttext.bin")).unwrap(), "fasttext.expected");
        let vec = read(&fixture("fasttext.vec")).unwrap();
        for (word, v) in expected("fasttext.expected").iter().filter(|(w, _)| vec.words().contains(w)) {
            let ours = vec.vector(word).unwrap();
            assert!(ours.iter().zip(v).all(|(a, b)| (a - b).abs() < 1e-5), "{word}");
        }
        let model = FastText::read(&fixture("fasttext.bin")).unwrap();
        assert_eq!(model.write(), fixture("fasttext.bin"), "byte for byte");
    }

    #[test]
    fn quantised_models_are_refused() {
        let e = read(&fixture("fasttext.ftz")).unwrap_err().to_string();
        assert!(e.contains("quantised") && e.contains(".bin"), "{e}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let v = read(&fixture("gensim.txt")).unwrap();
        for bytes in [write_text(&v), write_binary(&v)] {
            let again = read(&bytes).unwrap();
            assert_eq!(again.words(), v.words());
            assert!(again.data.iter().zip(&v.data).all(|(a, b)| (a - b).abs() < 1e-6));
        }
        let model = FastText::read(&fixture("gensim-fasttext.bin")).unwrap();
        assert_eq!(model.write(), fixture("gensim-fasttext.bin"), "byte for byte");
    }

    #[test]
    fn analogies_and_negative_words() {
        let data = vec![1.0, 0.0, 1.0, 1.0, -1.0, 0.0, -1.0, 1.0];
        let v = WordVectors::new(["man", "king", "woman", "queen"].map(String::from).into(), 2, data).unwrap();
        assert_eq!(v.nearest(&["king", "woman"], &["man"], 1).unwrap()[0].0, "queen");
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let seeds = ["gensim.txt", "gensim.bin", "fasttext.bin", "fasttext.ftz"].map(fixture);
        bolero::check!().with_type::<(u8, Vec<(u16, u8)>, u16)>().for_each(|(which, edits, cut)| {
            let mut bytes = seeds[*which as usize % seeds.len()].clone();
            for &(at, value) in edits {
                let at = at as usize % bytes.len().min(4096);
                bytes[at] = value;
            }
            bytes.truncate(bytes.len() - (*cut as usize % bytes.len()));
            if let Ok(v) = read(&bytes) {
                let _ = v.vector("anything");
            }
        });
    }
}
