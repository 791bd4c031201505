//! The mean of nets of one training run (weight averaging, Izmailov et al. 2018).

use super::CHANNELS;
use super::weights::Net;
use super::windows::WINDOWS;

impl Net {
    /// The mean of the weights of nets. `None` without nets, or where some have a policy network and others have none.
    ///
    /// Quantised weights are rounded to the nearest integer, halves away from zero.
    pub fn average(nets: &[Self]) -> Option<Self> {
        let first = nets.first()?;
        if nets.iter().any(|net| net.policy_net().is_some() != first.policy_net().is_some()) {
            return None;
        }
        // the byte format lists all weights in one order: integers, floats, integers and floats of the policy network
        let bytes: Vec<Vec<u8>> = nets.iter().map(Self::to_bytes).collect();
        let mut mean = bytes[0].clone();
        let mut at = Self::HEADER_BYTES;
        at = average_ints(&bytes, &mut mean, at, Self::INTS);
        at = average_floats(&bytes, &mut mean, at, Self::FLOATS);
        if first.policy_net().is_some() {
            at = average_ints(&bytes, &mut mean, at, WINDOWS * CHANNELS);
            at = average_floats(&bytes, &mut mean, at, (bytes[0].len() - at) / 4);
        }
        debug_assert_eq!(at, mean.len(), "every weight is averaged");
        Self::from_bytes(&mean).ok()
    }
}

fn average_ints(nets: &[Vec<u8>], mean: &mut [u8], start: usize, count: usize) -> usize {
    for at in (start..).step_by(2).take(count) {
        let sum: i64 = nets.iter().map(|net| i64::from(i16::from_le_bytes([net[at], net[at + 1]]))).sum();
        let rounded = (sum as f64 / nets.len() as f64).round() as i16;
        mean[at..at + 2].copy_from_slice(&rounded.to_le_bytes());
    }
    start + 2 * count
}

fn average_floats(nets: &[Vec<u8>], mean: &mut [u8], start: usize, count: usize) -> usize {
    for at in (start..).step_by(4).take(count) {
        let value = |net: &Vec<u8>| f64::from(f32::from_le_bytes([net[at], net[at + 1], net[at + 2], net[at + 3]]));
        let sum: f64 = nets.iter().map(value).sum();
        mean[at..at + 4].copy_from_slice(&((sum / nets.len() as f64) as f32).to_le_bytes());
    }
    start + 4 * count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::net::NetTrainer;

    #[test]
    fn the_mean_lies_between_its_nets_and_of_one_net_is_that_net() {
        let [a, b] = [1, 2].map(|seed| NetTrainer::new(seed).quantised());
        assert!(Net::average(std::slice::from_ref(&a)).unwrap() == a);
        assert!(Net::average(&[a.clone(), a.clone()]).unwrap() == a);
        let mean = Net::average(&[a.clone(), b.clone()]).unwrap();
        for ((row, x), y) in mean.table.iter().zip(&a.table).zip(&b.table) {
            for ((mean, x), y) in row.0.iter().zip(x.0).zip(y.0) {
                assert!((x.min(y)..=x.max(y)).contains(mean));
            }
        }
        for ((mean, x), y) in
            mean.deep_value.iter().flatten().zip(a.deep_value.iter().flatten()).zip(b.deep_value.iter().flatten())
        {
            assert!((mean - (x + y) / 2.0).abs() < 1e-6);
        }
        assert!(Net::average(&[]).is_none());
    }
}
