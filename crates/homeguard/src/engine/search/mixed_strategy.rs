//! Simultaneous-move search in mixed strategies: every round is a matrix game.
//!
//! At each node the most promising pairs of orders of both sides make a matrix. The entries are searched deeper, the
//! equilibrium value is backed up. At the root the player samples its pair from the equilibrium, so that an opponent
//! cannot predict it. The matrices are solved by regret matching (Hart and Mas-Colell 2000; Tammelin 2014).

use rand::RngExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::joint_orders::{Candidate, Candidates, after};
use super::regret_matching::solve;
use crate::players::remoteness;
use crate::rules::{Battlefield, Faction, Floor, Order, PlayRules, Troops, middle_points};

/// Depth and width of one search pass.
#[derive(Clone, Copy, Debug)]
struct Pass {
    rounds: u8,
    root: usize,
    width: usize,
}

/// Passes from quick to thorough; each replaces the answer of the one before.
const PASSES: [Pass; 5] = [
    Pass { rounds: 1, root: 36, width: 36 },
    Pass { rounds: 2, root: 12, width: 6 },
    Pass { rounds: 3, root: 8, width: 4 },
    Pass { rounds: 3, root: 12, width: 5 },
    Pass { rounds: 4, root: 10, width: 4 },
];

/// Player that samples from an equilibrium of the searched matrix game.
#[derive(Clone, Copy, Debug)]
pub struct MixedStrategy {
    /// Passes that may be made at most (1 to 5).
    pub passes: usize,
}

/// A decision with its mixed strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct MixedStrategyChoice {
    /// The drawn pair of orders.
    pub orders: [Order; 2],
    /// Every pair it would play with its probability, most likely first.
    pub strategy: Vec<([Order; 2], f64)>,
    /// Expected advantage of its side in hit points at the search horizon.
    pub value: f64,
    /// Depth of the last finished pass in rounds.
    pub rounds: u8,
    /// States searched.
    pub nodes: u64,
    /// True if it was stopped by time before its last pass.
    pub stopped: bool,
}

/// The position that a player decides in.
#[derive(Clone, Copy, Debug)]
pub struct RoundContext<'b> {
    /// The map with its tables.
    pub board: &'b Battlefield,
    /// Soldiers, hit points, kills and score.
    pub troops: &'b Troops,
    /// The side that gives orders.
    pub side: Faction,
    /// How the game ends.
    pub rules: &'b PlayRules,
    /// Rounds played so far.
    pub rounds_played: u16,
    /// Home's lead in middle control.
    pub control: i16,
}

/// When the search must end.
pub(crate) struct SearchLimits<'s> {
    pub(crate) nodes: u64,
    pub(crate) deadline: Option<Instant>,
    pub(crate) stop: Option<&'s AtomicBool>,
}

impl MixedStrategy {
    /// Decides for one side.
    pub(crate) fn choose(
        &self,
        context: &RoundContext<'_>,
        limits: SearchLimits<'_>,
        rng: &mut impl rand::Rng,
    ) -> MixedStrategyChoice {
        let RoundContext { board, rules, .. } = *context;
        let mut search = Search { board, rules, nodes: 0, limits };
        let mut best: Option<RootSolution> = None;
        let mut stopped = false;
        for pass in PASSES.iter().take(self.passes.clamp(1, PASSES.len())) {
            match search.root(context, *pass, best.is_none()) {
                Some(answer) => best = Some(answer),
                None => {
                    stopped = true;
                    break;
                }
            }
        }
        let RootSolution { pairs, probabilities: chances, value, rounds } =
            best.expect("the first pass always finishes");
        let mut strategy: Vec<([Order; 2], f64)> =
            pairs.iter().zip(&chances).filter(|(_, p)| **p > 0.01).map(|(pair, p)| (pair.orders(), *p)).collect();
        strategy.sort_by(|a, b| b.1.total_cmp(&a.1));
        let total: f64 = strategy.iter().map(|(_, p)| p).sum();
        let mut left = rng.random::<f64>() * total;
        let mut orders = strategy.first().map_or([Order::Stay; 2], |(o, _)| *o);
        for (pair, p) in &strategy {
            left -= p;
            if left < 0.0 {
                orders = *pair;
                break;
            }
        }
        MixedStrategyChoice { orders, strategy, value, rounds, nodes: search.nodes, stopped }
    }
}

/// The equilibrium of the root matrix after one pass.
struct RootSolution {
    pairs: Vec<Candidate>,
    probabilities: Vec<f64>,
    value: f64,
    /// Depth in rounds.
    rounds: u8,
}

struct Search<'b, 's> {
    board: &'b Battlefield,
    rules: &'b PlayRules,
    nodes: u64,
    limits: SearchLimits<'s>,
}

/// A position in the search tree.
#[derive(Clone, Copy)]
struct SearchNode<'t> {
    troops: &'t Troops,
    played: u16,
    control: i16,
}

/// Value of a point of middle control in hit points.
const CONTROL_POINT: f32 = 8.0;
/// Value of winning the game, far above any score.
const WIN: f32 = 400.0;

impl Search<'_, '_> {
    /// Squared distance of the nearer of two cells from the middle.
    fn off_middle(&self, cells: [u8; 2]) -> f32 {
        let centre = Floor((self.board.map().size().floors() / 2) as u8);
        let off = |cell: u8| f32::from(self.board.distance_squared(cell, centre.0));
        off(cells[0]).min(off(cells[1]))
    }

    /// Points of middle control after a round; 0 where the rules do not count them.
    fn points(&self, troops: &Troops) -> i16 {
        if self.rules.middle_control.is_some() { middle_points(self.board, troops) } else { 0 }
    }

    fn out_of_budget(&self) -> bool {
        if self.nodes >= self.limits.nodes {
            return true;
        }
        let cancelled = self.limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        cancelled || self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn root(&mut self, context: &RoundContext<'_>, pass: Pass, must_finish: bool) -> Option<RootSolution> {
        let RoundContext { troops, side, rounds_played, control, .. } = *context;
        let (own, other) = self.promising(troops, side, pass.root);
        let foes = match side {
            Faction::Home => [troops.at[2], troops.at[3]],
            Faction::Away => [troops.at[0], troops.at[1]],
        };
        let mut payoffs = Vec::with_capacity(own.len() * other.len());
        for a in &own {
            // a small bonus for closing in, so that equal positions make progress
            let mut eager = -0.02 * remoteness(self.board, a.cells, foes) as f32;
            if self.rules.middle_control.is_some() {
                eager -= 0.1 * self.off_middle(a.cells);
            }
            for b in &other {
                if !must_finish && self.out_of_budget() {
                    return None;
                }
                let next = after(self.board, troops, side, a.cells, b.cells);
                let control = control + self.points(&next);
                let node = SearchNode { troops: &next, played: rounds_played + 1, control };
                let value = self.value(node, side, pass.rounds - 1, pass.width);
                payoffs.push(value + eager);
            }
        }
        let solved = solve(&payoffs, other.len(), 600);
        Some(RootSolution { pairs: own, probabilities: solved.rows, value: solved.value, rounds: pass.rounds })
    }

    /// Value of a position to `side` with `left` rounds of search left.
    fn value(&mut self, node: SearchNode<'_>, side: Faction, left: u8, width: usize) -> f32 {
        self.nodes += 1;
        let SearchNode { troops, played, control } = node;
        let mut standing = f32::from(side.sign() * troops.score);
        if self.rules.middle_control.is_some() {
            standing += CONTROL_POINT * f32::from(side.sign() * control);
        }
        if let Some(ending) = self.rules.ending(self.board, troops, played, control) {
            return match ending.winner {
                Some(winner) if winner == side => WIN + standing,
                Some(_) => standing - WIN,
                None => 0.0,
            };
        }
        let kills = f32::from(troops.kills[side.index()]) - f32::from(troops.kills[1 - side.index()]);
        if left == 0 {
            return standing + 20.0 * kills;
        }
        let (own, other) = self.promising(troops, side, width);
        let mut payoffs = Vec::with_capacity(own.len() * other.len());
        for a in &own {
            for b in &other {
                let next = after(self.board, troops, side, a.cells, b.cells);
                let control = control + self.points(&next);
                let child = SearchNode { troops: &next, played: played + 1, control };
                payoffs.push(self.value(child, side, left - 1, width));
            }
        }
        // constant matrices are common far from the enemy and need no solving
        if payoffs.iter().all(|v| *v == payoffs[0]) {
            return payoffs[0];
        }
        solve(&payoffs, other.len(), 40).value as f32
    }

    /// The candidate pairs of both sides: good on average, good in the worst case, and closing in.
    fn promising(&mut self, troops: &Troops, side: Faction, width: usize) -> (Vec<Candidate>, Vec<Candidate>) {
        let own = Candidates::of(self.board, troops, side);
        let other = Candidates::of(self.board, troops, !side);
        let (own, other) = (own.as_slice(), other.as_slice());
        if own.len() <= width && other.len() <= width {
            return (own.to_vec(), other.to_vec());
        }
        let (mut rows, mut columns) = (vec![(0f32, f32::MAX); own.len()], vec![(0f32, f32::MAX); other.len()]);
        for (i, a) in own.iter().enumerate() {
            for (j, b) in other.iter().enumerate() {
                let gain = f32::from(crate::players::meeting(self.board, troops, side, a.cells, b.cells));
                rows[i] = (rows[i].0 + gain, rows[i].1.min(gain));
                columns[j] = (columns[j].0 - gain, columns[j].1.min(-gain));
            }
        }
        self.nodes += (own.len() * other.len()) as u64 / 16;
        let [home, away] = [[troops.at[0], troops.at[1]], [troops.at[2], troops.at[3]]];
        let (mine, theirs) = if side == Faction::Home { (home, away) } else { (away, home) };
        (
            best_of(self.board, own, &rows, other.len(), theirs, width),
            best_of(self.board, other, &columns, own.len(), mine, width),
        )
    }
}

fn best_of(
    board: &Battlefield,
    pairs: &[Candidate],
    gains: &[(f32, f32)],
    meetings: usize,
    foes: [u8; 2],
    width: usize,
) -> Vec<Candidate> {
    let mut keyed: Vec<(f32, usize)> = gains
        .iter()
        .enumerate()
        .map(|(i, (sum, worst))| {
            let near = remoteness(board, pairs[i].cells, foes) as f32;
            (sum / meetings as f32 + 0.5 * worst - 0.03 * near, i)
        })
        .collect();
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    keyed.iter().take(width).map(|(_, i)| pairs[*i]).collect()
}
