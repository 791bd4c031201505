//! Inference inside the search: features follow stones by difference, heads are read on demand.

use std::sync::Arc;

use super::prior::{Prior, URGENCY};
use super::reader::{Ground, Reader};
use super::weights::{Net, Row};
use super::windows::{KEY_BITS, Numbering, REACH, windows};
use super::{CHANNELS, CONTEXT, DEEP, HIDDEN, MIXED, REGIONS, STAR, TAPS, region};
use crate::engine::Score;
use crate::engine::geometry::{CELLS, Cell, STEPS, STRIDE};
use crate::engine::judge::Judge;
use crate::engine::position::Position;
use crate::rules::Color;

/// Cells whose features a stone changes: four windows without their shared middle, and the middle.
const CHANGED: usize = 8 * REACH + 1;

/// Where the search asks the net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Moves are ordered by it at nodes of at least this depth.
    pub depth: i32,
    /// Where patterns are this far outside the window, they decide.
    pub certain: i32,
}

/// Moves that patterns like less than the best by this many points are not judged again.
const HOPELESS: i32 = 400;

/// Features of a point: one line of cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Features([i16; CHANNELS]);

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Sums([[i32; CHANNELS]; REGIONS]);

/// Everything seen from one colour, with the stones it has taken in so far.
#[derive(Clone)]
struct View {
    colour: Color,
    stones: Vec<(Cell, Color)>,
    lines: [[u64; 2 * STRIDE]; 4],
    /// Sums of four embeddings, before rectification.
    features: Box<[Features; CELLS]>,
    /// Rectified features summed over regions.
    sums: Sums,
    /// For every stone taken in: the sums before it and where its changes begin.
    frames: Vec<(Sums, u32)>,
    /// Cells whose features changed, and what they were before.
    changed: Vec<u16>,
    before: Vec<Features>,
}

/// Judges by a line-table net.
///
/// Each colour's view keeps its own list of stones and catches up with the position only when that
/// colour is asked for a value, so that nodes decided by threats or the table cost nothing.
#[derive(Clone)]
pub struct NetJudge {
    net: Arc<Net>,
    views: [View; 2],
    /// Region of every cell of the board, 255 outside.
    regions: Box<[u8; CELLS]>,
    size: usize,
    asked: Asked,
    /// What was added to the moves ordered last, kept for its memory.
    additions: Vec<Option<i32>>,
}

impl View {
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

    fn numbers(&self) -> &'static Numbering {
        if self.colour == Color::Black { &windows().black } else { &windows().white }
    }

    /// Starts from an empty board whose cells have these regions.
    fn empty(&mut self, net: &Net, regions: &[u8; CELLS]) {
        *self = Self::new(self.colour);
        let cells: Vec<Cell> = (0..CELLS).filter(|&i| regions[i] != u8::MAX).map(Cell::from_index).collect();
        for &cell in &cells {
            for d in 0..4 {
                let (line, place) = cell.on_line(d);
                self.lines[d][line] &= !(3 << (2 * place));
            }
        }
        let numbers = self.numbers();
        for &cell in &cells {
            let mut features = [0; CHANNELS];
            for d in 0..4 {
                let row = &net.table[number(numbers, &self.lines, cell, d)].0;
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

    /// Takes a stone in.
    fn place(&mut self, net: &Net, regions: &[u8; CELLS], cell: Cell, colour: Color) {
        let numbers = self.numbers();
        let mask = (1u64 << KEY_BITS) - 1;
        self.frames.push((self.sums, self.changed.len() as u32));
        self.stones.push((cell, colour));
        self.changed.reserve(CHANGED);
        self.before.reserve(CHANGED);
        // all windows first, so that the rows of the table are on their way while others are added
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
                let old = numbers.number((before >> shift & mask) as u32);
                let new = numbers.number((after >> shift & mask) as u32);
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

    /// Gives the last stone back.
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

    fn catch_up(&mut self, net: &Net, regions: &[u8; CELLS], target: &[(Cell, Color)]) {
        let same = self.stones.iter().zip(target).take_while(|(a, b)| a == b).count();
        while self.stones.len() > same {
            self.undo();
        }
        for &(cell, colour) in &target[same..] {
            self.place(net, regions, cell, colour);
        }
    }
}

impl NetJudge {
    /// A judge with this net, asked everywhere.
    pub fn new(net: Arc<Net>) -> Self {
        Self::asked(net, Asked { depth: i32::MIN, certain: i32::MAX / 2 })
    }

    /// A judge with this net, asked where a search wants it.
    pub fn asked(net: Arc<Net>, asked: Asked) -> Self {
        let views = [View::new(Color::Black), View::new(Color::White)];
        let regions = Box::new([u8::MAX; CELLS]);
        Self { net, views, regions, size: 0, asked, additions: Vec::new() }
    }

    fn catch_up(&mut self, position: &Position, mover: Color) {
        let size = position.size();
        if self.size != size {
            self.size = size;
            self.regions.fill(u8::MAX);
            for i in 0..size * size {
                self.regions[Cell::at(i % size, i / size).index()] = region(i % size, i / size, size) as u8;
            }
            for view in &mut self.views {
                view.empty(&self.net, &self.regions);
            }
        }
        self.views[mover as usize].catch_up(&self.net, &self.regions, position.moves());
    }

    /// Log-odds of win, draw and loss for the side to move, up to a constant.
    fn outlook(&mut self, position: &Position, mover: Color) -> [f32; 3] {
        self.catch_up(position, mover);
        let net = &*self.net;
        let hidden: [f32; HIDDEN] = layer(&self.views[mover as usize].sums, &net.hidden, &net.hidden_bias);
        let mut deep = net.deep_bias;
        for (active, row) in hidden.iter().zip(&net.deep) {
            for h in 0..DEEP {
                deep[h] += active * row[h];
            }
        }
        let mut out = net.value_bias;
        for k in 0..3 {
            for h in 0..HIDDEN {
                out[k] += hidden[h] * net.value[h][k];
            }
            for h in 0..DEEP {
                out[k] += deep[h].max(0.0) * net.deep_value[h][k];
            }
        }
        let prior = self.net.trust[0] * Prior::value(position, mover) / 2.0;
        out[0] += prior;
        out[2] -= prior;
        out
    }

    /// Probabilities of win, draw and loss for the side to move.
    pub fn outcome(&mut self, position: &Position, mover: Color) -> [f32; 3] {
        let out = self.outlook(position, mover);
        let top = out[0].max(out[1]).max(out[2]);
        let powers = out.map(|o| (o - top).exp());
        let total: f32 = powers.iter().sum();
        powers.map(|p| p / total)
    }

    /// What the policy's hidden units start from on this board, whatever the cell; the judge has caught up.
    fn surroundings(&self, mover: Color) -> [f32; MIXED] {
        let net = &*self.net;
        let context: [f32; CONTEXT] = layer(&self.views[mover as usize].sums, &net.context, &net.context_bias);
        let mut units = net.mix_bias;
        for (active, row) in context.iter().zip(&net.heard) {
            for h in 0..MIXED {
                units[h] += active * row[h];
            }
        }
        units
    }

    /// What the net adds to the patterns' log-odds of an empty cell in these surroundings; the judge has caught up.
    #[inline(always)]
    fn addition(&self, cell: Cell, mover: Color, surroundings: &[f32; MIXED]) -> f32 {
        let view = &self.views[mover as usize];
        let mut mixed = self.net.conv_bias;
        for (k, step) in STEPS_OF_STAR.iter().enumerate() {
            let other = (cell.index() as isize + step) as usize & (CELLS - 1);
            // cells outside the board keep features of zero
            let (features, weights) = (&view.features[other].0, &self.net.conv[k]);
            for c in 0..CHANNELS {
                mixed[c] = mixed[c].wrapping_add(scaled(features[c].max(0), weights[c]));
            }
        }
        let plain = &view.features[cell.index()].0;
        let mut inputs = [0f32; 2 * CHANNELS];
        let mut total = [0f32; 8];
        for c in 0..CHANNELS {
            inputs[c] = f32::from(mixed[c].max(0));
            inputs[CHANNELS + c] = f32::from(plain[c].max(0));
            total[c % 8] += inputs[c] * self.net.policy[0][c] + inputs[CHANNELS + c] * self.net.policy[1][c];
        }
        let mut units = *surroundings;
        for (input, row) in inputs.iter().zip(&self.net.mix) {
            for h in 0..MIXED {
                units[h] += input * row[h];
            }
        }
        for h in 0..MIXED {
            total[h % 8] += units[h].max(0.0) * self.net.mix_out[h];
        }
        total.iter().sum()
    }

    /// Logits of cells for the side to move: the reader's where there is one and something to read.
    pub fn logits(&mut self, position: &Position, mover: Color, cells: &[Cell]) -> Vec<f32> {
        self.catch_up(position, mover);
        let anything = !position.moves().is_empty();
        if let Some(reader) = self.net.reader().filter(|_| anything) {
            let read = read(reader, &self.views[mover as usize], position);
            return cells.iter().map(|cell| read[cell.index()]).collect();
        }
        let trust = self.net.trust[1] / URGENCY;
        let surroundings = self.surroundings(mover);
        cells
            .iter()
            .map(|&cell| {
                self.addition(cell, mover, &surroundings) + trust * Prior::urgency(position, mover, cell) as f32
            })
            .collect()
    }
}

/// Images of a board that a reader takes the mean of.
const IMAGES: usize = 8;
/// What a reader says of cells that it does not look at.
const UNREAD: f32 = -40.0;

/// What a reader says of all cells for the colour of a view, [`UNREAD`] of those far from stones.
fn read(reader: &Reader, view: &View, position: &Position) -> Box<[f32; CELLS]> {
    let mut cells = Vec::new();
    position.candidates().for_each(|cell| cells.push(cell));
    let urgency = |&cell: &Cell| Prior::urgency(position, view.colour, cell) as f32 / URGENCY;
    let mut logits: Vec<f32> = cells.iter().map(urgency).collect();
    let stones = position.moves().iter().map(|&(cell, _)| cell);
    let mut ground = Ground::default();
    ground.set(cells.iter().copied().chain(stones));
    let numbers = view.numbers();
    let four = |&cell: &Cell| std::array::from_fn(|d| number(numbers, &view.lines, cell, d) as u16);
    let windows: Vec<[u16; 4]> = ground.cells.iter().map(four).collect();
    reader.read(&mut ground, &windows, IMAGES, &mut logits);
    let mut all = Box::new([UNREAD; CELLS]);
    cells.iter().zip(logits).for_each(|(cell, logit)| all[cell.index()] = logit);
    all
}

/// Asks for a row of the table before it is needed.
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

/// Steps to the cells of [`STAR`].
const STEPS_OF_STAR: [isize; TAPS] = {
    let mut steps = [0; TAPS];
    let mut k = 0;
    while k < TAPS {
        steps[k] = STAR[k].0 + STAR[k].1 * STRIDE as isize;
        k += 1;
    }
    steps
};

/// Rectified units by sums.
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

fn number(numbers: &Numbering, lines: &[[u64; 2 * STRIDE]; 4], cell: Cell, d: usize) -> usize {
    let (line, place) = cell.on_line(d);
    numbers.number((lines[d][line] >> (2 * (place - REACH)) & ((1 << KEY_BITS) - 1)) as u32)
}

/// A product of a feature and a convolution weight, in feature units over [`super::weights::CONV_RANGE`] (the high half: one instruction).
#[inline(always)]
fn scaled(feature: i16, weight: i16) -> i16 {
    ((i32::from(feature) * i32::from(weight)) >> 16) as i16
}

impl Judge for NetJudge {
    fn reset(&mut self, position: &Position) {
        self.catch_up(position, Color::Black);
        self.catch_up(position, Color::White);
    }

    #[inline(always)]
    fn placed(&mut self, _position: &Position, _cell: Cell, _colour: Color) {}

    #[inline(always)]
    fn undone(&mut self) {}

    fn value(&mut self, position: &Position, mover: Color) -> i32 {
        let [win, draw, loss] = self.outcome(position, mover);
        let odds = (win + draw / 2.0).max(1e-6) / (loss + draw / 2.0).max(1e-6);
        (odds.ln() * Score::LOGIT) as i32
    }

    #[inline(always)]
    fn value_within(&mut self, position: &Position, mover: Color, alpha: i32, beta: i32) -> i32 {
        let rough = position.evaluate(mover);
        let certain = self.asked.certain;
        if rough - certain >= beta || rough + certain <= alpha { rough } else { self.value(position, mover) }
    }

    fn order(&mut self, position: &Position, mover: Color, depth: i32, moves: &mut [(i32, Cell)]) {
        if depth < self.asked.depth {
            return;
        }
        self.catch_up(position, mover);
        let top = moves.iter().map(|m| m.0).filter(|&score| score != i32::MAX).max().unwrap_or(0);
        let mut additions = std::mem::take(&mut self.additions);
        additions.clear();
        let rest = self.net.trust[1] - 1.0;
        let surroundings = self.surroundings(mover);
        additions.extend(moves.iter().map(|&(score, cell)| {
            (score != i32::MAX && score + HOPELESS > top).then(|| {
                let urgency = Prior::urgency(position, mover, cell) as f32;
                (URGENCY * self.addition(cell, mover, &surroundings) + rest * urgency) as i32
            })
        }));
        // A policy means differences only, but margins of the search are measured on the patterns' scale: the best
        // move keeps the points that the best had before.
        let judged = moves.iter().zip(&additions).filter_map(|(m, addition)| addition.map(|a| m.0 + a));
        let shift = top - judged.max().unwrap_or(top);
        for ((score, _), addition) in moves.iter_mut().zip(&additions) {
            if let Some(addition) = addition {
                *score += addition + shift;
            }
        }
        self.additions = additions;
    }
}
