//! Small numerics shared by all crates: softmax, SplitMix64, quantiles, the normal distribution, confidence intervals.
//!
//! ```
//! use numerics::{Interval, SplitMix64, median, softmax, wilson_interval};
//!
//! let mut logits = [1.0, 2.0, 3.0];
//! softmax(&mut logits);
//! assert!((logits.iter().sum::<f32>() - 1.0).abs() < 1e-6);
//!
//! // 95 % intervals: of a mean, and of a share
//! let interval = Interval::student(&[4.1, 3.9, 4.3, 4.0]);
//! assert!(interval.low() > 3.7 && interval.high() < 4.4);
//! let [low, high] = wilson_interval(0.6, 100.0, 0.95);
//! assert!(low > 0.5 && high < 0.7);
//!
//! assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
//! assert_eq!(SplitMix64::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
//! ```

mod intervals;
mod quantiles;
mod splitmix;

pub use intervals::{Interval, normal_cdf, normal_quantile, wilson_interval};
pub use quantiles::{median, quantile_sorted};
pub use splitmix::{GOLDEN_GAMMA, SplitMix64, mix64};

/// Softmax in place, stable for large values.
pub fn softmax(values: &mut [f32]) {
    softmax_scaled(values, 1.0);
}

/// Softmax of `scale · values` in place, stable for large values.
pub fn softmax_scaled(values: &mut [f32], scale: f32) {
    let top = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = ((*value - top) * scale).exp();
        sum += *value;
    }
    values.iter_mut().for_each(|value| *value /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn softmax_follows_its_definition_and_survives_large_values() {
        let mut values = [0.5, -1.0, 2.0];
        let powers = values.map(|value: f32| (2.0 * value).exp());
        softmax_scaled(&mut values, 2.0);
        for (value, power) in values.iter().zip(powers) {
            assert!((value - power / powers.iter().sum::<f32>()).abs() < 1e-6);
        }
        let mut large = [1e30, 1e30];
        softmax(&mut large);
        assert_eq!(large, [0.5, 0.5]);
    }
}
