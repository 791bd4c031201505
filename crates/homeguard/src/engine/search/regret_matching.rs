//! Zero-sum matrix games by regret matching (Hart and Mas-Colell 2000; the "plus" form of Tammelin 2014).

/// Mixed strategies of both players and the value for the row player.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// Probability of each row.
    pub rows: Vec<f64>,
    /// Probability of each column.
    pub columns: Vec<f64>,
    /// Expected payoff when both play them.
    pub value: f64,
}

/// Approximates an equilibrium of the game with the given payoffs to the row player, row by row.
pub fn solve(payoffs: &[f32], columns: usize, rounds: usize) -> Equilibrium {
    let columns = columns.max(1);
    let rows = payoffs.len() / columns;
    let mut regret = (vec![0f32; rows], vec![0f32; columns]);
    let mut total = (vec![0f32; rows], vec![0f32; columns]);
    let mut now = (vec![0f32; rows], vec![0f32; columns]);
    let mut gain = (vec![0f32; rows], vec![0f32; columns]);
    for round in 1..=rounds.max(1) {
        matching(&regret.0, &mut now.0);
        matching(&regret.1, &mut now.1);
        gain.1.fill(0.0);
        for ((row, weight), g) in payoffs.chunks_exact(columns).zip(&now.0).zip(&mut gain.0) {
            *g = row.iter().zip(&now.1).map(|(p, q)| p * q).sum();
            for (sum, p) in gain.1.iter_mut().zip(row) {
                *sum -= weight * p;
            }
        }
        let value: f32 = gain.0.iter().zip(&now.0).map(|(g, p)| g * p).sum();
        // later rounds count more: the average forgets its beginning
        let weight = round as f32;
        for i in 0..rows {
            regret.0[i] = (regret.0[i] + gain.0[i] - value).max(0.0);
            total.0[i] += weight * now.0[i];
        }
        for j in 0..columns {
            regret.1[j] = (regret.1[j] + gain.1[j] + value).max(0.0);
            total.1[j] += weight * now.1[j];
        }
    }
    let share = |total: &[f32]| -> Vec<f64> {
        let sum: f64 = total.iter().map(|v| f64::from(*v)).sum();
        total.iter().map(|v| f64::from(*v) / sum.max(1e-30)).collect()
    };
    let (rows, mixed) = (share(&total.0), share(&total.1));
    let value = payoffs
        .chunks_exact(columns)
        .zip(&rows)
        .map(|(row, p)| {
            let expected: f64 = row.iter().zip(&mixed).map(|(v, q)| f64::from(*v) * q).sum();
            p * expected
        })
        .sum();
    Equilibrium { rows, columns: mixed, value }
}

fn matching(regret: &[f32], out: &mut [f32]) {
    let sum: f32 = regret.iter().sum();
    if sum > 0.0 {
        for (o, r) in out.iter_mut().zip(regret) {
            *o = r / sum;
        }
    } else {
        out.fill(1.0 / regret.len().max(1) as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rock_paper_scissors_is_played_evenly() {
        let game = [0.0, -1.0, 1.0, 1.0, 0.0, -1.0, -1.0, 1.0, 0.0];
        let solved = solve(&game, 3, 2_000);
        assert!(solved.value.abs() < 0.01);
        for p in solved.rows.iter().chain(&solved.columns) {
            assert!((p - 1.0 / 3.0).abs() < 0.02, "{solved:?}");
        }
    }

    #[test]
    fn an_uneven_game_has_its_known_value() {
        // rows (3, −1) and (−2, 1): value 1/7, first row with probability 3/7, first column with 2/7
        let solved = solve(&[3.0, -1.0, -2.0, 1.0], 2, 5_000);
        assert!((solved.value - 1.0 / 7.0).abs() < 0.01, "{solved:?}");
        assert!((solved.rows[0] - 3.0 / 7.0).abs() < 0.02);
        assert!((solved.columns[0] - 2.0 / 7.0).abs() < 0.02);
    }

    #[test]
    fn a_dominant_row_is_always_played() {
        let solved = solve(&[5.0, 4.0, 1.0, 0.0], 2, 500);
        assert!(solved.rows[0] > 0.99 && (solved.value - 4.0).abs() < 0.05);
    }
}
