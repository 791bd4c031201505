//! Float weights and their fitting: sparse Adagrad for embeddings, Adagrad for the rest.

mod exchange;
mod places;
mod policy;
mod value;

use self::places::*;
use self::value::Value;
use super::lesson::{Lesson, Sample};
use super::weights::CONV_RANGE;
use super::windows::{KEY_BITS, REACH, SHAPE_PAIRS, WINDOWS, windows};
use super::{CHANNELS, CONTEXT, MIXED, REGIONS, region};

/// Sums over regions are divided by this before the value head.
pub const REGION_SCALE: f32 = 32.0;

/// Losses and hits, summed over samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    pub samples: f64,
    /// Cross-entropy of win, draw, loss.
    pub value: f64,
    /// Samples with a move to learn, its cross-entropy, and how often it came first or among five.
    pub moves: f64,
    pub policy: f64,
    pub first: f64,
    pub five: f64,
}

impl Losses {
    /// Adds the sums of others.
    pub fn add(&mut self, other: &Self) {
        self.samples += other.samples;
        self.value += other.value;
        self.moves += other.moves;
        self.policy += other.policy;
        self.first += other.first;
        self.five += other.five;
    }
}

/// Gradients of one batch.
pub struct Batch {
    /// Of exact windows.
    pub(super) rows: Vec<f32>,
    pub(super) touched: Vec<u16>,
    is_touched: Vec<bool>,
    pub(super) dense: Vec<f32>,
    count: usize,
    scratch: Scratch,
}

impl Batch {
    /// Adds another batch to this one and empties it.
    pub fn take(&mut self, other: &mut Self) {
        for &w in &other.touched {
            let place = usize::from(w) * CHANNELS;
            let rows = &mut other.rows[place..place + CHANNELS];
            for (sum, g) in self.rows[place..].iter_mut().zip(rows) {
                *sum += std::mem::take(g);
            }
            other.is_touched[usize::from(w)] = false;
            if !self.is_touched[usize::from(w)] {
                self.is_touched[usize::from(w)] = true;
                self.touched.push(w);
            }
        }
        other.touched.clear();
        for (sum, g) in self.dense.iter_mut().zip(&mut other.dense) {
            *sum += std::mem::take(g);
        }
        self.count += std::mem::take(&mut other.count);
    }
}

#[derive(Default)]
struct Scratch {
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
    pub(super) exact: Vec<f32>,
    exact_squares: Vec<f32>,
    pair: Vec<f32>,
    pair_squares: Vec<f32>,
    pub(super) dense: Vec<f32>,
    dense_squares: Vec<f32>,
    /// Step size; the caller lowers it over time.
    pub rate: f32,
}

fn noise(n: u64) -> f32 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

impl Trainer {
    /// Small random weights from a seed.
    pub fn new(seed: u64) -> Self {
        let base = seed << 32;
        let pair = (0..SHAPE_PAIRS * CHANNELS).map(|i| 0.08 * noise(base + i as u64) + 0.02).collect();
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
        Self {
            exact: vec![0.0; WINDOWS * CHANNELS],
            exact_squares: vec![1e-6; WINDOWS * CHANNELS],
            pair,
            pair_squares: vec![1e-6; SHAPE_PAIRS * CHANNELS],
            dense,
            dense_squares: vec![1e-6; DENSE],
            rate: 0.02,
        }
    }

    /// Room for the gradients of a batch.
    pub fn batch(&self) -> Batch {
        Batch {
            rows: vec![0.0; WINDOWS * CHANNELS],
            touched: Vec::new(),
            is_touched: vec![false; WINDOWS],
            dense: vec![0.0; DENSE],
            count: 0,
            scratch: Scratch::default(),
        }
    }

    /// Adds a lesson's gradients to the batch (unless only measuring) and its losses to the sums.
    pub fn learn(&self, lesson: &Lesson, batch: &mut Batch, losses: &mut Losses, measure_only: bool) {
        let sample = &lesson.sample;
        let size = usize::from(sample.size);
        let mut scratch = std::mem::take(&mut batch.scratch);
        look_up(sample, &mut scratch);
        self.forward_features(&mut scratch);
        scratch.add_up(size);
        let value = self.forward_value(lesson.value, &scratch.sums);
        losses.samples += 1.0;
        for k in 0..3 {
            losses.value -= f64::from(sample.outcome[k] * value.probabilities[k].max(1e-7).ln());
        }
        self.forward_policy(lesson, &mut scratch);
        let played = sample.played.and_then(|at| lesson.candidates.iter().position(|c| c.0 == at));
        match played {
            Some(played) => policy::loss(&mut scratch.logits, played, losses),
            None => scratch.logits.fill(0.0),
        }
        if !measure_only {
            self.backward(lesson, &value, batch, &mut scratch);
            batch.count += 1;
        }
        batch.scratch = scratch;
    }

    fn forward_features(&self, scratch: &mut Scratch) {
        let pairs = &windows().pair;
        scratch.features.clear();
        for windows in &scratch.windows {
            let mut sum = [0f32; CHANNELS];
            for &w in windows {
                let exact = &self.exact[usize::from(w) * CHANNELS..][..CHANNELS];
                let pair = &self.pair[usize::from(pairs[usize::from(w)]) * CHANNELS..][..CHANNELS];
                for c in 0..CHANNELS {
                    sum[c] += exact[c] + pair[c];
                }
            }
            scratch.features.push(sum.map(|v| v.max(0.0)));
        }
    }

    fn backward(&self, lesson: &Lesson, value: &Value, batch: &mut Batch, scratch: &mut Scratch) {
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
                if !batch.is_touched[usize::from(w)] {
                    batch.is_touched[usize::from(w)] = true;
                    batch.touched.push(w);
                }
                let row = &mut batch.rows[usize::from(w) * CHANNELS..][..CHANNELS];
                for c in 0..CHANNELS {
                    row[c] += d[c];
                }
            }
        }
    }

    /// Takes one step along a batch's mean gradient and empties the batch.
    pub fn step(&mut self, batch: &mut Batch) {
        let scale = 1.0 / batch.count.max(1) as f32;
        let rate = self.rate;
        let pairs = &windows().pair;
        let mut pair_rows: std::collections::BTreeMap<u16, [f32; CHANNELS]> = std::collections::BTreeMap::new();
        for &w in &batch.touched {
            let place = usize::from(w) * CHANNELS;
            let pair = pair_rows.entry(pairs[usize::from(w)]).or_insert([0.0; CHANNELS]);
            for c in 0..CHANNELS {
                let g = batch.rows[place + c] * scale;
                pair[c] += g;
                self.exact_squares[place + c] += g * g;
                self.exact[place + c] -= rate * g / self.exact_squares[place + c].sqrt();
            }
            batch.rows[place..place + CHANNELS].fill(0.0);
            batch.is_touched[usize::from(w)] = false;
        }
        for (p, row) in pair_rows {
            let place = usize::from(p) * CHANNELS;
            for (c, g) in row.into_iter().enumerate() {
                self.pair_squares[place + c] += g * g;
                self.pair[place + c] -= rate * g / self.pair_squares[place + c].sqrt();
            }
        }
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
        batch.touched.clear();
        batch.count = 0;
    }

    /// Lets old gradients count less, so that a new generation can move again.
    pub fn refresh(&mut self, keep: f32) {
        for squares in [&mut self.exact_squares, &mut self.pair_squares, &mut self.dense_squares] {
            for s in squares.iter_mut() {
                *s = (*s * keep).max(1e-6);
            }
        }
    }
}

/// The four windows of every point, from the mover's side.
fn look_up(sample: &Sample, scratch: &mut Scratch) {
    let size = usize::from(sample.size);
    scratch.stones.clear();
    scratch.stones.resize(size * size, 0);
    for &at in &sample.own {
        scratch.stones[usize::from(at)] = 1;
    }
    for &at in &sample.other {
        scratch.stones[usize::from(at)] = 2;
    }
    let numbers = &windows().black;
    scratch.windows.clear();
    let cell = |x: isize, y: isize| {
        if x < 0 || y < 0 || x >= size as isize || y >= size as isize {
            3
        } else {
            u32::from(scratch.stones[y as usize * size + x as usize])
        }
    };
    for y in 0..size as isize {
        for x in 0..size as isize {
            scratch.windows.push([(1, 0), (0, 1), (1, 1), (1, -1)].map(|(dx, dy)| {
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
