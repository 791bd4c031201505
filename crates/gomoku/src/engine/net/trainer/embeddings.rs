//! Embeddings of windows in training: one for the exact window and one for its pair of shapes, fitted by sparse Adagrad.

use crate::engine::net::CHANNELS;
use crate::engine::net::weights::{ONE, Row, quantise};
use crate::engine::net::windows::{SHAPE_PAIRS, WINDOWS, windows};

/// Embeddings in training.
#[derive(Clone)]
pub struct Embeddings {
    pub(in crate::engine::net) exact: Vec<f32>,
    exact_squares: Vec<f32>,
    pair: Vec<f32>,
    pair_squares: Vec<f32>,
}

/// Gradients of the embeddings that a batch has touched.
pub struct RowGradients {
    /// Of exact windows.
    pub(in crate::engine::net) rows: Vec<f32>,
    pub(in crate::engine::net) touched: Vec<u16>,
    is_touched: Vec<bool>,
}

impl RowGradients {
    pub fn new() -> Self {
        Self { rows: vec![0.0; WINDOWS * CHANNELS], touched: Vec::new(), is_touched: vec![false; WINDOWS] }
    }

    /// The gradients of the embedding of a window, to be added to.
    #[inline(always)]
    pub fn row(&mut self, window: u16) -> &mut [f32] {
        let w = usize::from(window);
        if !self.is_touched[w] {
            self.is_touched[w] = true;
            self.touched.push(window);
        }
        &mut self.rows[w * CHANNELS..][..CHANNELS]
    }

    /// Adds other gradients to these and empties them.
    pub fn take(&mut self, other: &mut Self) {
        for &w in &other.touched {
            let place = usize::from(w) * CHANNELS;
            let rows = &mut other.rows[place..place + CHANNELS];
            for (sum, g) in self.row(w).iter_mut().zip(rows) {
                *sum += std::mem::take(g);
            }
            other.is_touched[usize::from(w)] = false;
        }
        other.touched.clear();
    }
}

impl Embeddings {
    /// Embeddings of exact windows start at zero, those of shape pairs at `pair(index)`.
    pub fn new(pair: impl Fn(usize) -> f32) -> Self {
        Self {
            exact: vec![0.0; WINDOWS * CHANNELS],
            exact_squares: vec![1e-6; WINDOWS * CHANNELS],
            pair: (0..SHAPE_PAIRS * CHANNELS).map(pair).collect(),
            pair_squares: vec![1e-6; SHAPE_PAIRS * CHANNELS],
        }
    }

    /// Embeddings that continue from those of a net for play.
    pub fn resume(table: &[Row]) -> Self {
        let mut embeddings = Self::new(|_| 0.0);
        for (weight, &played) in embeddings.exact.iter_mut().zip(table.iter().flat_map(|row| &row.0)) {
            *weight = f32::from(played) / ONE;
        }
        embeddings
    }

    /// The embeddings for play: merged, in fixed point.
    pub fn quantised(&self) -> Vec<Row> {
        let pairs = &windows().pair;
        let merged =
            |w: usize, c: usize| self.exact[w * CHANNELS + c] + self.pair[usize::from(pairs[w]) * CHANNELS + c];
        (0..WINDOWS).map(|w| Row(std::array::from_fn(|c| quantise(merged(w, c), ONE)))).collect()
    }

    /// Rectified features of a point with these windows.
    #[inline(always)]
    pub fn features(&self, four: &[u16; 4], pairs: &[u16]) -> [f32; CHANNELS] {
        let mut sum = [0f32; CHANNELS];
        for &w in four {
            let exact = &self.exact[usize::from(w) * CHANNELS..][..CHANNELS];
            let pair = &self.pair[usize::from(pairs[usize::from(w)]) * CHANNELS..][..CHANNELS];
            for c in 0..CHANNELS {
                sum[c] += exact[c] + pair[c];
            }
        }
        sum.map(|v| v.max(0.0))
    }

    /// Takes one Adagrad step along scaled gradients and empties them.
    pub fn step(&mut self, gradients: &mut RowGradients, scale: f32, rate: f32) {
        let pairs = &windows().pair;
        let mut pair_rows: std::collections::BTreeMap<u16, [f32; CHANNELS]> = std::collections::BTreeMap::new();
        for &w in &gradients.touched {
            let place = usize::from(w) * CHANNELS;
            let pair = pair_rows.entry(pairs[usize::from(w)]).or_insert([0.0; CHANNELS]);
            for c in 0..CHANNELS {
                let g = gradients.rows[place + c] * scale;
                pair[c] += g;
                self.exact_squares[place + c] += g * g;
                self.exact[place + c] -= rate * g / self.exact_squares[place + c].sqrt();
            }
            gradients.rows[place..place + CHANNELS].fill(0.0);
            gradients.is_touched[usize::from(w)] = false;
        }
        gradients.touched.clear();
        for (p, row) in pair_rows {
            let place = usize::from(p) * CHANNELS;
            for (c, g) in row.into_iter().enumerate() {
                self.pair_squares[place + c] += g * g;
                self.pair[place + c] -= rate * g / self.pair_squares[place + c].sqrt();
            }
        }
    }

    /// Scales the accumulated squares down.
    pub fn refresh(&mut self, keep: f32) {
        for s in self.exact_squares.iter_mut().chain(&mut self.pair_squares) {
            *s = (*s * keep).max(1e-6);
        }
    }

    /// Weights and squares, for checkpoints.
    pub fn parts(&self) -> [&Vec<f32>; 4] {
        [&self.exact, &self.exact_squares, &self.pair, &self.pair_squares]
    }

    /// The same, mutable.
    pub fn parts_mut(&mut self) -> [&mut Vec<f32>; 4] {
        [&mut self.exact, &mut self.exact_squares, &mut self.pair, &mut self.pair_squares]
    }
}
