//! A reader in training.

use super::ground::TAPS;
use super::kernels::{add_row, multiply, sum_rows, transposed};
use super::kernels::{convolve_back, outer, outer_star};
use super::places::*;
use super::{BLOCKS, Ground, POOL_SCALE, Reader, Trace, Units, WIDTH, forward};
use crate::engine::geometry::Cell;
use crate::net::CHANNELS;
use crate::net::batch::Batch;
use crate::net::learner::{Learner, Losses};
use crate::net::lesson::Lesson;
use crate::net::prior::URGENCY;
use crate::net::trainer::{Embeddings, look_up, noise, policy_loss, read_parts, write_parts};
use crate::net::weights::{Net, Row};
use crate::net::windows::windows;

/// How fast the memory of gradients and of their squares fades.
const FADE: f32 = 0.9;
const FADE_SQUARES: f32 = 0.999;
/// Steps until the step size is what it is said to be.
const WARM_UP: f32 = 300.0;
/// Step size of embeddings against that of the rest.
const OF_EMBEDDINGS: f32 = 4.0;

/// A reader in training.
#[derive(Clone)]
pub struct ReaderTrainer {
    pub(super) embeddings: Embeddings,
    pub(super) dense: Vec<f32>,
    mean: Vec<f32>,
    squares: Vec<f32>,
    /// How many steps were taken, as a number among the others of a checkpoint.
    steps: Vec<f32>,
    /// Step size; the caller lowers it over time.
    pub rate: f32,
}

/// What a lesson goes through, kept for its memory.
#[derive(Default)]
pub struct Scratch {
    stones: Vec<u8>,
    board: Vec<[u16; 4]>,
    windows: Vec<[u16; 4]>,
    features: Vec<[f32; CHANNELS]>,
    ground: Ground,
    trace: Trace,
    logits: Vec<f32>,
    gradient: Vec<Units>,
    inner: Vec<Units>,
    back: Vec<Units>,
}

impl ReaderTrainer {
    /// A new reader over the embeddings of a net.
    pub(super) fn new(table: &[Row], seed: u64) -> Self {
        let base = (seed << 32) + 0x4000_0000;
        let mut dense: Vec<f32> = (0..DENSE).map(|i| noise(base + i as u64)).collect();
        let mut scale = |place: usize, count: usize, by: f32| {
            dense[place..place + count].iter_mut().for_each(|w| *w *= by);
        };
        scale(LIFT, CHANNELS * WIDTH, 0.3);
        scale(LIFT_B, WIDTH, 0.0);
        for block in 0..BLOCKS {
            let at = block_place(block);
            scale(at + STAR_W, TAPS * WIDTH, 0.3);
            scale(at + STAR_B, WIDTH, 0.0);
            scale(at + POOL, WIDTH * WIDTH, 0.02);
            scale(at + MIX, WIDTH * WIDTH, 0.1);
            scale(at + MIX_B, WIDTH, 0.0);
        }
        scale(OUT, WIDTH, 0.1);
        dense[TRUST] = 1.0;
        Self {
            embeddings: Embeddings::resumed(table),
            dense,
            mean: vec![0.0; DENSE],
            squares: vec![0.0; DENSE],
            steps: vec![0.0],
            rate: 0.002,
        }
    }

    /// A new reader over the embeddings of a net, or the net's own to go on with.
    pub fn begun(net: &Net, seed: u64) -> Self {
        net.reader().map_or_else(|| Self::new(&net.table, seed), Self::resumed)
    }

    /// A trainer that goes on from a reader for play.
    fn resumed(reader: &Reader) -> Self {
        Self { dense: reader.dense.clone(), ..Self::new(&reader.table, 0) }
    }

    /// The reader for play.
    pub fn finished(&self) -> Reader {
        Reader { table: self.embeddings.quantised(), dense: self.dense.clone() }
    }

    /// All weights and optimiser states as bytes, for checkpoints.
    pub fn to_bytes(&self) -> Vec<u8> {
        let [a, b, c, d] = self.embeddings.parts();
        write_parts([a, b, c, d, &self.dense, &self.mean, &self.squares, &self.steps])
    }

    /// A trainer from a checkpoint, if its length is right.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut trainer = Self::new(&[], 0);
        let [a, b, c, d] = trainer.embeddings.parts_mut();
        let parts = [a, b, c, d, &mut trainer.dense, &mut trainer.mean, &mut trainer.squares, &mut trainer.steps];
        read_parts(bytes, parts).then_some(trainer)
    }

    /// Gradients by all weights; the scratch has been through [`forward`] and its logits are gradients now.
    fn backward(&self, lesson: &Lesson, batch: &mut Batch<Scratch>, scratch: &mut Scratch) {
        let Scratch { windows, features, ground, trace, logits, gradient, inner, back, .. } = scratch;
        let grad = &mut batch.dense;
        let out = row(&self.dense, OUT);
        gradient.clear();
        gradient.resize(ground.cells.len(), [0.0; WIDTH]);
        for (n, (&d, &(_, urgency))) in logits.iter().zip(&lesson.candidates).enumerate() {
            if d == 0.0 {
                continue;
            }
            grad[TRUST] += d * f32::from(urgency) / URGENCY;
            for c in 0..WIDTH {
                grad[OUT + c] += d * trace.last[n][c].max(0.0);
                gradient[n][c] = if trace.last[n][c] > 0.0 { d * out[c] } else { 0.0 };
            }
        }
        for block in (0..BLOCKS).rev() {
            let at = block_place(block);
            let (before, mixed, pool) = (&trace.before[block], &trace.mixed[block], &trace.pools[block]);
            outer(mixed, gradient, rows_mut(grad, at + MIX, WIDTH));
            add_row(&mut rows_mut(grad, at + MIX_B, 1)[0], &sum_rows(gradient));
            inner.clear();
            inner.resize(gradient.len(), [0.0; WIDTH]);
            multiply(gradient, &transposed::<WIDTH, WIDTH>(rows(&self.dense, at + MIX, WIDTH)), inner);
            for (d, mixed) in inner.iter_mut().zip(mixed) {
                silence(d, mixed);
            }
            let d_start = sum_rows(inner);
            add_row(&mut rows_mut(grad, at + STAR_B, 1)[0], &d_start);
            outer(&[*pool], &[d_start], rows_mut(grad, at + POOL, WIDTH));
            let mut d_pool = [[0.0; WIDTH]];
            multiply(&[d_start], &transposed::<WIDTH, WIDTH>(rows(&self.dense, at + POOL, WIDTH)), &mut d_pool);
            let d_pool = d_pool[0].map(|d| d / POOL_SCALE);
            outer_star(ground, before, inner, rows_mut(grad, at + STAR_W, TAPS));
            inner.push([0.0; WIDTH]);
            convolve_back(ground, inner, rows(&self.dense, at + STAR_W, TAPS), &d_pool, back);
            for ((d, back), before) in gradient.iter_mut().zip(back.iter_mut()).zip(before) {
                silence(back, before);
                add_row(d, back);
            }
        }
        outer(features, gradient, rows_mut(grad, LIFT, CHANNELS));
        add_row(&mut rows_mut(grad, LIFT_B, 1)[0], &sum_rows(gradient));
        let mut d_features = vec![[0.0; CHANNELS]; features.len()];
        multiply(gradient, &transposed::<CHANNELS, WIDTH>(rows(&self.dense, LIFT, CHANNELS)), &mut d_features);
        for ((d, features), four) in d_features.iter().zip(features.iter()).zip(windows.iter()) {
            for &w in four {
                let row = batch.embeddings.row(w);
                for c in 0..CHANNELS {
                    row[c] += if features[c] > 0.0 { d[c] } else { 0.0 };
                }
            }
        }
    }
}

/// Units that were silent have no gradient.
#[inline(always)]
fn silence(gradient: &mut Units, units: &Units) {
    for c in 0..WIDTH {
        gradient[c] = if units[c] > 0.0 { gradient[c] } else { 0.0 };
    }
}

impl Learner for ReaderTrainer {
    type Scratch = Scratch;
    const DENSE: usize = DENSE;

    fn learn(&self, lesson: &Lesson, batch: &mut Batch<Scratch>, losses: &mut Losses, measure_only: bool) {
        let sample = &lesson.sample;
        if lesson.wanted().next().is_none() {
            return;
        }
        let mut scratch = std::mem::take(&mut batch.scratch);
        let Scratch { stones, board, windows: found, features, ground, trace, logits, .. } = &mut scratch;
        look_up(sample, stones, board);
        let cells = lesson.candidates.iter().map(|c| c.0).chain(sample.own.iter().chain(&sample.other).copied());
        let side = usize::from(sample.size);
        found.clear();
        found.extend(cells.clone().map(|at| board[usize::from(at)]));
        ground.set(cells.map(|at| Cell::at(usize::from(at) % side, usize::from(at) / side)));
        let pairs = &windows().pair;
        features.clear();
        features.extend(found.iter().map(|four| self.embeddings.features(four, pairs)));
        forward(&self.dense, ground, features, trace);
        logits.clear();
        let logit =
            |(n, &(_, urgency)): (usize, &(u16, i16))| trace.logit(&self.dense, n, f32::from(urgency) / URGENCY);
        logits.extend(lesson.candidates.iter().enumerate().map(logit));
        losses.samples += 1.0;
        policy_loss(logits, lesson.wanted(), losses);
        if !measure_only {
            self.backward(lesson, batch, &mut scratch);
            batch.count += 1;
        }
        batch.scratch = scratch;
    }

    fn step(&mut self, batch: &mut Batch<Scratch>) {
        let scale = 1.0 / batch.count.max(1) as f32;
        self.steps[0] += 1.0;
        let rate = self.rate * (self.steps[0] / WARM_UP).min(1.0);
        self.embeddings.step(&mut batch.embeddings, scale, OF_EMBEDDINGS * rate);
        let warm = 1.0 - FADE.powf(self.steps[0]);
        let warm_squares = 1.0 - FADE_SQUARES.powf(self.steps[0]);
        let rate = rate / warm;
        for (i, g) in batch.dense.iter_mut().enumerate() {
            let d = std::mem::take(g) * scale;
            self.mean[i] = FADE * self.mean[i] + (1.0 - FADE) * d;
            self.squares[i] = FADE_SQUARES * self.squares[i] + (1.0 - FADE_SQUARES) * d * d;
            self.dense[i] -= rate * self.mean[i] / ((self.squares[i] / warm_squares).sqrt() + 1e-8);
        }
        batch.count = 0;
    }
}
