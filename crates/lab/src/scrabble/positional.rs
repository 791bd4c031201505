//! Learning the positional model.
//!
//! On positions of self-play the best candidates are simulated for two plies against the same racks. Simulated less
//! static equity, centred within a position, is regressed on the positional features. Every fifth position is held
//! out to measure the error.

use super::least_squares::{Sums, centre};
use game::Seed;
use scrabble::engine::simulation::{CandidateMove, KnownPosition, SimulationBudget, simulate};
use scrabble::engine::{FEATURES, OnePlyPlayer, PositionalModel, WinModel, positional_features};
use scrabble::{PlayerMove, TwoPlayerGame, rack_value};
use std::sync::atomic::AtomicBool;

/// Candidates per position, and iterations per candidate.
const CANDIDATES: usize = 15;
const ITERATIONS: u64 = 24;
/// Candidates further than this below the best are left out, in thousandths of a point.
const CLOSE: i32 = 15_000;
/// Ridge penalty, in rows.
const RIDGE: f64 = 60.0;
/// One position in `EVERY` is used, and one in `HELD_BACK` of those is held out.
const EVERY: u64 = 3;
const HELD_BACK: u64 = 5;

/// A candidate relative to the mean of its position: features and simulated less static equity.
type Row = ([f64; FEATURES], f64);

/// Sums for the least-squares fit.
#[derive(Default)]
pub struct PositionalEvidence {
    sums: Sums<FEATURES>,
    held_back: Vec<Row>,
    pub positions: u64,
}

impl PositionalEvidence {
    fn add(&mut self, mut rows: Vec<Row>) {
        centre(&mut rows);
        self.positions += 1;
        if self.positions.is_multiple_of(HELD_BACK) {
            self.held_back.extend(rows);
        } else {
            rows.iter().for_each(|(features, gain)| self.sums.add(features, *gain));
        }
    }

    /// The fitted model.
    pub fn positional(&self) -> PositionalModel {
        PositionalModel(self.sums.solve(RIDGE))
    }

    /// Mean squared error on the held-out candidates, without and with the model.
    pub fn error(&self, positional: &PositionalModel) -> (f64, f64) {
        let count = self.held_back.len().max(1) as f64;
        let square = |guess: &dyn Fn(&Row) -> f64| {
            self.held_back.iter().map(|row| (row.1 - guess(row)).powi(2)).sum::<f64>() / count
        };
        (square(&|_| 0.0), square(&|row| positional.correction(&row.0) / 1000.0))
    }
}

/// Plays games and adds their positions until `positions` are reached; `progress` may stop it with an error.
pub fn learn<E>(
    player: &OnePlyPlayer<'_>,
    win: &WinModel,
    seed: Seed,
    positions: u64,
    evidence: &mut PositionalEvidence,
    mut progress: impl FnMut(&PositionalEvidence) -> Result<(), E>,
) -> Result<(), E> {
    let dictionary = player.dictionary;
    let mut number = 0;
    while evidence.positions < positions {
        let mut rng = seed.rng(number);
        let mut position = TwoPlayerGame::new(dictionary, player.layout, &mut rng);
        let mut turns = number;
        number += 1;
        while !position.over && !position.bag.is_empty() && evidence.positions < positions {
            if turns.is_multiple_of(EVERY) {
                let rows = compare(player, win, &position, turns);
                if rows.len() > 1 {
                    evidence.add(rows);
                    progress(evidence)?;
                }
            }
            turns += 1;
            let other = rack_value(dictionary, &position.racks[1 - position.to_move]);
            let turn = player.choose(&position.board, position.rack(), position.bag.len(), other);
            position.apply(dictionary, turn, &mut rng);
        }
    }
    Ok(())
}

fn compare(player: &OnePlyPlayer<'_>, win: &WinModel, position: &TwoPlayerGame, seed: u64) -> Vec<Row> {
    let unseen = position.unseen();
    let known_position = KnownPosition {
        board: &position.board,
        rack: position.rack(),
        unseen: &unseen,
        opponent_tiles: position.racks[1 - position.to_move].len(),
        opponent_known: &[],
        lead: position.lead(),
        inference: None,
        positional: None,
    };
    let iterations = ITERATIONS * CANDIDATES as u64;
    let budget = SimulationBudget::best_arm(CANDIDATES, iterations, seed);
    let candidates = simulate(player, win, &known_position, budget, &AtomicBool::new(false)).candidates;
    let best = candidates.iter().map(|c| c.equity).max().unwrap_or(0);
    let row = |candidate: &CandidateMove| {
        let play = match &candidate.turn {
            PlayerMove::Play(play) => Some(play),
            _ => None,
        };
        let equity = candidate.equity as f64 / 1000.0;
        let kept = equity - candidate.score as f64;
        (positional_features(&position.board, player.layout, play, kept, position.bag.len()), candidate.mean - equity)
    };
    candidates.iter().filter(|c| c.equity >= best - CLOSE).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_weights_are_recovered() {
        let truth: Vec<f64> = (0..FEATURES).map(|i| (i % 7) as f64 - 3.0).collect();
        let mut evidence = PositionalEvidence::default();
        let mut x = 1u64;
        for _ in 0..4000 {
            let rows = (0..4).map(|_| {
                let mut features = [0.0; FEATURES];
                for feature in &mut features {
                    x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    *feature = (x >> 62) as f64;
                }
                (features, features.iter().zip(&truth).map(|(f, t)| f * t).sum())
            });
            evidence.add(rows.collect());
        }
        let positional = evidence.positional();
        for (found, wanted) in positional.0.iter().zip(&truth) {
            assert!((found - wanted).abs() < 0.1, "{found} for {wanted}");
        }
        let (without, with) = evidence.error(&positional);
        assert!(with < without * 0.01, "{with} of {without}");
    }
}
