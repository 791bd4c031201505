//! Batch normalisation (Ioffe & Szegedy 2015).

use crate::matrix::Matrix;
use crate::param::{Param, Trainable};

/// Batch normalisation over all rows, with running statistics for inference.
#[derive(Clone, Debug)]
pub struct BatchNorm {
    scale: Param,
    shift: Param,
    /// Running mean and variance. They are saved with the weights but receive no gradient.
    running: [Param; 2],
    input: Matrix,
    /// Means and inverse standard deviations of the last forward pass.
    mean: Vec<f32>,
    inverse: Vec<f32>,
}

const EPSILON: f32 = 1e-5;
const MOMENTUM: f32 = 0.1;

impl BatchNorm {
    /// For rows of `width` values.
    pub fn new(width: usize) -> Self {
        let ones = Matrix::new(1, width, vec![1.0; width]);
        let zeros = Matrix::zeros(1, width);
        BatchNorm {
            scale: Param::new(ones.clone()),
            shift: Param::new(zeros.clone()),
            running: [Param::new(zeros), Param::new(ones)],
            input: Matrix::default(),
            mean: Vec::new(),
            inverse: Vec::new(),
        }
    }

    /// The input of the last forward pass.
    pub(crate) fn input(&self) -> &Matrix {
        &self.input
    }

    /// Forward pass: with batch statistics if `train`, else with running statistics. Keeps the input.
    pub fn forward(&mut self, x: Matrix, train: bool) -> Matrix {
        let width = x.cols;
        let [means, variances] = &mut self.running;
        let variance = if train {
            let (mean, variance) = statistics(&x);
            for i in 0..width {
                means.value.data[i] += MOMENTUM * (mean[i] - means.value.data[i]);
                variances.value.data[i] += MOMENTUM * (variance[i] - variances.value.data[i]);
            }
            self.mean = mean;
            variance
        } else {
            self.mean.clone_from(&means.value.data);
            variances.value.data.clone()
        };
        self.inverse = variance.iter().map(|v| 1.0 / (v + EPSILON).sqrt()).collect();
        let mut y = x.clone();
        let (mean, inverse) = (&self.mean[..width], &self.inverse[..width]);
        let (scale, shift) = (&self.scale.value.data[..width], &self.shift.value.data[..width]);
        for y in y.data.chunks_exact_mut(width) {
            for i in 0..width {
                y[i] = (y[i] - mean[i]) * inverse[i] * scale[i] + shift[i];
            }
        }
        self.input = x;
        y
    }

    /// Backward pass of a forward pass with batch statistics.
    pub fn backward(&mut self, mut dy: Matrix) -> Matrix {
        let (n, width) = (dy.rows.max(1) as f32, dy.cols);
        let (mut sum, mut along) = (vec![0f32; width], vec![0f32; width]);
        let (mean, inverse) = (&self.mean[..width], &self.inverse[..width]);
        for (dy, x) in dy.data.chunks_exact(width).zip(self.input.data.chunks_exact(width)) {
            for i in 0..width {
                sum[i] += dy[i];
                along[i] += dy[i] * (x[i] - mean[i]) * inverse[i];
            }
        }
        for i in 0..width {
            self.shift.grad.data[i] += sum[i];
            self.scale.grad.data[i] += along[i];
        }
        for i in 0..width {
            sum[i] /= n;
            along[i] *= inverse[i] / n;
        }
        let factor: Vec<f32> = self.scale.value.data.iter().zip(inverse).map(|(s, i)| s * i).collect();
        let (sum, along, factor) = (&sum[..width], &along[..width], &factor[..width]);
        for (dy, x) in dy.data.chunks_exact_mut(width).zip(self.input.data.chunks_exact(width)) {
            for i in 0..width {
                dy[i] = (dy[i] - sum[i] - (x[i] - mean[i]) * along[i]) * factor[i];
            }
        }
        dy
    }
}

/// Mean and variance of every column.
fn statistics(x: &Matrix) -> (Vec<f32>, Vec<f32>) {
    let (n, width) = (x.rows.max(1) as f32, x.cols);
    let (mut mean, mut variance) = (vec![0f32; width], vec![0f32; width]);
    for x in x.data.chunks_exact(width) {
        mean.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
    }
    mean.iter_mut().for_each(|sum| *sum /= n);
    for x in x.data.chunks_exact(width) {
        variance.iter_mut().zip(x).zip(&mean).for_each(|((sum, x), mean)| *sum += (x - mean) * (x - mean));
    }
    variance.iter_mut().for_each(|sum| *sum /= n);
    (mean, variance)
}

impl Trainable for BatchNorm {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        visit(&mut self.scale);
        visit(&mut self.shift);
        // these two receive no gradient, so the optimiser leaves them unchanged
        for running in &mut self.running {
            visit(running);
        }
    }
}
