//! Where the dense weights stand in one vector.

use crate::net::{CHANNELS, CONTEXT, DEEP, HIDDEN, MIXED, REGIONS, TAPS};

pub(super) const CONV: usize = 0;
pub(super) const CONV_BIAS: usize = CONV + TAPS * CHANNELS;
pub(super) const POLICY: usize = CONV_BIAS + CHANNELS;
pub(super) const MIX_W: usize = POLICY + 2 * CHANNELS;
pub(super) const MIX_B: usize = MIX_W + 2 * CHANNELS * MIXED;
pub(super) const MIX_OUT: usize = MIX_B + MIXED;
pub(super) const CONTEXT_W: usize = MIX_OUT + MIXED;
pub(super) const CONTEXT_B: usize = CONTEXT_W + REGIONS * CHANNELS * CONTEXT;
pub(super) const HEARD: usize = CONTEXT_B + CONTEXT;
pub(super) const HIDDEN_W: usize = HEARD + CONTEXT * MIXED;
pub(super) const HIDDEN_B: usize = HIDDEN_W + REGIONS * CHANNELS * HIDDEN;
pub(super) const VALUE_W: usize = HIDDEN_B + HIDDEN;
pub(super) const DEEP_W: usize = VALUE_W + HIDDEN * 3;
pub(super) const DEEP_B: usize = DEEP_W + HIDDEN * DEEP;
pub(super) const DEEP_VALUE: usize = DEEP_B + DEEP;
pub(super) const VALUE_B: usize = DEEP_VALUE + DEEP * 3;
pub(super) const TRUST: usize = VALUE_B + 3;
pub(in crate::net) const DENSE: usize = TRUST + 2;
