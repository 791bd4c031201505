//! Quantiles of samples.

/// The nearest-rank quantile of sorted values: the smallest value with at least a share `q` of the values up to it. Zero
/// without values.
pub fn quantile_sorted(values: &[f64], q: f64) -> f64 {
    let rank = (values.len() as f64 * q).ceil() as usize;
    values.get(rank.clamp(1, values.len().max(1)) - 1).copied().unwrap_or(0.0)
}

/// The median; of an even number of values the mean of the middle two. Zero without values.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n => (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_the_sample() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!([0.0, 0.5, 0.99, 1.0].map(|q| quantile_sorted(&values, q)), [1.0, 50.0, 99.0, 100.0]);
        assert_eq!(quantile_sorted(&[], 0.5), 0.0);
        assert_eq!((median(&[4.0, 1.0, 3.0, 2.0]), median(&[])), (2.5, 0.0));
    }
}
