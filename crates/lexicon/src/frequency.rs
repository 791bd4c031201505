//! Word frequencies, for levels that play only common words.

use crate::alphabet::{Alphabet, Tile};
use std::collections::HashMap;

/// Words with how often they occur, on the Zipf scale (log10 of occurrences in a thousand million words).
#[derive(Clone, Debug, Default)]
pub struct Frequencies {
    zipf: HashMap<Box<[Tile]>, f32>,
}

/// A line of a frequency file that cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("frequencies, line {line}: expected `WORD<tab>ZIPF`, found {found:?}")]
pub struct FrequencyError {
    pub line: usize,
    pub found: String,
}

impl Frequencies {
    /// Reads lines of word, tab, Zipf value; `#` starts a comment; words without tiles are skipped.
    pub fn parse(text: &str, alphabet: &Alphabet) -> Result<Self, FrequencyError> {
        let mut zipf = HashMap::new();
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
            let wrong = || FrequencyError { line: i + 1, found: line.to_owned() };
            let (word, value) = line.split_once('\t').ok_or_else(wrong)?;
            let value: f32 = value.trim().parse().map_err(|_| wrong())?;
            if let Ok(tiles) = alphabet.encode(word) {
                zipf.insert(tiles.into_boxed_slice(), value);
            }
        }
        Ok(Self { zipf })
    }

    /// How common a word is; `None` when it is rarer than everything in the file.
    pub fn zipf(&self, word: &[Tile]) -> Option<f32> {
        self.zipf.get(word).copied()
    }

    /// Number of words with a known frequency.
    pub fn len(&self) -> usize {
        self.zipf.len()
    }

    /// Whether no word is known.
    pub fn is_empty(&self) -> bool {
        self.zipf.is_empty()
    }
}
