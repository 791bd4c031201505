//! Iterative-deepening principal-variation search (Knuth & Moore 1975 for alpha-beta; Marsland & Campbell 1982 for PVS).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::table::{Bound, TranspositionTable};
use crate::tree::{End, FORCED, MATE, Tree};

/// Limits of a search. The first limit that is reached ends it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of moves made.
    pub nodes: u64,
    pub time: Option<Duration>,
    pub depth: u32,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    pub best: M,
    /// Score for the side to move; see [`MATE`] and [`FORCED`].
    pub score: i32,
    /// The last completed depth.
    pub depth: u32,
    pub nodes: u64,
    /// The principal variation.
    pub line: Vec<M>,
}

/// A searcher with its transposition table.
pub struct AlphaBeta<M> {
    table: TranspositionTable<M>,
}

struct Run<'a, T: Tree> {
    tree: &'a mut T,
    table: &'a mut TranspositionTable<T::Move>,
    nodes: u64,
    limits: Limits,
    until: Option<Instant>,
    stop: &'a AtomicBool,
    stopped: bool,
    /// Reused move lists, one per ply.
    lists: Vec<Vec<T::Move>>,
}

impl<M: Copy + Eq> AlphaBeta<M> {
    /// A searcher whose table has `2^bits` entries.
    pub fn new(bits: u32) -> Self {
        Self { table: TranspositionTable::new(bits) }
    }

    /// Searches with increasing depth until a limit, the stop flag, or a proved result. `None` without legal moves.
    pub fn search<T: Tree<Move = M>>(
        &mut self,
        tree: &mut T,
        limits: Limits,
        stop: &AtomicBool,
        mut on_depth: impl FnMut(&SearchResult<M>),
    ) -> Option<SearchResult<M>> {
        self.table.clear();
        let mut moves = Vec::new();
        tree.moves(&mut moves);
        let mut best = SearchResult { best: *moves.first()?, score: 0, depth: 0, nodes: 0, line: vec![moves[0]] };
        let until = limits.time.map(|time| Instant::now() + time);
        let lists = Vec::new();
        let mut run = Run { tree, table: &mut self.table, nodes: 0, limits, until, stop, stopped: false, lists };
        for depth in 1..=limits.depth {
            let score = run.root(&mut moves, depth);
            // An unfinished iteration counts once its first move is searched: it can only improve on that move.
            if let Some((chosen, score)) = score {
                best = SearchResult { best: chosen, score, depth, nodes: run.nodes, line: run.line(chosen, depth) };
                if run.stopped {
                    best.depth = depth - 1;
                }
                on_depth(&best);
            }
            if run.stopped || best.score.abs() >= FORCED || moves.len() == 1 {
                break;
            }
        }
        best.nodes = run.nodes;
        Some(best)
    }
}

impl<T: Tree> Run<'_, T> {
    fn over_budget(&mut self) -> bool {
        if !self.stopped {
            let timed_out = || self.until.is_some_and(|until| Instant::now() >= until);
            self.stopped = self.nodes >= self.limits.nodes
                || (self.nodes & 63 == 0 && (self.stop.load(Ordering::Relaxed) || timed_out()));
        }
        self.stopped
    }

    /// Searches all root moves. The best one moves to the front for the next iteration.
    fn root(&mut self, moves: &mut [T::Move], depth: u32) -> Option<(T::Move, i32)> {
        let mut best: Option<(usize, i32)> = None;
        for (i, &chosen) in moves.iter().enumerate() {
            let alpha = best.map_or(-MATE - 1, |(_, score)| score);
            let score = self.child(chosen, depth, 0, alpha, MATE + 1, i == 0);
            if self.stopped {
                break;
            }
            if score > alpha {
                best = Some((i, score));
            }
        }
        let (index, score) = best?;
        moves[..=index].rotate_right(1);
        Some((moves[0], score))
    }

    /// Score of the move `chosen` at `ply` for the mover.
    fn child(&mut self, chosen: T::Move, depth: u32, ply: u32, alpha: i32, beta: i32, first: bool) -> i32 {
        self.tree.make(chosen);
        self.nodes += 1;
        let mut score = -if first {
            self.node(depth - 1, ply + 1, -beta, -alpha)
        } else {
            self.node(depth - 1, ply + 1, -alpha - 1, -alpha)
        };
        if !first && score > alpha && score < beta && !self.stopped {
            score = -self.node(depth - 1, ply + 1, -beta, -alpha);
        }
        self.tree.unmake(chosen);
        score
    }

    fn node(&mut self, depth: u32, ply: u32, mut alpha: i32, beta: i32) -> i32 {
        match self.tree.end() {
            Some(End::Lost) => return -(MATE - ply as i32),
            Some(End::Drawn) => return 0,
            None => {}
        }
        if self.over_budget() {
            return 0;
        }
        let key = self.tree.key();
        let mut known = None;
        if let Some(entry) = self.table.get(key) {
            known = Some(entry.best);
            let score = from_table(entry.score, ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if enough && (entry.depth >= depth || score.abs() >= FORCED) {
                return score;
            }
        }
        if let Some(plies) = self.tree.proof(depth) {
            let far = ply as i32 + plies.abs();
            return if plies >= 0 { MATE - far } else { far - MATE };
        }
        if depth == 0 {
            return self.tree.evaluate();
        }
        let mut moves = self.lists.pop().unwrap_or_default();
        moves.clear();
        self.tree.moves(&mut moves);
        if let Some(at) = known.and_then(|best| moves.iter().position(|&m| m == best)) {
            moves[..=at].rotate_right(1);
        }
        let score = self.children(&moves, key, depth, ply, &mut alpha, beta);
        self.lists.push(moves);
        score
    }

    fn children(&mut self, moves: &[T::Move], key: u64, depth: u32, ply: u32, alpha: &mut i32, beta: i32) -> i32 {
        let floor = *alpha;
        let mut best_score = -MATE - 1;
        let Some(&(mut best)) = moves.first() else { return 0 };
        for (i, &chosen) in moves.iter().enumerate() {
            let score = self.child(chosen, depth, ply, *alpha, beta, i == 0);
            if self.stopped {
                return 0;
            }
            if score > best_score {
                (best_score, best) = (score, chosen);
            }
            *alpha = (*alpha).max(score);
            if *alpha >= beta {
                break;
            }
        }
        let bound = if best_score >= beta {
            Bound::Lower
        } else if best_score > floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.put(key, depth, to_table(best_score, ply), bound, best);
        best_score
    }

    /// The principal variation, read from the table.
    fn line(&mut self, first: T::Move, depth: u32) -> Vec<T::Move> {
        let mut line = vec![first];
        self.tree.make(first);
        while (line.len() as u32) < depth && self.tree.end().is_none() {
            let Some(next) = self.table.get(self.tree.key()).map(|entry| entry.best) else { break };
            line.push(next);
            self.tree.make(next);
        }
        for &chosen in line.iter().rev() {
            self.tree.unmake(chosen);
        }
        line
    }
}

/// Mate scores are stored as distance from the stored position, not from the root.
fn to_table(score: i32, ply: u32) -> i32 {
    match score {
        s if s >= FORCED => s + ply as i32,
        s if s <= -FORCED => s - ply as i32,
        s => s,
    }
}

fn from_table(score: i32, ply: u32) -> i32 {
    match score {
        s if s >= FORCED => s - ply as i32,
        s if s <= -FORCED => s + ply as i32,
        s => s,
    }
}
