//! The strong player: simulation, pre-endgame search with one tile in the bag, exact endgames.

use super::{EnginePlayer, PlayerView};
use crate::engine::endgame::{Endgame, EndgameLimits, EndgameSolution};
use crate::engine::preendgame::{self, PreEndgameLimits, PreEndgameMove};
use crate::engine::simulation::{KnownPosition, SimulationBudget, SimulationResult, simulate};
use crate::engine::{Inference, MoveSort, OnePlyPlayer, PositionalModel, WinModel};
use crate::rules::{PlayerMove, TileBoard};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Budget of one move.
#[derive(Clone, Copy, Debug)]
pub enum MoveBudget {
    Time(Duration),
    /// Simulation iterations; an endgame gets ten nodes per iteration.
    Iterations(u64),
}

impl MoveBudget {
    /// Endgame limits of about the same cost.
    pub fn endgame_limits(self) -> EndgameLimits {
        match self {
            Self::Time(time) => EndgameLimits { time: Some(time), ..EndgameLimits::default() },
            Self::Iterations(iterations) => {
                EndgameLimits { nodes: Some(iterations.saturating_mul(10)), ..EndgameLimits::default() }
            }
        }
    }
}

/// Solves an endgame within the limits and returns its first move.
pub fn endgame_turn(
    player: &OnePlyPlayer<'_>,
    board: &TileBoard,
    rack: &[u8],
    other: &[u8],
    passed: bool,
    limits: EndgameLimits,
) -> (PlayerMove, EndgameSolution) {
    let endgame = Endgame {
        dictionary: player.dictionary,
        layout: player.layout,
        board: board.clone(),
        racks: [rack.to_vec(), other.to_vec()],
        passed,
    };
    let solution = endgame.solve(limits);
    let turn = match solution.line.first() {
        Some(Some(play)) => PlayerMove::Play(*play),
        Some(None) => PlayerMove::Pass,
        None => player.choose(board, rack, 0, crate::rules::rack_value(player.dictionary, other)),
    };
    (turn, solution)
}

/// Candidates solved exactly with one tile in the bag.
const MAX_SOLVED: usize = 12;

/// The full-strength player.
pub struct Strong<'a> {
    pub one_ply: OnePlyPlayer<'a>,
    pub win: &'a WinModel,
    /// Positional model; with one, static equity is the prior of the simulation.
    pub positional: Option<&'a PositionalModel>,
    pub budget: MoveBudget,
    pub candidates: usize,
    pub parallel: bool,
    /// Whether to infer the opponent's leave from its last play.
    pub infer: bool,
    /// The board before the opponent's last play, for inference.
    pub before: Option<TileBoard>,
}

impl Strong<'_> {
    /// Simulates the position with the budget of this player.
    pub fn simulate(&self, known_position: &KnownPosition<'_>, seed: u64, stop: &AtomicBool) -> SimulationResult {
        let (iterations, time) = match self.budget {
            MoveBudget::Time(time) => (u64::MAX, Some(time)),
            MoveBudget::Iterations(iterations) => (iterations, None),
        };
        let parallel = self.parallel;
        let budget =
            SimulationBudget { time, parallel, ..SimulationBudget::best_arm(self.candidates, iterations, seed) };
        simulate(&self.one_ply, self.win, known_position, budget, stop)
    }

    /// With one tile in the bag: the best move by exact endgames for every tile it may be.
    pub fn one_in_bag(
        &self,
        known_position: &KnownPosition<'_>,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<PreEndgameMove> {
        let (nodes, time) = match self.budget {
            MoveBudget::Time(time) => (20_000, Some(time)),
            MoveBudget::Iterations(iterations) => (iterations.div_ceil(2), None),
        };
        let (candidates, rollouts, parallel) = (MAX_SOLVED, 24, self.parallel);
        let limits = PreEndgameLimits { candidates, nodes, time, rollouts, seed, parallel };
        let solution = preendgame::solve(&self.one_ply, self.win, known_position, limits, stop)?;
        solution.moves.into_iter().next()
    }
}

impl EnginePlayer for Strong<'_> {
    fn choose(&mut self, seen: &PlayerView<'_>) -> PlayerMove {
        let one_ply = OnePlyPlayer { sort: MoveSort::Equity, ..self.one_ply };
        if seen.bag == 0 {
            let limits = self.budget.endgame_limits();
            return endgame_turn(&one_ply, seen.board, seen.rack, &seen.unseen, seen.idle > 0, limits).0;
        }
        let inference = match (seen.last, &self.before) {
            (Some(PlayerMove::Play(play)), Some(before)) if self.infer => {
                let kept = seen.opponent_tiles.saturating_sub(play.laid as usize);
                Inference::from_last_play(before, play, seen.unseen.len(), kept)
            }
            _ => None,
        };
        let known_position = KnownPosition {
            board: seen.board,
            rack: seen.rack,
            unseen: &seen.unseen,
            opponent_tiles: seen.opponent_tiles,
            opponent_known: &[],
            lead: seen.scores[0] - seen.scores[1],
            inference: inference.as_ref(),
            positional: self.positional,
        };
        let stop = AtomicBool::new(false);
        if seen.bag == 1
            && let Some(best) = self.one_in_bag(&known_position, seen.seed, &stop)
        {
            return best.turn;
        }
        let simulated = self.simulate(&known_position, seen.seed, &stop);
        simulated.candidates.into_iter().next().map_or(PlayerMove::Pass, |c| c.turn)
    }
}
