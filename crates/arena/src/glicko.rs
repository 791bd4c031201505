//! Glicko-2 ratings (Glickman 2012, "Example of the Glicko-2 system"), with one game per rating period.

use std::f64::consts::PI;

/// A Glicko-2 rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glicko {
    /// Rating; 1500 is the initial value.
    pub rating: f64,
    /// Rating deviation.
    pub deviation: f64,
    /// Volatility: expected fluctuation of the rating.
    pub volatility: f64,
}

impl Default for Glicko {
    fn default() -> Self {
        Self { rating: 1500.0, deviation: 350.0, volatility: 0.06 }
    }
}

/// Rating points per unit of the internal scale.
const SCALE: f64 = 173.7178;
/// System constant τ: limits changes of the volatility.
const TAU: f64 = 0.5;
/// Largest rating deviation.
const MAX_DEVIATION: f64 = 350.0;
/// Convergence tolerance of the volatility.
const EPSILON: f64 = 1e-6;

impl Glicko {
    /// The rating after games against opponents with their earlier ratings, each with the points scored (1, ½ or 0).
    pub fn after(self, games: &[(Self, f64)]) -> Self {
        let (mu, phi) = ((self.rating - 1500.0) / SCALE, self.deviation / SCALE);
        if games.is_empty() {
            let deviation = (phi * phi + self.volatility * self.volatility).sqrt() * SCALE;
            return Self { deviation: deviation.min(MAX_DEVIATION), ..self };
        }
        let (mut information, mut surprise) = (0.0, 0.0);
        for (other, points) in games {
            let (mu_j, phi_j) = ((other.rating - 1500.0) / SCALE, other.deviation / SCALE);
            let g = 1.0 / (1.0 + 3.0 * phi_j * phi_j / (PI * PI)).sqrt();
            let expected = 1.0 / (1.0 + (-g * (mu - mu_j)).exp());
            information += g * g * expected * (1.0 - expected);
            surprise += g * (points - expected);
        }
        let variance = 1.0 / information;
        let volatility = self.new_volatility(phi, variance, variance * surprise);
        let before = phi * phi + volatility * volatility;
        let phi = 1.0 / (1.0 / before + 1.0 / variance).sqrt();
        let mu = mu + phi * phi * surprise;
        Self { rating: 1500.0 + SCALE * mu, deviation: (SCALE * phi).min(MAX_DEVIATION), volatility }
    }

    /// The new volatility (Glickman 2012, step 5), by the Illinois method.
    fn new_volatility(self, phi: f64, variance: f64, delta: f64) -> f64 {
        let start = (self.volatility * self.volatility).ln();
        let f = |x: f64| {
            let e = x.exp();
            let spread = phi * phi + variance + e;
            e * (delta * delta - spread) / (2.0 * spread * spread) - (x - start) / (TAU * TAU)
        };
        let mut a = start;
        let mut b = if delta * delta > phi * phi + variance {
            (delta * delta - phi * phi - variance).ln()
        } else {
            let mut k = 1.0;
            while f(start - k * TAU) < 0.0 {
                k += 1.0;
            }
            start - k * TAU
        };
        let (mut f_a, mut f_b) = (f(a), f(b));
        while (b - a).abs() > EPSILON {
            let c = a + (a - b) * f_a / (f_b - f_a);
            let f_c = f(c);
            if f_c * f_b <= 0.0 {
                (a, f_a) = (b, f_b);
            } else {
                f_a /= 2.0;
            }
            (b, f_b) = (c, f_c);
        }
        (a / 2.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(rating: f64, deviation: f64) -> Glicko {
        Glicko { rating, deviation, ..Glicko::default() }
    }

    #[test]
    fn the_example_of_the_paper_comes_out() {
        let games = [(player(1400.0, 30.0), 1.0), (player(1550.0, 100.0), 0.0), (player(1700.0, 300.0), 0.0)];
        let after = player(1500.0, 200.0).after(&games);
        assert!((after.rating - 1464.06).abs() < 0.02, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.02, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00002, "{after:?}");
    }

    #[test]
    fn equal_players_share_what_a_game_moves_and_quiet_ones_become_less_certain() {
        let (winner, loser) = (player(1500.0, 100.0), player(1500.0, 100.0));
        let (up, down) = (winner.after(&[(loser, 1.0)]), loser.after(&[(winner, 0.0)]));
        assert!((up.rating - 1500.0 - (1500.0 - down.rating)).abs() < 1e-6);
        assert!(up.rating > 1515.0 && up.deviation < 100.0, "{up:?}");
        let drawn = winner.after(&[(loser, 0.5)]);
        assert!((drawn.rating - 1500.0).abs() < 1e-9);
        assert!(winner.after(&[]).deviation > 100.0);
        assert_eq!(Glicko::default().after(&[]).deviation, MAX_DEVIATION);
    }

    #[test]
    fn many_games_find_the_true_strength() {
        // an opponent of known strength is beaten in three of four games: about 191 points above
        let other = player(1500.0, 30.0);
        let mut me = Glicko::default();
        for n in 0..400 {
            me = me.after(&[(other, if n % 4 == 3 { 0.0 } else { 1.0 })]);
        }
        assert!((me.rating - 1691.0).abs() < 45.0, "{me:?}");
        assert!(me.deviation < 80.0, "{me:?}");
    }
}
