//! Gaussian-process regression on a few points (Rasmussen and Williams 2006, algorithm 2.1).

/// A lower-triangular matrix, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky {
    n: usize,
    rows: Vec<f64>,
}

impl Cholesky {
    /// Factors a symmetric matrix given by its full rows; `None` if it is not positive definite.
    pub(crate) fn of(matrix: &[f64], n: usize) -> Option<Self> {
        let mut rows = matrix.to_vec();
        for i in 0..n {
            for j in 0..=i {
                let mut sum = rows[i * n + j];
                for k in 0..j {
                    sum -= rows[i * n + k] * rows[j * n + k];
                }
                if i == j {
                    if sum <= 1e-12 {
                        return None;
                    }
                    rows[i * n + i] = sum.sqrt();
                } else {
                    rows[i * n + j] = sum / rows[j * n + j];
                }
            }
        }
        Some(Cholesky { n, rows })
    }

    /// Solves `L x = b` in place.
    pub(crate) fn forward(&self, b: &mut [f64]) {
        for i in 0..self.n {
            let mut sum = b[i];
            for (k, value) in b.iter().enumerate().take(i) {
                sum -= self.rows[i * self.n + k] * value;
            }
            b[i] = sum / self.rows[i * self.n + i];
        }
    }

    /// Solves `Lᵀ x = b` in place.
    pub(crate) fn backward(&self, b: &mut [f64]) {
        for i in (0..self.n).rev() {
            let mut sum = b[i];
            for (k, value) in b.iter().enumerate().skip(i + 1) {
                sum -= self.rows[k * self.n + i] * value;
            }
            b[i] = sum / self.rows[i * self.n + i];
        }
    }

    /// Sum of the logarithms of the diagonal: half the log-determinant.
    pub(crate) fn half_log_determinant(&self) -> f64 {
        (0..self.n).map(|i| self.rows[i * self.n + i].ln()).sum()
    }
}

/// A fitted process: weights of the observations and the factor of their covariance.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) weights: Vec<f64>,
    factor: Cholesky,
    pub(crate) log_evidence: f64,
}

impl Process {
    /// Fits observations `y` with covariance `matrix` (noise included).
    pub(crate) fn fit(matrix: &[f64], y: &[f64]) -> Option<Self> {
        let n = y.len();
        let factor = Cholesky::of(matrix, n)?;
        let mut weights = y.to_vec();
        factor.forward(&mut weights);
        let fit: f64 = weights.iter().map(|v| v * v).sum();
        factor.backward(&mut weights);
        let log_evidence = -0.5 * fit - factor.half_log_determinant() - 0.5 * n as f64 * std::f64::consts::TAU.ln();
        Some(Process { weights, factor, log_evidence })
    }

    /// Mean and variance at a point with covariances `k` to the observations and prior variance `prior`.
    pub(crate) fn predict(&self, mut k: Vec<f64>, prior: f64) -> (f64, f64) {
        let mean = k.iter().zip(&self.weights).map(|(a, b)| a * b).sum();
        self.factor.forward(&mut k);
        let explained: f64 = k.iter().map(|v| v * v).sum();
        (mean, (prior - explained).max(1e-9))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_observation_follows_the_closed_form() {
        // prior variance 2, noise 1, y = 3: mean 2/3·3 at the point itself, variance 2 − 4/3
        let process = Process::fit(&[3.0], &[3.0]).unwrap();
        let (mean, variance) = process.predict(vec![2.0], 2.0);
        assert!((mean - 2.0).abs() < 1e-12 && (variance - 2.0 / 3.0).abs() < 1e-12);
        let density = -0.5 * 9.0 / 3.0 - 0.5 * (3.0 * std::f64::consts::TAU).ln();
        assert!((process.log_evidence - density).abs() < 1e-12);
    }

    #[test]
    fn solving_inverts_multiplying() {
        let matrix = [4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0];
        let x = [1.0, -2.0, 0.5];
        let y: Vec<f64> = (0..3).map(|i| (0..3).map(|j| matrix[3 * i + j] * x[j]).sum()).collect();
        let process = Process::fit(&matrix, &y).unwrap();
        for (a, b) in process.weights.iter().zip(x) {
            assert!((a - b).abs() < 1e-12);
        }
        assert!(Process::fit(&[1.0, 2.0, 2.0, 1.0], &[0.0, 0.0]).is_none());
    }
}
