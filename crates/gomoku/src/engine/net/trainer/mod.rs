//! Float weights and their fitting: sparse Adagrad for embeddings, Adagrad for the rest (Duchi et al. 2011).

mod conversion;
mod embeddings;
mod param_layout;
mod policy;
mod value;

pub(super) use self::conversion::{read_parts, write_parts};
pub(super) use self::embeddings::{Embeddings, RowGradients};
#[cfg(test)]
pub(super) use self::param_layout::DENSE;
use self::param_layout::*;
pub(super) use self::policy::loss as policy_loss;
use self::value::Value;
use super::batch::GradientBatch;
use super::gradient_trainer::{GradientTrainer, Losses};
use super::training_example::{LabelledPosition, TrainingExample};
use super::weights::CONV_RANGE;
use super::windows::{KEY_BITS, REACH, windows};
use super::{CHANNELS, CONTEXT, POLICY_HIDDEN, REGIONS, region};

/// Sums over regions are divided by this before the value head.
pub const REGION_SCALE: f32 = 32.0;

/// Buffers of the forward and backward pass.
#[derive(Default)]
pub struct Scratch {
    windows: Vec<[u16; 4]>,
    features: Vec<[f32; CHANNELS]>,
    /// Features summed over regions, scaled.
    sums: Vec<f32>,
    /// Units that summarise the board for the policy head.
    context: [f32; CONTEXT],
    /// Convolved features of every candidate.
    mixed: Vec<[f32; CHANNELS]>,
    /// Hidden units of every candidate.
    units: Vec<[f32; POLICY_HIDDEN]>,
    gradient: Vec<[f32; CHANNELS]>,
    /// Logits of candidates, then their gradients.
    logits: Vec<f32>,
    stones: Vec<u8>,
}

impl Scratch {
    /// Sums the features over regions.
    fn add_up(&mut self, size: usize) {
        self.sums.clear();
        self.sums.resize(REGIONS * CHANNELS, 0.0);
        for (at, features) in self.features.iter().enumerate() {
            let base = region(at % size, at / size, size) * CHANNELS;
            let out = &mut self.sums[base..base + CHANNELS];
            for c in 0..CHANNELS {
                out[c] += features[c];
            }
        }
        for s in &mut self.sums {
            *s /= REGION_SCALE;
        }
    }
}

/// A net in training.
#[derive(Clone)]
pub struct NetTrainer {
    pub(super) embeddings: Embeddings,
    pub(super) dense: Vec<f32>,
    dense_squares: Vec<f32>,
    /// Step size; the caller lowers it over time.
    pub rate: f32,
}

/// A pseudo-random number from -1 to 1 (finaliser of SplitMix64).
pub(super) fn noise(n: u64) -> f32 {
    let z = numerics::mix64(n.wrapping_add(1).wrapping_mul(numerics::GOLDEN_GAMMA));
    (z >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

impl NetTrainer {
    /// Small random weights from a seed.
    pub fn new(seed: u64) -> Self {
        let base = seed << 32;
        let embeddings = Embeddings::new(|i| 0.08 * noise(base + i as u64) + 0.02);
        let mut dense: Vec<f32> = (0..DENSE).map(|i| noise(base + 0x8000_0000 + i as u64)).collect();
        for (i, w) in dense.iter_mut().enumerate() {
            *w *= match i {
                _ if i < CONV_BIAS => 0.1,
                _ if i < POLICY => 0.0,
                _ if i < MIX_W => 0.3,
                _ if i < MIX_B => 0.15,
                _ if i < MIX_OUT => 0.0,
                _ if i < CONTEXT_W => 0.1,
                _ if i < CONTEXT_B => 0.06,
                _ if i < CONTEXT_MIX => 0.0,
                _ if i < HIDDEN_W => 0.1,
                _ if i < HIDDEN_B => 0.06,
                _ if i < VALUE_W => 0.0,
                _ if i < DEEP_W => 0.2,
                _ if i < DEEP_B => 0.2,
                _ if i < DEEP_VALUE => 0.0,
                _ if i < VALUE_B => 0.1,
                _ => 0.0,
            };
        }
        dense[PRIOR_WEIGHT..].fill(1.0);
        Self { embeddings, dense, dense_squares: vec![1e-6; DENSE], rate: 0.02 }
    }

    fn forward_features(&self, scratch: &mut Scratch) {
        let pairs = &windows().pair;
        scratch.features.clear();
        scratch.features.extend(scratch.windows.iter().map(|four| self.embeddings.features(four, pairs)));
    }

    fn backward(
        &self,
        example: &TrainingExample,
        value: &Value,
        batch: &mut GradientBatch<Scratch>,
        scratch: &mut Scratch,
    ) {
        let size = usize::from(example.sample.size);
        let mut d_sums = [0f32; REGIONS * CHANNELS];
        self.backward_value(example, value, &scratch.sums, &mut batch.dense, &mut d_sums);
        scratch.gradient.clear();
        scratch.gradient.resize(size * size, [0.0; CHANNELS]);
        self.backward_policy(example, &mut batch.dense, &mut d_sums, scratch);
        for (at, d) in scratch.gradient.iter().enumerate() {
            let features = &scratch.features[at];
            let from_sums = &d_sums[region(at % size, at / size, size) * CHANNELS..][..CHANNELS];
            let scaled = |c: usize| d[c] + from_sums[c] / REGION_SCALE;
            let d: [f32; CHANNELS] = std::array::from_fn(|c| if features[c] > 0.0 { scaled(c) } else { 0.0 });
            for &w in &scratch.windows[at] {
                let row = batch.embeddings.row(w);
                for c in 0..CHANNELS {
                    row[c] += d[c];
                }
            }
        }
    }

    /// Scales the accumulated squares down, so that a new generation can move the weights again.
    pub fn refresh(&mut self, keep: f32) {
        self.embeddings.refresh(keep);
        for s in &mut self.dense_squares {
            *s = (*s * keep).max(1e-6);
        }
    }
}

impl GradientTrainer for NetTrainer {
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
        let size = usize::from(sample.size);
        let mut scratch = std::mem::take(&mut batch.scratch);
        look_up(sample, &mut scratch.stones, &mut scratch.windows);
        self.forward_features(&mut scratch);
        scratch.add_up(size);
        let value = self.forward_value(example.value, &scratch.sums);
        losses.samples += 1.0;
        for k in 0..3 {
            losses.value -= f64::from(sample.outcome[k] * value.probabilities[k].max(1e-7).ln());
        }
        self.forward_policy(example, &mut scratch);
        policy::loss(&mut scratch.logits, example.targets(), losses);
        if !measure_only {
            self.backward(example, &value, batch, &mut scratch);
            batch.count += 1;
        }
        batch.scratch = scratch;
    }

    fn step(&mut self, batch: &mut GradientBatch<Scratch>) {
        let scale = 1.0 / batch.count.max(1) as f32;
        let rate = self.rate;
        self.embeddings.step(&mut batch.embeddings, scale, rate);
        for (i, g) in batch.dense.iter_mut().enumerate() {
            let d = *g * scale;
            self.dense_squares[i] += d * d;
            self.dense[i] -= rate * d / self.dense_squares[i].sqrt();
            *g = 0.0;
        }
        // convolution weights must fit their fixed-point range
        for w in &mut self.dense[CONV..CONV_BIAS] {
            *w = w.clamp(-0.49 * CONV_RANGE, 0.49 * CONV_RANGE);
        }
        batch.count = 0;
    }
}

/// The four windows of every point, from the mover's side.
pub(super) fn look_up(sample: &LabelledPosition, stones: &mut Vec<u8>, found: &mut Vec<[u16; 4]>) {
    let size = usize::from(sample.size);
    stones.clear();
    stones.resize(size * size, 0);
    for &at in &sample.own {
        stones[usize::from(at)] = 1;
    }
    for &at in &sample.other {
        stones[usize::from(at)] = 2;
    }
    let indexer = &windows().black;
    found.clear();
    let cell = |x: isize, y: isize| {
        if x < 0 || y < 0 || x >= size as isize || y >= size as isize {
            3
        } else {
            u32::from(stones[y as usize * size + x as usize])
        }
    };
    for y in 0..size as isize {
        for x in 0..size as isize {
            found.push([(1, 0), (0, 1), (1, 1), (1, -1)].map(|(dx, dy)| {
                let mut key = 0;
                for i in 0..=2 * REACH as isize {
                    let n = i - REACH as isize;
                    key |= cell(x + n * dx, y + n * dy) << (2 * i);
                }
                debug_assert!(key < 1 << KEY_BITS);
                indexer.number(key) as u16
            }));
        }
    }
}
