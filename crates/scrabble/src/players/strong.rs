//! The strong player: simulation, exact for one tile in the bag and for an empty bag.

use super::infer::Inference;
use super::preendgame::{PreEndgame, solve_one_in_bag};
use super::simulate::{Effort, Simulated, Situation, simulate};
use super::{Outlook, Player, Quick, Seen, Style, WinModel};
use crate::endgame::{Endgame, Limits, Solution};
use crate::rules::{Board, Turn};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a strong player thinks about one move.
#[derive(Clone, Copy, Debug)]
pub enum Think {
    Time(Duration),
    /// Tries of a simulation; endgames get ten nodes for each.
    Tries(u64),
}

impl Think {
    /// A quarter of it.
    fn quarter(self) -> Self {
        match self {
            Self::Time(time) => Self::Time(time / 4),
            Self::Tries(tries) => Self::Tries(tries / 4),
        }
    }

    /// Endgame limits that cost about as much.
    pub fn endgame_limits(self) -> Limits {
        match self {
            Self::Time(time) => Limits { time: Some(time), ..Limits::default() },
            Self::Tries(tries) => Limits { nodes: Some(tries.saturating_mul(10)), ..Limits::default() },
        }
    }
}

/// Solves an endgame as far as the limits go and answers its first move.
pub fn endgame_turn(
    player: &Quick<'_>,
    board: &Board,
    rack: &[u8],
    other: &[u8],
    passed: bool,
    limits: Limits,
) -> (Turn, Solution) {
    let endgame = Endgame {
        dictionary: player.dictionary,
        layout: player.layout,
        board: board.clone(),
        racks: [rack.to_vec(), other.to_vec()],
        passed,
    };
    let solution = endgame.solve(limits);
    let turn = match solution.line.first() {
        Some(Some(play)) => Turn::Play(*play),
        Some(None) => Turn::Pass,
        None => player.choose(board, rack, 0, crate::rules::worth(player.dictionary, other)),
    };
    (turn, solution)
}

/// With one tile in the bag, so many turns are solved exactly.
const MOST_SOLVED: usize = 12;

/// The full-strength player.
pub struct Strong<'a> {
    pub quick: Quick<'a>,
    pub win: &'a WinModel,
    /// Prices with which the static judgement counts besides the tries.
    pub outlook: Option<&'a Outlook>,
    pub think: Think,
    pub candidates: usize,
    pub parallel: bool,
    /// Whether to look back at the other's last move.
    pub infer: bool,
    /// The board before the other's last move, for looking back.
    pub before: Option<Board>,
}

impl Strong<'_> {
    /// Simulates the situation with the budget of this player.
    pub fn simulate(&self, situation: &Situation<'_>, seed: u64, stop: &AtomicBool) -> Simulated {
        let (iterations, time) = match self.think {
            Think::Time(time) => (u64::MAX, Some(time)),
            Think::Tries(tries) => (tries, None),
        };
        let effort = Effort { candidates: self.candidates, iterations, time, seed, parallel: self.parallel };
        simulate(&self.quick, self.win, situation, effort, stop)
    }

    /// With one tile in the bag: a short simulation says in which order the turns are solved exactly.
    pub fn one_in_bag(&self, situation: &Situation<'_>, seed: u64, stop: &AtomicBool) -> Option<PreEndgame> {
        let first = Strong { think: self.think.quarter(), before: None, ..*self };
        let promising = first.simulate(situation, seed, stop).candidates.into_iter().take(MOST_SOLVED);
        let (nodes, time) = match self.think {
            Think::Time(time) => (20_000, time - time / 4),
            Think::Tries(tries) => (tries / 2, Duration::MAX),
        };
        let turns = promising.map(|c| (c.turn, c.score));
        solve_one_in_bag(&self.quick, situation, turns, nodes, time).into_iter().next()
    }
}

impl Player for Strong<'_> {
    fn choose(&mut self, seen: &Seen<'_>) -> Turn {
        let quick = Quick { style: Style::Static, ..self.quick };
        if seen.bag == 0 {
            let limits = self.think.endgame_limits();
            return endgame_turn(&quick, seen.board, seen.rack, &seen.unseen, seen.idle > 0, limits).0;
        }
        let inference = match (seen.last, &self.before) {
            (Some(Turn::Play(play)), Some(before)) if self.infer => {
                let kept = seen.other_rack.saturating_sub(play.laid as usize);
                Inference::look_back(before, play, seen.unseen.len(), kept)
            }
            _ => None,
        };
        let situation = Situation {
            board: seen.board,
            rack: seen.rack,
            unseen: &seen.unseen,
            other_rack: seen.other_rack,
            lead: seen.scores[0] - seen.scores[1],
            inference: inference.as_ref(),
            outlook: self.outlook,
        };
        let stop = AtomicBool::new(false);
        if seen.bag == 1
            && let Some(best) = self.one_in_bag(&situation, seen.seed, &stop)
        {
            return best.turn;
        }
        let simulated = self.simulate(&situation, seen.seed, &stop);
        simulated.candidates.into_iter().next().map_or(Turn::Pass, |c| c.turn)
    }
}
