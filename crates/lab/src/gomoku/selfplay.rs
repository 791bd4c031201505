//! Self-play games, recorded for training.

use std::sync::atomic::AtomicBool;

use game::Control;
use gomoku::engine::geometry::Cell;
use gomoku::engine::pattern_board::PatternBoard;
use gomoku::engine::pattern_tables::Class;
use gomoku::engine::{Engine, Score, SearchLimits, SearchReport};
use gomoku::players::{Clock, Nets, Player, Resources, player};
use gomoku::rules::{self, Color, Point};

use super::openings::{OpeningStyle, alternate, balanced};
use super::training_games::{OFF_TRAJECTORY, RecordedMove, TrainingGame, UNSCORED};
use numerics::SplitMix64;

/// Parameters of self-play games.
#[derive(Clone, Debug)]
pub struct SelfPlayStyle {
    pub opening: OpeningStyle,
    /// Nodes per move.
    pub nodes: u64,
    /// Probability of a random move among the three most likely, for variety.
    pub exploration: f32,
    /// Probability, per move, of labelling an off-trajectory position.
    pub off_trajectory: f32,
    /// Mean number of policy-only games (no search) per game. A search labels their positions, because a player without
    /// search meets such positions.
    pub policy_games: f32,
}

/// Plays one game from a random balanced opening and records every searched move: off-trajectory positions, then the
/// game.
pub fn play(engine: &mut Engine, style: &SelfPlayStyle, rng: &mut SplitMix64) -> Vec<TrainingGame> {
    engine.clear();
    let mut off_trajectory_games = Vec::new();
    for _ in 0..(style.policy_games + rng.unit()) as usize {
        off_trajectory_games.extend(unsearched(engine, style, rng));
    }
    let points = balanced(engine, &style.opening, rng);
    let (size, rule) = (engine.config().size, engine.config().rule);
    let mut stones = alternate(&points);
    let mut moves: Vec<RecordedMove> = points.iter().map(|&point| RecordedMove { point, score: 0 }).collect();
    let mut position = PatternBoard::new(rule, size).expect("the engine accepted this size");
    position.set(&stones).expect("openings are distinct points on the board");
    let stop = AtomicBool::new(false);
    let result = loop {
        let mover = to_move(&stones);
        let Ok(report) = engine.search(&stones, mover, &SearchLimits::nodes(style.nodes), &stop, &mut |_| {}) else {
            break 1;
        };
        if rng.unit() < style.off_trajectory {
            off_trajectory_games.extend(off_trajectory(engine, &stones, style, rng));
        }
        let (mut point, score) = (report.best, report.lines[0].score);
        let mut recorded = RecordedMove { point, score: to_record(score) };
        if score.forced_in().is_none() && rng.unit() < style.exploration {
            point = exploration(engine, &stones, mover, rng).unwrap_or(point);
            if point != report.best {
                off_trajectory_games.extend(beside(engine, &stones, &report));
                recorded = RecordedMove { point, score: UNSCORED };
            }
        }
        moves.push(recorded);
        let wins = position.class(Cell::of(point), mover) == Class::Five as u8;
        stones.push((point, mover));
        position.place(Cell::of(point), mover);
        if wins {
            break if mover == Color::Black { 2 } else { 0 };
        }
        if position.is_full() {
            break 1;
        }
        // a decided game ends here: the forced line is known
        if score.forced_in().is_some_and(|n| (1..=7).contains(&n)) {
            break if mover == Color::Black { 2 } else { 0 };
        }
    };
    off_trajectory_games.push(TrainingGame { size, rule, opening: points.len() as u8, result, moves });
    off_trajectory_games
}

/// Black begins and colours alternate.
fn to_move(stones: &[(Point, Color)]) -> Color {
    if stones.len().is_multiple_of(2) { Color::Black } else { Color::White }
}

fn to_record(score: Score) -> i16 {
    score.0.clamp(-32000, 32000) as i16
}

/// A labelled position as a record that was not played out; none where the stones exceed what a record can hold.
fn beside(engine: &Engine, stones: &[(Point, Color)], report: &SearchReport) -> Option<TrainingGame> {
    let (size, rule) = (engine.config().size, engine.config().rule);
    let score = to_record(report.lines[0].score);
    let mut moves: Vec<RecordedMove> = stones.iter().map(|&(point, _)| RecordedMove { point, score: 0 }).collect();
    moves.push(RecordedMove { point: report.best, score });
    let opening = u8::try_from(stones.len()).ok()?;
    Some(TrainingGame { size, rule, opening, result: OFF_TRAJECTORY, moves })
}

/// Maximum number of moves off the trajectory.
const ASTRAY: usize = 3;
/// Number of moves that may lead there, likely ones more often.
const WAYS: f32 = 16.0;

/// An off-trajectory position, as a search meets them: after moves that are plausible but often poor. It is labelled
/// with
/// half the nodes; none if the game ends on the way.
fn off_trajectory(
    engine: &mut Engine,
    stones: &[(Point, Color)],
    style: &SelfPlayStyle,
    rng: &mut SplitMix64,
) -> Option<TrainingGame> {
    let (size, rule) = (engine.config().size, engine.config().rule);
    let mut stones = stones.to_vec();
    let mut position = PatternBoard::new(rule, size)?;
    position.set(&stones).ok()?;
    for _ in 0..=rng.below(ASTRAY) {
        let mover = to_move(&stones);
        let policy = engine.policy(&stones, mover).ok()?;
        let chosen = (WAYS * rng.unit() * rng.unit()) as usize;
        let point = policy.get(chosen.min(policy.len().checked_sub(1)?))?.0;
        if position.class(Cell::of(point), mover) == Class::Five as u8 {
            return None;
        }
        stones.push((point, mover));
        position.place(Cell::of(point), mover);
    }
    let limits = SearchLimits::nodes(style.nodes / 2);
    let report = engine.search(&stones, to_move(&stones), &limits, &AtomicBool::new(false), &mut |_| {}).ok()?;
    beside(engine, &stones, &report)
}

/// Maximum number of stones in a policy-only game.
const LONGEST: usize = 120;
/// Number of moves that a varying side chooses from, likely ones far more often.
const VARIED: f32 = 8.0;

/// The opponent in a policy-only game.
enum Other {
    /// The policy itself, with random deviations.
    Varied,
    /// The heuristic player.
    Counting(Box<dyn Player>),
}

impl Other {
    fn choose(&mut self, position: &rules::Position, likely: &[(Point, f32)], rng: &mut SplitMix64) -> Option<Point> {
        match self {
            Self::Varied => {
                let chosen = (VARIED * rng.unit().powi(4)) as usize;
                likely.get(chosen).or(likely.last()).map(|(point, _)| *point)
            }
            Self::Counting(player) => {
                let clock = Clock { nodes: Some(1), ..Clock::default() };
                player.choose(position, &clock, rng.next_u64(), &Control::new()).ok().map(|decision| decision.point)
            }
        }
    }
}

/// Labels the positions of a policy-only game, where no move decides at once.
fn unsearched(engine: &mut Engine, style: &SelfPlayStyle, rng: &mut SplitMix64) -> Vec<TrainingGame> {
    let (size, rule) = (engine.config().size, engine.config().rule);
    let opening = balanced(engine, &style.opening, rng);
    let mut stones = alternate(&opening);
    let mut shapes = PatternBoard::new(rule, size).expect("the engine accepted this size");
    shapes.set(&stones).expect("openings are distinct points on the board");
    let counting = if rng.unit() < 0.5 { player("heuristic", &Nets::default(), Resources::default()) } else { None };
    let mut other = counting.map_or(Other::Varied, Other::Counting);
    let of_other = if rng.unit() < 0.5 { Color::Black } else { Color::White };
    let mut judged = Vec::new();
    let Ok(mut position) = rules::Position::new(rule, size) else { return judged };
    if opening.iter().any(|&point| position.play(point).is_err()) {
        return judged;
    }
    while stones.len() < LONGEST && !position.is_over() {
        let mover = to_move(&stones);
        let Ok(likely) = engine.policy(&stones, mover) else { break };
        let counts = mover == of_other && matches!(other, Other::Counting(_));
        if shapes.is_undecided(mover) && !counts {
            let Some(record) = compared(engine, &stones, &likely, style) else { break };
            judged.push(record);
        }
        let chosen = if mover == of_other { other.choose(&position, &likely, rng) } else { Some(likely[0].0) };
        let Some(point) = chosen.filter(|&point| position.play(point).is_ok()) else { break };
        stones.push((point, mover));
        shapes.place(Cell::of(point), mover);
    }
    judged
}

/// Moves below this probability are not compared with the best.
const UNLIKELY: f32 = 0.04;

/// A position as a record that was not played out: the best move of the search, then the likely alternatives.
fn compared(
    engine: &mut Engine,
    stones: &[(Point, Color)],
    likely: &[(Point, f32)],
    style: &SelfPlayStyle,
) -> Option<TrainingGame> {
    let mover = to_move(stones);
    let stop = AtomicBool::new(false);
    let report = engine.search(stones, mover, &SearchLimits::nodes(style.nodes), &stop, &mut |_| {}).ok()?;
    let mut record = beside(engine, stones, &report)?;
    let mut after = stones.to_vec();
    for &(point, _) in likely.iter().filter(|(point, chance)| *chance >= UNLIKELY && *point != report.best) {
        after.push((point, mover));
        // a full board after the move is no loss
        let limits = SearchLimits::nodes(style.nodes / 2);
        let reply = engine.search(&after, mover.opponent(), &limits, &stop, &mut |_| {});
        let score = reply.map_or(Score(0), |reply| Score(-reply.lines[0].score.0));
        record.moves.push(RecordedMove { point, score: to_record(score) });
        after.pop();
    }
    Some(record)
}

fn exploration(engine: &mut Engine, stones: &[(Point, Color)], mover: Color, rng: &mut SplitMix64) -> Option<Point> {
    let policy = engine.policy(stones, mover).ok()?;
    let choice = rng.below(3.min(policy.len()));
    Some(policy[choice].0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gomoku::engine::Config;
    use gomoku::rules::Rule;

    #[test]
    fn a_position_with_more_stones_than_a_record_can_say_is_left_out() {
        let mut engine =
            Engine::new(Config { table_mb: 1, ..Config::new(Rule::Freestyle, 20) }).expect("a playable size");
        let points: Vec<Point> = (0..256).map(|i| Point { x: (i % 20) as u8, y: (i / 20) as u8 }).collect();
        let stones = alternate(&points);
        let limits = SearchLimits::nodes(50);
        let report = engine.search(&stones[..2], Color::Black, &limits, &AtomicBool::new(false), &mut |_| {});
        let report = report.expect("a move");
        assert_eq!(beside(&engine, &stones, &report), None);
        let record = beside(&engine, &stones[..255], &report).expect("the most stones there may be");
        assert_eq!((record.line().len(), record.alternatives().len()), (256, 0));
    }
}
