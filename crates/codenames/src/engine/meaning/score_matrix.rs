//! Precomputed scores of every clue for every board word.

use super::scoring_model::FITTED;
use std::collections::HashMap;

/// The first eight bytes of a file.
const MAGIC: &[u8; 8] = b"PARLCN02";

/// Why a matrix is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoreMatrixError {
    #[error("not a clue matrix: the first eight bytes are not PARLCN02")]
    Magic,
    #[error("the clue matrix is truncated: {0} bytes")]
    Short(usize),
    #[error(
        "the clue matrix was computed from other packs or weights; compute it again with `parlour codenames matrix`"
    )]
    Stale,
}

/// The scores of all clues for one board word by one model, quantised to 8 bits between their minimum and maximum.
#[derive(Clone, Debug)]
pub struct ScoreColumn {
    range: (f32, f32),
    cells: Vec<u8>,
}

impl ScoreColumn {
    /// Quantises scores: a quarter of the memory while a matrix is computed.
    pub fn new(scores: &[f32]) -> Self {
        let low = scores.iter().copied().fold(f32::INFINITY, f32::min);
        let high = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max).max(low + 1e-6);
        let cells = scores.iter().map(|x| ((x - low) / (high - low) * 255.0).round() as u8).collect();
        Self { range: (low, high), cells }
    }
}

/// The columns of one board word, one per model that is a weighted sum of the association model's features.
pub type ScoreColumns = [ScoreColumn; FITTED];

/// Quantised scores of all clues for all board words.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreMatrix {
    fingerprint: u64,
    clues: usize,
    index: HashMap<String, usize>,
    ranges: Vec<(f32, f32)>,
    cells: Vec<u8>,
}

impl ScoreMatrix {
    /// A matrix from the columns of board words; `fingerprint` identifies the packs and weights they were computed from.
    pub fn new(fingerprint: u64, clues: usize, columns: &[(String, ScoreColumns)]) -> ScoreMatrix {
        let mut matrix =
            ScoreMatrix { fingerprint, clues, index: HashMap::new(), ranges: Vec::new(), cells: Vec::new() };
        for (at, (word, layers)) in columns.iter().enumerate() {
            matrix.index.insert(word.clone(), at);
            for column in layers {
                assert_eq!(column.cells.len(), clues, "every column has a score per clue");
                matrix.ranges.push(column.range);
                matrix.cells.extend(&column.cells);
            }
        }
        matrix
    }

    /// The scores of all clues for a board word by one model, if the word is in the matrix.
    pub fn column(&self, layer: usize, word: &str) -> Option<Vec<f32>> {
        let at = self.index.get(word)? * FITTED + layer;
        let (low, high) = self.ranges[at];
        let step = (high - low) / 255.0;
        Some(self.cells[at * self.clues..][..self.clues].iter().map(|&b| low + f32::from(b) * step).collect())
    }

    /// Whether a board word is in the matrix.
    pub fn contains(&self, word: &str) -> bool {
        self.index.contains_key(word)
    }

    /// Quantisation step of a board word's scores by the first model.
    pub fn step(&self, word: &str) -> Option<f32> {
        self.index.get(word).map(|&at| self.ranges[at * FITTED]).map(|(low, high)| (high - low) / 255.0)
    }

    /// Number of board words.
    pub fn words(&self) -> usize {
        self.index.len()
    }

    /// Serialises the matrix.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut words: Vec<(&String, &usize)> = self.index.iter().collect();
        words.sort_by_key(|(_, at)| **at);
        let mut out = MAGIC.to_vec();
        out.extend(self.fingerprint.to_le_bytes());
        out.extend((self.clues as u32).to_le_bytes());
        out.extend((words.len() as u32).to_le_bytes());
        for (word, &at) in words {
            out.extend((word.len() as u32).to_le_bytes());
            out.extend(word.as_bytes());
            for (low, high) in &self.ranges[at * FITTED..][..FITTED] {
                out.extend(low.to_le_bytes());
                out.extend(high.to_le_bytes());
            }
        }
        out.extend(&self.cells);
        out
    }

    /// Reads a file and checks its fingerprint.
    pub fn from_bytes(bytes: &[u8], fingerprint: u64) -> Result<ScoreMatrix, ScoreMatrixError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(ScoreMatrixError::Magic)?;
        let short = || ScoreMatrixError::Short(bytes.len());
        let mut take = |n: usize| {
            let (head, tail) = rest.split_at_checked(n).ok_or_else(short)?;
            rest = tail;
            Ok::<&[u8], ScoreMatrixError>(head)
        };
        let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let real = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let made = take(8)?;
        if made != fingerprint.to_le_bytes() {
            return Err(ScoreMatrixError::Stale);
        }
        let clues = word(take(4)?) as usize;
        let words = word(take(4)?) as usize;
        let mut index = HashMap::new();
        let mut ranges = Vec::new();
        for at in 0..words {
            let length = word(take(4)?) as usize;
            let text = String::from_utf8_lossy(take(length)?).into_owned();
            for _ in 0..FITTED {
                ranges.push((real(take(4)?), real(take(4)?)));
            }
            index.insert(text, at);
        }
        let size = clues.checked_mul(words).and_then(|n| n.checked_mul(FITTED)).ok_or_else(short)?;
        let cells = take(size)?.to_vec();
        Ok(ScoreMatrix { fingerprint, clues, index, ranges, cells })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_back_within_a_step() {
        let flat = vec![0.0, 0.0, 0.0];
        let columns = vec![
            ("car".to_owned(), [vec![-1.0, 0.25, 3.0], vec![0.5, 0.0, 1.0], flat.clone()]),
            ("sea".to_owned(), [flat.clone(), flat, vec![2.0, 1.0, 1.5]]),
        ];
        let packed: Vec<(String, ScoreColumns)> = columns
            .iter()
            .map(|(word, layers)| (word.clone(), layers.each_ref().map(|scores| ScoreColumn::new(scores))))
            .collect();
        let bytes = ScoreMatrix::new(9, 3, &packed).to_bytes();
        let back = ScoreMatrix::from_bytes(&bytes, 9).unwrap();
        assert_eq!(back.words(), 2);
        for (word, layers) in &columns {
            for (layer, column) in layers.iter().enumerate() {
                for (a, b) in column.iter().zip(back.column(layer, word).unwrap()) {
                    assert!((a - b).abs() < 0.02, "{a} {b}");
                }
            }
        }
        assert_eq!(ScoreMatrix::from_bytes(&bytes, 8), Err(ScoreMatrixError::Stale));
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let good = ScoreMatrix::new(1, 2, &[("a".to_owned(), std::array::from_fn(|_| ScoreColumn::new(&[1.0, 2.0])))])
            .to_bytes();
        for end in 0..good.len() {
            assert!(ScoreMatrix::from_bytes(&good[..end], 1).is_err());
        }
        bolero::check!().with_iterations(2000).for_each(|bytes: &[u8]| {
            let mut all = MAGIC.to_vec();
            all.extend(1u64.to_le_bytes());
            all.extend(bytes);
            let _ = ScoreMatrix::from_bytes(&all, 1);
        });
    }
}
