//! Winograd convolution (Lavin & Gray 2016): F(4×4, 3×3) on 6×6 tiles, F(4×4, 5×5) and F(2×2, 7×7) on 8×8 tiles. Products
//! of 36 or 64 small matrices replace the sum over the kernel: 2.25, 4 and 16 multiplications per cell and pair of
//! channels instead of 9, 25 and 49.
//!
//! The backward pass is the exact transpose of the forward pass.

use std::ops::Range;

use super::BoardShape;
use super::winograd_transforms::{F4x3, Side8, Tile, TileSize, Transform, transform_2d};
use crate::lanes::LANES;
use crate::product::{Left, add_product};

/// Tiles per batch: they fit into the L2 cache and fill whole blocks of the matrix product.
const BATCH: usize = 48;
/// Row of each cell of a tile; `None` outside the board.
type Cells = Vec<Option<usize>>;

/// A Winograd convolution of given shape, kernel and channels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Winograd {
    shape: BoardShape,
    kernel: usize,
    inputs: usize,
    outputs: usize,
}

impl Winograd {
    /// Supports kernels of side 3, 5 and 7 whose channel counts are multiples of the vector width.
    pub fn new(shape: BoardShape, kernel: usize, [inputs, outputs]: [usize; 2]) -> Option<Self> {
        let fits = [3, 5, 7].contains(&kernel) && inputs.is_multiple_of(LANES) && outputs.is_multiple_of(LANES);
        fits.then_some(Winograd { shape, kernel, inputs, outputs })
    }

    /// Side of an input tile in cells.
    fn side(self) -> usize {
        if self.kernel == 3 { 6 } else { 8 }
    }

    /// Side of an output tile in cells.
    fn out_side(self) -> usize {
        self.side() + 1 - self.kernel
    }

    fn tiles(self, rows: usize) -> usize {
        let side = self.out_side();
        rows / self.shape.cells() * self.shape.height.div_ceil(side) * self.shape.width.div_ceil(side)
    }

    /// Rows of the cells of a tile: `side` cells across, shifted by `before` cells to the left and up.
    fn cells(self, tile: usize, side: usize, before: usize) -> Cells {
        let out = self.out_side();
        let across = self.shape.width.div_ceil(out);
        let of_board = across * self.shape.height.div_ceil(out);
        let (board, tile) = (tile / of_board, tile % of_board);
        let (top, left) = (tile / across * out, tile % across * out);
        let row = |place: usize| {
            let (down, right) = (place / self.side(), place % self.side());
            let (y, x) = (top + down, left + right);
            let on = |at: usize, size: usize| (before..size + before).contains(&at);
            (down < side && right < side && on(y, self.shape.height) && on(x, self.shape.width))
                .then(|| (board * self.shape.height + y - before) * self.shape.width + x - before)
        };
        (0..self.side().pow(2)).map(row).collect()
    }

    fn input_cells(self, tile: usize) -> Cells {
        self.cells(tile, self.side(), self.kernel / 2)
    }

    fn output_cells(self, tile: usize) -> Cells {
        self.cells(tile, self.out_side(), 0)
    }

    /// The transformed weights: one matrix (inputs × outputs) per pair of points.
    fn transform_weights<F: TileSize>(self, weight: &[f32]) -> Vec<f32> {
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

    /// Adds the transpose of [`Winograd::transform_weights`] to the gradient of the weights.
    fn add_gradient<F: TileSize>(self, evaluated: &[f32], gradient: &mut [f32]) {
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
            3 => self.forward_by::<F4x3>(weight, x, y),
            5 => self.forward_by::<Side8<4>>(weight, x, y),
            _ => self.forward_by::<Side8<2>>(weight, x, y),
        }
    }

    /// Adds to the gradients of the weights and of the input.
    pub fn backward(self, weight: &[f32], x: &[f32], dy: &[f32], gradient: &mut [f32], dx: &mut [f32]) {
        match self.kernel {
            3 => self.backward_by::<F4x3>(weight, x, dy, gradient, dx),
            5 => self.backward_by::<Side8<4>>(weight, x, dy, gradient, dx),
            _ => self.backward_by::<Side8<2>>(weight, x, dy, gradient, dx),
        }
    }

    fn forward_by<F: TileSize>(self, weight: &[f32], x: &[f32], y: &mut [f32]) {
        let weight = self.transform_weights::<F>(weight);
        let (mut values, mut products) =
            (Planes::new(self.side(), self.inputs), Planes::new(self.side(), self.outputs));
        for tiles in self.parts(x) {
            values.gather::<F::InputTransform>(x, tiles.clone(), |tile| self.input_cells(tile));
            products.numbers.fill(0.0);
            for (place, weight) in weight.chunks_exact(self.inputs * self.outputs).enumerate() {
                let left = Left::rows(values.plane(place), self.inputs);
                add_product([tiles.len(), self.inputs, self.outputs], left, weight, products.plane_mut(place));
            }
            products.scatter::<F::OutputTransform>(y, tiles, |tile| self.output_cells(tile));
        }
    }

    fn backward_by<F: TileSize>(self, weight: &[f32], x: &[f32], dy: &[f32], gradient: &mut [f32], dx: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        let turned = self.transposed(&self.transform_weights::<F>(weight));
        let mut evaluated = vec![0.0; turned.len()];
        let (mut values, mut slopes) = (Planes::new(self.side(), inputs), Planes::new(self.side(), outputs));
        for tiles in self.parts(x) {
            values.gather::<F::InputTransform>(x, tiles.clone(), |tile| self.input_cells(tile));
            slopes.gather::<F::OutputTransposed>(dy, tiles.clone(), |tile| self.output_cells(tile));
            let matrices = turned.chunks_exact(inputs * outputs).zip(evaluated.chunks_exact_mut(inputs * outputs));
            for (place, (turned, evaluated)) in matrices.enumerate() {
                let left = Left::transposed(values.plane(place), inputs);
                add_product([inputs, tiles.len(), outputs], left, slopes.plane(place), evaluated);
                values.plane_mut(place).fill(0.0);
                let left = Left::rows(slopes.plane(place), outputs);
                add_product([tiles.len(), outputs, inputs], left, turned, values.plane_mut(place));
            }
            values.scatter::<F::InputTransposed>(dx, tiles, |tile| self.input_cells(tile));
        }
        self.add_gradient::<F>(&evaluated, gradient);
    }

    /// The tiles of all boards in batches.
    fn parts(self, x: &[f32]) -> impl Iterator<Item = Range<usize>> {
        let tiles = self.tiles(x.len() / self.inputs);
        (0..tiles).step_by(BATCH).map(move |start| start..(start + BATCH).min(tiles))
    }

    /// Transposes each matrix.
    fn transposed(self, matrices: &[f32]) -> Vec<f32> {
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

/// The weight transform G: powers of the points, scaled. The point at infinity takes the last weight.
fn factors<F: TileSize>(kernel: usize) -> Vec<Vec<f32>> {
    let powers = |&(point, divisor): &(f32, f32)| (0..kernel).map(|k| point.powi(k as i32) / divisor).collect();
    let last = (0..kernel).map(|k| f32::from(u8::from(k + 1 == kernel))).collect();
    F::POINTS.iter().map(powers).chain([last]).collect()
}

/// Adds a multiple of one matrix of `from` to one of `to`. Matrices have `size` values.
fn add_scaled(to: &mut [f32], to_number: usize, factor: f32, from: &[f32], from_number: usize, size: usize) {
    if factor != 0.0 {
        let (to, from) = (&mut to[to_number * size..][..size], &from[from_number * size..][..size]);
        to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
    }
}

/// The values of a batch of tiles: per position of a tile a matrix of tiles × channels.
struct Planes {
    channels: usize,
    numbers: Vec<f32>,
}

impl Planes {
    fn new(side: usize, channels: usize) -> Self {
        Planes { channels, numbers: vec![0.0; side * side * Self::size(channels)] }
    }

    /// Values from one plane to the next. One vector of padding avoids cache-set conflicts.
    fn size(channels: usize) -> usize {
        BATCH * channels + LANES
    }

    fn plane(&self, place: usize) -> &[f32] {
        &self.numbers[place * Self::size(self.channels)..][..BATCH * self.channels]
    }

    fn plane_mut(&mut self, place: usize) -> &mut [f32] {
        &mut self.numbers[place * Self::size(self.channels)..][..BATCH * self.channels]
    }

    /// Gathers tiles and applies a transform.
    fn gather<S: Transform>(&mut self, from: &[f32], tiles: Range<usize>, cells: impl Fn(usize) -> Cells) {
        let (channels, size) = (self.channels, Self::size(self.channels));
        let mut tile = Tile::empty();
        for (number, cells) in tiles.map(cells).enumerate() {
            for channel in (0..channels).step_by(LANES) {
                for (to, row) in tile.0.iter_mut().zip(&cells) {
                    match row {
                        Some(row) => to.copy_from_slice(&from[row * channels + channel..][..LANES]),
                        None => to.fill(0.0),
                    }
                }
                transform_2d::<S>(&mut tile);
                for place in 0..S::SIDE * S::SIDE {
                    let start = place * size + number * channels + channel;
                    self.numbers[start..start + LANES].copy_from_slice(&tile.0[place]);
                }
            }
        }
    }

    /// Applies a transform and adds the tiles to their cells.
    fn scatter<S: Transform>(&self, to: &mut [f32], tiles: Range<usize>, cells: impl Fn(usize) -> Cells) {
        let (channels, size) = (self.channels, Self::size(self.channels));
        let mut tile = Tile::empty();
        for (number, cells) in tiles.map(cells).enumerate() {
            for channel in (0..channels).step_by(LANES) {
                for (place, to) in tile.0.iter_mut().take(S::SIDE * S::SIDE).enumerate() {
                    let start = place * size + number * channels + channel;
                    to.copy_from_slice(&self.numbers[start..start + LANES]);
                }
                transform_2d::<S>(&mut tile);
                for (from, row) in tile.0.iter().zip(&cells) {
                    if let Some(row) = row {
                        let to = &mut to[row * channels + channel..][..LANES];
                        to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
                    }
                }
            }
        }
    }
}
