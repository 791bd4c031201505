//! Layout of the weights of a policy network in one vector.

use super::point_graph::TAPS;
use super::{BLOCKS, Units, WIDTH};
use crate::engine::net::CHANNELS;

/// Input layer: features to units, and its bias.
pub(super) const LIFT: usize = 0;
pub(super) const LIFT_B: usize = LIFT + CHANNELS * WIDTH;
const FIRST_BLOCK: usize = LIFT_B + WIDTH;

/// Within a block: depthwise convolution, its bias, global pooling, channel mixing, its bias.
pub(super) const STAR_W: usize = 0;
pub(super) const STAR_B: usize = STAR_W + TAPS * WIDTH;
pub(super) const POOL: usize = STAR_B + WIDTH;
pub(super) const MIX: usize = POOL + WIDTH * WIDTH;
pub(super) const MIX_B: usize = MIX + WIDTH * WIDTH;
const BLOCK: usize = MIX_B + WIDTH;

/// Output weights of the units, and the weight of the pattern prior.
pub(super) const OUT: usize = FIRST_BLOCK + BLOCKS * BLOCK;
pub(super) const PRIOR_WEIGHT: usize = OUT + WIDTH;
pub(super) const DENSE: usize = PRIOR_WEIGHT + 1;

/// Offset of a block.
pub(super) fn block_place(block: usize) -> usize {
    FIRST_BLOCK + block * BLOCK
}

/// `count` rows of weights from an offset.
pub(super) fn rows(dense: &[f32], place: usize, count: usize) -> &[Units] {
    dense[place..place + count * WIDTH].as_chunks().0
}

/// The same, mutable.
pub(super) fn rows_mut(dense: &mut [f32], place: usize, count: usize) -> &mut [Units] {
    dense[place..place + count * WIDTH].as_chunks_mut().0
}

/// One row of weights.
pub(super) fn row(dense: &[f32], place: usize) -> Units {
    rows(dense, place, 1)[0]
}
