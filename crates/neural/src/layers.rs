//! Linear layers, batch normalisation and pooling.

use rand::Rng;

use crate::matrix::Matrix;
use crate::param::{Param, Trainable};

/// `x · W + b` for every row.
#[derive(Clone, Debug)]
pub struct Linear {
    weight: Param,
    bias: Param,
    input: Matrix,
}

impl Linear {
    /// From `inputs` to `outputs` numbers per row.
    pub fn new(inputs: usize, outputs: usize, rng: &mut impl Rng) -> Self {
        Linear {
            weight: Param::new(Matrix::glorot(inputs, outputs, rng)),
            bias: Param::new(Matrix::zeros(1, outputs)),
            input: Matrix::default(),
        }
    }

    /// Forward; remembers the input.
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

    /// Gradient of the input; adds to the parameters' gradients.
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

/// Batch normalisation over all rows (Ioffe and Szegedy 2015), with running statistics for inference.
#[derive(Clone, Debug)]
pub struct BatchNorm {
    scale: Param,
    shift: Param,
    /// Running mean and variance; part of what is saved, never of what is learned by gradient.
    running: [Param; 2],
    normal: Matrix,
    deviation: Vec<f32>,
}

const EPSILON: f32 = 1e-5;
const MOMENTUM: f32 = 0.1;

impl BatchNorm {
    /// For rows of `width` numbers.
    pub fn new(width: usize) -> Self {
        let ones = Matrix::new(1, width, vec![1.0; width]);
        let zeros = Matrix::zeros(1, width);
        BatchNorm {
            scale: Param::new(ones.clone()),
            shift: Param::new(zeros.clone()),
            running: [Param::new(zeros), Param::new(ones)],
            normal: Matrix::default(),
            deviation: Vec::new(),
        }
    }

    /// Forward: by the statistics of the batch when `train`, else by the running ones.
    pub fn forward(&mut self, x: &Matrix, train: bool) -> Matrix {
        let (n, width) = (x.rows.max(1) as f32, x.cols);
        let (mut mean, mut variance) = (vec![0f32; width], vec![0f32; width]);
        if train {
            for row in 0..x.rows {
                mean.iter_mut().zip(x.row(row)).for_each(|(m, v)| *m += v / n);
            }
            for row in 0..x.rows {
                for ((s, v), m) in variance.iter_mut().zip(x.row(row)).zip(&mean) {
                    *s += (v - m) * (v - m) / n;
                }
            }
            for i in 0..width {
                let [means, variances] = &mut self.running;
                means.value.data[i] += MOMENTUM * (mean[i] - means.value.data[i]);
                variances.value.data[i] += MOMENTUM * (variance[i] - variances.value.data[i]);
            }
        } else {
            mean.copy_from_slice(&self.running[0].value.data);
            variance.copy_from_slice(&self.running[1].value.data);
        }
        self.deviation = variance.iter().map(|v| (v + EPSILON).sqrt()).collect();
        self.normal = Matrix::zeros(x.rows, width);
        let mut y = Matrix::zeros(x.rows, width);
        let inverse: Vec<f32> = self.deviation.iter().map(|d| 1.0 / d).collect();
        let (scale, shift) = (&self.scale.value.data[..width], &self.shift.value.data[..width]);
        for row in 0..x.rows {
            let (from, normal, to) = (&x.row(row)[..width], self.normal.row_mut(row), y.row_mut(row));
            for i in 0..width {
                normal[i] = (from[i] - mean[i]) * inverse[i];
                to[i] = normal[i] * scale[i] + shift[i];
            }
        }
        y
    }

    /// Backward of a forward pass with the statistics of the batch.
    pub fn backward(&mut self, dy: &Matrix) -> Matrix {
        let (n, width) = (dy.rows.max(1) as f32, dy.cols);
        let (mut sum, mut along) = (vec![0f32; width], vec![0f32; width]);
        for row in 0..dy.rows {
            let (from, normal) = (&dy.row(row)[..width], &self.normal.row(row)[..width]);
            for i in 0..width {
                sum[i] += from[i];
                along[i] += from[i] * normal[i];
            }
        }
        for i in 0..width {
            self.shift.grad.data[i] += sum[i];
            self.scale.grad.data[i] += along[i];
        }
        let factor: Vec<f32> = self.scale.value.data.iter().zip(&self.deviation).map(|(s, d)| s / d).collect();
        for i in 0..width {
            sum[i] /= n;
            along[i] /= n;
        }
        let mut dx = Matrix::zeros(dy.rows, width);
        for row in 0..dy.rows {
            let (from, normal, to) = (&dy.row(row)[..width], &self.normal.row(row)[..width], dx.row_mut(row));
            for i in 0..width {
                to[i] = (from[i] - sum[i] - normal[i] * along[i]) * factor[i];
            }
        }
        dx
    }
}

impl Trainable for BatchNorm {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        visit(&mut self.scale);
        visit(&mut self.shift);
        // no gradient ever reaches these two, so that an optimiser leaves them alone
        for running in &mut self.running {
            visit(running);
        }
    }
}

/// In place: negative values become 0; returns which stayed.
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

/// Linear layer, batch normalisation, ReLU (the study's LinBlock).
#[derive(Clone, Debug)]
pub struct LinBlock {
    linear: Linear,
    norm: BatchNorm,
    kept: Vec<bool>,
}

impl LinBlock {
    /// From `inputs` to `outputs` numbers per row.
    pub fn new(inputs: usize, outputs: usize, rng: &mut impl Rng) -> Self {
        LinBlock { linear: Linear::new(inputs, outputs, rng), norm: BatchNorm::new(outputs), kept: Vec::new() }
    }

    /// Forward.
    pub fn forward(&mut self, x: &Matrix, train: bool) -> Matrix {
        let inner = self.linear.forward(x);
        let mut y = self.norm.forward(&inner, train);
        self.kept = relu(&mut y);
        y
    }

    /// Backward.
    pub fn backward(&mut self, dy: &Matrix) -> Matrix {
        let dy = relu_back(dy, &self.kept);
        let dy = self.norm.backward(&dy);
        self.linear.backward(&dy)
    }
}

impl Trainable for LinBlock {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        self.linear.visit(visit);
        self.norm.visit(visit);
    }
}

/// Largest value of every column within each group of `size` rows, and the row it came from.
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

/// Sends the gradient of a pooled matrix back to the rows it came from.
pub fn max_pool_back(dy: &Matrix, from: &[usize], rows: usize) -> Matrix {
    let mut dx = Matrix::zeros(rows, dy.cols);
    for (i, (d, row)) in dy.data.iter().zip(from).enumerate() {
        dx.row_mut(*row)[i % dy.cols] += d;
    }
    dx
}
