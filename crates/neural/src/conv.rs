//! Convolutions over boards, and pooling that shrinks them.
//!
//! A batch of boards is a matrix: one row per cell (board by board, row by row), one column per channel.

use rand::Rng;

use crate::layers::{BatchNorm, relu, relu_back};
use crate::matrix::Matrix;
use crate::param::{Param, Trainable};

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

    /// The shape after squares of two by two cells became one, rounded up.
    pub fn halved(self) -> Self {
        Self { height: self.height.div_ceil(2), width: self.width.div_ceil(2) }
    }
}

/// A convolution with an odd square kernel that keeps the board's size.
#[derive(Clone, Debug)]
pub struct Conv {
    shape: BoardShape,
    kernel: usize,
    inputs: usize,
    /// What stands beyond the edge.
    edge: f32,
    weight: Param,
    bias: Param,
    input: Matrix,
}

impl Conv {
    /// From `inputs` to `outputs` channels; cells beyond the edge count as `edge`.
    pub fn new(shape: BoardShape, kernel: usize, [inputs, outputs]: [usize; 2], edge: f32, rng: &mut impl Rng) -> Self {
        assert!(kernel % 2 == 1, "a kernel of {kernel} has no middle");
        let weight = Param::new(Matrix::glorot(kernel * kernel * inputs, outputs, rng));
        let bias = Param::new(Matrix::zeros(1, outputs));
        Conv { shape, kernel, inputs, edge, weight, bias, input: Matrix::default() }
    }

    /// Calls `visit` with every cell of a board, the place in the kernel and the cell seen there, if it is on the board.
    fn each(&self, mut visit: impl FnMut(usize, usize, Option<usize>)) {
        let (height, width, kernel) = (self.shape.height as isize, self.shape.width as isize, self.kernel as isize);
        let reach = kernel / 2;
        for y in 0..height {
            for x in 0..width {
                for ky in 0..kernel {
                    for kx in 0..kernel {
                        let (sy, sx) = (y + ky - reach, x + kx - reach);
                        let on = (0..height).contains(&sy) && (0..width).contains(&sx);
                        let seen = on.then(|| (sy * width + sx) as usize);
                        visit((y * width + x) as usize, (ky * kernel + kx) as usize, seen);
                    }
                }
            }
        }
    }

    /// For every cell of one board the numbers its kernel sees.
    fn columns(&self, x: &Matrix, board: usize, columns: &mut Matrix) {
        let (cells, inputs) = (self.shape.cells(), self.inputs);
        self.each(|cell, place, seen| {
            let to = &mut columns.row_mut(cell)[place * inputs..(place + 1) * inputs];
            match seen {
                Some(seen) => to.copy_from_slice(x.row(board * cells + seen)),
                None => to.fill(self.edge),
            }
        });
    }

    fn boards(&self, x: &Matrix) -> usize {
        assert_eq!(x.rows % self.shape.cells(), 0, "rows are whole boards");
        x.rows / self.shape.cells()
    }

    fn empty_columns(&self) -> Matrix {
        Matrix::zeros(self.shape.cells(), self.kernel * self.kernel * self.inputs)
    }

    /// Whether sums are made where they are seen from: with fewer channels going out than coming in it is cheaper to
    /// multiply first and to move the products, but what is beyond the edge must be nothing.
    fn moves_products(&self) -> bool {
        self.weight.value.cols < self.inputs && self.edge == 0.0
    }

    /// The weights with one row per channel that comes in: places of the kernel side by side.
    fn by_input(&self) -> Matrix {
        let (places, outputs) = (self.kernel * self.kernel, self.weight.value.cols);
        let mut turned = Matrix::zeros(self.inputs, places * outputs);
        for row in 0..self.weight.value.rows {
            let (place, input) = (row / self.inputs, row % self.inputs);
            turned.row_mut(input)[place * outputs..(place + 1) * outputs].copy_from_slice(self.weight.value.row(row));
        }
        turned
    }

    /// Forward; remembers the input.
    pub fn forward(&mut self, x: &Matrix) -> Matrix {
        let (cells, outputs) = (self.shape.cells(), self.weight.value.cols);
        let mut y = Matrix::zeros(x.rows, outputs);
        for row in 0..y.rows {
            y.row_mut(row).copy_from_slice(&self.bias.value.data);
        }
        if self.moves_products() {
            let weight = self.by_input();
            for board in 0..self.boards(x) {
                let products = x.block(board * cells..(board + 1) * cells, 0..self.inputs).dot(&weight);
                self.each(|cell, place, seen| {
                    let Some(seen) = seen else { return };
                    let from = &products.row(seen)[place * outputs..(place + 1) * outputs];
                    y.row_mut(board * cells + cell).iter_mut().zip(from).for_each(|(to, from)| *to += from);
                });
            }
        } else {
            let mut columns = self.empty_columns();
            for board in 0..self.boards(x) {
                self.columns(x, board, &mut columns);
                y.add_block(board * cells, 0, &columns.dot(&self.weight.value));
            }
        }
        self.input = x.clone();
        y
    }

    /// Adds to the parameters' gradients; gives the gradient of the input where `wanted`.
    fn back(&mut self, dy: &Matrix, wanted: bool) -> Matrix {
        for row in 0..dy.rows {
            self.bias.grad.data.iter_mut().zip(dy.row(row)).for_each(|(grad, d)| *grad += d);
        }
        if self.moves_products() { self.back_by_products(dy) } else { self.back_by_columns(dy, wanted) }
    }

    fn back_by_columns(&mut self, dy: &Matrix, wanted: bool) -> Matrix {
        let (cells, inputs) = (self.shape.cells(), self.inputs);
        let mut dx = if wanted { Matrix::zeros(self.input.rows, inputs) } else { Matrix::default() };
        let mut columns = self.empty_columns();
        for board in 0..self.boards(dy) {
            let here = dy.block(board * cells..(board + 1) * cells, 0..dy.cols);
            self.columns(&self.input, board, &mut columns);
            self.weight.grad.add(&columns.transposed_dot(&here));
            if wanted {
                let seen_grad = here.dot_transposed(&self.weight.value);
                self.each(|cell, place, seen| {
                    let Some(seen) = seen else { return };
                    let from = &seen_grad.row(cell)[place * inputs..(place + 1) * inputs];
                    dx.row_mut(board * cells + seen).iter_mut().zip(from).for_each(|(to, from)| *to += from);
                });
            }
        }
        dx
    }

    fn back_by_products(&mut self, dy: &Matrix) -> Matrix {
        let (cells, outputs, places) = (self.shape.cells(), dy.cols, self.kernel * self.kernel);
        let weight = self.by_input();
        let mut grad = Matrix::zeros(self.inputs, places * outputs);
        let mut dx = Matrix::zeros(self.input.rows, self.inputs);
        for board in 0..self.boards(dy) {
            let mut products = Matrix::zeros(cells, places * outputs);
            self.each(|cell, place, seen| {
                let Some(seen) = seen else { return };
                let to = &mut products.row_mut(seen)[place * outputs..(place + 1) * outputs];
                to.copy_from_slice(dy.row(board * cells + cell));
            });
            let input = self.input.block(board * cells..(board + 1) * cells, 0..self.inputs);
            grad.add(&input.transposed_dot(&products));
            dx.add_block(board * cells, 0, &products.dot_transposed(&weight));
        }
        for row in 0..self.weight.grad.rows {
            let (place, input) = (row / self.inputs, row % self.inputs);
            let from = &grad.row(input)[place * outputs..(place + 1) * outputs];
            self.weight.grad.row_mut(row).iter_mut().zip(from).for_each(|(to, from)| *to += from);
        }
        dx
    }

    /// Gradient of the input; adds to the parameters' gradients.
    pub fn backward(&mut self, dy: &Matrix) -> Matrix {
        self.back(dy, true)
    }

    /// Adds to the parameters' gradients alone: nothing before the first layer learns.
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

/// A convolution, ReLU, batch normalisation (the order of the study).
#[derive(Clone, Debug)]
pub struct ConvBlock {
    conv: Conv,
    kept: Vec<bool>,
    norm: BatchNorm,
}

impl ConvBlock {
    /// See [`Conv::new`].
    pub fn new(shape: BoardShape, kernel: usize, channels: [usize; 2], edge: f32, rng: &mut impl Rng) -> Self {
        let norm = BatchNorm::new(channels[1]);
        ConvBlock { conv: Conv::new(shape, kernel, channels, edge, rng), kept: Vec::new(), norm }
    }

    /// Forward.
    pub fn forward(&mut self, x: &Matrix, train: bool) -> Matrix {
        let mut y = self.conv.forward(x);
        self.kept = relu(&mut y);
        self.norm.forward(&y, train)
    }

    /// Backward.
    pub fn backward(&mut self, dy: &Matrix) -> Matrix {
        let dy = self.before_conv(dy);
        self.conv.backward(&dy)
    }

    /// Backward of the first block of a network.
    pub fn backward_first(&mut self, dy: &Matrix) {
        let dy = self.before_conv(dy);
        self.conv.backward_first(&dy);
    }

    fn before_conv(&mut self, dy: &Matrix) -> Matrix {
        let dy = self.norm.backward(dy);
        relu_back(&dy, &self.kept)
    }
}

impl Trainable for ConvBlock {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        self.conv.visit(visit);
        self.norm.visit(visit);
    }
}

/// Largest value of each channel in every square of two by two cells, and the row it came from; squares at the far edges
/// may hold fewer cells. [`crate::max_pool_back`] sends gradients back.
pub fn pool_squares(x: &Matrix, shape: BoardShape) -> (Matrix, Vec<usize>) {
    let small = shape.halved();
    let boards = x.rows / shape.cells().max(1);
    let mut out = Matrix::zeros(boards * small.cells(), x.cols);
    let mut from = vec![0; out.data.len()];
    for board in 0..boards {
        for cell in 0..small.cells() {
            let (y, x0) = (cell / small.width * 2, cell % small.width * 2);
            let rows = (y..(y + 2).min(shape.height))
                .flat_map(|y| (x0..(x0 + 2).min(shape.width)).map(move |x| y * shape.width + x))
                .map(|seen| board * shape.cells() + seen);
            let at = board * small.cells() + cell;
            let (best, sources) = (out.row_mut(at), &mut from[at * x.cols..(at + 1) * x.cols]);
            best.fill(f32::NEG_INFINITY);
            for row in rows {
                for ((top, source), value) in best.iter_mut().zip(sources.iter_mut()).zip(x.row(row)) {
                    if *value > *top {
                        (*top, *source) = (*value, row);
                    }
                }
            }
        }
    }
    (out, from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::max_pool_back;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const SHAPE: BoardShape = BoardShape { height: 3, width: 5 };

    fn batch(channels: usize, rng: &mut ChaCha8Rng) -> Matrix {
        let rows = 2 * SHAPE.cells();
        Matrix::new(rows, channels, (0..rows * channels).map(|_| rng.random_range(-1.0..1.0)).collect())
    }

    /// By the definition, cell by cell.
    fn slowly(conv: &Conv, x: &Matrix, board: usize, (cy, cx): (isize, isize), out: usize) -> f32 {
        let (inputs, reach) = (conv.inputs as isize, conv.kernel as isize / 2);
        let mut sum = conv.bias.value.data[out];
        for (ky, kx) in (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (y, x))) {
            for c in 0..inputs {
                let (sy, sx) = (cy + ky, cx + kx);
                let on = (0..3).contains(&sy) && (0..5).contains(&sx);
                let seen = if on { x.row(board * 15 + (sy * 5 + sx) as usize)[c as usize] } else { conv.edge };
                let place = (ky + reach) * conv.kernel as isize + kx + reach;
                sum += seen * conv.weight.value.row((place * inputs + c) as usize)[out];
            }
        }
        sum
    }

    #[test]
    fn a_convolution_is_the_sum_over_its_kernel() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        // from few channels to many and from many to few go different ways
        for (kernel, channels, edge) in [(3, [2, 4], -1.0), (5, [4, 2], 0.0), (3, [4, 1], 0.0)] {
            let mut conv = Conv::new(SHAPE, kernel, channels, edge, &mut rng);
            let x = batch(channels[0], &mut rng);
            let y = conv.forward(&x);
            for (board, cell, out) in (0..2)
                .flat_map(|board| (0..SHAPE.cells()).map(move |cell| (board, cell)))
                .flat_map(|(board, cell)| (0..channels[1]).map(move |out| (board, cell, out)))
            {
                let want = slowly(&conv, &x, board, ((cell / 5) as isize, (cell % 5) as isize), out);
                let have = y.row(board * 15 + cell)[out];
                assert!((have - want).abs() < 1e-5, "{have} {want}");
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
            let inner = self.first.forward(x, true);
            let outer = self.third.forward(&self.second.forward(&inner));
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
        let x = batch(2, &mut rng);
        let pooled = 2 * SHAPE.halved().cells();
        let weights: Vec<f32> = (0..pooled * 2).map(|_| rng.random_range(-1.0..1.0)).collect();
        net.loss(&x, &weights);
        let dy = max_pool_back(&Matrix::new(pooled, 2, weights.clone()), &net.from, x.rows);
        let inner = net.third.backward(&dy);
        let inner = net.second.backward(&inner);
        net.first.backward_first(&inner);
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

    #[test]
    fn squares_pool_to_their_largest_value() {
        let x = Matrix::new(15, 1, (0..15).map(|v| v as f32).collect());
        let (pooled, from) = pool_squares(&x, SHAPE);
        assert_eq!(pooled.data, [6.0, 8.0, 9.0, 11.0, 13.0, 14.0]);
        assert_eq!(from, [6, 8, 9, 11, 13, 14]);
    }
}
