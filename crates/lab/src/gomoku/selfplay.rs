//! Games of the engine against itself, recorded for fitting.

use std::sync::atomic::AtomicBool;

use gomoku::engine::geometry::Cell;
use gomoku::engine::position::Position;
use gomoku::engine::tables::Class;
use gomoku::engine::{Engine, Limits};
use gomoku::rules::{Color, Point};

use super::openings::{OpeningStyle, alternate, balanced};
use super::records::{ASIDE, Record, RecordedMove};
use super::rng::SplitMix;

/// How self-play games are played.
#[derive(Clone, Debug)]
pub struct Style {
    pub opening: OpeningStyle,
    /// Nodes for a move.
    pub nodes: u64,
    /// Chance that a move is taken from the three best-looking ones instead, for variety.
    pub stray: f32,
    /// Chance that a position beside the game, a few moves from the one played, is judged too.
    pub aside: f32,
}

/// Plays one game from a random balanced opening, recording every searched move: positions beside it, then the game.
pub fn play(engine: &mut Engine, style: &Style, rng: &mut SplitMix) -> Vec<Record> {
    engine.clear();
    let points = balanced(engine, &style.opening, rng);
    let (size, rule) = (engine.config().size, engine.config().rule);
    let mut stones = alternate(&points);
    let mut moves: Vec<RecordedMove> = points.iter().map(|&point| RecordedMove { point, score: 0 }).collect();
    let mut position = Position::new(rule, size).expect("the engine accepted this size");
    position.set(&stones).expect("openings are distinct points on the board");
    let stop = AtomicBool::new(false);
    let mut asides: Vec<Record> = Vec::new();
    let result = loop {
        let mover = if stones.len().is_multiple_of(2) { Color::Black } else { Color::White };
        let Ok(report) = engine.search(&stones, mover, &Limits::nodes(style.nodes), &stop, &mut |_| {}) else {
            break 1;
        };
        if rng.unit() < style.aside {
            asides.extend(aside(engine, &stones, style, rng));
        }
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
    asides.push(Record { size, rule, opening: points.len() as u8, result, moves });
    asides
}

/// Most moves between a game and a position beside it.
const ASTRAY: usize = 3;
/// Moves that may lead there, likely ones more often.
const WAYS: f32 = 16.0;

/// A position beside the game, as a search meets them: after moves that are thinkable but often poor. Judged with half
/// the nodes; none if the game ends on the way.
fn aside(engine: &mut Engine, stones: &[(Point, Color)], style: &Style, rng: &mut SplitMix) -> Option<Record> {
    let (size, rule) = (engine.config().size, engine.config().rule);
    let mut stones = stones.to_vec();
    let mut position = Position::new(rule, size)?;
    position.set(&stones).ok()?;
    for _ in 0..=rng.below(ASTRAY) {
        let mover = if stones.len().is_multiple_of(2) { Color::Black } else { Color::White };
        let policy = engine.policy(&stones, mover).ok()?;
        let chosen = (WAYS * rng.unit() * rng.unit()) as usize;
        let point = policy.get(chosen.min(policy.len().checked_sub(1)?))?.0;
        if position.class(Cell::of(point), mover) == Class::Five as u8 {
            return None;
        }
        stones.push((point, mover));
        position.place(Cell::of(point), mover);
    }
    let mover = if stones.len().is_multiple_of(2) { Color::Black } else { Color::White };
    let report = engine.search(&stones, mover, &Limits::nodes(style.nodes / 2), &AtomicBool::new(false), &mut |_| {});
    let report = report.ok()?;
    let score = report.lines.first()?.score.0.clamp(-32000, 32000) as i16;
    let mut moves: Vec<RecordedMove> = stones.iter().map(|&(point, _)| RecordedMove { point, score: 0 }).collect();
    moves.push(RecordedMove { point: report.best, score });
    Some(Record { size, rule, opening: u8::try_from(stones.len()).ok()?, result: ASIDE, moves })
}

fn stray(engine: &mut Engine, stones: &[(Point, Color)], mover: Color, rng: &mut SplitMix) -> Option<Point> {
    let policy = engine.policy(stones, mover).ok()?;
    let choice = rng.below(3.min(policy.len()));
    Some(policy[choice].0)
}
