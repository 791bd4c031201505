//! Where the weights of a reader stand in one vector.

use super::ground::TAPS;
use super::{BLOCKS, Units, WIDTH};
use crate::net::CHANNELS;

/// Features to units, and what those start from.
pub(super) const LIFT: usize = 0;
pub(super) const LIFT_B: usize = LIFT + CHANNELS * WIDTH;
const FIRST_BLOCK: usize = LIFT_B + WIDTH;

/// Within a block: the convolution over a star, its bias, what it hears of all points, the mixing of units, its bias.
pub(super) const STAR_W: usize = 0;
pub(super) const STAR_B: usize = STAR_W + TAPS * WIDTH;
pub(super) const POOL: usize = STAR_B + WIDTH;
pub(super) const MIX: usize = POOL + WIDTH * WIDTH;
pub(super) const MIX_B: usize = MIX + WIDTH * WIDTH;
const BLOCK: usize = MIX_B + WIDTH;

/// What units say of a move, and how much the patterns' urgency counts.
pub(super) const OUT: usize = FIRST_BLOCK + BLOCKS * BLOCK;
pub(super) const TRUST: usize = OUT + WIDTH;
pub(super) const DENSE: usize = TRUST + 1;

/// Where a block begins.
pub(super) fn block_place(block: usize) -> usize {
    FIRST_BLOCK + block * BLOCK
}

/// `count` rows of weights from a place.
pub(super) fn rows(dense: &[f32], place: usize, count: usize) -> &[Units] {
    dense[place..place + count * WIDTH].as_chunks().0
}

/// The same to be changed.
pub(super) fn rows_mut(dense: &mut [f32], place: usize, count: usize) -> &mut [Units] {
    dense[place..place + count * WIDTH].as_chunks_mut().0
}

/// One row of weights.
pub(super) fn row(dense: &[f32], place: usize) -> Units {
    rows(dense, place, 1)[0]
}
