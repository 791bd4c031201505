//! Games of the engine against itself, recorded for fitting.

use std::sync::atomic::AtomicBool;

use gomoku::engine::geometry::Cell;
use gomoku::engine::position::Position;
use gomoku::engine::tables::Class;
use gomoku::engine::{Engine, Limits};
use gomoku::rules::{Color, Point};

use super::openings::{OpeningStyle, alternate, balanced};
use super::records::{Record, RecordedMove};
use super::rng::SplitMix;

/// How self-play games are played.
#[derive(Clone, Debug)]
pub struct Style {
    pub opening: OpeningStyle,
    /// Nodes for a move.
    pub nodes: u64,
    /// Chance that a move is taken from the three best-looking ones instead, for variety.
    pub stray: f32,
}

/// Plays one game from a random balanced opening, recording every searched move.
pub fn play(engine: &mut Engine, style: &Style, rng: &mut SplitMix) -> Record {
    engine.clear();
    let points = balanced(engine, &style.opening, rng);
    let (size, rule) = (engine.config().size, engine.config().rule);
    let mut stones = alternate(&points);
    let mut moves: Vec<RecordedMove> = points.iter().map(|&point| RecordedMove { point, score: 0 }).collect();
    let mut position = Position::new(rule, size).expect("the engine accepted this size");
    position.set(&stones).expect("openings are distinct points on the board");
    let stop = AtomicBool::new(false);
    let result = loop {
        let mover = if stones.len().is_multiple_of(2) { Color::Black } else { Color::White };
        let Ok(report) = engine.search(&stones, mover, &Limits::nodes(style.nodes), &stop, &mut |_| {}) else {
            break 1;
        };
        let mut point = report.best;
        let score = report.lines[0].score;
        if score.forced_in().is_none() && rng.unit() < style.stray {
            point = stray(engine, &stones, mover, rng).unwrap_or(point);
        }
        moves.push(RecordedMove { point, score: score.0.clamp(-32000, 32000) as i16 });
        let wins = position.class(Cell::of(point), mover) == Class::Five as u8;
        stones.push((point, mover));
        position.place(Cell::of(point), mover);
        if wins {
            break if mover == Color::Black { 2 } else { 0 };
        }
        if position.is_full() {
            break 1;
        }
        // a decided game need not be played out: the forced line is known
        if score.forced_in().is_some_and(|n| (1..=7).contains(&n)) {
            break if mover == Color::Black { 2 } else { 0 };
        }
    };
    Record { size, rule, opening: points.len() as u8, result, moves }
}

fn stray(engine: &mut Engine, stones: &[(Point, Color)], mover: Color, rng: &mut SplitMix) -> Option<Point> {
    let policy = engine.policy(stones, mover).ok()?;
    let choice = rng.below(3.min(policy.len()));
    Some(policy[choice].0)
}
