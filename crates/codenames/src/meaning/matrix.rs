//! Scores of every clue for every board word, computed once and read from a file.

use super::model::FITTED;
use std::collections::HashMap;

/// What stands at the beginning of a file.
const MAGIC: &[u8; 8] = b"PARLCN02";

/// Why a matrix cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    #[error("not a clue matrix: the file begins otherwise")]
    Magic,
    #[error("the clue matrix is cut off after {0} bytes")]
    Short(usize),
    #[error("the clue matrix belongs to other packs or weights; make it again with `parlour codenames matrix`")]
    Stale,
}

/// The scores of all clues for one board word by one model, as bytes between the smallest and the largest.
#[derive(Clone, Debug)]
pub struct Column {
    range: (f32, f32),
    cells: Vec<u8>,
}

impl Column {
    /// Scores as bytes: a quarter of the memory while a matrix is made.
    pub fn new(scores: &[f32]) -> Self {
        let low = scores.iter().copied().fold(f32::INFINITY, f32::min);
        let high = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max).max(low + 1e-6);
        let cells = scores.iter().map(|x| ((x - low) / (high - low) * 255.0).round() as u8).collect();
        Self { range: (low, high), cells }
    }
}

/// The scores of all clues for one board word, by each model that is a sum of the association model's features.
pub type Columns = [Column; FITTED];

/// Scores as bytes between a smallest and a largest value per board word and model.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    fingerprint: u64,
    clues: usize,
    index: HashMap<String, usize>,
    ranges: Vec<(f32, f32)>,
    cells: Vec<u8>,
}

impl Matrix {
    /// A matrix from the columns of board words; `fingerprint` says what they were computed from.
    pub fn new(fingerprint: u64, clues: usize, columns: &[(String, Columns)]) -> Matrix {
        let mut matrix = Matrix { fingerprint, clues, index: HashMap::new(), ranges: Vec::new(), cells: Vec::new() };
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

    /// The scores of all clues for a board word by one of its models, if it is listed.
    pub fn column(&self, layer: usize, word: &str) -> Option<Vec<f32>> {
        let at = self.index.get(word)? * FITTED + layer;
        let (low, high) = self.ranges[at];
        let step = (high - low) / 255.0;
        Some(self.cells[at * self.clues..][..self.clues].iter().map(|&b| low + f32::from(b) * step).collect())
    }

    /// Whether a board word is listed.
    pub fn lists(&self, word: &str) -> bool {
        self.index.contains_key(word)
    }

    /// The distance between two neighbouring scores of a board word by the first model.
    pub fn grain(&self, word: &str) -> Option<f32> {
        self.index.get(word).map(|&at| self.ranges[at * FITTED]).map(|(low, high)| (high - low) / 255.0)
    }

    /// How many board words are listed.
    pub fn words(&self) -> usize {
        self.index.len()
    }

    /// The file.
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

    /// Reads a file and checks that it was computed from what `fingerprint` says.
    pub fn from_bytes(bytes: &[u8], fingerprint: u64) -> Result<Matrix, MatrixError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(MatrixError::Magic)?;
        let short = || MatrixError::Short(bytes.len());
        let mut take = |n: usize| {
            let (head, tail) = rest.split_at_checked(n).ok_or_else(short)?;
            rest = tail;
            Ok::<&[u8], MatrixError>(head)
        };
        let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let real = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let made = take(8)?;
        if made != fingerprint.to_le_bytes() {
            return Err(MatrixError::Stale);
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
        Ok(Matrix { fingerprint, clues, index, ranges, cells })
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
        let packed: Vec<(String, Columns)> = columns
            .iter()
            .map(|(word, layers)| (word.clone(), layers.each_ref().map(|scores| Column::new(scores))))
            .collect();
        let bytes = Matrix::new(9, 3, &packed).to_bytes();
        let back = Matrix::from_bytes(&bytes, 9).unwrap();
        assert_eq!(back.words(), 2);
        for (word, layers) in &columns {
            for (layer, column) in layers.iter().enumerate() {
                for (a, b) in column.iter().zip(back.column(layer, word).unwrap()) {
                    assert!((a - b).abs() < 0.02, "{a} {b}");
                }
            }
        }
        assert_eq!(Matrix::from_bytes(&bytes, 8), Err(MatrixError::Stale));
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let good = Matrix::new(1, 2, &[("a".to_owned(), std::array::from_fn(|_| Column::new(&[1.0, 2.0])))]).to_bytes();
        for end in 0..good.len() {
            assert!(Matrix::from_bytes(&good[..end], 1).is_err());
        }
        bolero::check!().with_iterations(2000).for_each(|bytes: &[u8]| {
            let mut all = MAGIC.to_vec();
            all.extend(1u64.to_le_bytes());
            all.extend(bytes);
            let _ = Matrix::from_bytes(&all, 1);
        });
    }
}
