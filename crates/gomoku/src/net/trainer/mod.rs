//! Float weights and their fitting: sparse Adagrad for embeddings, Adagrad for the rest.

mod exchange;
mod places;

use self::places::*;
use super::lesson::{Lesson, Sample};
use super::prior::URGENCY;
use super::weights::CONV_RANGE;
use super::windows::{KEY_BITS, REACH, SHAPE_PAIRS, WINDOWS, windows};
use super::{CHANNELS, HIDDEN, MIXED, REGIONS, region};

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

#[derive(Default)]
struct Scratch {
    windows: Vec<[u16; 4]>,
    features: Vec<[f32; CHANNELS]>,
    /// Convolved features of every candidate.
    mixed: Vec<[f32; CHANNELS]>,
    /// Hidden units of every candidate.
    units: Vec<[f32; MIXED]>,
    gradient: Vec<[f32; CHANNELS]>,
    /// Logits of candidates, then their gradients.
    logits: Vec<f32>,
    stones: Vec<u8>,
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
                _ if i < HIDDEN_W => 0.1,
                _ if i < HIDDEN_B => 0.06,
                _ if i < VALUE_W => 0.0,
                _ if i < VALUE_B => 0.2,
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
        let value = self.forward_value(size, lesson.value, &scratch.features);
        losses.samples += 1.0;
        for k in 0..3 {
            losses.value -= f64::from(sample.outcome[k] * value.probabilities[k].max(1e-7).ln());
        }
        self.forward_policy(lesson, &mut scratch);
        let played = sample.played.and_then(|at| lesson.candidates.iter().position(|c| c.0 == at));
        match played {
            Some(played) => policy_loss(&mut scratch.logits, played, losses),
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

    fn forward_value(&self, size: usize, prior: f32, features: &[[f32; CHANNELS]]) -> Value {
        let mut sums = [0f32; REGIONS * CHANNELS];
        for (at, features) in features.iter().enumerate() {
            let base = region(at % size, at / size, size) * CHANNELS;
            let out = &mut sums[base..base + CHANNELS];
            for c in 0..CHANNELS {
                out[c] += features[c];
            }
        }
        for s in &mut sums {
            *s /= REGION_SCALE;
        }
        let mut hidden: [f32; HIDDEN] = std::array::from_fn(|h| self.dense[HIDDEN_B + h]);
        for (i, s) in sums.iter().enumerate() {
            let row = &self.dense[HIDDEN_W + i * HIDDEN..HIDDEN_W + (i + 1) * HIDDEN];
            for h in 0..HIDDEN {
                hidden[h] += s * row[h];
            }
        }
        let active = hidden.map(|h| h.max(0.0));
        let mut out: [f32; 3] = std::array::from_fn(|k| self.dense[VALUE_B + k]);
        for h in 0..HIDDEN {
            for k in 0..3 {
                out[k] += active[h] * self.dense[VALUE_W + h * 3 + k];
            }
        }
        out[0] += self.dense[TRUST] * prior / 2.0;
        out[2] -= self.dense[TRUST] * prior / 2.0;
        Value { sums, active, probabilities: softmax3(out) }
    }

    fn forward_policy(&self, lesson: &Lesson, scratch: &mut Scratch) {
        let size = usize::from(lesson.sample.size);
        let bias: [f32; CHANNELS] = std::array::from_fn(|c| self.dense[CONV_BIAS + c]);
        let (convolved, plain) = self.dense[POLICY..MIX_W].split_at(CHANNELS);
        let trust = self.dense[TRUST + 1] / URGENCY;
        scratch.mixed.clear();
        scratch.units.clear();
        scratch.logits.clear();
        for &(at, urgency) in &lesson.candidates {
            let at = usize::from(at);
            let mut sum = bias;
            for_neighbours(at, size, |k, other| {
                let weights = &self.dense[CONV + k * CHANNELS..][..CHANNELS];
                let features = &scratch.features[other];
                for c in 0..CHANNELS {
                    sum[c] += weights[c] * features[c];
                }
            });
            let mixed = sum.map(|v| v.max(0.0));
            let features = &scratch.features[at];
            let mut logit = trust * f32::from(urgency);
            for c in 0..CHANNELS {
                logit += convolved[c] * mixed[c] + plain[c] * features[c];
            }
            let mut units: [f32; MIXED] = std::array::from_fn(|h| self.dense[MIX_B + h]);
            for (i, &input) in mixed.iter().chain(features).enumerate().filter(|(_, input)| **input > 0.0) {
                let row = &self.dense[MIX_W + i * MIXED..][..MIXED];
                for h in 0..MIXED {
                    units[h] += input * row[h];
                }
            }
            let units = units.map(|u| u.max(0.0));
            for h in 0..MIXED {
                logit += self.dense[MIX_OUT + h] * units[h];
            }
            scratch.units.push(units);
            scratch.mixed.push(mixed);
            scratch.logits.push(logit);
        }
    }

    fn backward(&self, lesson: &Lesson, value: &Value, batch: &mut Batch, scratch: &mut Scratch) {
        let size = usize::from(lesson.sample.size);
        let grad = &mut batch.dense;
        let d_out: [f32; 3] = std::array::from_fn(|k| value.probabilities[k] - lesson.sample.outcome[k]);
        grad[TRUST] += (d_out[0] - d_out[2]) * lesson.value / 2.0;
        let mut d_hidden = [0f32; HIDDEN];
        for k in 0..3 {
            grad[VALUE_B + k] += d_out[k];
        }
        for h in 0..HIDDEN {
            for k in 0..3 {
                grad[VALUE_W + h * 3 + k] += d_out[k] * value.active[h];
                d_hidden[h] += d_out[k] * self.dense[VALUE_W + h * 3 + k];
            }
            if value.active[h] <= 0.0 {
                d_hidden[h] = 0.0;
            }
            grad[HIDDEN_B + h] += d_hidden[h];
        }
        let mut d_sums = [0f32; REGIONS * CHANNELS];
        for (i, s) in value.sums.iter().enumerate() {
            let weights = &self.dense[HIDDEN_W + i * HIDDEN..][..HIDDEN];
            let row = &mut grad[HIDDEN_W + i * HIDDEN..][..HIDDEN];
            let mut total = 0.0;
            for h in 0..HIDDEN {
                row[h] += s * d_hidden[h];
                total += weights[h] * d_hidden[h];
            }
            d_sums[i] = total / REGION_SCALE;
        }
        scratch.gradient.clear();
        for at in 0..size * size {
            let from_value = &d_sums[region(at % size, at / size, size) * CHANNELS..][..CHANNELS];
            scratch.gradient.push(std::array::from_fn(|c| from_value[c]));
        }
        self.backward_policy(lesson, grad, scratch);
        for (at, d) in scratch.gradient.iter().enumerate() {
            let features = &scratch.features[at];
            let d: [f32; CHANNELS] = std::array::from_fn(|c| if features[c] > 0.0 { d[c] } else { 0.0 });
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

    fn backward_policy(&self, lesson: &Lesson, grad: &mut [f32], scratch: &mut Scratch) {
        let size = usize::from(lesson.sample.size);
        let Scratch { features, mixed, units, gradient, logits, .. } = scratch;
        for (n, (&(at, urgency), &d_logit)) in lesson.candidates.iter().zip(logits.iter()).enumerate() {
            if d_logit == 0.0 {
                continue;
            }
            let at = usize::from(at);
            let (mixed, units) = (&mixed[n], &units[n]);
            let mut d_units = [0f32; MIXED];
            for h in 0..MIXED {
                grad[MIX_OUT + h] += d_logit * units[h];
                d_units[h] = if units[h] > 0.0 { d_logit * self.dense[MIX_OUT + h] } else { 0.0 };
                grad[MIX_B + h] += d_units[h];
            }
            let mut d_inputs = [0f32; 2 * CHANNELS];
            for (i, &input) in mixed.iter().chain(&features[at]).enumerate().filter(|(_, input)| **input > 0.0) {
                let weights = &self.dense[MIX_W + i * MIXED..][..MIXED];
                let row = &mut grad[MIX_W + i * MIXED..][..MIXED];
                for h in 0..MIXED {
                    row[h] += input * d_units[h];
                    d_inputs[i] += weights[h] * d_units[h];
                }
            }
            grad[TRUST + 1] += d_logit * f32::from(urgency) / URGENCY;
            let mut d_mixed = [0f32; CHANNELS];
            for c in 0..CHANNELS {
                grad[POLICY + c] += d_logit * mixed[c];
                grad[POLICY + CHANNELS + c] += d_logit * features[at][c];
                gradient[at][c] += d_logit * self.dense[POLICY + CHANNELS + c] + d_inputs[CHANNELS + c];
                d_mixed[c] = if mixed[c] > 0.0 { d_logit * self.dense[POLICY + c] + d_inputs[c] } else { 0.0 };
                grad[CONV_BIAS + c] += d_mixed[c];
            }
            for_neighbours(at, size, |k, other| {
                let weights = &self.dense[CONV + k * CHANNELS..][..CHANNELS];
                let row = &mut grad[CONV + k * CHANNELS..][..CHANNELS];
                for c in 0..CHANNELS {
                    row[c] += d_mixed[c] * features[other][c];
                    gradient[other][c] += d_mixed[c] * weights[c];
                }
            });
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

/// The value head's way through one sample.
struct Value {
    sums: [f32; REGIONS * CHANNELS],
    active: [f32; HIDDEN],
    probabilities: [f32; 3],
}

/// Adds the loss of the played candidate and turns logits into gradients.
fn policy_loss(logits: &mut [f32], played: usize, losses: &mut Losses) {
    let top = logits.iter().copied().fold(f32::MIN, f32::max);
    let mine = logits[played];
    let better = logits.iter().filter(|&&l| l > mine).count();
    losses.moves += 1.0;
    losses.first += f64::from(u8::from(better == 0));
    losses.five += f64::from(u8::from(better < 5));
    let mut total = 0.0;
    for l in logits.iter_mut() {
        *l = (*l - top).exp();
        total += *l;
    }
    for l in logits.iter_mut() {
        *l /= total;
    }
    losses.policy -= f64::from(logits[played].max(1e-9).ln());
    logits[played] -= 1.0;
}

fn softmax3(out: [f32; 3]) -> [f32; 3] {
    let top = out[0].max(out[1]).max(out[2]);
    let powers = out.map(|o| (o - top).exp());
    let total: f32 = powers.iter().sum();
    powers.map(|p| p / total)
}

#[inline(always)]
fn for_neighbours(at: usize, size: usize, mut visit: impl FnMut(usize, usize)) {
    let (x, y) = (at % size, at / size);
    for dy in 0..3 {
        if (y + dy).wrapping_sub(1) >= size {
            continue;
        }
        for dx in 0..3 {
            if (x + dx).wrapping_sub(1) < size {
                visit(3 * dy + dx, (y + dy - 1) * size + x + dx - 1);
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
