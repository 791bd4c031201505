//! The choice model of a noisy operative: the Plackett–Luce model (Luce 1959; Plackett 1975).
//!
//! Every card has an exponential clock whose rate is the exponential of its score. The order in which the clocks ring is a
//! Plackett–Luce ranking: the first card is chosen with a probability proportional to its rate, the second likewise among
//! the rest, and so on.

/// The largest number the computer says.
pub const MAX_NUMBER: usize = 6;
/// Quadrature points over the time of the first wrong card (equal shares of its distribution).
const QUADRATURE_POINTS: usize = 8;
/// Added to every card's rate: people also follow links that no model knows.
const UNIFORM_RATE: f64 = 0.01;

/// Rate of a card whose score is `relative_score` (≤ 0) below the best one's.
pub fn rate(relative_score: f32, sharpness: f32) -> f64 {
    f64::from(relative_score * sharpness).exp() + UNIFORM_RATE
}

/// Probability of each card to be taken first.
pub fn choice_probabilities(scores: &[f32], sharpness: f32) -> Vec<f64> {
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let rates: Vec<f64> = scores.iter().map(|score| rate(score - top, sharpness)).collect();
    let sum: f64 = rates.iter().sum();
    rates.into_iter().map(|rate| rate / sum).collect()
}

/// Expected outcome of a clue, by the number it is said with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClueOutcome {
    /// Expected own cards found when the operative takes at most this many cards (index = number).
    pub found: [f64; MAX_NUMBER + 1],
    /// Probability that a wrong card is among them.
    pub wrong: [f64; MAX_NUMBER + 1],
}

/// The expected outcome of a clue from the rates of the own cards and the sum of the rates of all others.
pub fn expected_outcome(own: &[f64], others: f64) -> ClueOutcome {
    let mut out = ClueOutcome::default();
    if others <= 0.0 {
        for n in 1..=MAX_NUMBER {
            out.found[n] = own.len().min(n) as f64;
        }
        return out;
    }
    for point in 0..QUADRATURE_POINTS {
        let quantile = (point as f64 + 0.5) / QUADRATURE_POINTS as f64;
        let time = -(1.0 - quantile).ln() / others;
        // distribution of the number of own cards before that time; the last entry is "that many or more"
        let mut count = [0.0; MAX_NUMBER + 1];
        count[0] = 1.0;
        for rate in own {
            let rung = 1.0 - (-rate * time).exp();
            count[MAX_NUMBER] += count[MAX_NUMBER - 1] * rung;
            for k in (1..MAX_NUMBER).rev() {
                count[k] = count[k] * (1.0 - rung) + count[k - 1] * rung;
            }
            count[0] *= 1.0 - rung;
        }
        let mut below = 0.0;
        let mut found = 0.0;
        for n in 1..=MAX_NUMBER {
            below += count[n - 1];
            found += 1.0 - below;
            out.found[n] += found / QUADRATURE_POINTS as f64;
            out.wrong[n] += below / QUADRATURE_POINTS as f64;
        }
    }
    out
}

/// Probability of each card to be among the first `n` taken, by the time at which `n` clocks are expected to have rung.
pub fn inclusion_probabilities(scores: &[f32], n: f64) -> Vec<f64> {
    if scores.is_empty() {
        return Vec::new();
    }
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let rates: Vec<f64> = scores.iter().map(|s| f64::from(s - top).exp()).collect();
    let n = n.clamp(1e-6, scores.len() as f64 - 1e-3);
    let rung = |time: f64| rates.iter().map(|r| 1.0 - (-r * time).exp()).sum::<f64>();
    let (mut low, mut high) = (0.0, 1.0);
    while rung(high) < n && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if rung(middle) < n { low = middle } else { high = middle }
    }
    rates.iter().map(|r| 1.0 - (-r * high).exp()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn the_outlook_agrees_with_simulated_races() {
        let own = [3.0, 1.0, 0.5];
        let others = [0.7, 0.2, 0.1];
        let seen = expected_outcome(&own, others.iter().sum());
        let mut rng = game::GameRng::seed_from_u64(3);
        let games = 40_000;
        let mut found = [0.0; 4];
        for _ in 0..games {
            let mut rings: Vec<(f64, bool)> = own
                .iter()
                .map(|r| (r, true))
                .chain(others.iter().map(|r| (r, false)))
                .map(|(r, mine)| (-rng.random::<f64>().max(1e-300).ln() / r, mine))
                .collect();
            rings.sort_by(|a, b| a.0.total_cmp(&b.0));
            let run = rings.iter().take_while(|r| r.1).count();
            for (n, sum) in found.iter_mut().enumerate() {
                *sum += run.min(n) as f64 / f64::from(games);
            }
        }
        for n in 1..=3 {
            assert!((seen.found[n] - found[n]).abs() < 0.03, "{n}: {} {}", seen.found[n], found[n]);
        }
    }

    #[test]
    fn inclusion_sums_to_the_number() {
        let p = inclusion_probabilities(&[2.0, 1.0, 0.0, -3.0], 2.0);
        assert!((p.iter().sum::<f64>() - 2.0).abs() < 1e-6);
        assert!(p[0] > p[1] && p[1] > p[2]);
    }
}
