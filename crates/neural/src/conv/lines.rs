//! The steps of minimal filtering along a line of six: values to where polynomials are evaluated (0, 1, −1, 2, −2, infinity),
//! products back to values, and the transposes of both.

use crate::lanes::LANES;

/// Cells across a square that goes in.
pub(super) const SIDE: usize = 6;
/// Cells of a square.
pub(super) const PLACES: usize = SIDE * SIDE;

/// Six numbers along a line.
type Line = [f32; SIDE];

/// The cells of a square in sixteen channels.
pub(super) type Square = [[f32; LANES]; PLACES];

/// A step along a line.
pub(super) trait Step {
    fn line(line: Line) -> Line;
}

/// Applies a step to every row of a square, then to every column.
#[inline(always)]
pub(super) fn both_ways<S: Step>(square: &mut Square) {
    for i in 0..SIDE {
        along::<S>(square, i * SIDE, 1);
    }
    for j in 0..SIDE {
        along::<S>(square, j, SIDE);
    }
}

#[inline(always)]
fn along<S: Step>(square: &mut Square, first: usize, step: usize) {
    for lane in 0..LANES {
        let line = S::line(std::array::from_fn(|at| square[first + at * step][lane]));
        for at in 0..SIDE {
            square[first + at * step][lane] = line[at];
        }
    }
}

/// Values as the products want them.
pub(super) struct Evaluate;

impl Step for Evaluate {
    #[inline(always)]
    fn line(d: Line) -> Line {
        let (even, odd) = (d[4] - 4.0 * d[2], d[3] - 4.0 * d[1]);
        let (even2, odd2) = (d[4] - d[2], 2.0 * (d[3] - d[1]));
        [
            4.0 * d[0] - 5.0 * d[2] + d[4],
            even + odd,
            even - odd,
            even2 + odd2,
            even2 - odd2,
            4.0 * d[1] - 5.0 * d[3] + d[5],
        ]
    }
}

/// The transpose of [`Evaluate`].
pub(super) struct EvaluateBack;

impl Step for EvaluateBack {
    #[inline(always)]
    fn line(v: Line) -> Line {
        let (sum, difference) = (v[1] + v[2], v[1] - v[2]);
        let (sum2, difference2) = (v[3] + v[4], v[3] - v[4]);
        [
            4.0 * v[0],
            4.0 * (v[5] - difference) - 2.0 * difference2,
            -5.0 * v[0] - 4.0 * sum - sum2,
            difference + 2.0 * difference2 - 5.0 * v[5],
            v[0] + sum + sum2,
            v[5],
        ]
    }
}

/// The first `OUT` values (two or four) from six products; the rest is nothing.
pub(super) struct Interpolate<const OUT: usize>;

impl<const OUT: usize> Step for Interpolate<OUT> {
    #[inline(always)]
    fn line(m: Line) -> Line {
        let (sum, difference) = (m[1] + m[2], m[1] - m[2]);
        let (sum2, difference2) = (m[3] + m[4], m[3] - m[4]);
        let mut values = [0.0; SIDE];
        values[0] = m[0] + sum + sum2;
        values[1] = difference + 2.0 * difference2;
        if OUT == 4 {
            values[2] = sum + 4.0 * sum2;
            values[3] = difference + 8.0 * difference2;
        }
        values[OUT - 1] += m[5];
        values
    }
}

/// The transpose of [`Interpolate`].
pub(super) struct InterpolateBack<const OUT: usize>;

impl<const OUT: usize> Step for InterpolateBack<OUT> {
    #[inline(always)]
    fn line(y: Line) -> Line {
        let (mut even, mut odd) = (y[0], y[1]);
        let (mut even2, mut odd2) = (y[0], 2.0 * y[1]);
        if OUT == 4 {
            (even, odd) = (even + y[2], odd + y[3]);
            (even2, odd2) = (even2 + 4.0 * y[2], odd2 + 8.0 * y[3]);
        }
        [y[0], even + odd, even - odd, even2 + odd2, even2 - odd2, y[OUT - 1]]
    }
}
