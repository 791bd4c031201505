//! Layout of the dense weights in one vector.

use crate::engine::net::{CHANNELS, CONTEXT, HIDDEN, POLICY_HIDDEN, REGIONS, TAPS, VALUE_HIDDEN};

pub(super) const CONV: usize = 0;
pub(super) const CONV_BIAS: usize = CONV + TAPS * CHANNELS;
pub(super) const POLICY: usize = CONV_BIAS + CHANNELS;
pub(super) const MIX_W: usize = POLICY + 2 * CHANNELS;
pub(super) const MIX_B: usize = MIX_W + 2 * CHANNELS * POLICY_HIDDEN;
pub(super) const MIX_OUT: usize = MIX_B + POLICY_HIDDEN;
pub(super) const CONTEXT_W: usize = MIX_OUT + POLICY_HIDDEN;
pub(super) const CONTEXT_B: usize = CONTEXT_W + REGIONS * CHANNELS * CONTEXT;
pub(super) const CONTEXT_MIX: usize = CONTEXT_B + CONTEXT;
pub(super) const HIDDEN_W: usize = CONTEXT_MIX + CONTEXT * POLICY_HIDDEN;
pub(super) const HIDDEN_B: usize = HIDDEN_W + REGIONS * CHANNELS * HIDDEN;
pub(super) const VALUE_W: usize = HIDDEN_B + HIDDEN;
pub(super) const DEEP_W: usize = VALUE_W + HIDDEN * 3;
pub(super) const DEEP_B: usize = DEEP_W + HIDDEN * VALUE_HIDDEN;
pub(super) const DEEP_VALUE: usize = DEEP_B + VALUE_HIDDEN;
pub(super) const VALUE_B: usize = DEEP_VALUE + VALUE_HIDDEN * 3;
pub(super) const PRIOR_WEIGHT: usize = VALUE_B + 3;
pub(in crate::engine::net) const DENSE: usize = PRIOR_WEIGHT + 2;
