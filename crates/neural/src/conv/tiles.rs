//! Convolutions by the minimal filtering of Winograd (Lavin and Gray 2016): squares of six by six cells give squares of four
//! by four with a kernel of three, squares of eight by eight the same with a kernel of five, and two by two with one of seven.
//! Products of 36 or 64 small matrices replace the sum over the kernel: 2.25, 4 and 16 multiplications for a cell and pair
//! of channels instead of 9, 25 and 49.
//!
//! Going back is the exact transpose of going forward.

use std::ops::Range;

use super::BoardShape;
use super::lines::{Eight, Filter, Six, Square, Step, both_ways};
use crate::lanes::LANES;
use crate::product::{Left, add_product};

/// Squares that are worked on together: few enough for the second cache, whole tiles of a product.
const TOGETHER: usize = 48;
/// Rows of the cells of a square, where they are on the board.
type Cells = Vec<Option<usize>>;

/// A kernel with its channels over boards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiled {
    shape: BoardShape,
    kernel: usize,
    inputs: usize,
    outputs: usize,
}

impl Tiled {
    /// If the kernel has a side of three, five or seven and channels come in whole vectors.
    pub fn new(shape: BoardShape, kernel: usize, [inputs, outputs]: [usize; 2]) -> Option<Self> {
        let fits = [3, 5, 7].contains(&kernel) && inputs.is_multiple_of(LANES) && outputs.is_multiple_of(LANES);
        fits.then_some(Tiled { shape, kernel, inputs, outputs })
    }

    /// Cells across a square that goes in.
    fn side(self) -> usize {
        if self.kernel == 3 { 6 } else { 8 }
    }

    /// Cells across a square that comes out.
    fn out_side(self) -> usize {
        self.side() + 1 - self.kernel
    }

    fn squares(self, rows: usize) -> usize {
        let side = self.out_side();
        rows / self.shape.cells() * self.shape.height.div_ceil(side) * self.shape.width.div_ceil(side)
    }

    /// Rows of the cells of a square with a number: `side` cells across, from `before` cells left of and above its start.
    fn cells(self, square: usize, side: usize, before: usize) -> Cells {
        let out = self.out_side();
        let across = self.shape.width.div_ceil(out);
        let of_board = across * self.shape.height.div_ceil(out);
        let (board, square) = (square / of_board, square % of_board);
        let (top, left) = (square / across * out, square % across * out);
        let row = |place: usize| {
            let (down, right) = (place / self.side(), place % self.side());
            let (y, x) = (top + down, left + right);
            let on = |at: usize, size: usize| (before..size + before).contains(&at);
            (down < side && right < side && on(y, self.shape.height) && on(x, self.shape.width))
                .then(|| (board * self.shape.height + y - before) * self.shape.width + x - before)
        };
        (0..self.side().pow(2)).map(row).collect()
    }

    fn seen(self, square: usize) -> Cells {
        self.cells(square, self.side(), self.kernel / 2)
    }

    fn made(self, square: usize) -> Cells {
        self.cells(square, self.out_side(), 0)
    }

    /// Weights (place by place, channels in by channels out) evaluated at the points: a matrix for each pair of points.
    fn evaluated<F: Filter>(self, weight: &[f32]) -> Vec<f32> {
        let (side, kernel, pairs) = (self.side(), self.kernel, self.inputs * self.outputs);
        let factors = factors::<F>(kernel);
        let mut halfway = vec![0.0; side * kernel * pairs];
        for (i, k, q) in triples(side, kernel, kernel) {
            add_scaled(&mut halfway, i * kernel + q, factors[i][k], weight, k * kernel + q, pairs);
        }
        let mut all = vec![0.0; side * side * pairs];
        for (i, j, q) in triples(side, side, kernel) {
            add_scaled(&mut all, i * side + j, factors[j][q], &halfway, i * kernel + q, pairs);
        }
        all
    }

    /// The transpose of [`Tiled::evaluated`], added to the gradient of the weights.
    fn add_gradient<F: Filter>(self, evaluated: &[f32], gradient: &mut [f32]) {
        let (side, kernel, pairs) = (self.side(), self.kernel, self.inputs * self.outputs);
        let factors = factors::<F>(kernel);
        let mut halfway = vec![0.0; side * kernel * pairs];
        for (i, j, q) in triples(side, side, kernel) {
            add_scaled(&mut halfway, i * kernel + q, factors[j][q], evaluated, i * side + j, pairs);
        }
        for (i, k, q) in triples(side, kernel, kernel) {
            add_scaled(gradient, k * kernel + q, factors[i][k], &halfway, i * kernel + q, pairs);
        }
    }

    /// Adds the convolution of whole boards to `y`.
    pub fn forward(self, weight: &[f32], x: &[f32], y: &mut [f32]) {
        match self.kernel {
            3 => self.forward_by::<Six>(weight, x, y),
            5 => self.forward_by::<Eight<4>>(weight, x, y),
            _ => self.forward_by::<Eight<2>>(weight, x, y),
        }
    }

    /// Adds to the gradient of the weights, and to that of the input.
    pub fn backward(self, weight: &[f32], x: &[f32], dy: &[f32], gradient: &mut [f32], dx: &mut [f32]) {
        match self.kernel {
            3 => self.backward_by::<Six>(weight, x, dy, gradient, dx),
            5 => self.backward_by::<Eight<4>>(weight, x, dy, gradient, dx),
            _ => self.backward_by::<Eight<2>>(weight, x, dy, gradient, dx),
        }
    }

    fn forward_by<F: Filter>(self, weight: &[f32], x: &[f32], y: &mut [f32]) {
        let weight = self.evaluated::<F>(weight);
        let (mut values, mut products) =
            (Planes::new(self.side(), self.inputs), Planes::new(self.side(), self.outputs));
        for squares in self.parts(x) {
            values.take::<F::Evaluate>(x, squares.clone(), |square| self.seen(square));
            products.numbers.fill(0.0);
            for (place, weight) in weight.chunks_exact(self.inputs * self.outputs).enumerate() {
                let left = Left::rows(values.plane(place), self.inputs);
                add_product([squares.len(), self.inputs, self.outputs], left, weight, products.plane_mut(place));
            }
            products.give::<F::Interpolate>(y, squares, |square| self.made(square));
        }
    }

    fn backward_by<F: Filter>(self, weight: &[f32], x: &[f32], dy: &[f32], gradient: &mut [f32], dx: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        let turned = self.turned(&self.evaluated::<F>(weight));
        let mut evaluated = vec![0.0; turned.len()];
        let (mut values, mut slopes) = (Planes::new(self.side(), inputs), Planes::new(self.side(), outputs));
        for squares in self.parts(x) {
            values.take::<F::Evaluate>(x, squares.clone(), |square| self.seen(square));
            slopes.take::<F::InterpolateBack>(dy, squares.clone(), |square| self.made(square));
            let matrices = turned.chunks_exact(inputs * outputs).zip(evaluated.chunks_exact_mut(inputs * outputs));
            for (place, (turned, evaluated)) in matrices.enumerate() {
                let left = Left::turned(values.plane(place), inputs);
                add_product([inputs, squares.len(), outputs], left, slopes.plane(place), evaluated);
                values.plane_mut(place).fill(0.0);
                let left = Left::rows(slopes.plane(place), outputs);
                add_product([squares.len(), outputs, inputs], left, turned, values.plane_mut(place));
            }
            values.give::<F::EvaluateBack>(dx, squares, |square| self.seen(square));
        }
        self.add_gradient::<F>(&evaluated, gradient);
    }

    /// Squares of all boards, some at a time.
    fn parts(self, x: &[f32]) -> impl Iterator<Item = Range<usize>> {
        let squares = self.squares(x.len() / self.inputs);
        (0..squares).step_by(TOGETHER).map(move |start| start..(start + TOGETHER).min(squares))
    }

    /// Each matrix turned.
    fn turned(self, matrices: &[f32]) -> Vec<f32> {
        let mut turned = vec![0.0; matrices.len()];
        let pairs = self.inputs * self.outputs;
        for (from, to) in matrices.chunks_exact(pairs).zip(turned.chunks_exact_mut(pairs)) {
            for (input, from) in from.chunks_exact(self.outputs).enumerate() {
                from.iter().enumerate().for_each(|(output, &value)| to[output * self.inputs + input] = value);
            }
        }
        turned
    }
}

fn triples(a: usize, b: usize, c: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..a * b * c).map(move |at| (at / (b * c), at / c % b, at % c))
}

/// Powers of the points, divided; infinity sees the last weight alone.
fn factors<F: Filter>(kernel: usize) -> Vec<Vec<f32>> {
    let powers = |&(point, divisor): &(f32, f32)| (0..kernel).map(|k| point.powi(k as i32) / divisor).collect();
    let last = (0..kernel).map(|k| f32::from(u8::from(k + 1 == kernel))).collect();
    F::POINTS.iter().map(powers).chain([last]).collect()
}

/// Adds a multiple of a matrix among many to one of others; matrices have `size` numbers.
fn add_scaled(to: &mut [f32], to_number: usize, factor: f32, from: &[f32], from_number: usize, size: usize) {
    if factor != 0.0 {
        let (to, from) = (&mut to[to_number * size..][..size], &from[from_number * size..][..size]);
        to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
    }
}

/// The numbers of some squares: for each place of a square a matrix of squares and channels.
struct Planes {
    channels: usize,
    numbers: Vec<f32>,
}

impl Planes {
    fn new(side: usize, channels: usize) -> Self {
        Planes { channels, numbers: vec![0.0; side * side * Self::size(channels)] }
    }

    /// Numbers from one plane to the next; a vector more than needed, so that planes do not share lines of cache.
    fn size(channels: usize) -> usize {
        TOGETHER * channels + LANES
    }

    fn plane(&self, place: usize) -> &[f32] {
        &self.numbers[place * Self::size(self.channels)..][..TOGETHER * self.channels]
    }

    fn plane_mut(&mut self, place: usize) -> &mut [f32] {
        &mut self.numbers[place * Self::size(self.channels)..][..TOGETHER * self.channels]
    }

    /// Reads the cells of squares and applies a step.
    fn take<S: Step>(&mut self, from: &[f32], squares: Range<usize>, cells: impl Fn(usize) -> Cells) {
        let (channels, size) = (self.channels, Self::size(self.channels));
        let mut square = Square::empty();
        for (number, cells) in squares.map(cells).enumerate() {
            for channel in (0..channels).step_by(LANES) {
                for (to, row) in square.0.iter_mut().zip(&cells) {
                    match row {
                        Some(row) => to.copy_from_slice(&from[row * channels + channel..][..LANES]),
                        None => to.fill(0.0),
                    }
                }
                both_ways::<S>(&mut square);
                for place in 0..S::SIDE * S::SIDE {
                    let start = place * size + number * channels + channel;
                    self.numbers[start..start + LANES].copy_from_slice(&square.0[place]);
                }
            }
        }
    }

    /// Applies a step and adds to the cells of squares.
    fn give<S: Step>(&self, to: &mut [f32], squares: Range<usize>, cells: impl Fn(usize) -> Cells) {
        let (channels, size) = (self.channels, Self::size(self.channels));
        let mut square = Square::empty();
        for (number, cells) in squares.map(cells).enumerate() {
            for channel in (0..channels).step_by(LANES) {
                for (place, to) in square.0.iter_mut().take(S::SIDE * S::SIDE).enumerate() {
                    let start = place * size + number * channels + channel;
                    to.copy_from_slice(&self.numbers[start..start + LANES]);
                }
                both_ways::<S>(&mut square);
                for (from, row) in square.0.iter().zip(&cells) {
                    if let Some(row) = row {
                        let to = &mut to[row * channels + channel..][..LANES];
                        to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
                    }
                }
            }
        }
    }
}
