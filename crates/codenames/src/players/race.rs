//! A noisy guesser as a race: every card has a clock that rings after an exponential time, faster for a higher score.
//!
//! The order in which the clocks ring is the Plackett–Luce ranking by the scores: the first ring falls on a card with a
//! probability proportional to the exponential of its score, the second likewise among the rest, and so on.

/// The most words a clue of the computer is meant for.
pub const MOST: usize = 6;
/// Points at which the time of the first wrong ring is taken (equal shares of its distribution).
const POINTS: usize = 8;

/// What every card gets besides its model's rate: people also think of things no model knows.
const STRAY: f64 = 0.01;

/// The rate of a card whose score lies so far from the best one's, for somebody who keeps so sharply to the best.
pub fn rate(behind: f32, sharp: f32) -> f64 {
    f64::from(behind * sharp).exp() + STRAY
}

/// The chance of each card to be taken first.
pub fn chances(scores: &[f32], sharp: f32) -> Vec<f64> {
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let rates: Vec<f64> = scores.iter().map(|score| rate(score - top, sharp)).collect();
    let sum: f64 = rates.iter().sum();
    rates.into_iter().map(|rate| rate / sum).collect()
}

/// What a clue is expected to bring for each number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outlook {
    /// Own cards found when a guesser takes at most so many cards (index = number).
    pub found: [f64; MOST + 1],
    /// Chance that a wrong card is among them.
    pub wrong: [f64; MOST + 1],
}

/// The outlook of a clue from the rates of the own cards and the sum of the rates of all others.
pub fn outlook(own: &[f64], others: f64) -> Outlook {
    let mut out = Outlook::default();
    if others <= 0.0 {
        for n in 1..=MOST {
            out.found[n] = own.len().min(n) as f64;
        }
        return out;
    }
    for point in 0..POINTS {
        let share = (point as f64 + 0.5) / POINTS as f64;
        let time = -(1.0 - share).ln() / others;
        // chance of 0, 1, … own rings before that time; the last cell takes all more
        let mut count = [0.0; MOST + 1];
        count[0] = 1.0;
        for rate in own {
            let rung = 1.0 - (-rate * time).exp();
            count[MOST] += count[MOST - 1] * rung;
            for k in (1..MOST).rev() {
                count[k] = count[k] * (1.0 - rung) + count[k - 1] * rung;
            }
            count[0] *= 1.0 - rung;
        }
        let mut below = 0.0;
        let mut found = 0.0;
        for n in 1..=MOST {
            below += count[n - 1];
            found += 1.0 - below;
            out.found[n] += found / POINTS as f64;
            out.wrong[n] += below / POINTS as f64;
        }
    }
    out
}

/// Chance of each card to be among the first `n` of the race: the time is found at which `n` clocks are expected to
/// have rung.
pub fn inclusion(scores: &[f32], n: f64) -> Vec<f64> {
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
        let seen = outlook(&own, others.iter().sum());
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
        let p = inclusion(&[2.0, 1.0, 0.0, -3.0], 2.0);
        assert!((p.iter().sum::<f64>() - 2.0).abs() < 1e-6);
        assert!(p[0] > p[1] && p[1] > p[2]);
    }
}
