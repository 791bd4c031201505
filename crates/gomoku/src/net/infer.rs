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

/// Everything seen from one colour, with the stones it has taken in so far.
#[derive(Clone)]
struct View {
    colour: Color,
    stones: Vec<(Cell, Color)>,
    lines: [[u64; 2 * STRIDE]; 4],
    /// Sums of four embeddings, before rectification.
    features: Box<[[i16; CHANNELS]; CELLS]>,
    /// Convolution sums, before rectification.
    mixed: Box<[[i16; MIXED]; CELLS]>,
    /// Rectified features summed over regions.
    sums: [[i32; CHANNELS]; REGIONS],
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
}

impl View {
    fn new(colour: Color) -> Self {
        Self {
            colour,
            stones: Vec::new(),
            lines: [[u64::MAX; 2 * STRIDE]; 4],
            features: Box::new([[0; CHANNELS]; CELLS]),
            mixed: Box::new([[0; MIXED]; CELLS]),
            sums: [[0; CHANNELS]; REGIONS],
        }
    }

    fn numbers(&self) -> &'static [u16] {
        if self.colour == Color::Black { &windows().black } else { &windows().white }
    }

    /// Starts from an empty board whose cells have these regions.
    fn empty(&mut self, net: &Net, regions: &[u8; CELLS]) {
        self.stones.clear();
        self.lines = [[u64::MAX; 2 * STRIDE]; 4];
        self.features.fill([0; CHANNELS]);
        self.mixed.fill([0; MIXED]);
        self.sums = [[0; CHANNELS]; REGIONS];
        let cells: Vec<Cell> = (0..CELLS).filter(|&i| regions[i] != u8::MAX).map(Cell::from_index).collect();
        for &cell in &cells {
            for d in 0..4 {
                let (line, place) = cell.on_line(d);
                self.lines[d][line] &= !(3 << (2 * place));
            }
        }
        let numbers = self.numbers();
        for &cell in &cells {
            for d in 0..4 {
                let row = &net.table[number(numbers, &self.lines, cell, d)];
                for c in 0..CHANNELS {
                    self.features[cell.index()][c] += row[c];
                }
            }
        }
        for &cell in &cells {
            let mut sum = net.conv_bias;
            for (k, step) in NEIGHBOURS.iter().enumerate() {
                let other = (cell.index() as isize + step) as usize;
                if regions[other] != u8::MAX {
                    for c in 0..MIXED {
                        sum[c] += scaled(self.features[other][c].max(0), net.conv[k][c]);
                    }
                }
            }
            self.mixed[cell.index()] = sum;
            let sums = &mut self.sums[regions[cell.index()] as usize];
            for c in 0..MIXED {
                sums[c] += i32::from(sum[c].max(0));
            }
            for c in MIXED..CHANNELS {
                sums[c] += i32::from(self.features[cell.index()][c].max(0));
            }
        }
    }

    /// Puts a stone or takes it away.
    fn flip(&mut self, net: &Net, regions: &[u8; CELLS], cell: Cell, colour: Color) {
        let numbers = self.numbers();
        let mask = (1u64 << KEY_BITS) - 1;
        let own_was = self.features[cell.index()];
        let mut own_is = own_was;
        for d in 0..4 {
            let (line, place) = cell.on_line(d);
            let before = self.lines[d][line];
            let after = before ^ (colour as u64 + 1) << (2 * place);
            self.lines[d][line] = after;
            for i in 0..=2 * REACH {
                let at = Cell::from_index((cell.index() as isize + STEPS[d] * (i as isize - REACH as isize)) as usize);
                if regions[at.index()] == u8::MAX {
                    continue;
                }
                let shift = 2 * (place + i - 2 * REACH);
                let old = &net.table[numbers[(before >> shift & mask) as usize] as usize];
                let new = &net.table[numbers[(after >> shift & mask) as usize] as usize];
                if i == REACH {
                    // the stone's own cell changes in all four directions: carried on once, below
                    for c in 0..CHANNELS {
                        own_is[c] += new[c] - old[c];
                    }
                    continue;
                }
                let was = self.features[at.index()];
                let mut is = was;
                for c in 0..CHANNELS {
                    is[c] += new[c] - old[c];
                }
                self.features[at.index()] = is;
                self.carry_on(net, regions, at, &was, &is);
            }
        }
        self.features[cell.index()] = own_is;
        self.carry_on(net, regions, cell, &own_was, &own_is);
    }

    /// Carries one cell's changed features on to its neighbours' convolutions and the sums.
    #[inline(always)]
    fn carry_on(&mut self, net: &Net, regions: &[u8; CELLS], at: Cell, was: &[i16; CHANNELS], is: &[i16; CHANNELS]) {
        let sums = &mut self.sums[regions[at.index()] as usize];
        for c in MIXED..CHANNELS {
            sums[c] += i32::from(is[c].max(0) - was[c].max(0));
        }
        let old: [i16; MIXED] = std::array::from_fn(|c| was[c].max(0));
        let new: [i16; MIXED] = std::array::from_fn(|c| is[c].max(0));
        if old == new {
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
            let before = self.mixed[other];
            let mut after = before;
            let mut gain = [0i16; MIXED];
            for c in 0..MIXED {
                after[c] += scaled(new[c], weights[c]) - scaled(old[c], weights[c]);
                gain[c] = after[c].max(0) - before[c].max(0);
            }
            self.mixed[other] = after;
            let sums = &mut self.sums[place as usize];
            for c in 0..MIXED {
                sums[c] += i32::from(gain[c]);
            }
        }
    }

    fn catch_up(&mut self, net: &Net, regions: &[u8; CELLS], target: &[(Cell, Color)]) {
        let same = self.stones.iter().zip(target).take_while(|(a, b)| a == b).count();
        while self.stones.len() > same {
            let (cell, colour) = self.stones.pop().expect("longer than the shared part");
            self.flip(net, regions, cell, colour);
        }
        for &(cell, colour) in &target[same..] {
            self.flip(net, regions, cell, colour);
            self.stones.push((cell, colour));
        }
    }
}

impl NetJudge {
    /// A judge with this net.
    pub fn new(net: Arc<Net>) -> Self {
        let views = [View::new(Color::Black), View::new(Color::White)];
        Self { net, views, regions: Box::new([u8::MAX; CELLS]), size: 0 }
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

    /// Probabilities of win, draw and loss for the side to move.
    pub fn outcome(&mut self, position: &Position, mover: Color) -> [f32; 3] {
        self.catch_up(position, mover);
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
        self.catch_up(position, mover);
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

/// A product of a feature and a convolution weight, in feature units over [`CONV_RANGE`] (the high half: one instruction).
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
}
