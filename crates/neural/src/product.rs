//! Products of small matrices without packing: a register-blocked kernel of six rows by up to 64 columns (Goto & van de
//! Geijn 2008).

use crate::lanes::{LANES, Lanes};

/// Rows of a register block.
const ROWS: usize = 6;
/// Vectors per row of a register block.
const VECTORS: usize = 4;
/// Rows of the right operand per block; they fit into the L1 cache.
const DEPTH: usize = 64;

/// The left operand: element (i, k) is at `i · row + k · step`. Strides allow transposed and overlapping matrices.
#[derive(Clone, Copy)]
pub(crate) struct Left<'a> {
    pub data: &'a [f32],
    pub row: usize,
    pub step: usize,
}

impl<'a> Left<'a> {
    /// A row-major matrix.
    pub fn rows(data: &'a [f32], width: usize) -> Self {
        Left { data, row: width, step: 1 }
    }

    /// The transpose of a row-major matrix of the given width.
    pub fn transposed(data: &'a [f32], width: usize) -> Self {
        Left { data, row: 1, step: width }
    }

    fn from(self, row: usize, step: usize) -> Self {
        Left { data: &self.data[row * self.row + step * self.step..], ..self }
    }
}

/// Adds `left · right` to `sums`. `shape` is rows, inner dimension, columns. The right operand and the sums are row-major.
pub(crate) fn add_product(shape: [usize; 3], left: Left<'_>, right: &[f32], sums: &mut [f32]) {
    let [rows, terms, columns] = shape;
    assert!(right.len() >= terms * columns && sums.len() >= rows * columns, "operands match the shape");
    if rows == 0 || terms == 0 {
        return;
    }
    let whole = columns / LANES * LANES;
    for first in (0..terms).step_by(DEPTH) {
        let terms = DEPTH.min(terms - first);
        let (left, right) = (left.from(0, first), &right[first * columns..]);
        for column in (0..whole).step_by(VECTORS * LANES) {
            let panel = Panel { terms, right: &right[column..], columns };
            let sums = &mut sums[column..];
            match ((whole - column) / LANES).min(VECTORS) {
                4 => panel.add_rows::<4>(rows, left, sums),
                3 => panel.add_rows::<3>(rows, left, sums),
                2 => panel.add_rows::<2>(rows, left, sums),
                _ => panel.add_rows::<1>(rows, left, sums),
            }
        }
    }
    for column in whole..columns {
        let picked: Vec<f32> = right.iter().skip(column).step_by(columns.max(1)).take(terms).copied().collect();
        for row in 0..rows {
            sums[row * columns + column] += dot(left.from(row, 0), &picked);
        }
    }
}

/// A panel of columns of the right operand.
struct Panel<'a> {
    terms: usize,
    right: &'a [f32],
    columns: usize,
}

impl Panel<'_> {
    fn add_rows<const V: usize>(&self, rows: usize, left: Left<'_>, sums: &mut [f32]) {
        let whole = rows / ROWS * ROWS;
        for row in (0..whole).step_by(ROWS) {
            self.add_tile::<ROWS, V>(left.from(row, 0), &mut sums[row * self.columns..]);
        }
        for row in whole..rows {
            self.add_tile::<1, V>(left.from(row, 0), &mut sums[row * self.columns..]);
        }
    }

    fn add_tile<const R: usize, const V: usize>(&self, left: Left<'_>, sums: &mut [f32]) {
        let mut tile = [[Lanes::default(); V]; R];
        for r in 0..R {
            for v in 0..V {
                tile[r][v] = Lanes::load(&sums[r * self.columns + v * LANES..]);
            }
        }
        assert!(
            left.data.len() > (R - 1) * left.row + (self.terms - 1) * left.step,
            "the left operand matches the shape"
        );
        for term in 0..self.terms {
            let right = &self.right[term * self.columns..][..V * LANES];
            let right: [Lanes; V] = std::array::from_fn(|v| Lanes::load(&right[v * LANES..]));
            for r in 0..R {
                // SAFETY: the largest index is that of the last row and term, which the assertion above covers.
                let factor = unsafe { *left.data.get_unchecked(r * left.row + term * left.step) };
                for v in 0..V {
                    tile[r][v] = tile[r][v].plus(factor, right[v]);
                }
            }
        }
        for r in 0..R {
            for v in 0..V {
                tile[r][v].store(&mut sums[r * self.columns + v * LANES..]);
            }
        }
    }
}

fn dot(left: Left<'_>, right: &[f32]) -> f32 {
    if left.step != 1 {
        return right.iter().enumerate().map(|(term, right)| left.data[term * left.step] * right).sum();
    }
    let left = &left.data[..right.len()];
    let mut sums = [Lanes::default(); 4];
    let (lefts, rights) = (left.chunks_exact(4 * LANES), right.chunks_exact(4 * LANES));
    let rest: f32 = lefts.remainder().iter().zip(rights.remainder()).map(|(a, b)| a * b).sum();
    for (left, right) in lefts.zip(rights) {
        for (v, sum) in sums.iter_mut().enumerate() {
            *sum = sum.plus_products(Lanes::load(&left[v * LANES..]), Lanes::load(&right[v * LANES..]));
        }
    }
    (sums[0] + sums[1] + (sums[2] + sums[3])).sum() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn sums_grow_by_the_product_of_any_shape_and_layout() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut numbers = |count: usize| (0..count).map(|_| rng.random_range(-1.0..1.0)).collect::<Vec<f32>>();
        for [rows, terms, columns] in [[1, 1, 1], [6, 3, 16], [7, 70, 35], [13, 130, 64], [4, 9, 150], [2, 80, 1]] {
            let (a, b, start) = (numbers(rows * terms), numbers(terms * columns), numbers(rows * columns));
            for left in [Left::rows(&a, terms), Left::transposed(&a, rows)] {
                let mut sums = start.clone();
                add_product([rows, terms, columns], left, &b, &mut sums);
                for (at, have) in sums.iter().enumerate() {
                    let (row, column) = (at / columns, at % columns);
                    let term = |k: usize| left.data[row * left.row + k * left.step] * b[k * columns + column];
                    let want = start[at] + (0..terms).map(term).sum::<f32>();
                    assert!((have - want).abs() < 1e-4, "{rows} {terms} {columns}: {have} {want}");
                }
            }
        }
    }
}
