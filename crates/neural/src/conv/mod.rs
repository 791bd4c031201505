//! Convolutions over boards, and max pooling.
//!
//! A batch of boards is a matrix: one row per cell (board by board, row by row), one column per channel.

mod block;
mod im2col;
mod kn2col;
mod pool;
mod winograd;
mod winograd_transforms;

use rand::Rng;

use self::im2col::Im2Col;
use self::kn2col::Kn2Col;
use self::winograd::Winograd;
use crate::matrix::Matrix;
use crate::param::{Param, Trainable};
use crate::product::{Left, add_product};

pub use self::block::ConvBlock;
pub use self::pool::pool_squares;

/// Rows and columns of the boards of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardShape {
    pub height: usize,
    pub width: usize,
}

impl BoardShape {
    /// Cells of a board.
    pub fn cells(self) -> usize {
        self.height * self.width
    }

    /// The shape after 2×2 pooling, rounded up.
    pub fn halved(self) -> Self {
        Self { height: self.height.div_ceil(2), width: self.width.div_ceil(2) }
    }
}

/// Algorithms with the same result up to rounding.
enum Algorithm {
    Kn2Col(Kn2Col),
    Winograd(Winograd),
    /// Any kernel and padding value.
    Im2Col,
}

/// A convolution with an odd square kernel and "same" padding.
#[derive(Clone, Debug)]
pub struct Conv {
    shape: BoardShape,
    kernel: usize,
    inputs: usize,
    /// Padding value.
    edge: f32,
    /// One row per kernel position and input channel, one column per output channel.
    weight: Param,
    bias: Param,
    input: Matrix,
}

impl Conv {
    /// From `inputs` to `outputs` channels, padded with `edge`.
    pub fn new(shape: BoardShape, kernel: usize, [inputs, outputs]: [usize; 2], edge: f32, rng: &mut impl Rng) -> Self {
        assert!(kernel % 2 == 1, "a kernel of {kernel} has no middle");
        let weight = Param::new(Matrix::glorot(kernel * kernel * inputs, outputs, rng));
        let bias = Param::new(Matrix::zeros(1, outputs));
        Conv { shape, kernel, inputs, edge, weight, bias, input: Matrix::default() }
    }

    fn outputs(&self) -> usize {
        self.weight.value.cols
    }

    /// The fastest algorithm that supports this convolution.
    fn algorithm(&self) -> Algorithm {
        let channels = [self.inputs, self.outputs()];
        if self.edge != 0.0 {
            return Algorithm::Im2Col;
        }
        let narrow = Kn2Col::new(self.shape, self.kernel, channels).map(Algorithm::Kn2Col);
        let tiled = || Winograd::new(self.shape, self.kernel, channels).map(Algorithm::Winograd);
        narrow.or_else(tiled).unwrap_or(Algorithm::Im2Col)
    }

    /// Forward pass; keeps the input for the backward pass.
    pub fn forward(&mut self, x: Matrix) -> Matrix {
        assert_eq!((x.cols, x.rows % self.shape.cells()), (self.inputs, 0), "rows are cells of whole boards");
        let mut y = Matrix::new(x.rows, self.outputs(), self.bias.value.data.repeat(x.rows));
        match self.algorithm() {
            Algorithm::Kn2Col(narrow) => narrow.forward(&self.weight.value.data, &x.data, &mut y.data),
            Algorithm::Winograd(tiled) => tiled.forward(&self.weight.value.data, &x.data, &mut y.data),
            Algorithm::Im2Col => self.forward_im2col(&x, self.edge, &self.weight.value, &mut y),
        }
        self.input = x;
        y
    }

    fn forward_im2col(&self, x: &Matrix, edge: f32, weight: &Matrix, y: &mut Matrix) {
        let width = self.shape.width;
        let mut patches = Im2Col::new(self.shape, self.kernel, x.cols, edge);
        let boards = x.data.chunks_exact(self.shape.cells() * x.cols);
        for (cells, y) in boards.zip(y.data.chunks_exact_mut(self.shape.cells() * weight.cols)) {
            patches.enter(cells);
            for (row, y) in y.chunks_exact_mut(width * weight.cols).enumerate() {
                let seen = Left::rows(patches.row(row), weight.rows);
                add_product([width, weight.rows, weight.cols], seen, &weight.data, y);
            }
        }
    }

    /// Adds to the gradients of the parameters. Returns the gradient of the input if `wanted`.
    fn back(&mut self, dy: &Matrix, wanted: bool) -> Option<Matrix> {
        for dy in dy.data.chunks_exact(dy.cols) {
            self.bias.grad.data.iter_mut().zip(dy).for_each(|(grad, d)| *grad += d);
        }
        let way = self.algorithm();
        let mut dx = wanted.then(|| Matrix::zeros(self.input.rows, self.inputs));
        let Param { value, grad, .. } = &mut self.weight;
        match (way, &mut dx) {
            (Algorithm::Kn2Col(narrow), Some(dx)) => {
                narrow.backward(&value.data, &self.input.data, &dy.data, &mut grad.data, &mut dx.data);
            }
            (Algorithm::Winograd(tiled), Some(dx)) => {
                tiled.backward(&value.data, &self.input.data, &dy.data, &mut grad.data, &mut dx.data);
            }
            (_, dx) => {
                self.weight_gradient_im2col(dy);
                if let Some(dx) = dx {
                    self.forward_im2col(dy, 0.0, &self.transposed_kernel(), dx);
                }
            }
        }
        dx
    }

    fn weight_gradient_im2col(&mut self, dy: &Matrix) {
        let (width, outputs, seen) = (self.shape.width, dy.cols, self.weight.value.rows);
        let mut patches = Im2Col::new(self.shape, self.kernel, self.inputs, self.edge);
        let boards = self.input.data.chunks_exact(self.shape.cells() * self.inputs);
        for (cells, dy) in boards.zip(dy.data.chunks_exact(self.shape.cells() * outputs)) {
            patches.enter(cells);
            for (row, dy) in dy.chunks_exact(width * outputs).enumerate() {
                let left = Left::transposed(patches.row(row), seen);
                add_product([seen, width, outputs], left, dy, &mut self.weight.grad.data);
            }
        }
    }

    /// The kernel of the transposed convolution: positions mirrored, channels exchanged.
    fn transposed_kernel(&self) -> Matrix {
        let (places, outputs) = (self.kernel * self.kernel, self.outputs());
        let mut turned = Matrix::zeros(places * outputs, self.inputs);
        for row in 0..self.weight.value.rows {
            let (place, input) = (row / self.inputs, row % self.inputs);
            for (output, &value) in self.weight.value.row(row).iter().enumerate() {
                turned.row_mut((places - 1 - place) * outputs + output)[input] = value;
            }
        }
        turned
    }

    /// Gradient of the input; adds to the parameters' gradients.
    pub fn backward(&mut self, dy: &Matrix) -> Matrix {
        self.back(dy, true).unwrap_or_default()
    }

    /// Adds to the parameters' gradients only, for the first layer of a network.
    pub fn backward_first(&mut self, dy: &Matrix) {
        self.back(dy, false);
    }
}

impl Trainable for Conv {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        visit(&mut self.weight);
        visit(&mut self.bias);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::max_pool_back;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const SHAPE: BoardShape = BoardShape { height: 3, width: 5 };
    /// Some tiles extend beyond its edges.
    const LARGER: BoardShape = BoardShape { height: 7, width: 5 };

    fn batch(shape: BoardShape, channels: usize, rng: &mut ChaCha8Rng) -> Matrix {
        let rows = 2 * shape.cells();
        Matrix::new(rows, channels, (0..rows * channels).map(|_| rng.random_range(-1.0..1.0)).collect())
    }

    /// The definition, cell by cell.
    fn by_definition(conv: &Conv, x: &Matrix) -> Matrix {
        let (height, width) = (conv.shape.height as isize, conv.shape.width as isize);
        let (kernel, reach) = (conv.kernel as isize, conv.kernel as isize / 2);
        let mut y = Matrix::zeros(x.rows, conv.outputs());
        for row in 0..x.rows {
            y.row_mut(row).copy_from_slice(&conv.bias.value.data);
            let (board, cell) = (row / conv.shape.cells(), (row % conv.shape.cells()) as isize);
            for place in 0..kernel * kernel {
                let (sy, sx) = (cell / width + place / kernel - reach, cell % width + place % kernel - reach);
                let on = (0..height).contains(&sy) && (0..width).contains(&sx);
                for input in 0..conv.inputs {
                    let seen = if on {
                        x.row(board * conv.shape.cells() + (sy * width + sx) as usize)[input]
                    } else {
                        conv.edge
                    };
                    let weights = conv.weight.value.row(place as usize * conv.inputs + input);
                    y.row_mut(row).iter_mut().zip(weights).for_each(|(y, weight)| *y += seen * weight);
                }
            }
        }
        y
    }

    fn assert_close(have: &Matrix, want: &Matrix, tolerance: f32) {
        assert_eq!((have.rows, have.cols), (want.rows, want.cols));
        let worst = have.data.iter().zip(&want.data).map(|(have, want)| (have - want).abs()).fold(0.0, f32::max);
        assert!(worst < tolerance, "{worst}");
    }

    /// Kernels and channel counts that select each algorithm.
    const KINDS: [(usize, [usize; 2], f32); 8] = [
        (3, [2, 4], -1.0),
        (5, [4, 2], 0.0),
        (3, [4, 1], 0.0),
        (7, [2, 32], 0.0),
        (3, [16, 48], 0.0),
        (5, [32, 16], 0.0),
        (7, [16, 32], 0.0),
        (5, [16, 16], -1.0),
    ];

    #[test]
    fn a_convolution_is_the_sum_over_its_kernel() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (kernel, channels, edge) in KINDS {
            let mut conv = Conv::new(LARGER, kernel, channels, edge, &mut rng);
            let x = batch(LARGER, channels[0], &mut rng);
            let want = by_definition(&conv, &x);
            assert_close(&conv.forward(x), &want, 1e-5);
        }
    }

    #[test]
    fn the_backward_pass_is_the_transpose_of_the_forward_pass() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (kernel, channels, edge) in KINDS {
            let mut conv = Conv::new(LARGER, kernel, channels, edge, &mut rng);
            let (x, dy) = (batch(LARGER, channels[0], &mut rng), batch(LARGER, channels[1], &mut rng));
            conv.forward(x.clone());
            let dx = conv.backward(&dy);
            let along = |y: &Matrix| y.data.iter().zip(&dy.data).map(|(y, dy)| f64::from(y * dy)).sum::<f64>();
            // everything is linear: a step of one is as good as a small one
            let start = along(&by_definition(&conv, &x));
            for at in (0..x.data.len()).step_by(7) {
                let mut nudged = x.clone();
                nudged.data[at] += 1.0;
                let slope = (along(&by_definition(&conv, &nudged)) - start) as f32;
                assert!(
                    (slope - dx.data[at]).abs() < 1e-3,
                    "{kernel} {channels:?} input {at}: {slope} {}",
                    dx.data[at]
                );
            }
            for at in (0..conv.weight.value.data.len()).step_by(31) {
                conv.weight.value.data[at] += 1.0;
                let slope = (along(&by_definition(&conv, &x)) - start) as f32;
                conv.weight.value.data[at] -= 1.0;
                let have = conv.weight.grad.data[at];
                assert!((slope - have).abs() < 1e-3, "{kernel} {channels:?} weight {at}: {slope} {have}");
            }
        }
    }

    /// A small network with everything in it, and a loss: weighted sums of what comes out.
    struct Net {
        first: ConvBlock,
        second: Conv,
        third: Conv,
        from: Vec<usize>,
    }

    impl Net {
        fn loss(&mut self, x: &Matrix, weights: &[f32]) -> f32 {
            let inner = self.first.forward(x.clone(), true);
            let outer = self.third.forward(self.second.forward(inner));
            let (pooled, from) = pool_squares(&outer, SHAPE);
            self.from = from;
            pooled.data.iter().zip(weights).map(|(v, w)| v * w).sum()
        }
    }

    impl Trainable for Net {
        fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
            self.first.visit(visit);
            self.second.visit(visit);
            self.third.visit(visit);
        }
    }

    fn nudge(net: &mut Net, number: usize, at: usize, by: f32) {
        let mut seen = 0;
        net.visit(&mut |param| {
            if seen == number {
                param.value.data[at] += by;
            }
            seen += 1;
        });
    }

    #[test]
    fn gradients_are_those_of_small_steps() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut net = Net {
            first: ConvBlock::new(SHAPE, 5, [2, 3], -1.0, &mut rng),
            second: Conv::new(SHAPE, 3, [3, 3], 0.0, &mut rng),
            third: Conv::new(SHAPE, 3, [3, 2], 0.0, &mut rng),
            from: Vec::new(),
        };
        let x = batch(SHAPE, 2, &mut rng);
        let pooled = 2 * SHAPE.halved().cells();
        let weights: Vec<f32> = (0..pooled * 2).map(|_| rng.random_range(-1.0..1.0)).collect();
        net.loss(&x, &weights);
        let dy = max_pool_back(&Matrix::new(pooled, 2, weights.clone()), &net.from, x.rows);
        let inner = net.third.backward(&dy);
        let inner = net.second.backward(&inner);
        net.first.backward_first(inner);
        let mut grads = Vec::new();
        net.visit(&mut |param| grads.push(param.grad.data.clone()));
        let step = 1e-2f32;
        let mut worst = 0f32;
        // running statistics, the fifth and sixth parameters, learn nothing
        for (number, grad) in grads.iter().enumerate().filter(|(number, _)| ![4, 5].contains(number)) {
            for at in 0..grad.len() {
                nudge(&mut net, number, at, step);
                let above = net.loss(&x, &weights);
                nudge(&mut net, number, at, -2.0 * step);
                let below = net.loss(&x, &weights);
                nudge(&mut net, number, at, step);
                let slope = (above - below) / (2.0 * step);
                worst = worst.max((slope - grad[at]).abs() / (1.0 + grad[at].abs()));
            }
        }
        assert!(worst < 0.05, "{worst}");
    }
}
