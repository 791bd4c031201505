//! Gaussian-process regression on a few points (Rasmussen and Williams 2006, algorithm 2.1), eight processes at a time.
//!
//! A player's ratings are few, but thousands of processes are weighed against each other. Each number below is a row of
//! eight, one per process, so that the compiler turns every step into one vector instruction.

/// Processes in a batch.
pub(crate) const LANES: usize = 8;
/// One number of each process.
pub(crate) type SimdRow = [f32; LANES];

/// Entries of a lower triangle with `n` rows.
pub(crate) fn triangle(n: usize) -> usize {
    n * (n + 1) / 2
}

fn row(matrix: &[SimdRow], i: usize) -> &[SimdRow] {
    &matrix[triangle(i)..triangle(i + 1)]
}

/// `sum` less the scalar product of two rows.
fn less_product(mut sum: SimdRow, a: &[SimdRow], b: &[SimdRow]) -> SimdRow {
    for (x, y) in a.iter().zip(b) {
        for lane in 0..LANES {
            sum[lane] -= x[lane] * y[lane];
        }
    }
    sum
}

fn quotient(a: SimdRow, b: SimdRow) -> SimdRow {
    std::array::from_fn(|lane| a[lane] / b[lane])
}

/// Eight processes fitted to the same observations.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcessBatch {
    /// Lower triangle of the Cholesky factor, row by row.
    factor: Vec<SimdRow>,
    /// Weight of each observation.
    pub(crate) weights: Vec<SimdRow>,
    pub(crate) log_evidence: [f64; LANES],
}

impl ProcessBatch {
    /// Fits observations `y`; `fill` writes the lower triangles of the covariances, noise included.
    ///
    /// Buffers are used again, so that one batch can try thousands of processes without allocating.
    pub(crate) fn fit(&mut self, y: &[f64], fill: impl FnOnce(&mut [SimdRow])) {
        let n = y.len();
        self.factor.clear();
        self.factor.resize(triangle(n), [0.0; LANES]);
        fill(&mut self.factor);
        let mut half_log_determinant = [0.0f64; LANES];
        for i in 0..n {
            for j in 0..=i {
                let (above, from_i) = self.factor.split_at_mut(triangle(i));
                if j < i {
                    let row_j = row(above, j);
                    let sum = less_product(from_i[j], &from_i[..j], &row_j[..j]);
                    from_i[j] = quotient(sum, row_j[j]);
                } else {
                    let sum = less_product(from_i[i], &from_i[..i], &from_i[..i]);
                    // noise on the diagonal keeps this well above 0; the bound is for rounding
                    from_i[i] = sum.map(|v| v.max(1e-6).sqrt());
                    for lane in 0..LANES {
                        half_log_determinant[lane] += f64::from(from_i[i][lane].ln());
                    }
                }
            }
        }
        self.weights.clear();
        self.weights.extend(y.iter().map(|v| [*v as f32; LANES]));
        solve_lower(&self.factor, &mut self.weights);
        let mut fit = [0.0f64; LANES];
        for value in &self.weights {
            for lane in 0..LANES {
                fit[lane] += f64::from(value[lane] * value[lane]);
            }
        }
        self.solve_upper();
        let constant = 0.5 * n as f64 * std::f64::consts::TAU.ln();
        self.log_evidence = std::array::from_fn(|lane| -0.5 * fit[lane] - half_log_determinant[lane] - constant);
    }

    fn solve_upper(&mut self) {
        let n = self.weights.len();
        for i in (0..n).rev() {
            let value = quotient(self.weights[i], row(&self.factor, i)[i]);
            self.weights[i] = value;
            let (earlier, _) = self.weights.split_at_mut(i);
            for (to, factor) in earlier.iter_mut().zip(row(&self.factor, i)) {
                for lane in 0..LANES {
                    to[lane] -= factor[lane] * value[lane];
                }
            }
        }
    }

    /// Means at a point with covariances `k` to the observations.
    pub(crate) fn means(&self, k: &[SimdRow]) -> SimdRow {
        let minus = less_product([0.0; LANES], k, &self.weights);
        minus.map(|v| -v)
    }

    /// Variances at that point given the prior ones; `k` is used up.
    pub(crate) fn variances(&self, k: &mut [SimdRow], prior: SimdRow) -> SimdRow {
        solve_lower(&self.factor, k);
        let left = less_product(prior, k, k);
        left.map(|v| v.max(1e-6))
    }
}

/// Solves `L x = b` in place.
fn solve_lower(factor: &[SimdRow], b: &mut [SimdRow]) {
    for i in 0..b.len() {
        let row = row(factor, i);
        let sum = less_product(b[i], &row[..i], &b[..i]);
        b[i] = quotient(sum, row[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_observation_follows_the_closed_form() {
        // prior variance 2, noise 1, y = 3: mean 2/3·3 at the point itself, variance 2 − 4/3
        let mut batch = ProcessBatch::default();
        batch.fit(&[3.0], |matrix| matrix[0] = [3.0; LANES]);
        assert!((batch.means(&[[2.0; LANES]])[3] - 2.0).abs() < 1e-6);
        assert!((batch.variances(&mut [[2.0; LANES]], [2.0; LANES])[5] - 2.0 / 3.0).abs() < 1e-6);
        let density = -0.5 * 9.0 / 3.0 - 0.5 * (3.0 * std::f64::consts::TAU).ln();
        assert!((batch.log_evidence[0] - density).abs() < 1e-6);
    }

    /// Solves `a x = b` and gives log |a|, by elimination in double precision.
    fn slow_solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> (Vec<f64>, f64) {
        let n = b.len();
        let mut log = 0.0;
        for i in 0..n {
            log += a[i][i].ln();
            for j in i + 1..n {
                let share = a[j][i] / a[i][i];
                for k in i..n {
                    a[j][k] -= share * a[i][k];
                }
                b[j] -= share * b[i];
            }
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                b[i] -= a[i][k] * b[k];
            }
            b[i] /= a[i][i];
        }
        (b, log)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn eight_at_once_equal_slow_double_precision(
            points in prop::collection::vec(-2.0f64..2.0, 1..30),
            noise in 0.3f64..1.0,
        ) {
            let n = points.len();
            let length = |lane: usize| 0.6 + 0.2 * lane as f64;
            let kernel = |lane: usize, a: f64, b: f64| 1.3 * (-0.5 * ((a - b) / length(lane)).powi(2)).exp();
            let y: Vec<f64> = points.iter().map(|p| (2.0 * p).sin() * 2.0).collect();
            let mut batch = ProcessBatch::default();
            batch.fit(&y, |matrix| {
                for i in 0..n {
                    for j in 0..=i {
                        let own = if i == j { noise } else { 0.0 };
                        matrix[triangle(i) + j] =
                            std::array::from_fn(|lane| (kernel(lane, points[i], points[j]) + own) as f32);
                    }
                }
            });
            let mut k: Vec<SimdRow> =
                points.iter().map(|p| std::array::from_fn(|lane| kernel(lane, *p, 0.4) as f32)).collect();
            let means = batch.means(&k);
            let variances = batch.variances(&mut k, [1.3; LANES]);
            for lane in [0, 4, 7] {
                let full: Vec<Vec<f64>> = (0..n)
                    .map(|i| (0..n).map(|j| kernel(lane, points[i], points[j]) + if i == j { noise } else { 0.0 }).collect())
                    .collect();
                let to_point: Vec<f64> = points.iter().map(|p| kernel(lane, *p, 0.4)).collect();
                let (weights, log) = slow_solve(full.clone(), y.clone());
                let (solved, _) = slow_solve(full, to_point.clone());
                let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
                prop_assert!((f64::from(means[lane]) - dot(&weights, &to_point)).abs() < 2e-3);
                prop_assert!((f64::from(variances[lane]) - (1.3 - dot(&solved, &to_point))).abs() < 2e-3);
                let evidence = -0.5 * dot(&weights, &y) - 0.5 * log - 0.5 * n as f64 * std::f64::consts::TAU.ln();
                prop_assert!((batch.log_evidence[lane] - evidence).abs() < 2e-2);
            }
        }
    }
}
