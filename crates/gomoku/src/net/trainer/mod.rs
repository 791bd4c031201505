//! Float weights and their fitting: sparse Adagrad for embeddings, Adagrad for the rest.

mod embeddings;
mod exchange;
mod places;
mod policy;
mod value;

pub(super) use self::embeddings::{Embeddings, RowGradients};
pub(super) use self::exchange::{read_parts, write_parts};
#[cfg(test)]
pub(super) use self::places::DENSE;
use self::places::*;
pub(super) use self::policy::loss as policy_loss;
use self::value::Value;
use super::batch::Batch;
use super::learner::{Learner, Losses};
use super::lesson::{Lesson, Sample};
use super::weights::CONV_RANGE;
use super::windows::{KEY_BITS, REACH, windows};
use super::{CHANNELS, CONTEXT, MIXED, REGIONS, region};

/// Sums over regions are divided by this before the value head.
pub const REGION_SCALE: f32 = 32.0;

/// What a lesson goes through, kept for its memory.
#[derive(Default)]
pub struct Scratch {
    windows: Vec<[u16; 4]>,
    features: Vec<[f32; CHANNELS]>,
    /// Features summed over regions, scaled.
    sums: Vec<f32>,
    /// Units of the whole board that the policy hears of.
    context: [f32; CONTEXT],
    /// Convolved features of every candidate.
    mixed: Vec<[f32; CHANNELS]>,
    /// Hidden units of every candidate.
    units: Vec<[f32; MIXED]>,
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
pub struct Trainer {
    pub(super) embeddings: Embeddings,
    pub(super) dense: Vec<f32>,
    dense_squares: Vec<f32>,
    /// Step size; the caller lowers it over time.
    pub rate: f32,
}

/// A number from -1 to 1 that looks random.
pub(super) fn noise(n: u64) -> f32 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

impl Trainer {
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
                _ if i < HEARD => 0.0,
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
        dense[TRUST..].fill(1.0);
        Self { embeddings, dense, dense_squares: vec![1e-6; DENSE], rate: 0.02 }
    }

    fn forward_features(&self, scratch: &mut Scratch) {
        let pairs = &windows().pair;
        scratch.features.clear();
        scratch.features.extend(scratch.windows.iter().map(|four| self.embeddings.features(four, pairs)));
    }

    fn backward(&self, lesson: &Lesson, value: &Value, batch: &mut Batch<Scratch>, scratch: &mut Scratch) {
        let size = usize::from(lesson.sample.size);
        let mut d_sums = [0f32; REGIONS * CHANNELS];
        self.backward_value(lesson, value, &scratch.sums, &mut batch.dense, &mut d_sums);
        scratch.gradient.clear();
        scratch.gradient.resize(size * size, [0.0; CHANNELS]);
        self.backward_policy(lesson, &mut batch.dense, &mut d_sums, scratch);
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

    /// Lets old gradients count less, so that a new generation can move again.
    pub fn refresh(&mut self, keep: f32) {
        self.embeddings.refresh(keep);
        for s in &mut self.dense_squares {
            *s = (*s * keep).max(1e-6);
        }
    }
}

impl Learner for Trainer {
    type Scratch = Scratch;
    const DENSE: usize = DENSE;

    fn learn(&self, lesson: &Lesson, batch: &mut Batch<Scratch>, losses: &mut Losses, measure_only: bool) {
        let sample = &lesson.sample;
        let size = usize::from(sample.size);
        let mut scratch = std::mem::take(&mut batch.scratch);
        look_up(sample, &mut scratch.stones, &mut scratch.windows);
        self.forward_features(&mut scratch);
        scratch.add_up(size);
        let value = self.forward_value(lesson.value, &scratch.sums);
        losses.samples += 1.0;
        for k in 0..3 {
            losses.value -= f64::from(sample.outcome[k] * value.probabilities[k].max(1e-7).ln());
        }
        self.forward_policy(lesson, &mut scratch);
        policy::loss(&mut scratch.logits, lesson.wanted(), losses);
        if !measure_only {
            self.backward(lesson, &value, batch, &mut scratch);
            batch.count += 1;
        }
        batch.scratch = scratch;
    }

    fn step(&mut self, batch: &mut Batch<Scratch>) {
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
pub(super) fn look_up(sample: &Sample, stones: &mut Vec<u8>, found: &mut Vec<[u16; 4]>) {
    let size = usize::from(sample.size);
    stones.clear();
    stones.resize(size * size, 0);
    for &at in &sample.own {
        stones[usize::from(at)] = 1;
    }
    for &at in &sample.other {
        stones[usize::from(at)] = 2;
    }
    let numbers = &windows().black;
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
                numbers.number(key) as u16
            }));
        }
    }
}
