//! Matches between two configurations of the engine: paired openings, colours swapped, SPRT.

use arena::stats::{Pentanomial, Sprt, elo};
use std::sync::atomic::AtomicBool;

use gomoku::engine::geometry::Cell;
use gomoku::engine::pattern_board::PatternBoard;
use gomoku::engine::pattern_tables::Class;
use gomoku::engine::{Engine, SearchLimits};
use gomoku::rules::{Color, Point};

use super::openings::alternate;

/// How moves are chosen.
#[derive(Clone, Copy)]
pub enum MoveChoice<'a> {
    /// By a search within limits.
    Search(&'a SearchLimits),
    /// By the most likely move of the policy.
    Likely,
}

impl MoveChoice<'_> {
    /// The move of an engine, if it has one.
    fn choose(self, engine: &mut Engine, stones: &[(Point, Color)], mover: Color) -> Option<Point> {
        match self {
            Self::Search(limits) => {
                let report = engine.search(stones, mover, limits, &AtomicBool::new(false), &mut |_| {});
                report.ok().map(|report| report.best)
            }
            Self::Likely => engine.policy(stones, mover).ok()?.first().map(|(point, _)| *point),
        }
    }
}

/// Plays one game from an opening and returns black's result: 1, ½ or 0.
///
/// `players` are for black and white.
pub fn game(players: [&mut Engine; 2], way: MoveChoice<'_>, opening: &[Point]) -> f64 {
    let mut stones = alternate(opening);
    let (rule, size) = (players[0].config().rule, players[0].config().size);
    let mut position = PatternBoard::new(rule, size).expect("the engine accepted this size");
    position.set(&stones).expect("openings are distinct points on the board");
    loop {
        let turn = stones.len() % 2;
        let mover = if turn == 0 { Color::Black } else { Color::White };
        let Some(point) = way.choose(players[turn], &stones, mover) else { return 0.5 };
        let cell = Cell::of(point);
        let wins = position.class(cell, mover) == Class::Five as u8;
        stones.push((point, mover));
        position.place(cell, mover);
        if wins {
            return if mover == Color::Black { 1.0 } else { 0.0 };
        }
        if position.is_full() {
            return 0.5;
        }
    }
}

/// Plays a pair of games from an opening, colours swapped, and returns the first engine's points: 0 to 2.
pub fn pair(first: &mut Engine, second: &mut Engine, way: MoveChoice<'_>, opening: &[Point]) -> f64 {
    first.clear();
    second.clear();
    let as_black = game([first, second], way, opening);
    first.clear();
    second.clear();
    as_black + 1.0 - game([second, first], way, opening)
}

/// Results of game pairs for the first side, each pair worth 0, ½, 1, 1½ or 2 points.
#[derive(Clone, Debug, Default)]
pub struct PairTally {
    pub pairs: [u32; 5],
}

impl PairTally {
    /// Adds a pair of games by the first side's points.
    pub fn add(&mut self, points: f64) {
        self.pairs[((points * 2.0).round() as usize).min(4)] += 1;
    }

    /// Games played.
    pub fn games(&self) -> u32 {
        2 * self.pairs.iter().sum::<u32>()
    }

    /// Mean points of the first side in a game.
    pub fn score(&self) -> f64 {
        let points: f64 = self.pairs.iter().enumerate().map(|(i, &n)| i as f64 / 4.0 * f64::from(n)).sum();
        points / f64::from(self.games().max(2) / 2)
    }

    fn pentanomial(&self) -> Pentanomial {
        Pentanomial(self.pairs.map(u64::from))
    }

    /// Standard error of [`PairTally::score`], from pairs (games of a pair are not independent).
    pub fn error(&self) -> f64 {
        let n = f64::from(self.games().max(4) / 2);
        let mean = self.score();
        let variance: f64 = self
            .pairs
            .iter()
            .enumerate()
            .map(|(i, &count)| (i as f64 / 4.0 - mean).powi(2) * f64::from(count))
            .sum::<f64>()
            / n;
        (variance.max(1e-4) / n).sqrt()
    }

    /// Log-likelihood ratio of "stronger by `elo1`" against "by `elo0`" ([`Sprt::llr`]); 0 before 16 games.
    pub fn llr(&self, elo0: f64, elo1: f64) -> f64 {
        if self.games() < 16 {
            return 0.0;
        }
        Sprt::new(elo0, elo1).llr(&self.pentanomial())
    }

    /// Elo difference with its 95% interval.
    pub fn elo(&self) -> (f64, f64, f64) {
        let [low, high] = self.pentanomial().score_interval(0.95);
        (elo(self.score().clamp(low, high)), elo(low), elo(high))
    }
}
