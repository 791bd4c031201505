//! Means with Student's t intervals.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval; infinite for a single value.
    pub half: f64,
}

impl Interval {
    /// Student's interval over independent values.
    pub fn student(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n.max(1.0);
        if values.len() < 2 {
            return Interval { mean, half: f64::INFINITY };
        }
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let quantile = StudentsT::new(0.0, 1.0, n - 1.0).map_or(f64::INFINITY, |t| t.inverse_cdf(0.975));
        Interval { mean, half: quantile * (variance / n).sqrt() }
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
}
