//! The one-dimensional Winograd transforms (Lavin & Gray 2016): input transform Bᵀ, output transform Aᵀ, and their
//! transposes. Tiles of side 6 use the points 0, ±1, ±2 and infinity, tiles of side 8 also ±½.

use crate::lanes::LANES;

/// Largest side of a tile.
const LONGEST: usize = 8;

/// Values along a row or column. Values beyond the tile's side are ignored.
type Line = [f32; LONGEST];

/// The cells of a tile in sixteen channels, row by row. Each cell fills one cache line.
#[repr(align(64))]
pub(super) struct Tile(pub [[f32; LANES]; LONGEST * LONGEST]);

impl Tile {
    /// A tile of zeros.
    pub fn empty() -> Self {
        Tile([[0.0; LANES]; LONGEST * LONGEST])
    }
}

/// A transform of a row or column.
pub(super) trait Transform {
    /// Side of the tile.
    const SIDE: usize;
    fn line(line: Line) -> Line;
}

/// Applies a transform to every row of a tile, then to every column.
#[inline(always)]
pub(super) fn transform_2d<S: Transform>(tile: &mut Tile) {
    for i in 0..S::SIDE {
        along::<S>(tile, i * S::SIDE, 1);
    }
    for j in 0..S::SIDE {
        along::<S>(tile, j, S::SIDE);
    }
}

#[inline(always)]
fn along<S: Transform>(tile: &mut Tile, first: usize, step: usize) {
    for lane in 0..LANES {
        let mut line = [0.0; LONGEST];
        for at in 0..S::SIDE {
            line[at] = tile.0[first + at * step][lane];
        }
        let line = S::line(line);
        for at in 0..S::SIDE {
            tile.0[first + at * step][lane] = line[at];
        }
    }
}

/// A tile size with its transforms.
pub(super) trait TileSize {
    /// The finite points with their divisors.
    const POINTS: &'static [(f32, f32)];
    /// Input transform Bᵀ and its transpose.
    type InputTransform: Transform;
    type InputTransposed: Transform;
    /// Output transform Aᵀ and its transpose.
    type OutputTransform: Transform;
    type OutputTransposed: Transform;
}

/// F(4, 3): tiles of side 6 with outputs of side 4.
pub(super) struct F4x3;
/// Tiles of side 8 with outputs of side `OUT`, 2 or 4.
pub(super) struct Side8<const OUT: usize>;

pub(super) struct InputTransform<const SIDE: usize>;
pub(super) struct InputTransposed<const SIDE: usize>;
pub(super) struct OutputTransform<const SIDE: usize, const OUT: usize>;
pub(super) struct OutputTransposed<const SIDE: usize, const OUT: usize>;

impl TileSize for F4x3 {
    const POINTS: &'static [(f32, f32)] = &[(0.0, 4.0), (1.0, -6.0), (-1.0, -6.0), (2.0, 24.0), (-2.0, 24.0)];
    type InputTransform = InputTransform<6>;
    type InputTransposed = InputTransposed<6>;
    type OutputTransform = OutputTransform<6, 4>;
    type OutputTransposed = OutputTransposed<6, 4>;
}

impl<const OUT: usize> TileSize for Side8<OUT> {
    const POINTS: &'static [(f32, f32)] =
        &[(0.0, 1.0), (1.0, -4.5), (-1.0, -4.5), (2.0, 90.0), (-2.0, 90.0), (0.5, 1.40625), (-0.5, 1.40625)];
    type InputTransform = InputTransform<8>;
    type InputTransposed = InputTransposed<8>;
    type OutputTransform = OutputTransform<8, OUT>;
    type OutputTransposed = OutputTransposed<8, OUT>;
}

impl Transform for InputTransform<6> {
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

impl Transform for InputTransposed<6> {
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

impl Transform for InputTransform<8> {
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

impl Transform for InputTransposed<8> {
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

/// Sums and differences of the values at each point and its negative.
#[inline(always)]
fn pairs<const SIDE: usize>(m: Line) -> ([f32; 3], [f32; 3]) {
    let third = if SIDE == 8 { [m[5] + m[6], m[5] - m[6]] } else { [0.0; 2] };
    ([m[1] + m[2], m[3] + m[4], third[0]], [m[1] - m[2], m[3] - m[4], third[1]])
}

impl<const SIDE: usize, const OUT: usize> Transform for OutputTransform<SIDE, OUT> {
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

impl<const SIDE: usize, const OUT: usize> Transform for OutputTransposed<SIDE, OUT> {
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
