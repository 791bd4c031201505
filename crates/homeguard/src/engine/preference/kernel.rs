//! Covariance functions between maps over one feature, two features or all.

use super::features::COUNT;
use super::model::Point;

/// Length scale of the smooth covariance in standard deviations of a feature.
const LENGTH: f32 = 1.3;

/// A covariance function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kernel {
    /// exp(−d²/2ℓ²) in one feature.
    Smooth(usize),
    /// A straight line in one feature.
    Straight(usize),
    /// Product of two smooth covariances.
    SmoothPair(usize, usize),
    /// Mean of two straight ones.
    StraightPair(usize, usize),
    /// Mean of all one-feature smooth covariances.
    AllSmooth,
    /// Mean of all scalar products.
    AllStraight,
    /// One smooth covariance over the distance in all features.
    Whole,
}

impl Kernel {
    /// The features it depends on; empty for kernels over all features.
    pub(crate) fn features(self) -> impl Iterator<Item = usize> {
        let (first, second) = match self {
            Kernel::Smooth(f) | Kernel::Straight(f) => (Some(f), None),
            Kernel::SmoothPair(f, g) | Kernel::StraightPair(f, g) => (Some(f), Some(g)),
            Kernel::AllSmooth | Kernel::AllStraight | Kernel::Whole => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Covariance of a point with itself.
    pub(crate) fn own(self, point: &Point) -> f32 {
        let square = |f: usize| point[f] * point[f];
        match self {
            Kernel::Straight(f) => square(f),
            Kernel::StraightPair(f, g) => (square(f) + square(g)) / 2.0,
            Kernel::AllStraight => (0..COUNT).map(square).sum::<f32>() / COUNT as f32,
            Kernel::Smooth(_) | Kernel::SmoothPair(..) | Kernel::AllSmooth | Kernel::Whole => 1.0,
        }
    }
}

/// Covariances of one point with some known ones, feature by feature, from which those of every kernel follow.
#[derive(Clone, Debug)]
pub(crate) struct CovarianceRows {
    known: usize,
    /// Smooth covariances, one row per feature.
    smooth: Vec<f32>,
    /// Products, one row per feature.
    straight: Vec<f32>,
    all_smooth: Vec<f32>,
    all_straight: Vec<f32>,
    whole: Vec<f32>,
}

impl CovarianceRows {
    /// Compares a point with the known ones.
    pub(crate) fn of(point: &Point, known: &[Point]) -> Self {
        let n = known.len();
        let mut covariance_rows = CovarianceRows {
            known: n,
            smooth: Vec::with_capacity(n * COUNT),
            straight: Vec::with_capacity(n * COUNT),
            all_smooth: vec![0.0; n],
            all_straight: vec![0.0; n],
            whole: vec![0.0; n],
        };
        for f in 0..COUNT {
            for (k, other) in known.iter().enumerate() {
                let squared = (point[f] - other[f]).powi(2);
                let smooth = (-0.5 * squared / (LENGTH * LENGTH)).exp();
                let product = point[f] * other[f];
                covariance_rows.smooth.push(smooth);
                covariance_rows.straight.push(product);
                covariance_rows.all_smooth[k] += smooth / COUNT as f32;
                covariance_rows.all_straight[k] += product / COUNT as f32;
                covariance_rows.whole[k] += squared;
            }
        }
        for value in &mut covariance_rows.whole {
            *value = (-0.5 * *value / (LENGTH * LENGTH * COUNT as f32 * 0.5)).exp();
        }
        covariance_rows
    }

    /// Passes the covariance with each known point to `take`.
    pub(crate) fn each(&self, kernel: Kernel, mut take: impl FnMut(usize, f32)) {
        let smooth = |f: usize| &self.smooth[f * self.known..(f + 1) * self.known];
        let straight = |f: usize| &self.straight[f * self.known..(f + 1) * self.known];
        let mut one = |values: &[f32]| values.iter().enumerate().for_each(|(k, v)| take(k, *v));
        match kernel {
            Kernel::Smooth(f) => one(smooth(f)),
            Kernel::Straight(f) => one(straight(f)),
            Kernel::AllSmooth => one(&self.all_smooth),
            Kernel::AllStraight => one(&self.all_straight),
            Kernel::Whole => one(&self.whole),
            Kernel::SmoothPair(f, g) => {
                smooth(f).iter().zip(smooth(g)).enumerate().for_each(|(k, (a, b))| take(k, a * b));
            }
            Kernel::StraightPair(f, g) => {
                straight(f).iter().zip(straight(g)).enumerate().for_each(|(k, (a, b))| take(k, (a + b) / 2.0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_compares_a_point_with_itself_as_own_says() {
        let point: Point = std::array::from_fn(|i| (i as f32 - 12.0) / 7.0);
        let kernels = [
            Kernel::Smooth(3),
            Kernel::Straight(4),
            Kernel::SmoothPair(1, 9),
            Kernel::StraightPair(2, 20),
            Kernel::AllSmooth,
            Kernel::AllStraight,
            Kernel::Whole,
        ];
        let covariance_rows = CovarianceRows::of(&point, &[[0.0; COUNT], point]);
        for kernel in kernels {
            let mut values = Vec::new();
            covariance_rows.each(kernel, |_, v| values.push(v));
            assert!((values[1] - kernel.own(&point)).abs() < 1e-5, "{kernel:?}");
            assert!(values[0] < values[1]);
        }
    }
}
