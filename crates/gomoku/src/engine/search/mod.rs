//! Principal variation search (alpha-beta with null windows) over one position: the recursive part.
//!
//! The pruning rules have their usual names: razoring, reverse futility pruning, futility pruning, late-move pruning,
//! late-move reductions, singular extensions, internal iterative reduction, killer moves, countermoves, history and
//! continuation history. Threats replace the quiescence search: a node with a five to stop has one move and costs no
//! depth, and a VCF search (victory by continuous fours) runs at leaves and once per inner position.

mod move_loop;
mod ordering;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use self::move_loop::Node;
use crate::engine::evaluator::Evaluator;
use crate::engine::geometry::{CELLS, Cell};
use crate::engine::pattern_board::PatternBoard;
use crate::engine::pattern_tables::Class;
use crate::engine::transposition::{SharedTable, TtBound, TtEntry};
use crate::engine::tuning::Tuning;
use crate::engine::vcf::Vcf;
use crate::rules::{Color, Rule};

/// Score of a win on the board.
pub const MATE: i32 = crate::engine::Score::MATE;
/// Scores of forced wins and losses are at least this far from zero.
pub const FORCED: i32 = crate::engine::Score::FORCED;
const INFINITE: i32 = MATE + 1;
/// The longest line that the search follows, in plies.
pub const MAX_PLY: usize = 240;
/// Nodes between two looks at the clock.
const CHECK_EVERY: u64 = 512;

/// State that all threads of one search share.
pub struct SharedState<'a> {
    pub table: &'a SharedTable,
    /// The caller sets it to end the search.
    pub stop: &'a AtomicBool,
    /// A thread that reaches a limit sets it to end the other threads.
    pub ended: AtomicBool,
    pub deadline: Option<Instant>,
    /// Node limit of the main thread.
    pub node_limit: u64,
    /// Nodes of the helper threads, for reports.
    pub helper_nodes: AtomicU64,
}

#[derive(Clone, Copy)]
struct Ply {
    eval: i32,
    killers: [Cell; 2],
    played: Cell,
    excluded: Cell,
}

/// The search of one thread.
pub struct Searcher<'a, J> {
    pub position: PatternBoard,
    pub evaluator: J,
    pub shared: &'a SharedState<'a>,
    pub nodes: u64,
    pub vcf: Vcf,
    next_check: u64,
    stopped: bool,
    history: Box<[[i16; CELLS]; 2]>,
    /// Continuation history: by the side that answers, the cell of the last stone and the cell of the answer.
    continuation: Vec<i16>,
    /// Countermoves: the best answer, by the side that answers and the cell of the last stone.
    countermoves: Box<[[Cell; CELLS]; 2]>,
    plies: Vec<Ply>,
    /// Moves of all nodes on the current path, one stretch per node.
    moves: Vec<(i32, Cell)>,
    /// Triangular table of principal variations.
    lines: Vec<Vec<Cell>>,
    reductions: [[u8; 64]; 64],
    pub root_depth: i32,
    /// Root moves that are left out (multi-PV).
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

/// Hash of the side to move.
fn side_key(mover: Color) -> u64 {
    if mover == Color::White { 0x6A09_E667_F3BC_C908 } else { 0 }
}

impl<'a, J: Evaluator> Searcher<'a, J> {
    /// A search of this position.
    pub fn new(
        position: PatternBoard,
        mut evaluator: J,
        shared: &'a SharedState<'a>,
        tuning: Tuning,
        seed: u64,
    ) -> Self {
        evaluator.reset(&position);
        let ply = Ply { eval: 0, killers: [Cell::NONE; 2], played: Cell::NONE, excluded: Cell::NONE };
        Self {
            position,
            evaluator,
            shared,
            nodes: 0,
            vcf: Vcf::default(),
            next_check: 0,
            stopped: false,
            history: Box::new([[0; CELLS]; 2]),
            continuation: vec![0; 2 * CELLS * CELLS],
            countermoves: Box::new([[Cell::NONE; CELLS]; 2]),
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

    /// Whether a limit or the stop flag has ended the search.
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

    /// Searches the root to a depth within a window. The value is meaningless once the search has stopped.
    pub fn root(&mut self, mover: Color, alpha: i32, beta: i32, depth: i32) -> i32 {
        self.lines[0].clear();
        self.moves.clear();
        self.node::<true>(mover, alpha, beta, depth, 0, false)
    }

    #[inline(always)]
    fn key(&self, mover: Color) -> u64 {
        self.position.hash() ^ side_key(mover)
    }

    /// Value at depth zero: the evaluation, or a win that a small VCF search finds.
    fn leaf(&mut self, me: Color, alpha: i32, beta: i32, ply: usize) -> i32 {
        let eval = self.evaluator.value_within(&self.position, me, alpha, beta).clamp(-FORCED / 2, FORCED / 2);
        // a four that builds nothing else rarely begins a win
        let counts = self.position.counts(me);
        if eval >= beta || counts[Class::FourPlus as usize] + counts[Class::FourThree as usize] == 0 {
            return eval;
        }
        self.win_by_fours(me, ply, self.tuning.leaf_vcf as u64).unwrap_or(eval)
    }

    #[inline(always)]
    fn static_value(&mut self, me: Color) -> i32 {
        self.evaluator.value(&self.position, me).clamp(-FORCED / 2, FORCED / 2)
    }

    fn win_by_fours(&mut self, me: Color, ply: usize, nodes: u64) -> Option<i32> {
        self.vcf.glance(&mut self.position, me, nodes).then(|| MATE - (ply + self.vcf.line().len() + 2) as i32)
    }

    /// The value of a node below the root that the threats on the board decide at once.
    #[inline(always)]
    fn decided_by_threats(&self, me: Color, ply: usize, fives: u16) -> Option<i32> {
        let you = me.opponent();
        if self.position.count(me, Class::Five) > 0 {
            return Some(MATE - (ply as i32 + 1));
        }
        if self.position.is_full() {
            return Some(0);
        }
        if fives >= 2 {
            return Some(-(MATE - (ply as i32 + 2)));
        }
        if fives == 0 {
            if self.position.count(me, Class::OpenFour) > 0 {
                return Some(MATE - (ply as i32 + 3));
            }
            if self.position.count(me, Class::FourThree) > 0
                && !self.position.has_four(you)
                && self.position.rule() != Rule::Renju
            {
                return Some(MATE - (ply as i32 + 5));
            }
        }
        None
    }

    /// Searches a node. `cut` says that a beta cut-off is expected here.
    fn node<const PV: bool>(
        &mut self,
        me: Color,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        if PV {
            self.lines[ply].clear();
        }
        let fives = self.position.count(me.opponent(), Class::Five);
        if ply > 0 {
            if let Some(value) = self.decided_by_threats(me, ply, fives) {
                return value;
            }
            // mate-distance pruning
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
        let mut node = Node::new(me, alpha, beta, depth, ply, cut);
        if let Some(value) = self.probe_and_prune::<PV>(&mut node) {
            return value;
        }
        node.base = self.moves.len();
        if node.threatened && fives == 0 && ply > 0 {
            self.generate_defences(me);
        } else {
            self.generate_all(me, ply);
        }
        node.end = self.moves.len();
        let last = self.position.last();
        self.score_moves(me, node.base, node.best_known, node.depth, ply, last);
        let value = self.try_moves::<PV>(&node);
        self.moves.truncate(node.base);
        value
    }

    /// Looks the node up in the transposition table, evaluates it and applies the prunings that need no move.
    #[inline(always)]
    fn probe_and_prune<const PV: bool>(&mut self, node: &mut Node) -> Option<i32> {
        let Node { me, alpha, beta, ply, .. } = *node;
        node.excluded = self.plies[ply].excluded;
        node.key =
            self.key(me) ^ if node.excluded == Cell::NONE { 0 } else { (node.excluded.index() as u64 + 1) << 44 };
        let entry = self.shared.table.probe(node.key);
        if let Some(entry) = entry {
            let value = from_table(i32::from(entry.value), ply);
            node.best_known = entry.best;
            node.known = Some((value, i32::from(entry.depth), entry.bound));
            if !PV && i32::from(entry.depth) >= node.depth && cuts(entry.bound, value, alpha, beta) {
                return Some(value);
            }
        }
        node.threatened = self.position.count(me.opponent(), Class::OpenFour) > 0;
        node.eval = match entry {
            Some(entry) => i32::from(entry.eval),
            None => self.evaluator.value_within(&self.position, me, alpha, beta).clamp(-FORCED / 2, FORCED / 2),
        };
        self.plies[ply].eval = node.eval;
        node.improving = ply >= 2 && node.eval > self.plies[ply - 2].eval;
        if ply == 0 || node.excluded != Cell::NONE {
            return None;
        }
        // one VCF search per position
        if entry.is_none() && self.position.has_four(me) {
            let nodes = (self.tuning.node_vcf * (1 + node.depth.max(0))) as u64;
            if let Some(value) = self.win_by_fours(me, ply, nodes) {
                self.store(node, Cell::NONE, 100, TtBound::Lower, value);
                return Some(value);
            }
        }
        if !PV && !node.threatened {
            // razoring, reverse futility pruning
            if node.depth <= self.tuning.razor_depth && node.eval + self.tuning.razor * (node.depth + 1) / 2 < alpha {
                return Some(node.eval);
            }
            let margin = self.tuning.futility * (node.depth - i32::from(node.improving));
            if node.depth <= self.tuning.futility_depth && node.eval - margin >= beta {
                return Some(node.eval);
            }
        }
        // internal iterative reduction
        if node.best_known == Cell::NONE && node.depth >= 4 && (PV || node.cut) {
            node.depth -= 1;
        }
        None
    }

    /// The opponent has one point that makes five: the reply is forced and costs no depth.
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
        self.evaluator.placed(&self.position, cell, me);
        self.nodes += 1;
    }

    #[inline(always)]
    fn unmake(&mut self) {
        self.position.undo();
        self.evaluator.undone();
    }

    fn store(&self, node: &Node, best: Cell, depth: i32, bound: TtBound, value: i32) {
        let value = to_table(value, node.ply) as i16;
        let entry = TtEntry { best, depth: depth.clamp(-1, 100) as i8, bound, value, eval: node.eval as i16 };
        self.shared.table.store(node.key, entry);
    }
}

fn cuts(bound: TtBound, value: i32, alpha: i32, beta: i32) -> bool {
    match bound {
        TtBound::Exact => true,
        TtBound::Lower => value >= beta,
        TtBound::Upper => value <= alpha,
        TtBound::None => false,
    }
}

/// The table stores forced results relative to the node, not to the root.
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
