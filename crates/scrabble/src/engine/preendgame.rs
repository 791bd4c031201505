//! Pre-endgame: one to four tiles in the bag.
//!
//! A play that empties the bag leaves an endgame of perfect information for every set of tiles the bag may hold. Those
//! sets are enumerated with their probabilities and each endgame is solved, in stages: all candidates with few nodes,
//! then the better half with more, until the values are proved or a limit is reached. A move that leaves tiles in the
//! bag (a short play or a pass) is estimated by rollouts to the end of the game and always marked as a bound.

use super::ranking::{RankedTurn, rank_moves};
use super::simulation::{Allocation, KnownPosition, SimulationBudget, simulate_turns};
use super::{OnePlyPlayer, WinModel};
use crate::engine::endgame::{Endgame, EndgameLimits, ProofStatus};
use crate::rules::{PlayerMove, remove};
use crate::with_graph;
use lexicon::Tile;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The largest bag the solver takes.
pub const MAX_BAG: usize = 4;

/// The value of a move over all possible bags.
#[derive(Clone, Debug)]
pub struct PreEndgameMove {
    pub turn: PlayerMove,
    pub score: i32,
    /// Win probability over the possible bags; draws count half.
    pub win: f64,
    /// Expected gain in spread, points.
    pub spread: f64,
    /// Whether the value is an estimate: not every endgame behind it was proved.
    pub bound: bool,
}

/// Limits of the solver.
#[derive(Clone, Copy, Debug)]
pub struct PreEndgameLimits {
    /// Number of candidates, in order of equity.
    pub candidates: usize,
    /// Nodes per endgame in the last stage.
    pub nodes: u64,
    pub time: Option<Duration>,
    /// Rollouts per move that leaves tiles in the bag.
    pub rollouts: u64,
    pub seed: u64,
    /// Whether to solve endgames on several threads.
    pub parallel: bool,
}

impl Default for PreEndgameLimits {
    fn default() -> Self {
        Self { candidates: 24, nodes: 200_000, time: None, rollouts: 120, seed: 1, parallel: false }
    }
}

/// The candidates, best first.
#[derive(Clone, Debug)]
pub struct PreEndgameSolution {
    pub moves: Vec<PreEndgameMove>,
    /// Whether every candidate's value is exact.
    pub exact: bool,
    /// Stages completed.
    pub stages: usize,
    pub seconds: f64,
}

/// Solves a position with one to four tiles in the bag; `None` for any other bag.
pub fn solve(
    player: &OnePlyPlayer<'_>,
    win: &WinModel,
    position: &KnownPosition<'_>,
    limits: PreEndgameLimits,
    stop: &AtomicBool,
) -> Option<PreEndgameSolution> {
    if !(1..=MAX_BAG).contains(&position.bag()) {
        return None;
    }
    let mut turns = rank_moves(player, position, limits.candidates.max(1));
    if !turns.iter().any(|t| t.turn == PlayerMove::Pass) {
        let equity = -1_000_000;
        turns.push(RankedTurn { turn: PlayerMove::Pass, score: 0, equity });
    }
    let solver = Solver { player, position, limits, stop, started: Instant::now(), bags: bags(position) };
    Some(solver.solve(win, turns))
}

/// A set of tiles the bag may hold, and in how many ways.
struct Bag {
    tiles: Vec<Tile>,
    ways: f64,
}

/// Every distinct set of tiles in the bag.
fn bags(position: &KnownPosition<'_>) -> Vec<Bag> {
    let mut pool = position.unseen.to_vec();
    // tiles known to be on the opponent's rack are not in the bag
    remove(&mut pool, position.opponent_known.iter().copied());
    pool.sort_unstable();
    let mut kinds: Vec<(Tile, usize)> = Vec::new();
    for &tile in &pool {
        match kinds.last_mut() {
            Some((last, count)) if *last == tile => *count += 1,
            _ => kinds.push((tile, 1)),
        }
    }
    let mut found = Vec::new();
    choose(&kinds, position.bag(), &mut Vec::new(), 1.0, &mut found);
    found
}

fn choose(kinds: &[(Tile, usize)], left: usize, tiles: &mut Vec<Tile>, ways: f64, found: &mut Vec<Bag>) {
    if left == 0 {
        found.push(Bag { tiles: tiles.clone(), ways });
        return;
    }
    let Some((&(tile, count), rest)) = kinds.split_first() else { return };
    let mut combinations = 1.0;
    for taken in 0..=count.min(left) {
        if taken > 0 {
            combinations *= (count - taken + 1) as f64 / taken as f64;
            tiles.push(tile);
        }
        choose(rest, left - taken, tiles, ways * combinations, found);
    }
    tiles.truncate(tiles.len() - count.min(left));
}

struct Solver<'s> {
    player: &'s OnePlyPlayer<'s>,
    position: &'s KnownPosition<'s>,
    limits: PreEndgameLimits,
    stop: &'s AtomicBool,
    started: Instant,
    bags: Vec<Bag>,
}

/// Nodes per endgame and the share of candidates that enter, by stage; the last stage uses the caller's node limit.
const STAGES: [(u64, usize); 3] = [(400, 1), (8_000, 2), (u64::MAX, 4)];
/// Candidates that enter every stage.
const MIN_CANDIDATES: usize = 3;

impl Solver<'_> {
    fn solve(&self, win: &WinModel, turns: Vec<RankedTurn>) -> PreEndgameSolution {
        let bag = self.position.bag();
        let empties = |turn: &PlayerMove| matches!(turn, PlayerMove::Play(play) if play.laid as usize >= bag);
        let (emptying, open): (Vec<_>, Vec<_>) = turns.into_iter().partition(|t| empties(&t.turn));
        let mut moves = self.estimate(win, open);
        let mut candidates: Vec<PreEndgameMove> = emptying
            .into_iter()
            .map(|t| {
                let chance = 1.0 - win.chance(-(self.position.lead as f64 + t.points()), self.position.unseen.len());
                PreEndgameMove { score: t.score, spread: t.points(), win: chance, turn: t.turn, bound: true }
            })
            .collect();
        let (mut stages, mut before) = (0, 0);
        for (nodes, share) in STAGES {
            let nodes = nodes.min(self.limits.nodes);
            if nodes == std::mem::replace(&mut before, nodes) {
                break;
            }
            let entering = candidates.len().div_ceil(share).max(MIN_CANDIDATES).min(candidates.len());
            let complete = candidates[..entering].iter_mut().all(|candidate| {
                if candidate.bound {
                    match self.evaluate(candidate, nodes) {
                        Some(value) => *candidate = value,
                        None => return false,
                    }
                }
                true
            });
            sort(&mut candidates);
            if !complete {
                break;
            }
            stages += 1;
        }
        moves.extend(candidates);
        sort(&mut moves);
        let exact = moves.iter().all(|m| !m.bound);
        PreEndgameSolution { moves, exact, stages, seconds: self.started.elapsed().as_secs_f64() }
    }

    fn late(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.limits.time.is_some_and(|t| self.started.elapsed() >= t)
    }

    /// Rollouts to the end of the game for moves that leave tiles in the bag.
    fn estimate(&self, win: &WinModel, turns: Vec<RankedTurn>) -> Vec<PreEndgameMove> {
        let budget = SimulationBudget {
            candidates: turns.len(),
            iterations: self.limits.rollouts,
            time: self.limits.time.map(|t| t / 4),
            plies: None,
            allocation: Allocation::Uniform,
            seed: self.limits.seed,
            parallel: self.limits.parallel,
        };
        let simulated = simulate_turns(self.player, win, self.position, turns, budget, self.stop);
        let value = |c: super::simulation::CandidateMove| PreEndgameMove {
            turn: c.turn,
            score: c.score,
            win: c.win,
            spread: c.mean,
            bound: true,
        };
        simulated.candidates.into_iter().map(value).collect()
    }

    /// Solves the endgames behind a play that empties the bag; `None` when the time is up.
    fn evaluate(&self, candidate: &PreEndgameMove, nodes: u64) -> Option<PreEndgameMove> {
        let dictionary = self.player.dictionary;
        let mut board = self.position.board.clone();
        let mut kept = self.position.rack.to_vec();
        if let PlayerMove::Play(play) = &candidate.turn {
            with_graph!(dictionary, graph => { board.place(graph, dictionary.values(), play); });
            remove(&mut kept, play.rack_tiles());
        }
        let solve = |bag: &Bag| {
            if self.late() {
                return None;
            }
            let mut mine = kept.clone();
            mine.extend_from_slice(&bag.tiles);
            let mut opponent = self.position.unseen.to_vec();
            remove(&mut opponent, bag.tiles.iter().copied());
            let racks = [opponent, mine];
            let endgame =
                Endgame { dictionary, layout: self.player.layout, board: board.clone(), racks, passed: false };
            let solution = endgame.solve(EndgameLimits { nodes: Some(nodes), ..EndgameLimits::default() });
            Some((bag.ways, candidate.score - solution.value, solution.status == ProofStatus::Proved))
        };
        let solved: Option<Vec<(f64, i32, bool)>> = if self.limits.parallel {
            use rayon::prelude::*;
            self.bags.par_iter().map(solve).collect()
        } else {
            self.bags.iter().map(solve).collect()
        };
        let solved = solved?;
        let total: f64 = solved.iter().map(|s| s.0).sum();
        let won = |gain: i32| match (self.position.lead + gain).signum() {
            1 => 1.0,
            0 => 0.5,
            _ => 0.0,
        };
        Some(PreEndgameMove {
            turn: candidate.turn.clone(),
            score: candidate.score,
            win: solved.iter().map(|&(ways, gain, _)| ways * won(gain)).sum::<f64>() / total,
            spread: solved.iter().map(|&(ways, gain, _)| ways * f64::from(gain)).sum::<f64>() / total,
            bound: solved.iter().any(|s| !s.2),
        })
    }
}

/// By win probability, then by spread.
fn sort(moves: &mut [PreEndgameMove]) {
    moves.sort_by(|a, b| b.win.total_cmp(&a.win).then(b.spread.total_cmp(&a.spread)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bags_are_enumerated_with_their_number_of_ways() {
        let mut found = Vec::new();
        choose(&[(1, 2), (2, 1), (3, 3)], 2, &mut Vec::new(), 1.0, &mut found);
        let ways: f64 = found.iter().map(|b| b.ways).sum();
        assert_eq!(ways, 15.0, "two of six tiles");
        assert_eq!(found.len(), 5, "{:?}", found.iter().map(|b| &b.tiles).collect::<Vec<_>>());
        assert!(found.iter().all(|b| b.tiles.len() == 2));
    }
}
