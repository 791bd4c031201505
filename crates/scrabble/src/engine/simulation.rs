//! Monte Carlo simulation: rollouts of the best candidates against the same random racks (Sheppard 2002, Maven).
//!
//! Iteration `i` deals the same tiles to the opponent and the bag for every candidate (common random numbers); both
//! sides then play statically for a number of plies. By default that is two plies, or the rest of the game once the
//! bag is low.
//!
//! [`Allocation::BestArm`] finds the best move quickly: static equity counts as a prior of a few iterations, a
//! candidate is pruned when its expected gain over the leader (unit normal loss of the paired differences) is
//! negligible, and one remaining candidate ends the simulation. [`Allocation::Uniform`] gives every candidate every
//! iteration, for analysis. Iterations are numbered and summed in order, so the result does not depend on the number
//! of threads.

use super::inference::Inference;
use super::ranking::{RankedTurn, rank_moves};
use super::rollout::{Rollout, RolloutResult};
use super::statistics::CandidateStatistics;
use super::win_model::unit_loss;
use super::{MoveSort, OnePlyPlayer, PositionalModel, WinModel};
use crate::engine::movegen::MoveGenerator;
use crate::rules::{LaneSet, PlayerMove, TileBoard, remove};
use crate::with_graph;
use game::Seed;
use lexicon::Tile;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use super::statistics::PlyStatistics;

/// A position as the side to move knows it.
#[derive(Clone, Copy)]
pub struct KnownPosition<'s> {
    pub board: &'s TileBoard,
    pub rack: &'s [Tile],
    /// Unseen tiles: the bag and the opponent's rack together, sorted.
    pub unseen: &'s [Tile],
    /// Number of tiles on the opponent's rack.
    pub opponent_tiles: usize,
    /// Tiles known to be on the opponent's rack, at most `opponent_tiles`; part of `unseen`.
    pub opponent_known: &'s [Tile],
    /// Own score less the opponent's.
    pub lead: i32,
    /// Inference from the opponent's last play.
    pub inference: Option<&'s Inference>,
    /// Positional model; without one, static equity is not corrected.
    pub positional: Option<&'s PositionalModel>,
}

impl KnownPosition<'_> {
    /// Number of tiles in the bag.
    pub fn bag(&self) -> usize {
        self.unseen.len().saturating_sub(self.opponent_tiles)
    }
}

/// How iterations are shared among candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Prune candidates until one is left; `iterations` counts rollouts of all candidates together.
    BestArm,
    /// Every candidate gets every iteration; `iterations` counts rollouts per candidate.
    Uniform,
}

/// Limits of a simulation.
#[derive(Clone, Copy, Debug)]
pub struct SimulationBudget {
    /// Number of candidates.
    pub candidates: usize,
    pub iterations: u64,
    pub time: Option<Duration>,
    /// Plies after the candidate; by default two, or the rest of the game once the bag is low.
    pub plies: Option<usize>,
    pub allocation: Allocation,
    pub seed: u64,
    /// Whether to use several threads; the result is the same.
    pub parallel: bool,
}

impl SimulationBudget {
    /// A best-arm simulation of this many candidates without time limit.
    pub fn best_arm(candidates: usize, iterations: u64, seed: u64) -> Self {
        let allocation = Allocation::BestArm;
        Self { candidates, iterations, time: None, plies: None, allocation, seed, parallel: false }
    }
}

/// Why a simulation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All iterations were played.
    Iterations,
    /// The time was up.
    Time,
    /// One candidate was left.
    OneLeft,
    /// The caller stopped it.
    Interrupted,
}

impl StopReason {
    /// The reason as one lower-case word or hyphenated phrase.
    pub fn text(self) -> &'static str {
        match self {
            Self::Iterations => "iterations",
            Self::Time => "time",
            Self::OneLeft => "one-candidate-left",
            Self::Interrupted => "interrupted",
        }
    }
}

/// A candidate after the simulation.
#[derive(Clone, Debug)]
pub struct CandidateMove {
    pub turn: PlayerMove,
    pub score: i32,
    /// Static equity, thousandths of a point.
    pub equity: i32,
    /// Mean simulated spread gained, points; the static equity if there was no iteration.
    pub mean: f64,
    /// Its 95% interval.
    pub mean_interval: [f64; 2],
    /// Mean win probability.
    pub win: f64,
    /// Its 95% interval.
    pub win_interval: [f64; 2],
    pub iterations: u64,
    /// Mean number of plies played after the candidate.
    pub mean_plies: f64,
    /// Statistics of each ply after the candidate.
    pub plies: Vec<PlyStatistics>,
    pub pruned: bool,
}

/// The candidates, best first.
#[derive(Clone, Debug)]
pub struct SimulationResult {
    pub candidates: Vec<CandidateMove>,
    /// Rollouts of all candidates together.
    pub iterations: u64,
    pub seconds: f64,
    pub stopped: StopReason,
}

/// A candidate during the simulation.
pub(super) struct CandidateArm {
    pub ranked: RankedTurn,
    pub board: TileBoard,
    /// The lanes of its board that differ from the position's.
    pub changed: LaneSet,
    pub kept: Vec<Tile>,
    utilities: Vec<f64>,
    statistics: CandidateStatistics,
    pruned: bool,
    /// Utility expected from static equity, see [`utility`].
    prior_utility: f64,
}

impl CandidateArm {
    /// Mean utility, with static equity counting as `prior` iterations.
    fn mean(&self, prior: f64) -> f64 {
        let count = self.utilities.len() as f64 + prior;
        let sum: f64 = self.utilities.iter().sum();
        if count > 0.0 { (sum + prior * self.prior_utility) / count } else { self.prior_utility }
    }
}

/// Iterations between two pruning steps.
const BATCH: u64 = 24;
/// Bags of at most this many tiles are played to the end: a sampled pre-endgame.
pub const LOW_BAG: usize = 12;
/// Minimum iterations of a candidate before it can be pruned.
const PATIENCE: usize = 24;
/// Weight of static equity, in iterations.
const PRIOR_ITERATIONS: f64 = 12.0;
/// Prior standard deviation of the difference between two candidates in one rollout, in points.
const DEVIATION: f64 = 20.0;
/// A candidate is pruned when its expected gain is below this win probability.
const NEGLIGIBLE: f64 = 0.001;

/// Simulates the best candidates of a position.
pub fn simulate(
    player: &OnePlyPlayer<'_>,
    win: &WinModel,
    position: &KnownPosition<'_>,
    budget: SimulationBudget,
    stop: &AtomicBool,
) -> SimulationResult {
    let player = OnePlyPlayer { sort: MoveSort::Equity, ..*player };
    let ranked = rank_moves(&player, position, budget.candidates);
    simulate_turns(&player, win, position, ranked, budget, stop)
}

/// Simulates these candidates, best first.
pub fn simulate_turns(
    player: &OnePlyPlayer<'_>,
    win: &WinModel,
    position: &KnownPosition<'_>,
    ranked: Vec<RankedTurn>,
    budget: SimulationBudget,
    stop: &AtomicBool,
) -> SimulationResult {
    let player = OnePlyPlayer { sort: MoveSort::Equity, ..*player };
    let started = Instant::now();
    let best_arm = budget.allocation == Allocation::BestArm;
    let prior = if best_arm && position.positional.is_some() { PRIOR_ITERATIONS } else { 0.0 };
    let mut arms: Vec<CandidateArm> = ranked.into_iter().map(|turn| arm(&player, win, position, turn)).collect();
    if prior > 0.0
        && let Some(best) = arms.first().map(|a| a.ranked.points())
    {
        let slope = expected(win, position, best) - expected(win, position, best - 10.0);
        prune_by_prior(&mut arms, DEVIATION * slope / 10.0);
    }
    let stopped = with_graph!(player.dictionary, graph => {
        let generator = MoveGenerator::new(graph, player.dictionary.values(), player.layout);
        let rollout =
            Rollout { player: &player, win, position, generator: &generator, graph, plies: budget.plies };
        let run = |arms: &[&CandidateArm], number: u64| rollout.run(arms, Seed(budget.seed).rng(number));
        Schedule { budget, prior, started, stop }.run(&mut arms, &run)
    });
    arms.sort_by(|a, b| a.pruned.cmp(&b.pruned).then(b.mean(prior).total_cmp(&a.mean(prior))));
    let iterations = arms.iter().map(|a| a.utilities.len() as u64).sum();
    let candidates = arms.into_iter().map(|arm| candidate(arm, win, position)).collect();
    SimulationResult { candidates, iterations, seconds: started.elapsed().as_secs_f64(), stopped }
}

/// When batches are played and when they end.
struct Schedule<'s> {
    budget: SimulationBudget,
    prior: f64,
    started: Instant,
    stop: &'s AtomicBool,
}

impl Schedule<'_> {
    /// Plays batches of iterations until a limit is reached.
    fn run(
        &self,
        arms: &mut [CandidateArm],
        rollout: &(dyn Fn(&[&CandidateArm], u64) -> Vec<RolloutResult> + Sync),
    ) -> StopReason {
        let best_arm = self.budget.allocation == Allocation::BestArm;
        let (mut next, mut played) = (0u64, 0u64);
        let mut batch_took = Duration::ZERO;
        loop {
            let live: Vec<usize> = (0..arms.len()).filter(|&i| !arms[i].pruned).collect();
            if live.is_empty() || (best_arm && live.len() < 2) {
                return StopReason::OneLeft;
            }
            let done = if best_arm { played } else { next };
            if done >= self.budget.iterations {
                return StopReason::Iterations;
            }
            if self.stop.load(Ordering::Relaxed) {
                return StopReason::Interrupted;
            }
            if self.budget.time.is_some_and(|t| self.started.elapsed() + batch_took >= t) {
                return StopReason::Time;
            }
            let batch_started = Instant::now();
            let batch = if best_arm { BATCH } else { BATCH.min(self.budget.iterations - next) };
            let tried: Vec<&CandidateArm> = live.iter().map(|&i| &arms[i]).collect();
            let run = |number: u64| rollout(&tried, number);
            let results: Vec<Vec<RolloutResult>> = if self.budget.parallel {
                use rayon::prelude::*;
                (next..next + batch).into_par_iter().map(run).collect()
            } else {
                (next..next + batch).map(run).collect()
            };
            next += batch;
            for row in results {
                for (&i, result) in live.iter().zip(row) {
                    arms[i].utilities.push(utility(result.points, result.win));
                    arms[i].statistics.add(&result);
                    played += 1;
                }
            }
            if best_arm {
                prune_dominated(arms, &live, self.prior);
            }
            batch_took = batch_started.elapsed();
        }
    }
}

/// What candidates are compared by: win probability, with a little spread so that decided games are still played well.
fn utility(points: f64, win: f64) -> f64 {
    win + points * 0.001
}

/// The utility expected of a move that gains this many points.
fn expected(win: &WinModel, position: &KnownPosition<'_>, points: f64) -> f64 {
    utility(points, 1.0 - win.chance(-(position.lead as f64 + points), position.unseen.len()))
}

fn arm(player: &OnePlyPlayer<'_>, win: &WinModel, position: &KnownPosition<'_>, ranked: RankedTurn) -> CandidateArm {
    let mut board = position.board.clone();
    let mut changed = LaneSet::default();
    let mut kept = position.rack.to_vec();
    match &ranked.turn {
        PlayerMove::Play(play) => {
            let undo = with_graph!(player.dictionary, graph => board.place(graph, player.dictionary.values(), play));
            changed = undo.lanes(&board);
            remove(&mut kept, play.rack_tiles());
        }
        PlayerMove::Exchange(tiles) => remove(&mut kept, tiles.iter().copied()),
        PlayerMove::Pass => {}
    }
    let prior_utility = expected(win, position, ranked.points());
    let statistics = CandidateStatistics::default();
    CandidateArm { ranked, board, changed, kept, utilities: Vec::new(), statistics, pruned: false, prior_utility }
}

fn candidate(arm: CandidateArm, win: &WinModel, position: &KnownPosition<'_>) -> CandidateMove {
    let CandidateArm { ranked, statistics, pruned, .. } = arm;
    let points = ranked.points();
    let (mean, mean_interval, win, win_interval) = if statistics.iterations() > 0 {
        (statistics.mean(), statistics.mean_interval(), statistics.win(), statistics.win_interval())
    } else {
        let chance = 1.0 - win.chance(-(position.lead as f64 + points), position.unseen.len());
        (points, [f64::NEG_INFINITY, f64::INFINITY], chance, [0.0, 1.0])
    };
    CandidateMove {
        score: ranked.score,
        equity: ranked.equity,
        turn: ranked.turn,
        mean,
        mean_interval,
        win,
        win_interval,
        iterations: statistics.iterations(),
        mean_plies: statistics.mean_plies(),
        plies: statistics.plies(),
        pruned,
    }
}

/// Prunes candidates whose static equity makes them hopeless; `deviation` is that of one rollout.
fn prune_by_prior(arms: &mut [CandidateArm], deviation: f64) {
    let deviation = deviation / PRIOR_ITERATIONS.sqrt();
    let best = arms.iter().map(|a| a.prior_utility).fold(f64::MIN, f64::max);
    for arm in arms {
        let gain = deviation * unit_loss((best - arm.prior_utility) / deviation.max(1e-9));
        arm.pruned = gain < NEGLIGIBLE && arm.prior_utility < best;
    }
}

/// Prunes candidates whose expected gain over the leader, from their paired differences, is negligible.
fn prune_dominated(arms: &mut [CandidateArm], live: &[usize], prior: f64) {
    let tried = arms[live[0]].utilities.len();
    if tried < PATIENCE {
        return;
    }
    let (n, count) = (tried as f64, tried as f64 + prior);
    let means: Vec<f64> = live.iter().map(|&i| arms[i].mean(prior)).collect();
    let leader = (0..live.len()).max_by(|&a, &b| means[a].total_cmp(&means[b])).expect("at least one is live");
    let lead = arms[live[leader]].utilities.clone();
    for (&i, mean) in live.iter().zip(&means).filter(|&(&i, _)| i != live[leader]) {
        let differences = arms[i].utilities.iter().zip(&lead).map(|(v, l)| v - l);
        let (sum, squares) = differences.fold((0.0, 0.0), |(s, q), d| (s + d, q + d * d));
        let variance = (squares / n - (sum / n) * (sum / n)).max(1e-9);
        let deviation = (variance / count).sqrt();
        arms[i].pruned = deviation * unit_loss((means[leader] - mean) / deviation) < NEGLIGIBLE;
    }
}
