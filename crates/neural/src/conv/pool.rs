//! Max pooling of boards.

use super::BoardShape;
use crate::matrix::Matrix;

/// 2×2 max pooling: the largest value of each channel and the row it came from. Pools at the far edges may hold fewer
/// cells. [`crate::max_pool_back`] propagates gradients.
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

    const SHAPE: BoardShape = BoardShape { height: 3, width: 5 };

    #[test]
    fn squares_pool_to_their_largest_value() {
        let x = Matrix::new(15, 1, (0..15).map(|v| v as f32).collect());
        let (pooled, from) = pool_squares(&x, SHAPE);
        assert_eq!(pooled.data, [6.0, 8.0, 9.0, 11.0, 13.0, 14.0]);
        assert_eq!(from, [6, 8, 9, 11, 13, 14]);
    }
}
