//! Monte Carlo simulation: the best-looking moves are tried against the same random racks of the other player.
//!
//! Iteration `i` gives the other player and the bag the same tiles for every candidate; both sides then answer with
//! the static player for two plies, or to the end of the game once the bag runs low. A candidate is dropped when
//! little is lost by it: when what it may still be better than the leader, weighed by how likely that is (from the
//! paired differences), is next to nothing. The simulation ends when one candidate is left. Where prices of what turns
//! do to the turns after them are given, the static judgement counts as a few tries, so that turns which look hopeless
//! get none. Iterations are numbered and summed in order, so that any number of threads gives the same answer.

use super::inference::Inference;
use super::rollout::Rollout;
use super::win_model::unit_loss;
use super::{MoveSort, OnePlyPlayer, PositionalModel, WinModel, positional_features};
use crate::engine::movegen::MoveGenerator;
use crate::rules::{LaneSet, MIN_BAG_FOR_EXCHANGE, Play, PlayerMove, TileBoard, rack_value, remove};
use crate::with_graph;
use game::Seed;
use lexicon::Tile;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a simulation starts from.
pub struct KnownPosition<'s> {
    pub board: &'s TileBoard,
    pub rack: &'s [Tile],
    /// Tiles not seen: the bag and the other rack, in order.
    pub unseen: &'s [Tile],
    /// Tiles on the other rack.
    pub opponent_tiles: usize,
    /// Own score less the other's.
    pub lead: i32,
    /// What the other player's last move tells about its rack.
    pub inference: Option<&'s Inference>,
    /// Prices with which the static judgement counts besides the tries.
    pub positional: Option<&'s PositionalModel>,
}

/// How much work may be done.
#[derive(Clone, Copy, Debug)]
pub struct SimulationBudget {
    /// Moves that are tried.
    pub candidates: usize,
    /// Most iterations (one try of one candidate is one iteration of the figures).
    pub iterations: u64,
    pub time: Option<Duration>,
    pub seed: u64,
    /// Whether to use several threads; the answer is the same.
    pub parallel: bool,
}

/// One candidate after the simulation.
#[derive(Clone, Debug)]
pub struct CandidateMove {
    pub turn: PlayerMove,
    pub score: i32,
    /// Static equity, thousandths of a point.
    pub equity: i32,
    /// Mean simulated equity, points.
    pub mean: f64,
    /// Mean chance to win.
    pub win: f64,
    pub iterations: u64,
    pub pruned: bool,
}

/// The candidates, the best first, and how many tries were made in all.
#[derive(Clone, Debug)]
pub struct SimulationResult {
    pub candidates: Vec<CandidateMove>,
    pub iterations: u64,
    pub seconds: f64,
}

pub(super) struct CandidateArm {
    pub candidate: CandidateMove,
    pub board: TileBoard,
    /// The lanes of its board that differ from the situation's.
    pub changed: LaneSet,
    pub kept: Vec<Tile>,
    values: Vec<(f64, f64)>,
    /// What the static judgement expects of it, as [`utility`] counts.
    expected: f64,
}

impl CandidateArm {
    /// The mean worth of its tries, where the static judgement counts as so many tries.
    fn mean(&self, prior: f64) -> f64 {
        let sum: f64 = self.values.iter().map(|&(points, win)| utility(points, win)).sum();
        let count = self.values.len() as f64 + prior;
        if count > 0.0 { (sum + prior * self.expected) / count } else { self.expected }
    }
}

/// Iterations between two looks at who is behind.
const BATCH: u64 = 24;
/// With at most so many tiles in the bag, every try is played to the end: a sampled pre-endgame.
pub const LOW_BAG: usize = 12;
/// Fewest iterations before a candidate may be dropped.
const PATIENCE: usize = 24;
/// So many tries the static judgement counts as.
const PRIOR_ITERATIONS: f64 = 12.0;
/// Deviation of the difference between two candidates in one try, in points, before it is known.
const DEVIATION: f64 = 20.0;
/// Turns of highest plain equity that are looked at closely.
const LOOKED_AT: usize = 60;
/// A candidate is dropped when keeping it promises less than this, in chances to win.
const NEGLIGIBLE: f64 = 0.001;

/// Ranks turns by static equity: plays and exchanges, the best first, at most `most`.
pub fn equity_ranking(
    player: &OnePlyPlayer<'_>,
    known_position: &KnownPosition<'_>,
    most: usize,
) -> Vec<(PlayerMove, i32, i32)> {
    let bag = known_position.unseen.len().saturating_sub(known_position.opponent_tiles);
    let rack = player.rack(known_position.rack, bag, rack_value(player.dictionary, known_position.unseen));
    let mut plays = Vec::new();
    with_graph!(player.dictionary, graph => {
        MoveGenerator::new(graph, player.dictionary.values(), player.layout).all(known_position.board, &rack, &mut plays);
    });
    let mut ranked: Vec<(i32, usize)> = plays
        .iter()
        .enumerate()
        .map(|(i, play)| {
            let kept = rack.remaining(play.rack_tiles()).expect("plays use tiles of the rack");
            (play.score as i32 * 1000 + rack.keep_value(kept), i)
        })
        .collect();
    ranked.sort_unstable_by_key(|&(equity, i)| (std::cmp::Reverse(equity), i));
    ranked.truncate(most);
    let mut turns: Vec<(PlayerMove, i32, i32)> =
        ranked.into_iter().map(|(equity, i)| (PlayerMove::Play(plays[i]), plays[i].score as i32, equity)).collect();
    if bag >= MIN_BAG_FOR_EXCHANGE {
        let full = (1usize << rack.len()) - 1;
        let mut exchanges: Vec<(i32, Vec<Tile>)> = (0..full)
            .filter_map(|kept| {
                let tiles = rack.kept(full & !kept);
                (rack.remaining(tiles.iter().copied()) == Some(kept)).then(|| (rack.keep_value(kept), tiles))
            })
            .collect();
        exchanges.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        turns.extend(exchanges.into_iter().take(3).map(|(equity, tiles)| (PlayerMove::Exchange(tiles), 0, equity)));
    } else if turns.is_empty() {
        turns.push((PlayerMove::Pass, 0, rack.keep_value((1 << rack.len()) - 1)));
    }
    turns.sort_by_key(|t| std::cmp::Reverse(t.2));
    turns.truncate(most);
    turns
}

/// Simulates the best-looking turns of a situation.
pub fn simulate(
    player: &OnePlyPlayer<'_>,
    win: &WinModel,
    known_position: &KnownPosition<'_>,
    budget: SimulationBudget,
    stop: &AtomicBool,
) -> SimulationResult {
    let player = OnePlyPlayer { sort: MoveSort::Equity, ..*player };
    let started = Instant::now();
    let prior = if known_position.positional.is_some() { PRIOR_ITERATIONS } else { 0.0 };
    let mut arms = arms(&player, win, known_position, budget.candidates);
    if prior > 0.0
        && let Some(best) = arms.first().map(|a| a.candidate.equity as f64 / 1000.0)
    {
        let slope = expected(win, known_position, best) - expected(win, known_position, best - 10.0);
        prune_by_prior(&mut arms, DEVIATION * slope / 10.0);
    }
    let mut iterations = 0u64;
    with_graph!(player.dictionary, graph => {
        let generator = MoveGenerator::new(graph, player.dictionary.values(), player.layout);
        let rollout = Rollout { player: &player, win, known_position, generator: &generator, graph };
        let mut next = 0u64;
        let mut batch_took = Duration::ZERO;
        while arms.len() > 1 && iterations < budget.iterations {
            let live: Vec<usize> = (0..arms.len()).filter(|&i| !arms[i].candidate.pruned).collect();
            let late = budget.time.is_some_and(|t| started.elapsed() + batch_took >= t);
            if live.len() < 2 || stop.load(Ordering::Relaxed) || late {
                break;
            }
            let batch_started = Instant::now();
            let tried: Vec<&CandidateArm> = live.iter().map(|&i| &arms[i]).collect();
            let run = |number: u64| rollout.run(&tried, Seed(budget.seed).rng(number));
            let results: Vec<Vec<(f64, f64)>> = if budget.parallel {
                use rayon::prelude::*;
                (next..next + BATCH).into_par_iter().map(run).collect()
            } else {
                (next..next + BATCH).map(run).collect()
            };
            next += BATCH;
            for row in results {
                for (&i, value) in live.iter().zip(row) {
                    arms[i].values.push(value);
                    iterations += 1;
                }
            }
            prune_dominated(&mut arms, &live, prior);
            batch_took = batch_started.elapsed();
        }
    });
    for arm in &mut arms {
        let n = arm.values.len();
        arm.candidate.iterations = n as u64;
        if n > 0 {
            arm.candidate.mean = arm.values.iter().map(|v| v.0).sum::<f64>() / n as f64;
            arm.candidate.win = arm.values.iter().map(|v| v.1).sum::<f64>() / n as f64;
        } else {
            arm.candidate.mean = arm.candidate.equity as f64 / 1000.0;
            arm.candidate.win =
                win.chance(known_position.lead as f64 + arm.candidate.mean, known_position.unseen.len());
        }
    }
    arms.sort_by(|a, b| a.candidate.pruned.cmp(&b.candidate.pruned).then(b.mean(prior).total_cmp(&a.mean(prior))));
    let candidates = arms.into_iter().map(|a| a.candidate).collect();
    SimulationResult { candidates, iterations, seconds: started.elapsed().as_secs_f64() }
}

/// What a result counts: the chance to win, with a little of the spread so that lost and won games are still played
/// well.
fn utility(points: f64, win: f64) -> f64 {
    win + points * 0.001
}

/// What the static judgement expects of a turn that gains so many points.
fn expected(win: &WinModel, known_position: &KnownPosition<'_>, points: f64) -> f64 {
    utility(points, 1.0 - win.chance(-(known_position.lead as f64 + points), known_position.unseen.len()))
}

/// How the strong player judges a turn before anything is tried: its static equity, corrected by the learned prices
/// where the situation has some and tiles are left to draw. In thousandths of a point; `play` is none for a turn that
/// lays nothing.
pub fn positional_equity(
    player: &OnePlyPlayer<'_>,
    known_position: &KnownPosition<'_>,
    play: Option<&Play>,
    score: i32,
    equity: i32,
) -> i32 {
    let bag = known_position.unseen.len().saturating_sub(known_position.opponent_tiles);
    let Some(positional) = known_position.positional.filter(|_| bag > 0) else {
        return equity;
    };
    let kept = equity as f64 / 1000.0 - score as f64;
    equity
        + positional.correction(&positional_features(known_position.board, player.layout, play, kept, bag)).round()
            as i32
}

/// The best turns as [`equity_ranking`] has them, put in order by what the strong player thinks of them.
pub fn ranked_moves(
    player: &OnePlyPlayer<'_>,
    known_position: &KnownPosition<'_>,
    most: usize,
) -> Vec<(PlayerMove, i32, i32)> {
    let mut turns = equity_ranking(player, known_position, most.max(LOOKED_AT));
    for (turn, score, equity) in &mut turns {
        let play = if let PlayerMove::Play(play) = turn { Some(&*play) } else { None };
        *equity = positional_equity(player, known_position, play, *score, *equity);
    }
    turns.sort_by_key(|t| std::cmp::Reverse(t.2));
    turns.truncate(most);
    turns
}

/// The turns to try, the best-looking first.
fn arms(
    player: &OnePlyPlayer<'_>,
    win: &WinModel,
    known_position: &KnownPosition<'_>,
    most: usize,
) -> Vec<CandidateArm> {
    let turns = ranked_moves(player, known_position, most);
    let arm = |(turn, score, equity)| {
        let expected = expected(win, known_position, equity as f64 / 1000.0);
        arm(player, known_position, turn, score, equity, expected)
    };
    turns.into_iter().map(arm).collect()
}

/// Drops turns that look hopeless before anything is tried; `deviation` is that of one try.
fn prune_by_prior(arms: &mut [CandidateArm], deviation: f64) {
    let deviation = deviation / PRIOR_ITERATIONS.sqrt();
    let best = arms.iter().map(|a| a.expected).fold(f64::MIN, f64::max);
    for arm in arms {
        arm.candidate.pruned =
            deviation * unit_loss((best - arm.expected) / deviation.max(1e-9)) < NEGLIGIBLE && arm.expected < best;
    }
}

fn arm(
    player: &OnePlyPlayer<'_>,
    known_position: &KnownPosition<'_>,
    turn: PlayerMove,
    score: i32,
    equity: i32,
    expected: f64,
) -> CandidateArm {
    let mut board = known_position.board.clone();
    let mut changed = LaneSet::default();
    let mut kept = known_position.rack.to_vec();
    match &turn {
        PlayerMove::Play(play) => {
            let undo = with_graph!(player.dictionary, graph => board.place(graph, player.dictionary.values(), play));
            changed = undo.lanes(&board);
            remove(&mut kept, play.rack_tiles());
        }
        PlayerMove::Exchange(tiles) => remove(&mut kept, tiles.iter().copied()),
        PlayerMove::Pass => {}
    }
    let candidate = CandidateMove { turn, score, equity, mean: 0.0, win: 0.0, iterations: 0, pruned: false };
    CandidateArm { candidate, board, changed, kept, values: Vec::new(), expected }
}

/// Drops candidates of which little more than their paired difference to the leader can be hoped for.
fn prune_dominated(arms: &mut [CandidateArm], live: &[usize], prior: f64) {
    let tried = arms[live[0]].values.len();
    if tried < PATIENCE {
        return;
    }
    let (n, count) = (tried as f64, tried as f64 + prior);
    let means: Vec<f64> = live.iter().map(|&i| arms[i].mean(prior)).collect();
    let leader = (0..live.len()).max_by(|&a, &b| means[a].total_cmp(&means[b])).expect("someone is live");
    let value = |v: &(f64, f64)| utility(v.0, v.1);
    let lead: Vec<f64> = arms[live[leader]].values.iter().map(value).collect();
    for (&i, mean) in live.iter().zip(&means).filter(|&(&i, _)| i != live[leader]) {
        let differences = arms[i].values.iter().zip(&lead).map(|(v, l)| value(v) - l);
        let (sum, squares) = differences.fold((0.0, 0.0), |(s, q), d| (s + d, q + d * d));
        let variance = (squares / n - (sum / n) * (sum / n)).max(1e-9);
        let deviation = (variance / count).sqrt();
        arms[i].candidate.pruned = deviation * unit_loss((means[leader] - mean) / deviation) < NEGLIGIBLE;
    }
}
