//! Incremental inference inside the search: features are updated by difference, heads are computed on demand.

use std::sync::Arc;

use super::policy_net::{PointGraph, PolicyNet};
use super::prior::{PatternPrior, URGENCY};
use super::weights::{Net, Row};
use super::windows::{KEY_BITS, REACH, WindowIndexer, windows};
use super::{CHANNELS, CONTEXT, HIDDEN, POLICY_HIDDEN, REGIONS, STAR, TAPS, VALUE_HIDDEN, region};
use crate::engine::Score;
use crate::engine::evaluator::Evaluator;
use crate::engine::geometry::{CELLS, Cell, STEPS, STRIDE};
use crate::engine::pattern_board::PatternBoard;
use crate::rules::Color;

/// Cells whose features a stone changes: four windows that share one middle cell.
const CHANGED: usize = 8 * REACH + 1;

/// Where the search uses the net instead of patterns (lazy evaluation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LazyEval {
    /// The net orders moves at nodes of at least this depth.
    pub depth: i32,
    /// Outside the window by more than this many points, patterns decide.
    pub certain: i32,
}

/// Moves that patterns rate this many points below the best keep their pattern score.
const HOPELESS: i32 = 400;

/// Features of a point: one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Features([i16; CHANNELS]);

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Sums([[i32; CHANNELS]; REGIONS]);

/// The accumulator of one colour (as in NNUE), with the stones that it contains.
#[derive(Clone)]
struct Accumulator {
    colour: Color,
    stones: Vec<(Cell, Color)>,
    lines: [[u64; 2 * STRIDE]; 4],
    /// Sums of four embeddings, before rectification.
    features: Box<[Features; CELLS]>,
    /// Rectified features summed over regions.
    sums: Sums,
    /// For every stone: the sums before it and where its changes begin.
    frames: Vec<(Sums, u32)>,
    /// Cells whose features changed, and their features before.
    changed: Vec<u16>,
    before: Vec<Features>,
}

/// Evaluates by a line-table net.
///
/// The accumulator of each colour keeps its own list of stones and synchronises with the position only when that
/// colour needs a value, so that nodes decided by threats or by the table cost nothing.
#[derive(Clone)]
pub struct NetEvaluator {
    net: Arc<Net>,
    accumulators: [Accumulator; 2],
    /// Region of every cell, 255 outside the board.
    regions: Box<[u8; CELLS]>,
    size: usize,
    lazy: LazyEval,
    /// Buffer of [`Evaluator::order`].
    policy_deltas: Vec<Option<i32>>,
}

impl Accumulator {
    fn new(colour: Color) -> Self {
        Self {
            colour,
            stones: Vec::new(),
            lines: [[u64::MAX; 2 * STRIDE]; 4],
            features: Box::new([Features([0; CHANNELS]); CELLS]),
            sums: Sums([[0; CHANNELS]; REGIONS]),
            frames: Vec::new(),
            changed: Vec::new(),
            before: Vec::new(),
        }
    }

    fn indexer(&self) -> &'static WindowIndexer {
        if self.colour == Color::Black { &windows().black } else { &windows().white }
    }

    /// Resets to an empty board whose cells have these regions.
    fn empty(&mut self, net: &Net, regions: &[u8; CELLS]) {
        *self = Self::new(self.colour);
        let cells: Vec<Cell> = (0..CELLS).filter(|&i| regions[i] != u8::MAX).map(Cell::from_index).collect();
        for &cell in &cells {
            for d in 0..4 {
                let (line, place) = cell.on_line(d);
                self.lines[d][line] &= !(3 << (2 * place));
            }
        }
        let indexer = self.indexer();
        for &cell in &cells {
            let mut features = [0; CHANNELS];
            for d in 0..4 {
                let row = &net.table[number(indexer, &self.lines, cell, d)].0;
                for c in 0..CHANNELS {
                    features[c] += row[c];
                }
            }
            self.features[cell.index()] = Features(features);
            let sums = &mut self.sums.0[regions[cell.index()] as usize];
            for c in 0..CHANNELS {
                sums[c] += i32::from(features[c].max(0));
            }
        }
    }

    /// Adds a stone.
    fn place(&mut self, net: &Net, regions: &[u8; CELLS], cell: Cell, colour: Color) {
        let indexer = self.indexer();
        let mask = (1u64 << KEY_BITS) - 1;
        self.frames.push((self.sums, self.changed.len() as u32));
        self.stones.push((cell, colour));
        self.changed.reserve(CHANGED);
        self.before.reserve(CHANGED);
        // all windows first, so that the prefetched rows of the table arrive while others are added
        let mut changes = [(0u16, 0u16, 0u16); 8 * REACH + 4];
        let mut count = 0;
        for d in 0..4 {
            let (line, place) = cell.on_line(d);
            let before = self.lines[d][line];
            let after = before | (colour as u64 + 1) << (2 * place);
            self.lines[d][line] = after;
            for i in 0..=2 * REACH {
                let at = (cell.index() as isize + STEPS[d] * (i as isize - REACH as isize)) as usize & (CELLS - 1);
                if regions[at] == u8::MAX {
                    continue;
                }
                let shift = 2 * (place + i - 2 * REACH);
                let old = indexer.number((before >> shift & mask) as u32);
                let new = indexer.number((after >> shift & mask) as u32);
                prefetch(&net.table, old);
                prefetch(&net.table, new);
                changes[count] = (at as u16, old as u16, new as u16);
                count += 1;
            }
        }
        let own_was = self.features[cell.index()];
        let mut own_is = own_was;
        for &(at, old, new) in &changes[..count] {
            let (at, old, new) = (usize::from(at), &net.table[usize::from(old)].0, &net.table[usize::from(new)].0);
            if at == cell.index() {
                // the stone's own cell changes in all four directions: summed once, below
                for c in 0..CHANNELS {
                    own_is.0[c] += new[c] - old[c];
                }
                continue;
            }
            let was = self.features[at];
            let is = Features(std::array::from_fn(|c| was.0[c] + new[c] - old[c]));
            self.change(regions, at, &was, &is);
        }
        self.change(regions, cell.index(), &own_was, &own_is);
    }

    #[inline(always)]
    fn change(&mut self, regions: &[u8; CELLS], at: usize, was: &Features, is: &Features) {
        self.changed.push(at as u16);
        self.before.push(*was);
        self.features[at] = *is;
        let sums = &mut self.sums.0[regions[at] as usize];
        for c in 0..CHANNELS {
            sums[c] += i32::from(is.0[c].max(0) - was.0[c].max(0));
        }
    }

    /// Removes the last stone.
    fn undo(&mut self) {
        let (cell, colour) = self.stones.pop().expect("a stone to take back");
        for d in 0..4 {
            let (line, place) = cell.on_line(d);
            self.lines[d][line] ^= (colour as u64 + 1) << (2 * place);
        }
        let (sums, start) = self.frames.pop().expect("a frame for every stone");
        self.sums = sums;
        let start = start as usize;
        for (&at, &was) in self.changed[start..].iter().zip(&self.before[start..]) {
            self.features[usize::from(at) & (CELLS - 1)] = was;
        }
        self.changed.truncate(start);
        self.before.truncate(start);
    }

    fn sync(&mut self, net: &Net, regions: &[u8; CELLS], target: &[(Cell, Color)]) {
        let same = self.stones.iter().zip(target).take_while(|(a, b)| a == b).count();
        while self.stones.len() > same {
            self.undo();
        }
        for &(cell, colour) in &target[same..] {
            self.place(net, regions, cell, colour);
        }
    }
}

impl NetEvaluator {
    /// An evaluator that always asks the net.
    pub fn new(net: Arc<Net>) -> Self {
        Self::with_lazy_eval(net, LazyEval { depth: i32::MIN, certain: i32::MAX / 2 })
    }

    /// An evaluator that asks the net where the search needs it.
    pub fn with_lazy_eval(net: Arc<Net>, lazy: LazyEval) -> Self {
        let accumulators = [Accumulator::new(Color::Black), Accumulator::new(Color::White)];
        let regions = Box::new([u8::MAX; CELLS]);
        Self { net, accumulators, regions, size: 0, lazy, policy_deltas: Vec::new() }
    }

    fn sync(&mut self, position: &PatternBoard, mover: Color) {
        let size = position.size();
        if self.size != size {
            self.size = size;
            self.regions.fill(u8::MAX);
            for i in 0..size * size {
                self.regions[Cell::at(i % size, i / size).index()] = region(i % size, i / size, size) as u8;
            }
            for accumulator in &mut self.accumulators {
                accumulator.empty(&self.net, &self.regions);
            }
        }
        self.accumulators[mover as usize].sync(&self.net, &self.regions, position.moves());
    }

    /// Logits of win, draw and loss for the side to move.
    fn wdl_logits(&mut self, position: &PatternBoard, mover: Color) -> [f32; 3] {
        self.sync(position, mover);
        let net = &*self.net;
        let hidden: [f32; HIDDEN] = layer(&self.accumulators[mover as usize].sums, &net.hidden, &net.hidden_bias);
        let mut deep = net.deep_bias;
        for (active, row) in hidden.iter().zip(&net.deep) {
            for h in 0..VALUE_HIDDEN {
                deep[h] += active * row[h];
            }
        }
        let mut out = net.value_bias;
        for k in 0..3 {
            for h in 0..HIDDEN {
                out[k] += hidden[h] * net.value[h][k];
            }
            for h in 0..VALUE_HIDDEN {
                out[k] += deep[h].max(0.0) * net.deep_value[h][k];
            }
        }
        let prior = self.net.prior_weight[0] * PatternPrior::value(position, mover) / 2.0;
        out[0] += prior;
        out[2] -= prior;
        out
    }

    /// Probabilities of win, draw and loss for the side to move.
    pub fn outcome(&mut self, position: &PatternBoard, mover: Color) -> [f32; 3] {
        let out = self.wdl_logits(position, mover);
        let top = out[0].max(out[1]).max(out[2]);
        let powers = out.map(|o| (o - top).exp());
        let total: f32 = powers.iter().sum();
        powers.map(|p| p / total)
    }

    /// Initial values of the hidden policy units on this board. The accumulator is in sync.
    fn board_context(&self, mover: Color) -> [f32; POLICY_HIDDEN] {
        let net = &*self.net;
        let context: [f32; CONTEXT] = layer(&self.accumulators[mover as usize].sums, &net.context, &net.context_bias);
        let mut units = net.mix_bias;
        for (active, row) in context.iter().zip(&net.context_mix) {
            for h in 0..POLICY_HIDDEN {
                units[h] += active * row[h];
            }
        }
        units
    }

    /// What the net adds to the pattern logit of an empty cell. The accumulator is in sync.
    #[inline(always)]
    fn policy_delta(&self, cell: Cell, mover: Color, board_context: &[f32; POLICY_HIDDEN]) -> f32 {
        let accumulator = &self.accumulators[mover as usize];
        let mut mixed = self.net.conv_bias;
        for (k, step) in STEPS_OF_STAR.iter().enumerate() {
            let other = (cell.index() as isize + step) as usize & (CELLS - 1);
            // cells outside the board keep features of zero
            let (features, weights) = (&accumulator.features[other].0, &self.net.conv[k]);
            for c in 0..CHANNELS {
                mixed[c] = mixed[c].wrapping_add(scaled(features[c].max(0), weights[c]));
            }
        }
        let plain = &accumulator.features[cell.index()].0;
        let mut inputs = [0f32; 2 * CHANNELS];
        let mut total = [0f32; 8];
        for c in 0..CHANNELS {
            inputs[c] = f32::from(mixed[c].max(0));
            inputs[CHANNELS + c] = f32::from(plain[c].max(0));
            total[c % 8] += inputs[c] * self.net.policy[0][c] + inputs[CHANNELS + c] * self.net.policy[1][c];
        }
        let mut units = *board_context;
        for (input, row) in inputs.iter().zip(&self.net.mix) {
            for h in 0..POLICY_HIDDEN {
                units[h] += input * row[h];
            }
        }
        for h in 0..POLICY_HIDDEN {
            total[h % 8] += units[h].max(0.0) * self.net.mix_out[h];
        }
        total.iter().sum()
    }

    /// Policy logits of cells for the side to move, from the policy network where there is one.
    pub fn logits(&mut self, position: &PatternBoard, mover: Color, cells: &[Cell]) -> Vec<f32> {
        self.sync(position, mover);
        let anything = !position.moves().is_empty();
        if let Some(policy_net) = self.net.policy_net().filter(|_| anything) {
            let infer = infer(policy_net, &self.accumulators[mover as usize], position);
            return cells.iter().map(|cell| infer[cell.index()]).collect();
        }
        let prior_weight = self.net.prior_weight[1] / URGENCY;
        let board_context = self.board_context(mover);
        cells
            .iter()
            .map(|&cell| {
                self.policy_delta(cell, mover, &board_context)
                    + prior_weight * PatternPrior::urgency(position, mover, cell) as f32
            })
            .collect()
    }
}

/// Symmetric images of the board that the policy network averages over.
const IMAGES: usize = 8;
/// Logit of cells outside the graph of the policy network.
const FAR_LOGIT: f32 = -40.0;

/// Logits of the policy network for all cells; [`FAR_LOGIT`] for those far from stones.
fn infer(policy_net: &PolicyNet, accumulator: &Accumulator, position: &PatternBoard) -> Box<[f32; CELLS]> {
    let mut cells = Vec::new();
    position.candidates().for_each(|cell| cells.push(cell));
    let urgency = |&cell: &Cell| PatternPrior::urgency(position, accumulator.colour, cell) as f32 / URGENCY;
    let mut logits: Vec<f32> = cells.iter().map(urgency).collect();
    let stones = position.moves().iter().map(|&(cell, _)| cell);
    let mut graph = PointGraph::default();
    graph.set(cells.iter().copied().chain(stones));
    let indexer = accumulator.indexer();
    let four = |&cell: &Cell| std::array::from_fn(|d| number(indexer, &accumulator.lines, cell, d) as u16);
    let windows: Vec<[u16; 4]> = graph.cells.iter().map(four).collect();
    policy_net.infer(&mut graph, &windows, IMAGES, &mut logits);
    let mut all = Box::new([FAR_LOGIT; CELLS]);
    cells.iter().zip(logits).for_each(|(cell, logit)| all[cell.index()] = logit);
    all
}

/// Prefetches a row of the table.
#[inline(always)]
fn prefetch(table: &[Row], number: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(row) = table.get(number) {
        // SAFETY: a prefetch reads nothing; the address is that of a row.
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::from_ref(row).cast())
        };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (table, number);
}

/// Index steps to the cells of [`STAR`].
const STEPS_OF_STAR: [isize; TAPS] = {
    let mut steps = [0; TAPS];
    let mut k = 0;
    while k < TAPS {
        steps[k] = STAR[k].0 + STAR[k].1 * STRIDE as isize;
        k += 1;
    }
    steps
};

/// A rectified layer over region sums.
#[inline(always)]
fn layer<const N: usize>(sums: &Sums, weights: &[[f32; N]], bias: &[f32; N]) -> [f32; N] {
    let mut units = *bias;
    for (s, row) in sums.0.as_flattened().iter().zip(weights) {
        let s = *s as f32;
        for h in 0..N {
            units[h] += s * row[h];
        }
    }
    units.map(|unit| unit.max(0.0))
}

fn number(indexer: &WindowIndexer, lines: &[[u64; 2 * STRIDE]; 4], cell: Cell, d: usize) -> usize {
    let (line, place) = cell.on_line(d);
    indexer.number((lines[d][line] >> (2 * (place - REACH)) & ((1 << KEY_BITS) - 1)) as u32)
}

/// Product of a feature and a convolution weight, in feature units over [`super::weights::CONV_RANGE`] (the high half:
/// one instruction).
#[inline(always)]
fn scaled(feature: i16, weight: i16) -> i16 {
    ((i32::from(feature) * i32::from(weight)) >> 16) as i16
}

impl Evaluator for NetEvaluator {
    fn reset(&mut self, position: &PatternBoard) {
        self.sync(position, Color::Black);
        self.sync(position, Color::White);
    }

    #[inline(always)]
    fn placed(&mut self, _position: &PatternBoard, _cell: Cell, _colour: Color) {}

    #[inline(always)]
    fn undone(&mut self) {}

    fn value(&mut self, position: &PatternBoard, mover: Color) -> i32 {
        let [win, draw, loss] = self.outcome(position, mover);
        let odds = (win + draw / 2.0).max(1e-6) / (loss + draw / 2.0).max(1e-6);
        (odds.ln() * Score::LOGIT) as i32
    }

    #[inline(always)]
    fn value_within(&mut self, position: &PatternBoard, mover: Color, alpha: i32, beta: i32) -> i32 {
        let rough = position.evaluate(mover);
        let certain = self.lazy.certain;
        if rough - certain >= beta || rough + certain <= alpha { rough } else { self.value(position, mover) }
    }

    fn order(&mut self, position: &PatternBoard, mover: Color, depth: i32, moves: &mut [(i32, Cell)]) {
        if depth < self.lazy.depth {
            return;
        }
        self.sync(position, mover);
        let top = moves.iter().map(|m| m.0).filter(|&score| score != i32::MAX).max().unwrap_or(0);
        let mut policy_deltas = std::mem::take(&mut self.policy_deltas);
        policy_deltas.clear();
        let rest = self.net.prior_weight[1] - 1.0;
        let board_context = self.board_context(mover);
        policy_deltas.extend(moves.iter().map(|&(score, cell)| {
            (score != i32::MAX && score + HOPELESS > top).then(|| {
                let urgency = PatternPrior::urgency(position, mover, cell) as f32;
                (URGENCY * self.policy_delta(cell, mover, &board_context) + rest * urgency) as i32
            })
        }));
        // Only differences of logits mean anything, but the margins of the search use the pattern scale: the best move
        // keeps
        // the best score from before.
        let judged = moves.iter().zip(&policy_deltas).filter_map(|(m, policy_delta)| policy_delta.map(|a| m.0 + a));
        let shift = top - judged.max().unwrap_or(top);
        for ((score, _), policy_delta) in moves.iter_mut().zip(&policy_deltas) {
            if let Some(policy_delta) = policy_delta {
                *score += policy_delta + shift;
            }
        }
        self.policy_deltas = policy_deltas;
    }
}
