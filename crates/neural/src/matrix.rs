//! Row-major matrices of f32.

use rand::{Rng, RngExt};

/// A row-major matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    pub rows: usize,
    pub cols: usize,
    pub data: Vec<f32>,
}

impl Matrix {
    /// All zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Matrix { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// A matrix from its values, row by row.
    pub fn new(rows: usize, cols: usize, data: Vec<f32>) -> Self {
        assert_eq!(data.len(), rows * cols, "a {rows}×{cols} matrix needs {} values", rows * cols);
        Matrix { rows, cols, data }
    }

    /// Glorot-uniform initialisation (Glorot & Bengio 2010).
    pub fn glorot(rows: usize, cols: usize, rng: &mut impl Rng) -> Self {
        let reach = (6.0 / (rows + cols) as f32).sqrt();
        Matrix { rows, cols, data: (0..rows * cols).map(|_| rng.random_range(-reach..reach)).collect() }
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.data[row * self.cols..(row + 1) * self.cols]
    }

    /// One row, mutable.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.data[row * self.cols..(row + 1) * self.cols]
    }

    /// `self · other`.
    pub fn dot(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.cols, other.rows);
        gemm(self.rows, self.cols, other.cols, &self.data, [self.cols, 1], &other.data, [other.cols, 1])
    }

    /// `selfᵀ · other`.
    pub fn transposed_dot(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.rows, other.rows);
        gemm(self.cols, self.rows, other.cols, &self.data, [1, self.cols], &other.data, [other.cols, 1])
    }

    /// `self · otherᵀ`.
    pub fn dot_transposed(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.cols, other.cols);
        gemm(self.rows, self.cols, other.rows, &self.data, [self.cols, 1], &other.data, [1, other.cols])
    }

    /// A copy of a block.
    pub fn block(&self, rows: std::ops::Range<usize>, cols: std::ops::Range<usize>) -> Matrix {
        let data = rows.clone().flat_map(|r| self.row(r)[cols.clone()].iter().copied()).collect();
        Matrix::new(rows.len(), cols.len(), data)
    }

    /// Adds a block at a position.
    pub fn add_block(&mut self, row: usize, col: usize, block: &Matrix) {
        for r in 0..block.rows {
            for (to, from) in self.row_mut(row + r)[col..col + block.cols].iter_mut().zip(block.row(r)) {
                *to += from;
            }
        }
    }

    /// Adds another matrix of the same shape.
    pub fn add(&mut self, other: &Matrix) {
        for (to, from) in self.data.iter_mut().zip(&other.data) {
            *to += from;
        }
    }
}

fn gemm(m: usize, k: usize, n: usize, a: &[f32], a_steps: [usize; 2], b: &[f32], b_steps: [usize; 2]) -> Matrix {
    assert!(a.len() >= m * k && b.len() >= k * n);
    let mut out = Matrix::zeros(m, n);
    if m > 0 && n > 0 && k > 0 {
        // SAFETY: `a` holds m×k values and `b` k×n in the layout the steps describe, and `out` is m×n.
        unsafe {
            matrixmultiply::sgemm(
                m,
                k,
                n,
                1.0,
                a.as_ptr(),
                a_steps[0] as isize,
                a_steps[1] as isize,
                b.as_ptr(),
                b_steps[0] as isize,
                b_steps[1] as isize,
                0.0,
                out.data.as_mut_ptr(),
                n as isize,
                1,
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn products_follow_the_definition() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let (a, b) = (Matrix::glorot(3, 5, &mut rng), Matrix::glorot(5, 4, &mut rng));
        let product = a.dot(&b);
        for i in 0..3 {
            for j in 0..4 {
                let expected: f32 = (0..5).map(|k| a.row(i)[k] * b.row(k)[j]).sum();
                assert!((product.row(i)[j] - expected).abs() < 1e-6);
            }
        }
        let transpose = |m: &Matrix| {
            Matrix::new(
                m.cols,
                m.rows,
                (0..m.cols).flat_map(|c| (0..m.rows).map(move |r| (r, c))).map(|(r, c)| m.row(r)[c]).collect(),
            )
        };
        let close = |a: &Matrix, b: &Matrix| a.data.iter().zip(&b.data).all(|(x, y)| (x - y).abs() < 1e-6);
        assert!(close(&transpose(&a).transposed_dot(&b), &product));
        assert!(close(&a.dot_transposed(&transpose(&b)), &product));
    }
}
