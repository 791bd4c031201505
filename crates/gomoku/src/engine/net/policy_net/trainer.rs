//! A policy network in training.

use super::kernels::{add_row, multiply, sum_rows, transposed};
use super::kernels::{convolve_back, outer, outer_star};
use super::param_layout::*;
use super::point_graph::TAPS;
use super::{BLOCKS, POOL_SCALE, PointGraph, PolicyNet, Trace, Units, WIDTH, forward};
use crate::engine::geometry::Cell;
use crate::engine::net::CHANNELS;
use crate::engine::net::batch::GradientBatch;
use crate::engine::net::gradient_trainer::{GradientTrainer, Losses};
use crate::engine::net::prior::URGENCY;
use crate::engine::net::trainer::{Embeddings, look_up, noise, policy_loss, read_parts, write_parts};
use crate::engine::net::training_example::TrainingExample;
use crate::engine::net::weights::{Net, Row};
use crate::engine::net::windows::windows;

/// Decay rates of Adam.
const FADE: f32 = 0.9;
const FADE_SQUARES: f32 = 0.999;
/// Warm-up steps of the learning rate.
const WARM_UP: f32 = 300.0;
/// Learning rate of embeddings relative to the rest.
const OF_EMBEDDINGS: f32 = 4.0;

/// A policy network in training.
#[derive(Clone)]
pub struct PolicyTrainer {
    pub(super) embeddings: Embeddings,
    pub(super) dense: Vec<f32>,
    mean: Vec<f32>,
    squares: Vec<f32>,
    /// Number of steps taken, stored as a float of the checkpoint.
    steps: Vec<f32>,
    /// Learning rate; the caller anneals it.
    pub rate: f32,
}

/// Buffers of the forward and backward pass.
#[derive(Default)]
pub struct Scratch {
    stones: Vec<u8>,
    board: Vec<[u16; 4]>,
    windows: Vec<[u16; 4]>,
    features: Vec<[f32; CHANNELS]>,
    graph: PointGraph,
    trace: Trace,
    logits: Vec<f32>,
    gradient: Vec<Units>,
    inner: Vec<Units>,
    back: Vec<Units>,
}

impl PolicyTrainer {
    /// A new policy network over the embeddings of a net.
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
        dense[PRIOR_WEIGHT] = 1.0;
        Self {
            embeddings: Embeddings::resume(table),
            dense,
            mean: vec![0.0; DENSE],
            squares: vec![0.0; DENSE],
            steps: vec![0.0],
            rate: 0.002,
        }
    }

    /// Continues the policy network of a net, or starts a new one over its embeddings.
    pub fn from_net(net: &Net, seed: u64) -> Self {
        net.policy_net().map_or_else(|| Self::new(&net.table, seed), Self::resume)
    }

    /// A trainer that continues from a policy network for play.
    fn resume(policy_net: &PolicyNet) -> Self {
        Self { dense: policy_net.dense.clone(), ..Self::new(&policy_net.table, 0) }
    }

    /// The policy network for play.
    pub fn policy_net(&self) -> PolicyNet {
        PolicyNet { table: self.embeddings.quantised(), dense: self.dense.clone() }
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

    /// Backward pass. The scratch holds the activations of [`forward`], and its logits hold gradients.
    fn backward(&self, example: &TrainingExample, batch: &mut GradientBatch<Scratch>, scratch: &mut Scratch) {
        let Scratch { windows, features, graph, trace, logits, gradient, inner, back, .. } = scratch;
        let grad = &mut batch.dense;
        let out = row(&self.dense, OUT);
        gradient.clear();
        gradient.resize(graph.cells.len(), [0.0; WIDTH]);
        for (n, (&d, &(_, urgency))) in logits.iter().zip(&example.candidates).enumerate() {
            if d == 0.0 {
                continue;
            }
            grad[PRIOR_WEIGHT] += d * f32::from(urgency) / URGENCY;
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
            outer_star(graph, before, inner, rows_mut(grad, at + STAR_W, TAPS));
            inner.push([0.0; WIDTH]);
            convolve_back(graph, inner, rows(&self.dense, at + STAR_W, TAPS), &d_pool, back);
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

/// Inactive units have no gradient.
#[inline(always)]
fn silence(gradient: &mut Units, units: &Units) {
    for c in 0..WIDTH {
        gradient[c] = if units[c] > 0.0 { gradient[c] } else { 0.0 };
    }
}

impl GradientTrainer for PolicyTrainer {
    type Scratch = Scratch;
    const DENSE: usize = DENSE;

    fn accumulate(
        &self,
        example: &TrainingExample,
        batch: &mut GradientBatch<Scratch>,
        losses: &mut Losses,
        measure_only: bool,
    ) {
        let sample = &example.sample;
        if example.targets().next().is_none() {
            return;
        }
        let mut scratch = std::mem::take(&mut batch.scratch);
        let Scratch { stones, board, windows: found, features, graph, trace, logits, .. } = &mut scratch;
        look_up(sample, stones, board);
        let cells = example.candidates.iter().map(|c| c.0).chain(sample.own.iter().chain(&sample.other).copied());
        let side = usize::from(sample.size);
        found.clear();
        found.extend(cells.clone().map(|at| board[usize::from(at)]));
        graph.set(cells.map(|at| Cell::at(usize::from(at) % side, usize::from(at) / side)));
        let pairs = &windows().pair;
        features.clear();
        features.extend(found.iter().map(|four| self.embeddings.features(four, pairs)));
        forward(&self.dense, graph, features, trace);
        logits.clear();
        let logit =
            |(n, &(_, urgency)): (usize, &(u16, i16))| trace.logit(&self.dense, n, f32::from(urgency) / URGENCY);
        logits.extend(example.candidates.iter().enumerate().map(logit));
        losses.samples += 1.0;
        policy_loss(logits, example.targets(), losses);
        if !measure_only {
            self.backward(example, batch, &mut scratch);
            batch.count += 1;
        }
        batch.scratch = scratch;
    }

    fn step(&mut self, batch: &mut GradientBatch<Scratch>) {
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
