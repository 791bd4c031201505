//! A counted matrix, read in place.

use super::CorpusError;
use crate::cooccurrence::{Cooccurrence, Measures};
use crate::pack::Pack;
use crate::words::{Vocabulary, WordId};
use std::path::Path;

/// A counted matrix, mapped into memory.
#[derive(Debug)]
pub struct CountMatrix {
    words: Vocabulary,
    matrix: Cooccurrence,
    weight: f64,
}

impl CountMatrix {
    /// Opens a matrix that [`super::count::count`] wrote.
    ///
    /// # Errors
    /// If the file is missing, damaged or another kind of pack.
    pub fn open(path: &Path) -> Result<CountMatrix, CorpusError> {
        let pack = Pack::open(path)?;
        let words = Vocabulary::open(&pack)?;
        let weight = pack.slice::<f32>("count.weight")?.first().copied().filter(|w| *w > 0.0);
        let weight = weight.ok_or_else(|| pack.damaged("it says no weight of one meeting".into()))?;
        let matrix = Cooccurrence::open(&pack, words.len())?;
        let matrix = matrix.ok_or_else(|| pack.damaged("it holds no matrix".into()))?;
        Ok(CountMatrix { words, matrix, weight: f64::from(weight) })
    }

    /// The vocabulary.
    pub fn words(&self) -> &Vocabulary {
        &self.words
    }

    /// All measures of two words.
    pub fn measures(&self, a: WordId, b: WordId) -> Measures {
        self.of(a, b, self.matrix.count(a, b))
    }

    /// The words that stand together with a word, with all measures, in the order of the vocabulary.
    pub fn row(&self, word: WordId) -> impl Iterator<Item = (WordId, Measures)> + '_ {
        self.matrix.row(word).map(move |(other, count)| (other, self.of(word, other, count)))
    }

    fn of(&self, a: WordId, b: WordId, count: u32) -> Measures {
        let total = |w| f64::from(self.matrix.total(w));
        Measures::new(f64::from(count) / self.weight, total(a), total(b), self.matrix.sentences() as f64)
    }
}
