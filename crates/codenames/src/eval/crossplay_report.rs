//! What games of cross-play come to, and what two spymasters differ by on the same boards.

use super::crossplay::CrossPlay;
use serde::Serialize;

/// Many games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrossPlayReport {
    pub games: usize,
    pub wins: usize,
    pub mean_turns: f64,
    pub assassin_rate: f64,
    pub illegal_clues: usize,
    /// 95 % interval of `mean_turns`.
    pub interval95: [f64; 2],
}

/// What the first of two spymasters differs by from the second, board by board with the same operative. Boards differ in
/// difficulty much more than spymasters do, and here that falls out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Mean of the first spymaster's turns minus the second's.
    pub mean_turns: f64,
    /// 95 % interval of `mean_turns`.
    pub interval95: [f64; 2],
    /// Boards on which the first spymaster needed fewer turns, and on which it needed more.
    pub better: usize,
    pub worse: usize,
}

impl CrossPlayReport {
    /// Sums up games.
    pub fn new(games: &[CrossPlay]) -> CrossPlayReport {
        let turns: Vec<f64> = games.iter().map(|game| game.turns as f64).collect();
        let (mean_turns, interval95) = mean(&turns);
        let assassins = games.iter().filter(|game| game.assassin).count();
        CrossPlayReport {
            games: games.len(),
            wins: games.iter().filter(|game| game.won).count(),
            mean_turns,
            assassin_rate: assassins as f64 / games.len().max(1) as f64,
            illegal_clues: games.iter().map(|game| game.illegal).sum(),
            interval95,
        }
    }
}

impl Difference {
    /// Compares games of two spymasters on the same boards in the same order.
    pub fn new(first: &[CrossPlay], second: &[CrossPlay]) -> Difference {
        let pairs = first.iter().zip(second);
        let turns: Vec<f64> = pairs.map(|(a, b)| a.turns as f64 - b.turns as f64).collect();
        let (mean_turns, interval95) = mean(&turns);
        let count = |of: fn(&f64) -> bool| turns.iter().copied().filter(of).count();
        Difference { mean_turns, interval95, better: count(|d| *d < 0.0), worse: count(|d| *d > 0.0) }
    }
}

/// A mean with its 95 % interval.
fn mean(values: &[f64]) -> (f64, [f64; 2]) {
    let interval = numerics::Interval::normal(values);
    (interval.mean, [interval.low(), interval.high()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(turns: usize, won: bool) -> CrossPlay {
        CrossPlay { won, turns, assassin: !won, illegal: 0, played: Vec::new() }
    }

    #[test]
    fn games_are_summed_up_with_their_losses() {
        let report = CrossPlayReport::new(&[game(4, true), game(6, true), game(5, true), game(25, false)]);
        assert_eq!((report.games, report.wins, report.mean_turns, report.assassin_rate), (4, 3, 10.0, 0.25));
        // deviations -6, -4, -5, 15: variance 302 / 3
        let half = numerics::normal_quantile(0.975) * (302.0_f64 / 3.0 / 4.0).sqrt();
        assert!((report.interval95[0] - (10.0 - half)).abs() < 1e-9);
        assert!((report.interval95[1] - (10.0 + half)).abs() < 1e-9);
    }

    #[test]
    fn a_constant_difference_is_certain_however_boards_differ() {
        let first: Vec<CrossPlay> = [3, 9, 5, 7].map(|turns| game(turns, true)).into();
        let second: Vec<CrossPlay> = [4, 10, 6, 8].map(|turns| game(turns, true)).into();
        let expected = Difference { mean_turns: -1.0, interval95: [-1.0, -1.0], better: 4, worse: 0 };
        assert_eq!(Difference::new(&first, &second), expected);
        assert_eq!(Difference::new(&second, &first).worse, 4);
    }
}
