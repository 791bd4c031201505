//! The moves of one node, best first: pruning, extension, reduction, and what the table remembers of the result.

use super::{FORCED, INFINITE, MATE, MAX_PLY, Searcher, side_key};
use crate::engine::evaluator::Evaluator;
use crate::engine::geometry::Cell;
use crate::engine::pattern_tables::Class;
use crate::engine::transposition::TtBound;
use crate::rules::Color;

/// A node of the search tree.
pub(super) struct Node {
    pub me: Color,
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    /// A beta cut-off is expected.
    pub cut: bool,
    /// The move left out by a singular-extension search.
    pub excluded: Cell,
    pub key: u64,
    pub eval: i32,
    /// The evaluation is better than two plies before.
    pub improving: bool,
    /// The opponent threatens an open four.
    pub threatened: bool,
    /// Value, depth and bound from the table.
    pub known: Option<(i32, i32, TtBound)>,
    /// The table's best move.
    pub best_known: Cell,
    /// Where the node's moves begin and end in the list of moves.
    pub base: usize,
    pub end: usize,
}

impl Node {
    #[inline(always)]
    pub fn new(me: Color, alpha: i32, beta: i32, depth: i32, ply: usize, cut: bool) -> Self {
        Self {
            me,
            alpha,
            beta,
            depth,
            ply,
            cut,
            excluded: Cell::NONE,
            key: 0,
            eval: 0,
            improving: false,
            threatened: false,
            known: None,
            best_known: Cell::NONE,
            base: 0,
            end: 0,
        }
    }
}

/// One move under trial.
#[derive(Clone, Copy)]
struct Trial {
    cell: Cell,
    score: i32,
    class: u8,
    /// Neither side makes a three or more with it.
    quiet: bool,
    /// How many moves were tried, this one included.
    count: i32,
    /// The best ordering score among them.
    top: i32,
    new_depth: i32,
}

impl<J: Evaluator> Searcher<'_, J> {
    /// Tries the node's moves in order and returns its value.
    pub(super) fn try_moves<const PV: bool>(&mut self, node: &Node) -> i32 {
        let Node { me, beta, ply, excluded, .. } = *node;
        let you = me.opponent();
        let (mut alpha, mut best, mut best_move) = (node.alpha, -INFINITE, Cell::NONE);
        let (mut count, mut top, mut at) = (0, 0, node.base);
        let limit = self.move_limit(node.depth, node.improving, PV);
        if ply + 2 >= MAX_PLY {
            self.plies[ply + 1].killers = [Cell::NONE; 2];
        }
        while at < node.end {
            let (score, cell) = self.next_move(at, node.end);
            at += 1;
            if cell == excluded {
                continue;
            }
            let class = self.position.class(cell, me);
            let quiet = class < Class::Three as u8 && self.position.class(cell, you) < Class::Three as u8;
            count += 1;
            if score != i32::MAX {
                top = top.max(score);
            }
            if ply > 0 && best > -FORCED && !node.threatened {
                // late-move pruning
                if count > limit && !(PV && node.depth > 2) {
                    break;
                }
                if !PV && quiet && self.is_futile(node, score, alpha) {
                    continue;
                }
            }
            let mut new_depth = node.depth - 1;
            if ply > 0 && cell == node.best_known && node.depth >= self.tuning.singular_depth && excluded == Cell::NONE
            {
                new_depth += self.singular_extension(node, cell);
            }
            self.shared.table.prefetch(self.position.hash_after(cell, me) ^ side_key(you));
            self.make(cell, me, ply);
            let value = self.search_move::<PV>(node, alpha, Trial { cell, score, class, quiet, count, top, new_depth });
            self.unmake();
            if self.stopped {
                return best.max(-INFINITE + 1);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = cell;
                    alpha = value;
                    if PV {
                        self.extend_line(ply, cell);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        if count == 0 {
            return no_moves(node);
        }
        if best >= beta {
            self.reward(me, best_move, node.depth, ply, node.base, at);
        }
        if best == -INFINITE {
            best = node.alpha;
        }
        self.remember::<PV>(node, best, best_move);
        best
    }

    /// One step of a selection sort: swaps the best of the remaining moves to `at`.
    #[inline(always)]
    fn next_move(&mut self, at: usize, end: usize) -> (i32, Cell) {
        let mut pick = at;
        for i in at + 1..end {
            if self.moves[i].0 > self.moves[pick].0 {
                pick = i;
            }
        }
        self.moves.swap(at, pick);
        self.moves[at]
    }

    /// Futility pruning of a quiet move near the leaves.
    #[inline(always)]
    fn is_futile(&self, node: &Node, score: i32, alpha: i32) -> bool {
        node.depth <= 4 && node.eval + self.tuning.futility_move * (node.depth + 1) + score / 2 <= alpha
    }

    /// Searches the position after a move that has been made: a null window, reduced for late moves, before a full one.
    #[inline(always)]
    fn search_move<const PV: bool>(&mut self, node: &Node, alpha: i32, trial: Trial) -> i32 {
        let Node { beta, ply, cut, .. } = *node;
        let (you, new_depth) = (node.me.opponent(), trial.new_depth);
        if trial.count == 1 {
            return -self.node::<PV>(you, -beta, -alpha, new_depth, ply + 1, !PV && !cut);
        }
        let reduction = self.reduction::<PV>(node, &trial);
        let mut value = -self.node::<false>(you, -alpha - 1, -alpha, new_depth - reduction, ply + 1, true);
        if reduction > 0 && value > alpha && !self.stopped {
            value = -self.node::<false>(you, -alpha - 1, -alpha, new_depth, ply + 1, !cut);
        }
        if PV && value > alpha && value < beta && !self.stopped {
            value = -self.node::<true>(you, -beta, -alpha, new_depth, ply + 1, false);
        }
        value
    }

    /// Late-move reduction of a move, in plies.
    #[inline(always)]
    fn reduction<const PV: bool>(&self, node: &Node, trial: &Trial) -> i32 {
        let Node { depth, ply, .. } = *node;
        if depth < 2 || trial.count <= 1 + i32::from(PV) + i32::from(ply == 0) || node.threatened {
            return 0;
        }
        let mut reduction = i32::from(self.reductions[depth.min(63) as usize][trial.count.min(63) as usize]);
        reduction -= i32::from(self.history[node.me as usize][trial.cell.index()]) / 4096;
        reduction += i32::from(node.cut);
        reduction += i32::from(!node.improving && depth > 4);
        reduction -= i32::from(PV) + i32::from(!trial.quiet) + i32::from(trial.class >= Class::Four as u8);
        reduction += ((trial.top - trial.score) / self.tuning.reduce_urgency).clamp(0, 2);
        reduction.clamp(0, trial.new_depth.max(0))
    }

    /// Extra depth for the table's move where all others are clearly worse, less where they also beat beta.
    fn singular_extension(&mut self, node: &Node, cell: Cell) -> i32 {
        let Node { me, beta, depth, ply, cut, .. } = *node;
        let Some((value, known_depth, bound)) = node.known else { return 0 };
        if known_depth < depth - 3 || !matches!(bound, TtBound::Lower | TtBound::Exact) || value.abs() >= FORCED {
            return 0;
        }
        let target = value - self.tuning.singular_margin * depth;
        self.plies[ply].excluded = cell;
        let saved = self.plies[ply];
        let others = self.node::<false>(me, target - 1, target, (depth - 1) / 2, ply, cut);
        self.plies[ply] = saved;
        self.plies[ply].excluded = Cell::NONE;
        if others < target {
            1
        } else if target >= beta {
            -1
        } else {
            0
        }
    }

    /// How many moves a node of this depth tries before it trusts the ordering.
    fn move_limit(&self, depth: i32, improving: bool, pv: bool) -> i32 {
        let t = &self.tuning;
        let base = t.limit_base + t.limit_linear * depth + t.limit_square * depth * depth / 4;
        base + if improving { base / 4 } else { 0 } + if pv { 8 } else { 0 }
    }

    /// Stores the node's result, unless some of its moves were left out.
    #[inline(always)]
    fn remember<const PV: bool>(&mut self, node: &Node, best: i32, best_move: Cell) {
        if node.excluded != Cell::NONE || (node.ply == 0 && !self.root_excluded.is_empty()) {
            return;
        }
        let bound = if best >= node.beta {
            TtBound::Lower
        } else if PV && best > node.alpha {
            TtBound::Exact
        } else {
            TtBound::Upper
        };
        self.store(node, best_move, node.depth, bound, best);
    }
}

/// The value of a node without a move to try: every defence is forbidden or left out.
fn no_moves(node: &Node) -> i32 {
    if node.excluded != Cell::NONE {
        node.alpha
    } else if node.threatened {
        -(MATE - (node.ply as i32 + 4))
    } else {
        0
    }
}
