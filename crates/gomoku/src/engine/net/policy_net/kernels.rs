//! Matrix products and convolutions over rows of units, a few rows at a time so that sums stay in registers.

use super::point_graph::{PointGraph, TAPS, opposite};
use super::{Units, WIDTH};

/// `a * b + c`, fused where the target has the instruction.
#[inline(always)]
fn fused(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn add_scaled<const O: usize>(sum: &mut [f32; O], scale: f32, row: &[f32; O]) {
    for o in 0..O {
        sum[o] = fused(scale, row[o], sum[o]);
    }
}

#[inline(always)]
pub(super) fn add_row(sum: &mut Units, row: &Units) {
    for o in 0..WIDTH {
        sum[o] += row[o];
    }
}

/// ReLU.
#[inline(always)]
pub(super) fn rectified(units: &Units) -> Units {
    units.map(|unit| unit.max(0.0))
}

pub(super) fn dot(a: &Units, b: &Units) -> f32 {
    let mut sums = [0f32; 16];
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        sums[i % 16] += a * b;
    }
    sums.iter().sum()
}

pub(super) fn sum_rows(rows: &[Units]) -> Units {
    let mut sum = [0.0; WIDTH];
    rows.iter().for_each(|row| add_row(&mut sum, row));
    sum
}

/// Rows of a matrix that are multiplied at once.
const AT_ONCE: usize = 4;

/// Adds to each row of `out` the same row of `input` times the matrix.
pub(super) fn multiply<const I: usize, const O: usize>(input: &[[f32; I]], matrix: &[[f32; O]], out: &mut [[f32; O]]) {
    assert!(matrix.len() == I && input.len() == out.len());
    let (inputs, input_rest) = input.as_chunks::<AT_ONCE>();
    let (outs, out_rest) = out.as_chunks_mut::<AT_ONCE>();
    for (input, out) in inputs.iter().zip(outs) {
        let mut sums = *out;
        for (i, row) in matrix.iter().enumerate().take(I) {
            for n in 0..AT_ONCE {
                add_scaled(&mut sums[n], input[n][i], row);
            }
        }
        *out = sums;
    }
    for (input, out) in input_rest.iter().zip(out_rest) {
        for (&scale, row) in input.iter().zip(matrix) {
            add_scaled(out, scale, row);
        }
    }
}

/// Adds to the gradient of a matrix: the sum over rows of each unit of `input` times the row of `gradient`.
pub(super) fn outer<const I: usize, const O: usize>(
    input: &[[f32; I]],
    gradient: &[[f32; O]],
    matrix: &mut [[f32; O]],
) {
    assert!(matrix.len() == I && I.is_multiple_of(AT_ONCE) && input.len() == gradient.len());
    for (group, out) in matrix.as_chunks_mut::<AT_ONCE>().0.iter_mut().enumerate() {
        let mut sums = *out;
        for (input, row) in input.iter().zip(gradient) {
            let scales = &input[group * AT_ONCE..][..AT_ONCE];
            for n in 0..AT_ONCE {
                add_scaled(&mut sums[n], scales[n], row);
            }
        }
        *out = sums;
    }
}

#[inline(always)]
fn add_product(sum: &mut Units, a: &Units, b: &Units) {
    for c in 0..WIDTH {
        sum[c] = fused(a[c], b[c], sum[c]);
    }
}

/// Depthwise convolution: for each node the sum over its neighbours of units times tap weights, from `start`. `units`
/// end
/// with a row of zeros.
pub(super) fn convolve(graph: &PointGraph, units: &[Units], weights: &[Units], start: &Units, out: &mut Vec<Units>) {
    let weights: &[Units; TAPS] = weights.try_into().expect("one row for each tap");
    out.clear();
    let (groups, rest) = graph.stars.as_chunks::<AT_ONCE>();
    for stars in groups {
        out.extend(convolve_some(stars, units, weights, start));
    }
    for star in rest {
        out.extend(convolve_some(&[*star], units, weights, start));
    }
}

/// The same for a few nodes, so that weights are loaded once for all of them.
#[inline(always)]
fn convolve_some<const N: usize>(
    stars: &[[u16; TAPS]; N],
    units: &[Units],
    weights: &[Units; TAPS],
    start: &Units,
) -> [Units; N] {
    let mut sums = [*start; N];
    for (k, weights) in weights.iter().enumerate() {
        for n in 0..N {
            add_product(&mut sums[n], weights, &units[usize::from(stars[n][k])]);
        }
    }
    sums
}

/// Backward pass of the convolution with respect to units (`gradient` ends with a row of zeros).
pub(super) fn convolve_back(
    graph: &PointGraph,
    gradient: &[Units],
    weights: &[Units],
    start: &Units,
    out: &mut Vec<Units>,
) {
    let turned: [Units; TAPS] = std::array::from_fn(|k| weights[opposite(k)]);
    convolve(graph, gradient, &turned, start, out);
}

/// Backward pass of the convolution with respect to weights.
pub(super) fn outer_star(graph: &PointGraph, units: &[Units], gradient: &[Units], weights: &mut [Units]) {
    let (groups, rest) = weights.as_chunks_mut::<AT_ONCE>();
    let grouped = groups.len() * AT_ONCE;
    for (group, sums) in groups.iter_mut().enumerate() {
        outer_taps(graph, group * AT_ONCE, units, gradient, sums);
    }
    for (n, sum) in rest.iter_mut().enumerate() {
        outer_taps(graph, grouped + n, units, gradient, std::array::from_mut(sum));
    }
}

/// The same for a few taps from `first` on, so that gradients are loaded once for all of them.
#[inline(always)]
fn outer_taps<const N: usize>(
    graph: &PointGraph,
    first: usize,
    units: &[Units],
    gradient: &[Units],
    weights: &mut [Units; N],
) {
    let mut sums = *weights;
    for (star, row) in graph.stars.iter().zip(gradient) {
        for n in 0..N {
            add_product(&mut sums[n], row, &units[usize::from(star[first + n])]);
        }
    }
    *weights = sums;
}

/// The transpose of a matrix.
pub(super) fn transposed<const I: usize, const O: usize>(matrix: &[[f32; O]]) -> [[f32; I]; O] {
    std::array::from_fn(|o| std::array::from_fn(|i| matrix[i][o]))
}
