//! A surrogate that predicts tree features from the layout, so that only promising maps are simulated.

use super::features::{COUNT, LAYOUT};
use super::model::Point;

/// Inputs of the regression: one, the layout features, their squares.
const INPUTS: usize = 1 + 2 * LAYOUT;
/// Ridge that keeps features which hardly vary from taking large weights, per map.
const RIDGE: f64 = 0.02;

/// Least squares from layout features to tree features, fitted on measured maps.
#[derive(Clone, Debug)]
pub(crate) struct SurrogateModel {
    weights: [[f64; COUNT - LAYOUT]; INPUTS],
}

fn inputs(point: &Point) -> [f64; INPUTS] {
    std::array::from_fn(|i| match i {
        0 => 1.0,
        i if i <= LAYOUT => f64::from(point[i - 1]),
        i => f64::from(point[i - 1 - LAYOUT]).powi(2),
    })
}

impl SurrogateModel {
    /// Fits to measured maps.
    pub(crate) fn fit(points: &[Point]) -> Self {
        let mut normal = [[0.0; INPUTS]; INPUTS];
        let mut right = [[0.0; COUNT - LAYOUT]; INPUTS];
        for point in points {
            let x = inputs(point);
            for i in 0..INPUTS {
                for j in 0..INPUTS {
                    normal[i][j] += x[i] * x[j];
                }
                for (sum, y) in right[i].iter_mut().zip(&point[LAYOUT..]) {
                    *sum += x[i] * f64::from(*y);
                }
            }
        }
        for (i, row) in normal.iter_mut().enumerate() {
            row[i] += RIDGE * points.len().max(1) as f64;
        }
        // the matrix is positive definite: elimination needs no pivots
        for i in 0..INPUTS {
            for j in i + 1..INPUTS {
                let share = normal[j][i] / normal[i][i];
                for k in i..INPUTS {
                    normal[j][k] -= share * normal[i][k];
                }
                for k in 0..COUNT - LAYOUT {
                    right[j][k] -= share * right[i][k];
                }
            }
        }
        for i in (0..INPUTS).rev() {
            for k in 0..COUNT - LAYOUT {
                let later: f64 = (i + 1..INPUTS).map(|j| normal[i][j] * right[j][k]).sum();
                right[i][k] = (right[i][k] - later) / normal[i][i];
            }
        }
        SurrogateModel { weights: right }
    }

    /// The point with its tree features predicted from its layout features.
    pub(crate) fn complete(&self, point: &Point) -> Point {
        let x = inputs(point);
        let mut out = *point;
        for (k, value) in out[LAYOUT..].iter_mut().enumerate() {
            let guessed: f64 = x.iter().zip(&self.weights).map(|(x, row)| x * row[k]).sum();
            *value = guessed.clamp(-3.5, 3.5) as f32;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn what_follows_from_the_layout_is_found() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let points: Vec<Point> = (0..400)
            .map(|_| {
                let mut point: Point = std::array::from_fn(|_| rng.random_range(-1.5..1.5));
                point[LAYOUT] = 0.8 * point[0] - 0.5 * point[3] * point[3];
                point
            })
            .collect();
        let guess = SurrogateModel::fit(&points);
        for point in &points[..20] {
            let full = guess.complete(point);
            assert!((full[LAYOUT] - point[LAYOUT]).abs() < 0.15);
            assert_eq!(full[..LAYOUT], point[..LAYOUT]);
        }
        // an independent feature is predicted near its mean; its own variance is 0.75
        let spread = points.iter().map(|p| guess.complete(p)[LAYOUT + 1].powi(2)).sum::<f32>() / points.len() as f32;
        assert!(spread < 0.15, "{spread}");
    }
}
