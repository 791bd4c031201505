//! Ridge regression for a fixed number of unknowns.

/// Sums of products, from which the unknowns follow.
#[derive(Clone, Debug)]
pub struct Sums<const N: usize> {
    products: Vec<[f64; N]>,
    right: [f64; N],
}

impl<const N: usize> Default for Sums<N> {
    fn default() -> Self {
        Self { products: vec![[0.0; N]; N], right: [0.0; N] }
    }
}

impl<const N: usize> Sums<N> {
    /// Adds one observation: its features and the target value.
    pub fn add(&mut self, features: &[f64; N], value: f64) {
        for (i, &a) in features.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            self.right[i] += a * value;
            self.products[i].iter_mut().zip(features).for_each(|(sum, b)| *sum += a * b);
        }
    }

    /// The least-squares solution; `ridge` (above zero) shrinks the unknowns of rare features.
    pub fn solve(&self, ridge: f64) -> [f64; N] {
        let mut rows = self.products.clone();
        let mut right = self.right;
        for (i, row) in rows.iter_mut().enumerate() {
            row[i] += ridge;
        }
        // the matrix is positive definite: plain elimination needs no pivots
        for i in 0..N {
            let (above, below) = rows.split_at_mut(i + 1);
            let pivot = &above[i];
            for (j, row) in below.iter_mut().enumerate() {
                let factor = row[i] / pivot[i];
                row.iter_mut().zip(pivot).for_each(|(to, from)| *to -= factor * from);
                right[i + 1 + j] -= factor * right[i];
            }
        }
        let mut unknowns = [0.0; N];
        for i in (0..N).rev() {
            let known: f64 = (i + 1..N).map(|j| rows[i][j] * unknowns[j]).sum();
            unknowns[i] = (right[i] - known) / rows[i][i];
        }
        unknowns
    }
}

/// Centres the rows: only differences within a position count.
pub fn centre<const N: usize>(rows: &mut [([f64; N], f64)]) {
    let count = rows.len() as f64;
    let mean = rows.iter().map(|r| r.1).sum::<f64>() / count;
    let means: Vec<f64> = (0..N).map(|i| rows.iter().map(|r| r.0[i]).sum::<f64>() / count).collect();
    for (features, value) in rows {
        *value -= mean;
        features.iter_mut().zip(&means).for_each(|(feature, mean)| *feature -= mean);
    }
}
