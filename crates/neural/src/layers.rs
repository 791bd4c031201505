//! Linear layers and pooling.

use rand::Rng;

use crate::matrix::Matrix;
use crate::norm::BatchNorm;
use crate::param::{Param, Trainable};

/// `x · W + b` for every row.
#[derive(Clone, Debug)]
pub struct Linear {
    weight: Param,
    bias: Param,
    input: Matrix,
}

impl Linear {
    /// From `inputs` to `outputs` values per row.
    pub fn new(inputs: usize, outputs: usize, rng: &mut impl Rng) -> Self {
        Linear {
            weight: Param::new(Matrix::glorot(inputs, outputs, rng)),
            bias: Param::new(Matrix::zeros(1, outputs)),
            input: Matrix::default(),
        }
    }

    /// Forward pass; keeps the input for the backward pass.
    pub fn forward(&mut self, x: &Matrix) -> Matrix {
        let mut y = x.dot(&self.weight.value);
        for row in 0..y.rows {
            for (v, b) in y.row_mut(row).iter_mut().zip(&self.bias.value.data) {
                *v += b;
            }
        }
        self.input = x.clone();
        y
    }

    /// Returns the gradient of the input and adds to the parameters' gradients.
    pub fn backward(&mut self, dy: &Matrix) -> Matrix {
        self.weight.grad.add(&self.input.transposed_dot(dy));
        for row in 0..dy.rows {
            for (g, d) in self.bias.grad.data.iter_mut().zip(dy.row(row)) {
                *g += d;
            }
        }
        dy.dot_transposed(&self.weight.value)
    }
}

impl Trainable for Linear {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        visit(&mut self.weight);
        visit(&mut self.bias);
    }
}

/// Rectifies in place. Returns the mask of positive values.
pub(crate) fn relu(x: &mut Matrix) -> Vec<bool> {
    x.data
        .iter_mut()
        .map(|v| {
            let kept = *v > 0.0;
            if !kept {
                *v = 0.0;
            }
            kept
        })
        .collect()
}

pub(crate) fn relu_back(dy: &Matrix, kept: &[bool]) -> Matrix {
    let data = dy.data.iter().zip(kept).map(|(d, k)| if *k { *d } else { 0.0 }).collect();
    Matrix::new(dy.rows, dy.cols, data)
}

/// Linear layer, batch normalisation, ReLU (LinBlock of Šindelář 2024).
#[derive(Clone, Debug)]
pub struct LinBlock {
    linear: Linear,
    norm: BatchNorm,
    kept: Vec<bool>,
}

impl LinBlock {
    /// From `inputs` to `outputs` values per row.
    pub fn new(inputs: usize, outputs: usize, rng: &mut impl Rng) -> Self {
        LinBlock { linear: Linear::new(inputs, outputs, rng), norm: BatchNorm::new(outputs), kept: Vec::new() }
    }

    /// Forward pass.
    pub fn forward(&mut self, x: &Matrix, train: bool) -> Matrix {
        let inner = self.linear.forward(x);
        let mut y = self.norm.forward(inner, train);
        self.kept = relu(&mut y);
        y
    }

    /// Backward pass.
    pub fn backward(&mut self, dy: &Matrix) -> Matrix {
        let dy = relu_back(dy, &self.kept);
        let dy = self.norm.backward(dy);
        self.linear.backward(&dy)
    }
}

impl Trainable for LinBlock {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        self.linear.visit(visit);
        self.norm.visit(visit);
    }
}

/// Max pooling over groups of `size` rows: the largest value of every column and the row it came from.
pub fn max_pool(x: &Matrix, size: usize) -> (Matrix, Vec<usize>) {
    let groups = x.rows / size.max(1);
    let mut out = Matrix::zeros(groups, x.cols);
    let mut from = vec![0; groups * x.cols];
    for group in 0..groups {
        let first = group * size;
        let (best, sources) = (out.row_mut(group), &mut from[group * x.cols..(group + 1) * x.cols]);
        best.copy_from_slice(x.row(first));
        sources.fill(first);
        for row in first + 1..first + size {
            for ((top, source), value) in best.iter_mut().zip(sources.iter_mut()).zip(x.row(row)) {
                if *value >= *top {
                    (*top, *source) = (*value, row);
                }
            }
        }
    }
    (out, from)
}

/// Propagates the gradient of a pooled matrix to the rows it came from.
pub fn max_pool_back(dy: &Matrix, from: &[usize], rows: usize) -> Matrix {
    let mut dx = Matrix::zeros(rows, dy.cols);
    for (i, (d, row)) in dy.data.iter().zip(from).enumerate() {
        dx.row_mut(*row)[i % dy.cols] += d;
    }
    dx
}
