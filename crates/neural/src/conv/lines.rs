//! The steps of minimal filtering along a line: values to where polynomials are evaluated, products back to values, and the
//! transposes of both. Lines of six are evaluated at 0, ±1, ±2 and infinity, lines of eight at 0, ±1, ±2, ±½ and infinity.

use crate::lanes::LANES;

/// Cells along the longest line.
const LONGEST: usize = 8;

/// Numbers along a line; those beyond its length are not looked at.
type Line = [f32; LONGEST];

/// The cells of a square in sixteen channels, row by row; each cell fills a line of cache.
#[repr(align(64))]
pub(super) struct Square(pub [[f32; LANES]; LONGEST * LONGEST]);

impl Square {
    /// Nothing in any cell.
    pub fn empty() -> Self {
        Square([[0.0; LANES]; LONGEST * LONGEST])
    }
}

/// A step along a line.
pub(super) trait Step {
    /// Cells along the line.
    const SIDE: usize;
    fn line(line: Line) -> Line;
}

/// Applies a step to every row of a square, then to every column.
#[inline(always)]
pub(super) fn both_ways<S: Step>(square: &mut Square) {
    for i in 0..S::SIDE {
        along::<S>(square, i * S::SIDE, 1);
    }
    for j in 0..S::SIDE {
        along::<S>(square, j, S::SIDE);
    }
}

#[inline(always)]
fn along<S: Step>(square: &mut Square, first: usize, step: usize) {
    for lane in 0..LANES {
        let mut line = [0.0; LONGEST];
        for at in 0..S::SIDE {
            line[at] = square.0[first + at * step][lane];
        }
        let line = S::line(line);
        for at in 0..S::SIDE {
            square.0[first + at * step][lane] = line[at];
        }
    }
}

/// A way to filter: the steps for lines of one length.
pub(super) trait Filter {
    /// Where polynomials are evaluated, apart from infinity, and what divides them there.
    const POINTS: &'static [(f32, f32)];
    /// Values as the products want them, and the transpose of that.
    type Evaluate: Step;
    type EvaluateBack: Step;
    /// The first values from products, and the transpose of that.
    type Interpolate: Step;
    type InterpolateBack: Step;
}

/// Lines of six that give four.
pub(super) struct Six;
/// Lines of eight that give `OUT`, two or four.
pub(super) struct Eight<const OUT: usize>;

pub(super) struct Evaluate<const SIDE: usize>;
pub(super) struct EvaluateBack<const SIDE: usize>;
pub(super) struct Interpolate<const SIDE: usize, const OUT: usize>;
pub(super) struct InterpolateBack<const SIDE: usize, const OUT: usize>;

impl Filter for Six {
    const POINTS: &'static [(f32, f32)] = &[(0.0, 4.0), (1.0, -6.0), (-1.0, -6.0), (2.0, 24.0), (-2.0, 24.0)];
    type Evaluate = Evaluate<6>;
    type EvaluateBack = EvaluateBack<6>;
    type Interpolate = Interpolate<6, 4>;
    type InterpolateBack = InterpolateBack<6, 4>;
}

impl<const OUT: usize> Filter for Eight<OUT> {
    const POINTS: &'static [(f32, f32)] =
        &[(0.0, 1.0), (1.0, -4.5), (-1.0, -4.5), (2.0, 90.0), (-2.0, 90.0), (0.5, 1.40625), (-0.5, 1.40625)];
    type Evaluate = Evaluate<8>;
    type EvaluateBack = EvaluateBack<8>;
    type Interpolate = Interpolate<8, OUT>;
    type InterpolateBack = InterpolateBack<8, OUT>;
}

impl Step for Evaluate<6> {
    const SIDE: usize = 6;

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
            0.0,
            0.0,
        ]
    }
}

impl Step for EvaluateBack<6> {
    const SIDE: usize = 6;

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
            0.0,
            0.0,
        ]
    }
}

impl Step for Evaluate<8> {
    const SIDE: usize = 8;

    #[inline(always)]
    fn line(d: Line) -> Line {
        let (even, odd) = (d[2] + d[6] - 4.25 * d[4], d[1] + d[5] - 4.25 * d[3]);
        let (even2, odd2) = (d[6] + 0.25 * d[2] - 1.25 * d[4], 0.5 * d[1] - 2.5 * d[3] + 2.0 * d[5]);
        let (even3, odd3) = (d[6] + 4.0 * d[2] - 5.0 * d[4], 2.0 * d[1] - 2.5 * d[3] + 0.5 * d[5]);
        [
            d[0] - d[6] + 5.25 * (d[4] - d[2]),
            even + odd,
            even - odd,
            even2 + odd2,
            even2 - odd2,
            even3 + odd3,
            even3 - odd3,
            d[7] - d[1] + 5.25 * (d[3] - d[5]),
        ]
    }
}

impl Step for EvaluateBack<8> {
    const SIDE: usize = 8;

    #[inline(always)]
    fn line(v: Line) -> Line {
        let (sum, difference) = (v[1] + v[2], v[1] - v[2]);
        let (sum2, difference2) = (v[3] + v[4], v[3] - v[4]);
        let (sum3, difference3) = (v[5] + v[6], v[5] - v[6]);
        [
            v[0],
            difference + 0.5 * difference2 + 2.0 * difference3 - v[7],
            sum + 0.25 * sum2 + 4.0 * sum3 - 5.25 * v[0],
            5.25 * v[7] - 4.25 * difference - 2.5 * (difference2 + difference3),
            5.25 * v[0] - 4.25 * sum - 1.25 * sum2 - 5.0 * sum3,
            difference + 2.0 * difference2 + 0.5 * difference3 - 5.25 * v[7],
            sum + sum2 + sum3 - v[0],
            v[7],
        ]
    }
}

/// Sums and differences of what is at a point and its opposite.
#[inline(always)]
fn pairs<const SIDE: usize>(m: Line) -> ([f32; 3], [f32; 3]) {
    let third = if SIDE == 8 { [m[5] + m[6], m[5] - m[6]] } else { [0.0; 2] };
    ([m[1] + m[2], m[3] + m[4], third[0]], [m[1] - m[2], m[3] - m[4], third[1]])
}

impl<const SIDE: usize, const OUT: usize> Step for Interpolate<SIDE, OUT> {
    const SIDE: usize = SIDE;

    #[inline(always)]
    fn line(m: Line) -> Line {
        let (sums, differences) = pairs::<SIDE>(m);
        let mut values = [0.0; LONGEST];
        values[0] = m[0] + sums[0] + sums[1] + sums[2];
        values[1] = differences[0] + 2.0 * differences[1] + 0.5 * differences[2];
        if OUT == 4 {
            values[2] = sums[0] + 4.0 * sums[1] + 0.25 * sums[2];
            values[3] = differences[0] + 8.0 * differences[1] + 0.125 * differences[2];
        }
        values[OUT - 1] += m[SIDE - 1];
        values
    }
}

impl<const SIDE: usize, const OUT: usize> Step for InterpolateBack<SIDE, OUT> {
    const SIDE: usize = SIDE;

    #[inline(always)]
    fn line(y: Line) -> Line {
        let (y2, y3) = if OUT == 4 { (y[2], y[3]) } else { (0.0, 0.0) };
        let (even, odd) = (y[0] + y2, y[1] + y3);
        let (even2, odd2) = (y[0] + 4.0 * y2, 2.0 * y[1] + 8.0 * y3);
        let (even3, odd3) = (y[0] + 0.25 * y2, 0.5 * y[1] + 0.125 * y3);
        let mut values = [y[0], even + odd, even - odd, even2 + odd2, even2 - odd2, even3 + odd3, even3 - odd3, 0.0];
        values[SIDE - 1] = y[OUT - 1];
        values
    }
}
