//! Float weights and their fitting: sparse Adagrad for embeddings, Adagrad for the rest.

use super::weights::{CONV_RANGE, Net, ONE, quantise};
use super::windows::{KEY_BITS, REACH, SHAPE_PAIRS, WINDOWS, windows};
use super::{CHANNELS, HIDDEN, MIXED, REGIONS, region};

/// Sums over regions are divided by this before the value head.
pub const REGION_SCALE: f32 = 32.0;

/// A position to learn from, seen from the side to move.
#[derive(Clone, Debug)]
pub struct Sample {
    pub size: u8,
    /// Own and opponent's stones, as `y * size + x`.
    pub own: Vec<u16>,
    pub other: Vec<u16>,
    /// The move to learn, if it is worth learning.
    pub played: Option<u16>,
    /// Wanted win, draw and loss.
    pub outcome: [f32; 3],
}

impl Sample {
    /// The same position turned or mirrored, `symmetry` from 0 to 7.
    pub fn turned(&self, symmetry: usize) -> Self {
        let n = u16::from(self.size);
        let turn = |at: u16| {
            let (mut x, mut y) = (at % n, at / n);
            if symmetry & 1 != 0 {
                x = n - 1 - x;
            }
            if symmetry & 2 != 0 {
                y = n - 1 - y;
            }
            if symmetry & 4 != 0 {
                std::mem::swap(&mut x, &mut y);
            }
            y * n + x
        };
        Self {
            size: self.size,
            own: self.own.iter().map(|&a| turn(a)).collect(),
            other: self.other.iter().map(|&a| turn(a)).collect(),
            played: self.played.map(turn),
            outcome: self.outcome,
        }
    }
}

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
    rows: Vec<f32>,
    touched: Vec<u16>,
    is_touched: Vec<bool>,
    dense: Vec<f32>,
    count: usize,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    windows: Vec<[u16; 4]>,
    features: Vec<[f32; CHANNELS]>,
    mixed: Vec<[f32; MIXED]>,
    gradient: Vec<[f32; CHANNELS]>,
    logits: Vec<f32>,
    stones: Vec<u8>,
}

// places of the dense weights in one vector
const CONV: usize = 0;
const CONV_BIAS: usize = CONV + 9 * MIXED;
const POLICY: usize = CONV_BIAS + MIXED;
const HIDDEN_W: usize = POLICY + CHANNELS;
const HIDDEN_B: usize = HIDDEN_W + REGIONS * CHANNELS * HIDDEN;
const VALUE_W: usize = HIDDEN_B + HIDDEN;
const VALUE_B: usize = VALUE_W + HIDDEN * 3;
const DENSE: usize = VALUE_B + 3;

/// A net in training.
#[derive(Clone)]
pub struct Trainer {
    exact: Vec<f32>,
    exact_squares: Vec<f32>,
    pair: Vec<f32>,
    pair_squares: Vec<f32>,
    dense: Vec<f32>,
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
                _ if i < HIDDEN_W => 0.3,
                _ if i < HIDDEN_B => 0.06,
                _ if i < VALUE_W => 0.0,
                _ if i < VALUE_B => 0.2,
                _ => 0.0,
            };
        }
        for channel in 0..MIXED {
            dense[CONV + 4 * MIXED + channel] += 1.0;
        }
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

    /// Adds a sample's gradients to the batch (unless only measuring) and its losses to the sums.
    pub fn learn(&self, sample: &Sample, batch: &mut Batch, losses: &mut Losses, measure_only: bool) {
        let size = usize::from(sample.size);
        let area = size * size;
        let mut scratch = std::mem::take(&mut batch.scratch);
        look_up(sample, &mut scratch);
        self.forward_features(size, &mut scratch);
        // value head
        let mut sums = [0f32; REGIONS * CHANNELS];
        for at in 0..area {
            let base = region(at % size, at / size, size) * CHANNELS;
            let out = &mut sums[base..base + CHANNELS];
            for c in 0..MIXED {
                out[c] += scratch.mixed[at][c];
            }
            for c in MIXED..CHANNELS {
                out[c] += scratch.features[at][c];
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
        let probabilities = softmax3(out);
        losses.samples += 1.0;
        for k in 0..3 {
            losses.value -= f64::from(sample.outcome[k] * probabilities[k].max(1e-7).ln());
        }
        // policy head
        let policy = &self.dense[POLICY..POLICY + CHANNELS];
        scratch.logits.clear();
        for at in 0..area {
            let mut logit = f32::MIN;
            if scratch.stones[at] == 0 {
                logit = 0.0;
                for c in 0..MIXED {
                    logit += policy[c] * scratch.mixed[at][c];
                }
                for c in MIXED..CHANNELS {
                    logit += policy[c] * scratch.features[at][c];
                }
            }
            scratch.logits.push(logit);
        }
        if let Some(played) = sample.played {
            let played = usize::from(played);
            let top = scratch.logits.iter().copied().fold(f32::MIN, f32::max);
            let mine = scratch.logits[played];
            let better = scratch.logits.iter().filter(|&&l| l > mine).count();
            losses.moves += 1.0;
            losses.first += f64::from(u8::from(better == 0));
            losses.five += f64::from(u8::from(better < 5));
            let mut total = 0.0;
            for l in &mut scratch.logits {
                *l = if *l == f32::MIN { 0.0 } else { (*l - top).exp() };
                total += *l;
            }
            losses.policy -= f64::from((scratch.logits[played] / total).max(1e-9).ln());
            for l in &mut scratch.logits {
                *l /= total;
            }
            scratch.logits[played] -= 1.0;
        } else {
            scratch.logits.fill(0.0);
        }
        if !measure_only {
            let d_out: [f32; 3] = std::array::from_fn(|k| probabilities[k] - sample.outcome[k]);
            self.backward(size, d_out, &sums, &hidden, &active, batch, &mut scratch);
            batch.count += 1;
        }
        batch.scratch = scratch;
    }

    fn forward_features(&self, size: usize, scratch: &mut Scratch) {
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
        let bias: [f32; MIXED] = std::array::from_fn(|c| self.dense[CONV_BIAS + c]);
        scratch.mixed.clear();
        for at in 0..size * size {
            let mut sum = bias;
            for_neighbours(at, size, |k, other| {
                let weights = &self.dense[CONV + k * MIXED..][..MIXED];
                let features = &scratch.features[other];
                for c in 0..MIXED {
                    sum[c] += weights[c] * features[c];
                }
            });
            scratch.mixed.push(sum.map(|v| v.max(0.0)));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn backward(
        &self,
        size: usize,
        d_out: [f32; 3],
        sums: &[f32; REGIONS * CHANNELS],
        hidden: &[f32; HIDDEN],
        active: &[f32; HIDDEN],
        batch: &mut Batch,
        scratch: &mut Scratch,
    ) {
        let grad = &mut batch.dense;
        let mut d_hidden = [0f32; HIDDEN];
        for k in 0..3 {
            grad[VALUE_B + k] += d_out[k];
        }
        for h in 0..HIDDEN {
            for k in 0..3 {
                grad[VALUE_W + h * 3 + k] += d_out[k] * active[h];
                d_hidden[h] += d_out[k] * self.dense[VALUE_W + h * 3 + k];
            }
            if hidden[h] <= 0.0 {
                d_hidden[h] = 0.0;
            }
            grad[HIDDEN_B + h] += d_hidden[h];
        }
        let mut d_sums = [0f32; REGIONS * CHANNELS];
        for (i, s) in sums.iter().enumerate() {
            let weights = &self.dense[HIDDEN_W + i * HIDDEN..][..HIDDEN];
            let row = &mut grad[HIDDEN_W + i * HIDDEN..][..HIDDEN];
            let mut total = 0.0;
            for h in 0..HIDDEN {
                row[h] += s * d_hidden[h];
                total += weights[h] * d_hidden[h];
            }
            d_sums[i] = total / REGION_SCALE;
        }
        let area = size * size;
        scratch.gradient.clear();
        scratch.gradient.resize(area, [0.0; CHANNELS]);
        for at in 0..area {
            let from_value = &d_sums[region(at % size, at / size, size) * CHANNELS..][..CHANNELS];
            let d_logit = scratch.logits[at];
            let mut d_mixed = [0f32; MIXED];
            for c in 0..MIXED {
                let d = d_logit * self.dense[POLICY + c] + from_value[c];
                grad[POLICY + c] += d_logit * scratch.mixed[at][c];
                d_mixed[c] = if scratch.mixed[at][c] > 0.0 { d } else { 0.0 };
                grad[CONV_BIAS + c] += d_mixed[c];
            }
            for c in MIXED..CHANNELS {
                scratch.gradient[at][c] += d_logit * self.dense[POLICY + c] + from_value[c];
                grad[POLICY + c] += d_logit * scratch.features[at][c];
            }
            for_neighbours(at, size, |k, other| {
                let weights = &self.dense[CONV + k * MIXED..][..MIXED];
                let (features, gradient) = (&scratch.features[other], &mut scratch.gradient[other]);
                let row = &mut grad[CONV + k * MIXED..][..MIXED];
                for c in 0..MIXED {
                    row[c] += d_mixed[c] * features[c];
                    gradient[c] += d_mixed[c] * weights[c];
                }
            });
        }
        for at in 0..area {
            let mut d = scratch.gradient[at];
            for c in 0..CHANNELS {
                if scratch.features[at][c] <= 0.0 {
                    d[c] = 0.0;
                }
            }
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

    /// The net for play: merged, in fixed point.
    pub fn quantised(&self) -> Net {
        let pairs = &windows().pair;
        let table = (0..WINDOWS)
            .map(|w| {
                let pair = usize::from(pairs[w]) * CHANNELS;
                std::array::from_fn(|c| quantise(self.exact[w * CHANNELS + c] + self.pair[pair + c], ONE))
            })
            .collect();
        let d = &self.dense;
        Net {
            table,
            conv: std::array::from_fn(|k| {
                std::array::from_fn(|c| {
                    (d[CONV + k * MIXED + c] / CONV_RANGE * 65536.0).round().clamp(-32767.0, 32767.0) as i16
                })
            }),
            // the high half of a product rounds down: half a unit for each of the nine
            conv_bias: std::array::from_fn(|c| quantise(d[CONV_BIAS + c] / CONV_RANGE + 4.5 / ONE, ONE)),
            policy: std::array::from_fn(|c| d[POLICY + c]),
            hidden: (0..REGIONS * CHANNELS).map(|i| std::array::from_fn(|h| d[HIDDEN_W + i * HIDDEN + h])).collect(),
            hidden_bias: std::array::from_fn(|h| d[HIDDEN_B + h]),
            value: std::array::from_fn(|h| std::array::from_fn(|k| d[VALUE_W + h * 3 + k])),
            value_bias: std::array::from_fn(|k| d[VALUE_B + k]),
        }
    }

    /// All weights and optimiser states as bytes, for checkpoints.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.parts().into_iter().flatten().flat_map(|v| v.to_le_bytes()).collect()
    }

    fn parts(&self) -> [&Vec<f32>; 6] {
        [&self.exact, &self.exact_squares, &self.pair, &self.pair_squares, &self.dense, &self.dense_squares]
    }

    /// A trainer from a checkpoint, if its length is right.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut trainer = Self::new(0);
        let lengths = trainer.parts().map(Vec::len);
        if bytes.len() != 4 * lengths.iter().sum::<usize>() {
            return None;
        }
        let mut values = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let mut take = |n: usize| values.by_ref().take(n).collect::<Vec<f32>>();
        trainer.exact = take(lengths[0]);
        trainer.exact_squares = take(lengths[1]);
        trainer.pair = take(lengths[2]);
        trainer.pair_squares = take(lengths[3]);
        trainer.dense = take(lengths[4]);
        trainer.dense_squares = take(lengths[5]);
        Some(trainer)
    }
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
            usize::from(scratch.stones[y as usize * size + x as usize])
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
                numbers[key]
            }));
        }
    }
}
