//! Inference inside the search: features follow stones by difference, heads are read on demand.

use std::sync::Arc;

use super::trainer::REGION_SCALE;
use super::weights::{CONV_RANGE, Net, ONE};
use super::windows::{KEY_BITS, REACH, windows};
use super::{CHANNELS, HIDDEN, MIXED, REGIONS, region};
use crate::engine::Score;
use crate::engine::geometry::{CELLS, Cell, STEPS, STRIDE};
use crate::engine::judge::Judge;
use crate::engine::position::Position;
use crate::rules::Color;

/// Everything seen from one colour.
#[derive(Clone)]
struct View {
    /// Sums of four embeddings, before rectification.
    features: Box<[[i16; CHANNELS]; CELLS]>,
    /// Convolution sums, before rectification.
    mixed: Box<[[i16; MIXED]; CELLS]>,
    /// Rectified features summed over regions.
    sums: [[i32; CHANNELS]; REGIONS],
}

/// Judges by a line-table net.
///
/// It keeps its own list of stones and catches up with the position only when asked for a value, so
/// that nodes decided by threats or the table cost nothing.
#[derive(Clone)]
pub struct NetJudge {
    net: Arc<Net>,
    stones: Vec<(Cell, Color)>,
    lines: [[u64; 2 * STRIDE]; 4],
    views: [View; 2],
    /// Region of every cell of the board, 255 outside.
    regions: Box<[u8; CELLS]>,
    size: usize,
}

impl NetJudge {
    /// A judge with this net.
    pub fn new(net: Arc<Net>) -> Self {
        let view = View {
            features: Box::new([[0; CHANNELS]; CELLS]),
            mixed: Box::new([[0; MIXED]; CELLS]),
            sums: [[0; CHANNELS]; REGIONS],
        };
        Self {
            net,
            stones: Vec::new(),
            lines: [[u64::MAX; 2 * STRIDE]; 4],
            views: [view.clone(), view],
            regions: Box::new([u8::MAX; CELLS]),
            size: 0,
        }
    }

    /// Starts from an empty board of this size.
    fn empty(&mut self, size: usize) {
        self.size = size;
        self.stones.clear();
        self.lines = [[u64::MAX; 2 * STRIDE]; 4];
        self.regions.fill(u8::MAX);
        let cells: Vec<Cell> = (0..size * size).map(|i| Cell::at(i % size, i / size)).collect();
        for &cell in &cells {
            let p = cell.point();
            self.regions[cell.index()] = region(usize::from(p.x), usize::from(p.y), size) as u8;
            for d in 0..4 {
                let (line, place) = cell.on_line(d);
                self.lines[d][line] &= !(3 << (2 * place));
            }
        }
        for (v, view) in self.views.iter_mut().enumerate() {
            view.features.fill([0; CHANNELS]);
            view.mixed.fill([0; MIXED]);
            view.sums = [[0; CHANNELS]; REGIONS];
            let numbers = if v == 0 { &windows().black } else { &windows().white };
            for &cell in &cells {
                for d in 0..4 {
                    let row = &self.net.table[number(numbers, &self.lines, cell, d)];
                    for c in 0..CHANNELS {
                        view.features[cell.index()][c] += row[c];
                    }
                }
            }
            for &cell in &cells {
                let mut sum = self.net.conv_bias;
                for (k, step) in NEIGHBOURS.iter().enumerate() {
                    let other = (cell.index() as isize + step) as usize;
                    if self.regions[other] != u8::MAX {
                        for c in 0..MIXED {
                            sum[c] += scaled(view.features[other][c].max(0), self.net.conv[k][c]);
                        }
                    }
                }
                view.mixed[cell.index()] = sum;
                let sums = &mut view.sums[self.regions[cell.index()] as usize];
                for c in 0..MIXED {
                    sums[c] += i32::from(sum[c].max(0));
                }
                for c in MIXED..CHANNELS {
                    sums[c] += i32::from(view.features[cell.index()][c].max(0));
                }
            }
        }
    }

    /// Puts a stone or takes it away.
    fn flip(&mut self, cell: Cell, colour: Color) {
        // cells whose windows change, with their windows before and after
        let mut changed = [(Cell::NONE, 0usize, 0u32, 0u32); 8 * REACH + 4];
        let mut count = 0;
        let mask = (1u64 << KEY_BITS) - 1;
        for d in 0..4 {
            let (line, place) = cell.on_line(d);
            let before = self.lines[d][line];
            let after = before ^ (colour as u64 + 1) << (2 * place);
            self.lines[d][line] = after;
            for i in 0..=2 * REACH {
                let at = Cell::from_index((cell.index() as isize + STEPS[d] * (i as isize - REACH as isize)) as usize);
                if self.regions[at.index()] == u8::MAX {
                    continue;
                }
                let shift = 2 * (place + i - 2 * REACH);
                changed[count] = (at, d, (before >> shift & mask) as u32, (after >> shift & mask) as u32);
                count += 1;
            }
        }
        let tables = windows();
        for (v, numbers) in [&tables.black, &tables.white].into_iter().enumerate() {
            let view = &mut self.views[v];
            let mut own = [0i16; CHANNELS];
            let mut own_seen = false;
            for &(at, _, before, after) in &changed[..count] {
                let (old, new) =
                    (&self.net.table[numbers[before as usize] as usize], &self.net.table[numbers[after as usize] as usize]);
                let features = &mut view.features[at.index()];
                if at == cell {
                    // the stone's own cell changes in all four directions: applied once, below
                    own_seen = true;
                    for c in 0..CHANNELS {
                        own[c] += new[c] - old[c];
                    }
                    continue;
                }
                let was = *features;
                for c in 0..CHANNELS {
                    features[c] = was[c] + (new[c] - old[c]);
                }
                let is = *features;
                propagate(view, &self.net, &self.regions, at, &was, &is);
            }
            if own_seen {
                let was = view.features[cell.index()];
                let mut is = was;
                for c in 0..CHANNELS {
                    is[c] += own[c];
                }
                view.features[cell.index()] = is;
                propagate(view, &self.net, &self.regions, cell, &was, &is);
            }
        }
    }

    fn catch_up(&mut self, position: &Position) {
        if self.size != position.size() {
            self.empty(position.size());
        }
        let target = position.moves();
        let same = self.stones.iter().zip(target).take_while(|(a, b)| a == b).count();
        while self.stones.len() > same {
            let (cell, colour) = self.stones.pop().expect("longer than the shared part");
            self.flip(cell, colour);
        }
        for &(cell, colour) in &target[same..] {
            self.flip(cell, colour);
            self.stones.push((cell, colour));
        }
    }

    /// Probabilities of win, draw and loss for the side to move.
    pub fn outcome(&mut self, position: &Position, mover: Color) -> [f32; 3] {
        self.catch_up(position);
        let sums = &self.views[mover as usize].sums;
        let mut hidden = self.net.hidden_bias;
        let scale = 1.0 / (ONE * REGION_SCALE);
        for (i, s) in sums.iter().flatten().enumerate() {
            let s = *s as f32 * scale * if i % CHANNELS < MIXED { CONV_RANGE } else { 1.0 };
            let row = &self.net.hidden[i];
            for h in 0..HIDDEN {
                hidden[h] += s * row[h];
            }
        }
        let mut out = self.net.value_bias;
        for (h, value) in hidden.iter().enumerate() {
            let active = value.max(0.0);
            for k in 0..3 {
                out[k] += active * self.net.value[h][k];
            }
        }
        let top = out[0].max(out[1]).max(out[2]);
        let powers = out.map(|o| (o - top).exp());
        let total: f32 = powers.iter().sum();
        powers.map(|p| p / total)
    }

    /// The policy's logit of an empty cell for the side to move; the judge has caught up.
    fn logit(&self, cell: Cell, mover: Color) -> f32 {
        let view = &self.views[mover as usize];
        let (mixed, features) = (&view.mixed[cell.index()], &view.features[cell.index()]);
        let mut total = 0.0;
        for c in 0..MIXED {
            total += f32::from(mixed[c].max(0)) * self.net.policy[c];
        }
        total *= CONV_RANGE;
        for c in MIXED..CHANNELS {
            total += f32::from(features[c].max(0)) * self.net.policy[c];
        }
        total / ONE
    }

    /// Logits of cells for the side to move.
    pub fn logits(&mut self, position: &Position, mover: Color, cells: &[Cell]) -> Vec<f32> {
        self.catch_up(position);
        cells.iter().map(|&cell| self.logit(cell, mover)).collect()
    }
}

/// Steps to the nine cells whose features a convolution reads, row by row.
const NEIGHBOURS: [isize; 9] = {
    let s = STRIDE as isize;
    [-s - 1, -s, -s + 1, -1, 0, 1, s - 1, s, s + 1]
};

fn number(numbers: &[u16], lines: &[[u64; 2 * STRIDE]; 4], cell: Cell, d: usize) -> usize {
    let (line, place) = cell.on_line(d);
    let key = lines[d][line] >> (2 * (place - REACH)) & ((1 << KEY_BITS) - 1);
    numbers[key as usize] as usize
}

/// A product of a feature and a convolution weight, in feature units over [`CONV_RANGE`].
#[inline(always)]
fn scaled(feature: i16, weight: i16) -> i16 {
    ((i32::from(feature) * i32::from(weight) + 0x4000) >> 15) as i16
}

/// Carries one cell's changed features on to its neighbours' convolutions and the sums.
#[inline(always)]
fn propagate(view: &mut View, net: &Net, regions: &[u8; CELLS], at: Cell, was: &[i16; CHANNELS], is: &[i16; CHANNELS]) {
    let sums = &mut view.sums[regions[at.index()] as usize];
    for c in MIXED..CHANNELS {
        sums[c] += i32::from(is[c].max(0)) - i32::from(was[c].max(0));
    }
    let mut old = [0i16; MIXED];
    let mut new = [0i16; MIXED];
    let mut same = true;
    for c in 0..MIXED {
        old[c] = was[c].max(0);
        new[c] = is[c].max(0);
        same &= old[c] == new[c];
    }
    if same {
        return;
    }
    // the cell at step s reads this one as its neighbour at -s, which is number 8 - k
    for (k, step) in NEIGHBOURS.iter().enumerate() {
        let other = (at.index() as isize + step) as usize & (CELLS - 1);
        let place = regions[other];
        if place == u8::MAX {
            continue;
        }
        let weights = &net.conv[8 - k];
        let mixed = &mut view.mixed[other];
        let sums = &mut view.sums[place as usize];
        for c in 0..MIXED {
            let before = mixed[c];
            let after = before + (scaled(new[c], weights[c]) - scaled(old[c], weights[c]));
            mixed[c] = after;
            sums[c] += i32::from(after.max(0)) - i32::from(before.max(0));
        }
    }
}

impl Judge for NetJudge {
    fn reset(&mut self, position: &Position) {
        self.catch_up(position);
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
}
