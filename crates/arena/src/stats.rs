//! Elo, confidence intervals and the sequential probability ratio test over game pairs.
//!
//! The two games of a pair are correlated through the opening. Therefore all statistics use the pentanomial model: the
//! variance is that of pair scores, not of single games.

use serde::Serialize;

/// Numbers of pairs with 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Adds a pair worth `points` (0 to 2).
    pub fn add(&mut self, points: f64) {
        self.0[((points * 2.0).round() as usize).min(4)] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean score per game, 0 to 1. One half without pairs.
    pub fn score(&self) -> f64 {
        match self.pairs() {
            0 => 0.5,
            pairs => self.weighted(|share| share) / pairs as f64,
        }
    }

    fn weighted(&self, worth: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().enumerate().map(|(i, &count)| count as f64 * worth(i as f64 / 4.0)).sum()
    }

    /// Variance of one pair's score per game.
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        match self.pairs() {
            0 => 0.0,
            pairs => self.weighted(|share| (share - mean).powi(2)) / pairs as f64,
        }
    }

    /// Wilson score interval (Wilson 1927) at the effective sample size given by the pairs' variance. Its ends are never 0
    /// or 1.
    pub fn score_interval(&self, confidence: f64) -> [f64; 2] {
        let (score, pairs) = (self.score(), self.pairs() as f64);
        if pairs == 0.0 {
            return [0.0, 1.0];
        }
        let variance = self.variance();
        let games = 2.0 * pairs;
        let n = if variance > 0.0 { (score * (1.0 - score) * pairs / variance).min(4.0 * games) } else { games };
        numerics::wilson_interval(score, n, confidence)
    }
}

/// The Elo difference of an expected score.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score of an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test (Wald 1945) of two hypotheses about the Elo difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// Type I error: probability of accepting `elo1` if `elo0` is true.
    pub alpha: f64,
    /// Type II error: probability of accepting `elo0` if `elo1` is true.
    pub beta: f64,
}

/// Verdict of an SPRT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// The difference is `elo0` or less.
    AcceptedFirst,
    /// The difference is `elo1` or more.
    AcceptedSecond,
    Undecided,
}

impl Sprt {
    /// Minimum number of pairs for a verdict.
    pub const MIN_PAIRS: u64 = 16;

    /// A test with α = β = 0.05.
    pub const fn new(elo0: f64, elo1: f64) -> Self {
        Self { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// Log-likelihood ratio in the normal approximation of the generalised SPRT (Van den Bergh 2020, "A practical
    /// introduction to the GSPRT"), over pair scores. A uniform prior worth one pair avoids zero variance after a short
    /// run of equal results.
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        let prior = 0.2;
        let counts = results.0.map(|count| count as f64 + prior);
        let pairs: f64 = counts.iter().sum();
        let share = |i: usize| i as f64 / 4.0;
        let mean = counts.iter().enumerate().map(|(i, c)| c * share(i)).sum::<f64>() / pairs;
        let variance = counts.iter().enumerate().map(|(i, c)| c * (share(i) - mean).powi(2)).sum::<f64>() / pairs;
        let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
        pairs * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// The verdict on the results so far. [`SprtVerdict::Undecided`] before [`Sprt::MIN_PAIRS`].
    pub fn verdict(&self, results: &Pentanomial) -> SprtVerdict {
        if results.pairs() < Self::MIN_PAIRS {
            return SprtVerdict::Undecided;
        }
        let llr = self.llr(results);
        if llr >= ((1.0 - self.beta) / self.alpha).ln() {
            SprtVerdict::AcceptedSecond
        } else if llr <= (self.beta / (1.0 - self.alpha)).ln() {
            SprtVerdict::AcceptedFirst
        } else {
            SprtVerdict::Undecided
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for difference in [-400.0, -35.0, 0.0, 120.0] {
            assert!((elo(expected_score(difference)) - difference).abs() < 1e-9);
        }
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn interval_of_independent_games_is_the_binomial_one() {
        // 400 games, 300 won, pairs as independent coins would give: 9/16 of two wins, 6/16 of one, 1/16 of none.
        let results = Pentanomial([12, 0, 75, 0, 113]);
        let [low, high] = results.score_interval(0.95);
        assert!((results.score() - 0.7525).abs() < 1e-9);
        // Wilson for 301 of 400: 0.7080 to 0.7924 (computed by hand from the formula).
        assert!((low - 0.708).abs() < 0.004 && (high - 0.792).abs() < 0.004, "{low} {high}");
    }

    #[test]
    fn a_clean_sweep_is_not_certain() {
        let [low, high] = Pentanomial([0, 0, 0, 0, 10]).score_interval(0.95);
        assert!(low < 0.9 && low > 0.7 && high <= 1.0);
    }

    #[test]
    fn sprt_accepts_what_is_true() {
        let test = Sprt::new(0.0, 20.0);
        let even = Pentanomial([100, 400, 1000, 400, 100]);
        assert_eq!(test.verdict(&even), SprtVerdict::AcceptedFirst);
        let better = Pentanomial([70, 330, 1000, 470, 130]);
        assert_eq!(test.verdict(&better), SprtVerdict::AcceptedSecond);
        assert_eq!(test.verdict(&Pentanomial::default()), SprtVerdict::Undecided);
        assert_eq!(test.verdict(&Pentanomial([1, 4, 11, 4, 1])), SprtVerdict::Undecided);
    }
}
