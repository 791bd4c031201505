//! Multi-head attention within groups of rows (Vaswani et al. 2017), without residual connection and layer norm, as in
//! Šindelář 2024.

use rand::Rng;

use crate::layers::{Linear, relu, relu_back};
use crate::matrix::Matrix;
use crate::norm::BatchNorm;
use crate::param::{Param, Trainable};

/// The grouping of rows: `count` groups of `queries` query rows and `keys` key rows each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    pub count: usize,
    pub queries: usize,
    pub keys: usize,
}

/// Multi-head attention.
#[derive(Clone, Debug)]
pub struct Attention {
    query: Linear,
    key: Linear,
    value: Linear,
    out: Linear,
    heads: usize,
    groups: Groups,
    q: Matrix,
    k: Matrix,
    v: Matrix,
    /// Attention weights, group by group, head by head.
    weights: Vec<Matrix>,
}

impl Attention {
    /// For rows of `width` values. `width` must be a multiple of `heads`.
    pub fn new(width: usize, heads: usize, rng: &mut impl Rng) -> Self {
        assert_eq!(width % heads, 0, "{width} channels are not a multiple of {heads} heads");
        let mut linear = || Linear::new(width, width, rng);
        Attention {
            query: linear(),
            key: linear(),
            value: linear(),
            out: linear(),
            heads,
            groups: Groups::default(),
            q: Matrix::default(),
            k: Matrix::default(),
            v: Matrix::default(),
            weights: Vec::new(),
        }
    }

    /// Every query row attends to the key rows of its group.
    pub fn forward(&mut self, queries: &Matrix, keys: &Matrix, groups: Groups) -> Matrix {
        self.groups = groups;
        self.q = self.query.forward(queries);
        self.k = self.key.forward(keys);
        self.v = self.value.forward(keys);
        let width = self.q.cols / self.heads;
        let scale = 1.0 / (width as f32).sqrt();
        let mut mixed = Matrix::zeros(self.q.rows, self.q.cols);
        self.weights.clear();
        for group in 0..groups.count {
            let (qs, ks) = (group * groups.queries, group * groups.keys);
            for head in 0..self.heads {
                let columns = head * width..(head + 1) * width;
                let q = self.q.block(qs..qs + groups.queries, columns.clone());
                let k = self.k.block(ks..ks + groups.keys, columns.clone());
                let v = self.v.block(ks..ks + groups.keys, columns.clone());
                let mut weights = q.dot_transposed(&k);
                for row in 0..weights.rows {
                    numerics::softmax_scaled(weights.row_mut(row), scale);
                }
                mixed.add_block(qs, columns.start, &weights.dot(&v));
                self.weights.push(weights);
            }
        }
        self.out.forward(&mixed)
    }

    /// Gradients of queries and keys.
    pub fn backward(&mut self, dy: &Matrix) -> (Matrix, Matrix) {
        let dmixed = self.out.backward(dy);
        let groups = self.groups;
        let width = self.q.cols / self.heads;
        let scale = 1.0 / (width as f32).sqrt();
        let mut dq = Matrix::zeros(self.q.rows, self.q.cols);
        let mut dk = Matrix::zeros(self.k.rows, self.k.cols);
        let mut dv = Matrix::zeros(self.v.rows, self.v.cols);
        for group in 0..groups.count {
            let (qs, ks) = (group * groups.queries, group * groups.keys);
            for head in 0..self.heads {
                let columns = head * width..(head + 1) * width;
                let weights = &self.weights[group * self.heads + head];
                let d = dmixed.block(qs..qs + groups.queries, columns.clone());
                let q = self.q.block(qs..qs + groups.queries, columns.clone());
                let k = self.k.block(ks..ks + groups.keys, columns.clone());
                let v = self.v.block(ks..ks + groups.keys, columns.clone());
                dv.add_block(ks, columns.start, &weights.transposed_dot(&d));
                let mut dweights = d.dot_transposed(&v);
                for row in 0..dweights.rows {
                    let w = weights.row(row);
                    let along: f32 = dweights.row(row).iter().zip(w).map(|(d, w)| d * w).sum();
                    for (d, w) in dweights.row_mut(row).iter_mut().zip(w) {
                        *d = w * (*d - along) * scale;
                    }
                }
                dq.add_block(qs, columns.start, &dweights.dot(&k));
                dk.add_block(ks, columns.start, &dweights.transposed_dot(&q));
            }
        }
        let dqueries = self.query.backward(&dq);
        let mut dkeys = self.key.backward(&dk);
        dkeys.add(&self.value.backward(&dv));
        (dqueries, dkeys)
    }
}

impl Trainable for Attention {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        for linear in [&mut self.query, &mut self.key, &mut self.value, &mut self.out] {
            linear.visit(visit);
        }
    }
}

/// Attention, batch normalisation, ReLU (AttBlock of Šindelář 2024).
#[derive(Clone, Debug)]
pub struct AttBlock {
    attention: Attention,
    norm: BatchNorm,
    kept: Vec<bool>,
}

impl AttBlock {
    /// For rows of `width` values.
    pub fn new(width: usize, heads: usize, rng: &mut impl Rng) -> Self {
        AttBlock { attention: Attention::new(width, heads, rng), norm: BatchNorm::new(width), kept: Vec::new() }
    }

    /// Forward pass.
    pub fn forward(&mut self, queries: &Matrix, keys: &Matrix, groups: Groups, train: bool) -> Matrix {
        let inner = self.attention.forward(queries, keys, groups);
        let mut y = self.norm.forward(inner, train);
        self.kept = relu(&mut y);
        y
    }

    /// Gradients of queries and keys.
    pub fn backward(&mut self, dy: &Matrix) -> (Matrix, Matrix) {
        let dy = relu_back(dy, &self.kept);
        let dy = self.norm.backward(dy);
        self.attention.backward(&dy)
    }
}

impl Trainable for AttBlock {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        self.attention.visit(visit);
        self.norm.visit(visit);
    }
}
