//! Principal-variation alpha-beta over one position: the recursive part.

mod ordering;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::engine::geometry::{CELLS, Cell};
use crate::engine::judge::Judge;
use crate::engine::position::Position;
use crate::engine::tables::Class;
use crate::engine::transposition::{Bound, Entry, Transpositions};
use crate::engine::tuning::Tuning;
use crate::engine::vcf::Vcf;
use crate::rules::{Color, Rule};

/// Having won.
pub const MATE: i32 = crate::engine::Score::MATE;
/// Forced results are at least this far from zero.
pub const FORCED: i32 = crate::engine::Score::FORCED;
const INFINITE: i32 = MATE + 1;
/// The deepest line followed.
pub const MAX_PLY: usize = 240;
const CHECK_EVERY: u64 = 512;

/// What all threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Transpositions,
    /// Set by the caller to end the search.
    pub stop: &'a AtomicBool,
    /// Set by a thread that has ended the search for all.
    pub ended: AtomicBool,
    pub deadline: Option<Instant>,
    /// Node limit of the main thread.
    pub node_limit: u64,
    /// Nodes of helper threads, for reports.
    pub helper_nodes: AtomicU64,
}

#[derive(Clone, Copy)]
struct Ply {
    eval: i32,
    killers: [Cell; 2],
    played: Cell,
    excluded: Cell,
}

/// One thread's search.
pub struct Searcher<'a, J> {
    pub position: Position,
    pub judge: J,
    pub shared: &'a Shared<'a>,
    pub nodes: u64,
    pub vcf: Vcf,
    next_check: u64,
    stopped: bool,
    history: Box<[[i16; CELLS]; 2]>,
    /// How well a move did as the answer to another: by the answering side, the cell answered and the answer.
    follow: Vec<i16>,
    /// Best answer to a move, by the answering side and the cell answered.
    answers: Box<[[Cell; CELLS]; 2]>,
    plies: Vec<Ply>,
    /// Moves of all nodes on the current path, one stretch per node.
    moves: Vec<(i32, Cell)>,
    /// Triangular principal variations.
    lines: Vec<Vec<Cell>>,
    reductions: [[u8; 64]; 64],
    pub root_depth: i32,
    /// Root moves not to be considered (multi-PV).
    pub root_excluded: Vec<Cell>,
    seed: u64,
    tuning: Tuning,
}

fn reductions(tuning: &Tuning) -> [[u8; 64]; 64] {
    let (base, divisor) = (tuning.reduce_base as f32 / 100.0, tuning.reduce_divisor as f32 / 100.0);
    std::array::from_fn(|depth| {
        std::array::from_fn(|count| {
            if depth < 2 || count < 2 { 0 } else { (base + (depth as f32).ln() * (count as f32).ln() / divisor) as u8 }
        })
    })
}

impl<'a, J: Judge> Searcher<'a, J> {
    /// A search of this position.
    pub fn new(position: Position, mut judge: J, shared: &'a Shared<'a>, tuning: Tuning, seed: u64) -> Self {
        judge.reset(&position);
        let ply = Ply { eval: 0, killers: [Cell::NONE; 2], played: Cell::NONE, excluded: Cell::NONE };
        Self {
            position,
            judge,
            shared,
            nodes: 0,
            vcf: Vcf::default(),
            next_check: 0,
            stopped: false,
            history: Box::new([[0; CELLS]; 2]),
            follow: vec![0; 2 * CELLS * CELLS],
            answers: Box::new([[Cell::NONE; CELLS]; 2]),
            plies: vec![ply; MAX_PLY + 8],
            moves: Vec::with_capacity(8192),
            lines: (0..MAX_PLY + 8).map(|_| Vec::with_capacity(MAX_PLY)).collect(),
            reductions: reductions(&tuning),
            root_depth: 0,
            root_excluded: Vec::new(),
            seed,
            tuning,
        }
    }

    /// Whether the search was ended by a limit or the stop flag.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The principal variation of the last root search.
    pub fn line(&self) -> &[Cell] {
        &self.lines[0]
    }

    fn must_stop(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        let work = self.nodes + self.vcf.nodes;
        if self.nodes >= self.shared.node_limit {
            self.stopped = true;
        } else if work >= self.next_check {
            self.next_check = work + CHECK_EVERY;
            self.stopped = self.shared.stop.load(Ordering::Relaxed)
                || self.shared.ended.load(Ordering::Relaxed)
                || self.shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        if self.stopped {
            self.shared.ended.store(true, Ordering::Relaxed);
        }
        self.stopped
    }

    /// Searches the root to a depth within a window; the value is meaningless once stopped.
    pub fn root(&mut self, mover: Color, alpha: i32, beta: i32, depth: i32) -> i32 {
        self.lines[0].clear();
        self.moves.clear();
        self.node::<true>(mover, alpha, beta, depth, 0, false)
    }

    #[inline(always)]
    fn key(&self, mover: Color) -> u64 {
        self.position.hash() ^ if mover == Color::White { 0x6A09_E667_F3BC_C908 } else { 0 }
    }

    /// Value of a quiet position, or of a win by fours.
    fn leaf(&mut self, me: Color, alpha: i32, beta: i32, ply: usize) -> i32 {
        let eval = self.judge.value_within(&self.position, me, alpha, beta).clamp(-FORCED / 2, FORCED / 2);
        // a four that builds nothing else rarely begins a win
        let counts = self.position.counts(me);
        if eval >= beta || counts[Class::FourPlus as usize] + counts[Class::FourThree as usize] == 0 {
            return eval;
        }
        self.win_by_fours(me, ply, self.tuning.leaf_vcf as u64).unwrap_or(eval)
    }

    #[inline(always)]
    fn static_value(&mut self, me: Color) -> i32 {
        self.judge.value(&self.position, me).clamp(-FORCED / 2, FORCED / 2)
    }

    fn win_by_fours(&mut self, me: Color, ply: usize, nodes: u64) -> Option<i32> {
        self.vcf.glance(&mut self.position, me, nodes).then(|| MATE - (ply + self.vcf.line().len() + 2) as i32)
    }

    fn node<const PV: bool>(
        &mut self,
        me: Color,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        let you = me.opponent();
        if PV {
            self.lines[ply].clear();
        }
        // decided at once
        if ply > 0 {
            if self.position.count(me, Class::Five) > 0 {
                return MATE - (ply as i32 + 1);
            }
            if self.position.is_full() {
                return 0;
            }
        }
        let fives = self.position.count(you, Class::Five);
        if ply > 0 {
            if fives >= 2 {
                return -(MATE - (ply as i32 + 2));
            }
            if fives == 0 {
                if self.position.count(me, Class::OpenFour) > 0 {
                    return MATE - (ply as i32 + 3);
                }
                if self.position.count(me, Class::FourThree) > 0
                    && !self.position.has_four(you)
                    && self.position.rule() != Rule::Renju
                {
                    return MATE - (ply as i32 + 5);
                }
            }
            alpha = alpha.max(-(MATE - (ply as i32 + 2)));
            beta = beta.min(MATE - (ply as i32 + 3));
            if alpha >= beta {
                return alpha;
            }
        }
        if fives == 0 && depth <= 0 {
            return self.leaf(me, alpha, beta, ply);
        }
        if self.must_stop() {
            return 0;
        }
        if ply >= MAX_PLY {
            return self.static_value(me);
        }
        if fives == 1 && ply > 0 {
            return self.forced_reply::<PV>(me, alpha, beta, depth, ply, cut);
        }

        let excluded = self.plies[ply].excluded;
        let key = self.key(me) ^ if excluded == Cell::NONE { 0 } else { (excluded.index() as u64 + 1) << 44 };
        let entry = self.shared.table.probe(key);
        let mut best_known = Cell::NONE;
        let mut known = None;
        if let Some(entry) = entry {
            let value = from_table(i32::from(entry.value), ply);
            best_known = entry.best;
            known = Some((value, i32::from(entry.depth), entry.bound));
            if !PV && i32::from(entry.depth) >= depth && cuts(entry.bound, value, alpha, beta) {
                return value;
            }
        }
        let threatened = self.position.count(you, Class::OpenFour) > 0;
        let eval = match entry {
            Some(entry) => i32::from(entry.eval),
            None => self.judge.value_within(&self.position, me, alpha, beta).clamp(-FORCED / 2, FORCED / 2),
        };
        self.plies[ply].eval = eval;
        let improving = ply >= 2 && eval > self.plies[ply - 2].eval;

        if ply > 0 && excluded == Cell::NONE {
            // a win by fours, looked for once per position
            if entry.is_none() && self.position.has_four(me) {
                let nodes = (self.tuning.node_vcf * (1 + depth.max(0))) as u64;
                if let Some(value) = self.win_by_fours(me, ply, nodes) {
                    self.store(key, Cell::NONE, 100, Bound::Lower, value, eval, ply);
                    return value;
                }
            }
            if !PV && !threatened {
                if depth <= self.tuning.razor_depth && eval + self.tuning.razor * (depth + 1) / 2 < alpha {
                    return eval;
                }
                let margin = self.tuning.futility * (depth - i32::from(improving));
                if depth <= self.tuning.futility_depth && eval - margin >= beta {
                    return eval;
                }
            }
            if best_known == Cell::NONE && depth >= 4 && (PV || cut) {
                depth -= 1;
            }
        }

        let base = self.moves.len();
        if threatened && self.position.count(you, Class::Five) == 0 && ply > 0 {
            self.generate_defences(me);
        } else {
            self.generate_all(me, ply);
        }
        let end = self.moves.len();
        let last = self.position.last();
        let order_from = base;
        self.score_moves(me, base, best_known, depth, ply, last);
        let value = self.try_moves::<PV>(
            me,
            alpha,
            beta,
            depth,
            ply,
            cut,
            Node { base: order_from, end, key, eval, improving, threatened, known, best_known },
        );
        self.moves.truncate(base);
        value
    }

    /// The opponent has one point that makes five: it must be taken, at no cost of depth.
    fn forced_reply<const PV: bool>(
        &mut self,
        me: Color,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        let you = me.opponent();
        let Some(cell) = self.position.find(you, Class::Five) else { return 0 };
        if self.position.rule() == Rule::Renju && !self.position.is_allowed(cell, me) {
            return -(MATE - (ply as i32 + 2));
        }
        self.plies[ply].eval = if ply >= 2 { self.plies[ply - 2].eval } else { 0 };
        self.make(cell, me, ply);
        let value = -self.node::<PV>(you, -beta, -alpha, depth, ply + 1, !cut);
        self.unmake();
        if PV && !self.stopped {
            self.extend_line(ply, cell);
        }
        value
    }

    fn extend_line(&mut self, ply: usize, cell: Cell) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(cell);
        head[ply].extend_from_slice(&tail[0]);
    }

    #[inline(always)]
    fn make(&mut self, cell: Cell, me: Color, ply: usize) {
        self.plies[ply].played = cell;
        self.position.place(cell, me);
        self.judge.placed(&self.position, cell, me);
        self.nodes += 1;
    }

    #[inline(always)]
    fn unmake(&mut self) {
        self.position.undo();
        self.judge.undone();
    }

    #[allow(clippy::too_many_arguments)]
    fn try_moves<const PV: bool>(
        &mut self,
        me: Color,
        mut alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        cut: bool,
        node: Node,
    ) -> i32 {
        let you = me.opponent();
        let excluded = self.plies[ply].excluded;
        let start_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = Cell::NONE;
        let mut count = 0;
        let mut top = 0;
        let limit = self.move_limit(depth, node.improving, PV);
        self.plies[ply + 1].killers = if ply + 2 < MAX_PLY { self.plies[ply + 1].killers } else { [Cell::NONE; 2] };
        let mut at = node.base;
        while at < node.end {
            // selection sort, one move at a time
            let mut pick = at;
            for i in at + 1..node.end {
                if self.moves[i].0 > self.moves[pick].0 {
                    pick = i;
                }
            }
            self.moves.swap(at, pick);
            let (score, cell) = self.moves[at];
            at += 1;
            if cell == excluded {
                continue;
            }
            let class = self.position.class(cell, me);
            let theirs = self.position.class(cell, you);
            count += 1;
            if score != i32::MAX {
                top = top.max(score);
            }
            let quiet = class < Class::Three as u8 && theirs < Class::Three as u8;
            if ply > 0 && best > -FORCED && !node.threatened {
                if count > limit && !(PV && depth > 2) {
                    break;
                }
                if !PV
                    && quiet
                    && depth <= 4
                    && node.eval + self.tuning.futility_move * (depth + 1) + score / 2 <= alpha
                {
                    continue;
                }
            }
            let mut extension = 0;
            if ply > 0 && cell == node.best_known && depth >= self.tuning.singular_depth && excluded == Cell::NONE {
                extension = self.singular(me, cell, beta, depth, ply, cut, &node);
            }
            let new_depth = depth - 1 + extension;
            self.shared.table.prefetch(
                self.position.hash_after(cell, me) ^ if you == Color::White { 0x6A09_E667_F3BC_C908 } else { 0 },
            );
            self.make(cell, me, ply);
            let mut value;
            if count == 1 {
                value = -self.node::<PV>(you, -beta, -alpha, new_depth, ply + 1, !PV && !cut);
            } else {
                let mut reduction = 0;
                if depth >= 2 && count > 1 + i32::from(PV) + i32::from(ply == 0) && !node.threatened {
                    reduction = i32::from(self.reductions[depth.min(63) as usize][count.min(63) as usize]);
                    reduction -= i32::from(self.history[me as usize][cell.index()]) / 4096;
                    if cut {
                        reduction += 1;
                    }
                    if !node.improving {
                        reduction += i32::from(depth > 4);
                    }
                    if PV {
                        reduction -= 1;
                    }
                    if !quiet {
                        reduction -= 1;
                    }
                    reduction += ((top - score) / self.tuning.reduce_urgency).clamp(0, 2);
                    if class >= Class::Four as u8 {
                        reduction -= 1;
                    }
                    reduction = reduction.clamp(0, new_depth.max(0));
                }
                value = -self.node::<false>(you, -alpha - 1, -alpha, new_depth - reduction, ply + 1, true);
                if reduction > 0 && value > alpha && !self.stopped {
                    value = -self.node::<false>(you, -alpha - 1, -alpha, new_depth, ply + 1, !cut);
                }
                if PV && value > alpha && value < beta && !self.stopped {
                    value = -self.node::<true>(you, -beta, -alpha, new_depth, ply + 1, false);
                }
            }
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
            // no move can help: every defence was forbidden or excluded
            return if excluded != Cell::NONE {
                start_alpha
            } else if node.threatened {
                -(MATE - (ply as i32 + 4))
            } else {
                0
            };
        }
        if best >= beta {
            self.reward(me, best_move, depth, ply, node.base, at);
        }
        if best == -INFINITE {
            best = start_alpha;
        }
        if excluded == Cell::NONE && (ply != 0 || self.root_excluded.is_empty()) {
            let bound = if best >= beta {
                Bound::Lower
            } else if PV && best > start_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.store(node.key, best_move, depth, bound, best, node.eval, ply);
        }
        best
    }

    /// Extra depth for a known best move that is much better than all others.
    #[allow(clippy::too_many_arguments)]
    fn singular(&mut self, me: Color, cell: Cell, beta: i32, depth: i32, ply: usize, cut: bool, node: &Node) -> i32 {
        let Some((value, known_depth, bound)) = node.known else { return 0 };
        if known_depth < depth - 3 || !matches!(bound, Bound::Lower | Bound::Exact) || value.abs() >= FORCED {
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

    #[allow(clippy::too_many_arguments)]
    fn store(&self, key: u64, best: Cell, depth: i32, bound: Bound, value: i32, eval: i32, ply: usize) {
        let value = to_table(value, ply) as i16;
        self.shared
            .table
            .store(key, Entry { best, depth: depth.clamp(-1, 100) as i8, bound, value, eval: eval as i16 });
    }
}

struct Node {
    base: usize,
    end: usize,
    key: u64,
    eval: i32,
    improving: bool,
    threatened: bool,
    /// Value, depth and bound from the table.
    known: Option<(i32, i32, Bound)>,
    best_known: Cell,
}

fn cuts(bound: Bound, value: i32, alpha: i32, beta: i32) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
        Bound::None => false,
    }
}

/// Forced results are stored relative to the node, not the root.
fn to_table(value: i32, ply: usize) -> i32 {
    if value >= FORCED {
        value + ply as i32
    } else if value <= -FORCED {
        value - ply as i32
    } else {
        value
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    if value >= FORCED {
        value - ply as i32
    } else if value <= -FORCED {
        value + ply as i32
    } else {
        value
    }
}
