//! Learning the static player's prices for what a turn does to the turns after it.
//!
//! On positions of self-play the best-looking turns are simulated for two plies against the same racks. Simulated
//! less static equity, compared within a position, is regressed on the figures of the turns. Every fifth position is
//! held back: how much of its variance the prices explain is the measure of their worth.

use super::least_squares::{Sums, centre};
use game::Seed;
use scrabble::players::simulate::{Candidate, Effort, Situation, simulate};
use scrabble::players::{FIGURES, Outlook, Quick, WinModel, figures};
use scrabble::{Position, Turn, worth};
use std::sync::atomic::AtomicBool;

/// Turns looked at in each position, and the tries each of them gets.
const CANDIDATES: usize = 15;
const TRIES: u64 = 24;
/// Turns that look worse than the best by more than this are left out, in thousandths of a point.
const CLOSE: i32 = 15_000;
/// What keeps prices of rare figures small, in rows.
const RIDGE: f64 = 60.0;
/// One position of a game in so many is taken, and one of those in so many is held back.
const EVERY: u64 = 3;
const HELD_BACK: u64 = 5;

/// A turn in comparison with the mean of its position: figures and what simulation adds.
type Row = ([f64; FIGURES], f64);

/// Sums for the least-squares fit.
#[derive(Default)]
pub struct Evidence {
    sums: Sums<FIGURES>,
    held_back: Vec<Row>,
    pub positions: u64,
}

impl Evidence {
    fn add(&mut self, mut rows: Vec<Row>) {
        centre(&mut rows);
        self.positions += 1;
        if self.positions.is_multiple_of(HELD_BACK) {
            self.held_back.extend(rows);
        } else {
            rows.iter().for_each(|(figures, gain)| self.sums.add(figures, *gain));
        }
    }

    /// The prices this evidence gives.
    pub fn outlook(&self) -> Outlook {
        Outlook(self.sums.solve(RIDGE))
    }

    /// Mean squared gain of the turns held back, without prices and with them.
    pub fn error(&self, outlook: &Outlook) -> (f64, f64) {
        let count = self.held_back.len().max(1) as f64;
        let square = |guess: &dyn Fn(&Row) -> f64| {
            self.held_back.iter().map(|row| (row.1 - guess(row)).powi(2)).sum::<f64>() / count
        };
        (square(&|_| 0.0), square(&|row| outlook.correction(&row.0) / 1000.0))
    }
}

/// Plays games and adds what their positions show until `positions` were seen; `progress` may stop it by an error.
pub fn learn<E>(
    player: &Quick<'_>,
    win: &WinModel,
    seed: Seed,
    positions: u64,
    evidence: &mut Evidence,
    mut progress: impl FnMut(&Evidence) -> Result<(), E>,
) -> Result<(), E> {
    let dictionary = player.dictionary;
    let mut number = 0;
    while evidence.positions < positions {
        let mut rng = seed.rng(number);
        let mut position = Position::new(dictionary, player.layout, &mut rng);
        let mut turns = number;
        number += 1;
        while !position.over && !position.bag.is_empty() && evidence.positions < positions {
            if turns.is_multiple_of(EVERY) {
                let rows = judge(player, win, &position, turns);
                if rows.len() > 1 {
                    evidence.add(rows);
                    progress(evidence)?;
                }
            }
            turns += 1;
            let other = worth(dictionary, &position.racks[1 - position.to_move]);
            let turn = player.choose(&position.board, position.rack(), position.bag.len(), other);
            position.apply(dictionary, turn, &mut rng);
        }
    }
    Ok(())
}

fn judge(player: &Quick<'_>, win: &WinModel, position: &Position, seed: u64) -> Vec<Row> {
    let unseen = position.unseen();
    let situation = Situation {
        board: &position.board,
        rack: position.rack(),
        unseen: &unseen,
        other_rack: position.racks[1 - position.to_move].len(),
        lead: position.lead(),
        inference: None,
        outlook: None,
    };
    let iterations = TRIES * CANDIDATES as u64;
    let effort = Effort { candidates: CANDIDATES, iterations, time: None, seed, parallel: false };
    let candidates = simulate(player, win, &situation, effort, &AtomicBool::new(false)).candidates;
    let best = candidates.iter().map(|c| c.equity).max().unwrap_or(0);
    let row = |candidate: &Candidate| {
        let play = match &candidate.turn {
            Turn::Play(play) => Some(play),
            _ => None,
        };
        let equity = candidate.equity as f64 / 1000.0;
        let kept = equity - candidate.score as f64;
        (figures(&position.board, player.layout, play, kept, position.bag.len()), candidate.mean - equity)
    };
    candidates.iter().filter(|c| c.equity >= best - CLOSE).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_found_again() {
        let truth: Vec<f64> = (0..FIGURES).map(|i| (i % 7) as f64 - 3.0).collect();
        let mut evidence = Evidence::default();
        let mut x = 1u64;
        for _ in 0..4000 {
            let rows = (0..4).map(|_| {
                let mut figures = [0.0; FIGURES];
                for figure in &mut figures {
                    x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    *figure = (x >> 62) as f64;
                }
                (figures, figures.iter().zip(&truth).map(|(f, t)| f * t).sum())
            });
            evidence.add(rows.collect());
        }
        let outlook = evidence.outlook();
        for (found, wanted) in outlook.0.iter().zip(&truth) {
            assert!((found - wanted).abs() < 0.1, "{found} for {wanted}");
        }
        let (without, with) = evidence.error(&outlook);
        assert!(with < without * 0.01, "{with} of {without}");
    }
}
