//! Ratings of many players from all their games: the Bradley–Terry model with a prior.
//!
//! The expected score of `a` against `b` is `1 / (1 + 10^((b − a) / 400))` (Bradley & Terry 1952, Elo 1978); a draw is half
//! a win for both. As in BayesElo (Coulom 2008) every player has some virtual draws against an opponent of rating 0, so
//! that a player with only wins has a finite rating. The maximum is found by Newton's method on the log-likelihood, which
//! is concave; the intervals are those of its curvature there.

use serde::Serialize;

/// Result of two players against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairScore {
    pub a: usize,
    pub b: usize,
    /// Points of `a` in `games` games.
    pub points: f64,
    pub games: f64,
}

/// Rating of a player. The mean of all players is 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayerRating {
    pub elo: f64,
    /// 95 % interval of the difference to the mean of all players.
    pub interval95: [f64; 2],
}

/// Virtual draws of every player against an opponent of rating 0.
const PRIOR_DRAWS: f64 = 2.0;
/// Elo per unit of log-odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Ratings of `players` players.
pub fn ratings(players: usize, scores: &[PairScore]) -> Vec<PlayerRating> {
    let mut logits = vec![0.0f64; players];
    for _ in 0..100 {
        let (gradient, information) = curvature(&logits, scores);
        let step = solve(&information, &gradient);
        // a long step would overshoot where the likelihood is flat
        let longest = step.iter().fold(1.0f64, |longest, s| longest.max(s.abs()));
        logits.iter_mut().zip(&step).for_each(|(logit, s)| *logit += s / longest);
        if step.iter().all(|s| s.abs() < 1e-9) {
            break;
        }
    }
    let (_, information) = curvature(&logits, scores);
    let n = players.max(1) as f64;
    let mean = logits.iter().sum::<f64>() / n;
    (0..players)
        .map(|i| {
            let contrast: Vec<f64> = (0..players).map(|j| f64::from(u8::from(i == j)) - 1.0 / n).collect();
            let spread = solve(&information, &contrast);
            let variance: f64 = contrast.iter().zip(&spread).map(|(c, s)| c * s).sum();
            let (elo, error) = ((logits[i] - mean) * SCALE, 1.96 * variance.max(0.0).sqrt() * SCALE);
            PlayerRating { elo, interval95: [elo - error, elo + error] }
        })
        .collect()
}

/// Gradient and negated Hessian of the log-likelihood with the prior.
fn curvature(logits: &[f64], scores: &[PairScore]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = logits.len();
    let (mut gradient, mut information) = (vec![0.0; n], vec![vec![0.0; n]; n]);
    let expected = |difference: f64| 1.0 / (1.0 + (-difference).exp());
    for (i, &logit) in logits.iter().enumerate() {
        let p = expected(logit);
        gradient[i] += PRIOR_DRAWS * (0.5 - p);
        information[i][i] += PRIOR_DRAWS * p * (1.0 - p);
    }
    for &PairScore { a, b, points, games } in scores {
        let p = expected(logits[a] - logits[b]);
        let (slope, weight) = (points - games * p, games * p * (1.0 - p));
        gradient[a] += slope;
        gradient[b] -= slope;
        information[a][a] += weight;
        information[b][b] += weight;
        information[a][b] -= weight;
        information[b][a] -= weight;
    }
    (gradient, information)
}

/// Solves a system with a positive definite matrix by elimination.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut rows: Vec<Vec<f64>> = matrix.iter().zip(right).map(|(row, r)| [row.as_slice(), &[*r]].concat()).collect();
    for i in 0..n {
        let pivot = rows[i].clone();
        for row in rows.iter_mut().skip(i + 1) {
            let factor = row[i] / pivot[i].max(1e-12);
            for (value, p) in row.iter_mut().zip(&pivot).skip(i) {
                *value -= factor * p;
            }
        }
    }
    let mut solution = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][n] - known) / rows[i][i].max(1e-12);
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_games_recover_known_ratings() {
        let truth = [120.0, 40.0, -10.0, -150.0];
        let mut scores = Vec::new();
        for a in 0..4 {
            for b in a + 1..4 {
                let points = 10_000.0 * crate::stats::expected_score(truth[a] - truth[b]);
                scores.push(PairScore { a, b, points, games: 10_000.0 });
            }
        }
        for (found, truth) in ratings(4, &scores).iter().zip(truth) {
            assert!((found.elo - truth).abs() < 1.0, "{found:?} {truth}");
            assert!(found.interval95[0] < truth && truth < found.interval95[1]);
            assert!(found.interval95[1] - found.interval95[0] < 15.0);
        }
    }

    #[test]
    fn a_player_with_only_wins_has_a_finite_rating() {
        let found = ratings(2, &[PairScore { a: 0, b: 1, points: 10.0, games: 10.0 }]);
        assert!(found[0].elo > 100.0 && found[0].elo < 600.0, "{found:?}");
        assert!((found[0].elo + found[1].elo).abs() < 1e-6);
        let even = ratings(3, &[]);
        assert!(even.iter().all(|r| r.elo.abs() < 1e-9 && r.interval95[1] > 100.0));
    }
}
