//! kn2col convolution (Vasudevan, Anderson & Gregg 2017) for few output channels: each cell is multiplied with the weights
//! of all kernel positions, and the products are shifted and added. Zero padding.

use super::BoardShape;
use crate::lanes::LANES;
use crate::product::{Left, add_product};

/// A kn2col convolution of given shape, kernel and channels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kn2Col {
    shape: BoardShape,
    kernel: usize,
    inputs: usize,
    outputs: usize,
}

impl Kn2Col {
    /// Supports fewer output channels than a vector holds.
    pub fn new(shape: BoardShape, kernel: usize, [inputs, outputs]: [usize; 2]) -> Option<Self> {
        (outputs < LANES).then_some(Kn2Col { shape, kernel, inputs, outputs })
    }

    /// Products per cell: kernel positions × output channels, padded to whole vectors.
    fn columns(self) -> usize {
        (self.kernel * self.kernel * self.outputs).next_multiple_of(LANES)
    }

    /// Calls `visit` with every pair of an output value and a product that contributes to it.
    fn each(self, mut visit: impl FnMut(usize, usize)) {
        let BoardShape { height, width } = self.shape;
        let reach = self.kernel / 2;
        for place in 0..self.kernel * self.kernel {
            let (down, right) = (place / self.kernel, place % self.kernel);
            for y in reach.saturating_sub(down)..(height + reach - down).min(height) {
                for x in reach.saturating_sub(right)..(width + reach - right).min(width) {
                    let seen = (y + down - reach) * width + x + right - reach;
                    for output in 0..self.outputs {
                        let product = seen * self.columns() + place * self.outputs + output;
                        visit((y * width + x) * self.outputs + output, product);
                    }
                }
            }
        }
    }

    /// Row and column of a weight in the matrix with one row per input channel.
    fn by_input(self, at: usize) -> [usize; 2] {
        let (row, output) = (at / self.outputs, at % self.outputs);
        [row % self.inputs, row / self.inputs * self.outputs + output]
    }

    /// Adds the convolution of whole boards to `y`.
    pub fn forward(self, weight: &[f32], x: &[f32], y: &mut [f32]) {
        let (cells, columns) = (self.shape.cells(), self.columns());
        let mut by_input = vec![0.0; self.inputs * columns];
        for (at, &weight) in weight.iter().enumerate() {
            let [row, column] = self.by_input(at);
            by_input[row * columns + column] = weight;
        }
        let mut products = vec![0.0; cells * columns];
        for (x, y) in x.chunks_exact(cells * self.inputs).zip(y.chunks_exact_mut(cells * self.outputs)) {
            products.fill(0.0);
            add_product([cells, self.inputs, columns], Left::rows(x, self.inputs), &by_input, &mut products);
            self.each(|to, from| y[to] += products[from]);
        }
    }

    /// Adds to the gradients of the weights and of the input.
    pub fn backward(self, weight: &[f32], x: &[f32], dy: &[f32], gradient: &mut [f32], dx: &mut [f32]) {
        let (cells, columns) = (self.shape.cells(), self.columns());
        let mut by_column = vec![0.0; columns * self.inputs];
        for (at, &weight) in weight.iter().enumerate() {
            let [row, column] = self.by_input(at);
            by_column[column * self.inputs + row] = weight;
        }
        let mut learned = vec![0.0; self.inputs * columns];
        let mut products = vec![0.0; cells * columns];
        let boards = x.chunks_exact(cells * self.inputs).zip(dx.chunks_exact_mut(cells * self.inputs));
        for ((x, dx), dy) in boards.zip(dy.chunks_exact(cells * self.outputs)) {
            self.each(|from, to| products[to] = dy[from]);
            add_product([self.inputs, cells, columns], Left::transposed(x, self.inputs), &products, &mut learned);
            add_product([cells, columns, self.inputs], Left::rows(&products, columns), &by_column, dx);
        }
        for (at, gradient) in gradient.iter_mut().enumerate() {
            let [row, column] = self.by_input(at);
            *gradient += learned[row * columns + column];
        }
    }
}
