//! Running statistics of a simulated candidate.

use super::rollout::{RECORDED_PLIES, RolloutResult};

/// One ply of a simulation: even indices are the opponent's, odd ones our own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlyStatistics {
    /// Rollouts that reached the ply.
    pub iterations: u64,
    /// Mean score in points.
    pub mean: f64,
    /// Standard deviation of the score in points.
    pub deviation: f64,
    /// Share of full-rack plays (bingos).
    pub bingos: f64,
}

#[derive(Clone, Copy, Default)]
struct PlySums {
    count: u64,
    sum: f64,
    squares: f64,
    bingos: u64,
}

/// Sums over the rollouts of a candidate.
#[derive(Clone, Default)]
pub(super) struct CandidateStatistics {
    count: u64,
    points: [f64; 2],
    win: [f64; 2],
    plies_played: u64,
    plies: [PlySums; RECORDED_PLIES],
}

/// Mean and the half-width of its 95% interval from count, sum and sum of squares.
fn mean_and_half_width(count: u64, [sum, squares]: [f64; 2]) -> (f64, f64) {
    let n = count.max(1) as f64;
    let mean = sum / n;
    let variance = (squares / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

impl CandidateStatistics {
    pub(super) fn add(&mut self, result: &RolloutResult) {
        self.count += 1;
        self.points[0] += result.points;
        self.points[1] += result.points * result.points;
        self.win[0] += result.win;
        self.win[1] += result.win * result.win;
        self.plies_played += result.plies as u64;
        for (ply, sums) in self.plies.iter_mut().enumerate().take(result.plies) {
            let score = f64::from(result.scores[ply]);
            sums.count += 1;
            sums.sum += score;
            sums.squares += score * score;
            sums.bingos += u64::from(result.bingos >> ply & 1);
        }
    }

    pub(super) fn iterations(&self) -> u64 {
        self.count
    }

    pub(super) fn mean(&self) -> f64 {
        mean_and_half_width(self.count, self.points).0
    }

    pub(super) fn mean_interval(&self) -> [f64; 2] {
        let (mean, half) = mean_and_half_width(self.count, self.points);
        [mean - half, mean + half]
    }

    pub(super) fn win(&self) -> f64 {
        mean_and_half_width(self.count, self.win).0
    }

    /// The 95% interval of the win probability; Wilson's where all rollouts agree.
    pub(super) fn win_interval(&self) -> [f64; 2] {
        let (mean, half) = mean_and_half_width(self.count, self.win);
        if half > 0.0 {
            return [(mean - half).max(0.0), (mean + half).min(1.0)];
        }
        let (n, z) = (self.count.max(1) as f64, 1.96f64);
        let centre = (mean + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (mean * (1.0 - mean) / n + z * z / (4.0 * n * n)).sqrt();
        [(centre - half).max(0.0), (centre + half).min(1.0)]
    }

    pub(super) fn mean_plies(&self) -> f64 {
        self.plies_played as f64 / self.count.max(1) as f64
    }

    /// The plies that some rollout reached.
    pub(super) fn plies(&self) -> Vec<PlyStatistics> {
        let statistics = |s: &PlySums| {
            let n = s.count as f64;
            let mean = s.sum / n;
            let deviation = (s.squares / n - mean * mean).max(0.0).sqrt();
            PlyStatistics { iterations: s.count, mean, deviation, bingos: s.bingos as f64 / n }
        };
        self.plies.iter().take_while(|s| s.count > 0).map(statistics).collect()
    }
}
