//! The normal distribution, and confidence intervals of means and shares.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The value below which a standard normal variable lies with probability `p`.
pub fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// The probability that a standard normal variable lies below `x`.
pub fn normal_cdf(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// A mean with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub mean: f64,
    /// Half the width of the interval; infinite for a single value.
    pub half: f64,
}

impl Interval {
    /// Student's t interval over independent values.
    pub fn student(values: &[f64]) -> Self {
        let (mean, variance) = mean_and_variance(values);
        let n = values.len() as f64;
        let t = match values.len() {
            0 | 1 => f64::INFINITY,
            _ => StudentsT::new(0.0, 1.0, n - 1.0).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975)),
        };
        if t.is_infinite() {
            return Self { mean, half: f64::INFINITY };
        }
        Self { mean, half: t * (variance / n).sqrt() }
    }

    /// The interval in the normal approximation, for many independent values.
    pub fn normal(values: &[f64]) -> Self {
        let (mean, variance) = mean_and_variance(values);
        Self::of_error(mean, (variance / values.len().max(1) as f64).sqrt())
    }

    /// The interval of a normal estimate with a known standard error.
    pub fn of_error(mean: f64, error: f64) -> Self {
        Self { mean, half: normal_quantile(0.975) * error }
    }

    /// Lower end.
    pub fn low(&self) -> f64 {
        self.mean - self.half
    }

    /// Upper end.
    pub fn high(&self) -> f64 {
        self.mean + self.half
    }
}

/// Mean and unbiased sample variance.
fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n.max(1.0);
    (mean, values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0))
}

/// The score interval of a share (Wilson 1927) over `n` independent trials; `[0, 1]` without trials.
pub fn wilson_interval(share: f64, n: f64, confidence: f64) -> [f64; 2] {
    if n <= 0.0 {
        return [0.0, 1.0];
    }
    let z = normal_quantile(0.5 + confidence / 2.0);
    let centre = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    [(centre - half).max(0.0), (centre + half).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_values_use_two_degrees_of_freedom() {
        // mean 2, s = 1, t(0.975, 2) = 4.3027
        let interval = Interval::student(&[1.0, 2.0, 3.0]);
        assert_eq!(interval.mean, 2.0);
        assert!((interval.half - 4.3027 / 3f64.sqrt()).abs() < 1e-3);
        assert!(Interval::student(&[1.0]).half.is_infinite());
    }

    #[test]
    fn the_normal_distribution_has_its_tabulated_values() {
        assert!((normal_quantile(0.975) - 1.959_964).abs() < 1e-6);
        assert!((normal_cdf(1.0) - 0.841_345).abs() < 1e-6);
        let interval = Interval::normal(&[1.0, 3.0]);
        assert!((interval.half - 1.959_964).abs() < 1e-6, "{interval:?}");
    }

    #[test]
    fn wilson_agrees_with_a_published_example_and_never_leaves_the_unit_interval() {
        // 15 of 148 (Newcombe 1998, table I): 0.0624 to 0.1605
        let [low, high] = wilson_interval(15.0 / 148.0, 148.0, 0.95);
        assert!((low - 0.0624).abs() < 1e-4 && (high - 0.1605).abs() < 1e-4, "{low} {high}");
        assert!(wilson_interval(0.0, 20.0, 0.95)[0] < 1e-12);
        assert_eq!(wilson_interval(0.5, 0.0, 0.95), [0.0, 1.0]);
    }
}
