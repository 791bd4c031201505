//! Conversion between a net in training and a net for play, and checkpoints as bytes.

use super::param_layout::*;
use super::{Embeddings, NetTrainer, REGION_SCALE};
use crate::engine::net::weights::{CONV_RANGE, Net, ONE, quantise};
use crate::engine::net::{CHANNELS, CONTEXT, HIDDEN, POLICY_HIDDEN, REGIONS, TAPS, VALUE_HIDDEN};

/// The high half of a product rounds down: half a unit for each tap of the convolution.
const ROUNDED: f32 = TAPS as f32 / 2.0 / ONE;

impl NetTrainer {
    /// The net for play: merged, in fixed point.
    pub fn quantised(&self) -> Net {
        let d = &self.dense;
        Net {
            table: self.embeddings.quantised(),
            conv: std::array::from_fn(|k| {
                std::array::from_fn(|c| {
                    (d[CONV + k * CHANNELS + c] / CONV_RANGE * 65536.0).round().clamp(-32767.0, 32767.0) as i16
                })
            }),
            conv_bias: std::array::from_fn(|c| quantise(d[CONV_BIAS + c] / CONV_RANGE + ROUNDED, ONE)),
            policy: std::array::from_fn(|part| {
                let scale = if part == 0 { CONV_RANGE / ONE } else { 1.0 / ONE };
                std::array::from_fn(|c| scale * d[POLICY + part * CHANNELS + c])
            }),
            mix: (0..2 * CHANNELS)
                .map(|i| {
                    let scale = if i < CHANNELS { CONV_RANGE / ONE } else { 1.0 / ONE };
                    std::array::from_fn(|h| scale * d[MIX_W + i * POLICY_HIDDEN + h])
                })
                .collect(),
            mix_bias: std::array::from_fn(|h| d[MIX_B + h]),
            mix_out: std::array::from_fn(|h| d[MIX_OUT + h]),
            hidden: (0..REGIONS * CHANNELS)
                .map(|i| std::array::from_fn(|h| d[HIDDEN_W + i * HIDDEN + h] / (ONE * REGION_SCALE)))
                .collect(),
            hidden_bias: std::array::from_fn(|h| d[HIDDEN_B + h]),
            value: std::array::from_fn(|h| std::array::from_fn(|k| d[VALUE_W + h * 3 + k])),
            value_bias: std::array::from_fn(|k| d[VALUE_B + k]),
            prior_weight: [d[PRIOR_WEIGHT], d[PRIOR_WEIGHT + 1]],
            context: (0..REGIONS * CHANNELS)
                .map(|i| std::array::from_fn(|h| d[CONTEXT_W + i * CONTEXT + h] / (ONE * REGION_SCALE)))
                .collect(),
            context_bias: std::array::from_fn(|h| d[CONTEXT_B + h]),
            context_mix: std::array::from_fn(|i| std::array::from_fn(|h| d[CONTEXT_MIX + i * POLICY_HIDDEN + h])),
            deep: std::array::from_fn(|i| std::array::from_fn(|h| d[DEEP_W + i * VALUE_HIDDEN + h])),
            deep_bias: std::array::from_fn(|h| d[DEEP_B + h]),
            deep_value: std::array::from_fn(|h| std::array::from_fn(|k| d[DEEP_VALUE + h * 3 + k])),
            policy_net: None,
        }
    }

    /// A trainer that continues from a net for play. Parts with zero output weights start at random and keep zero
    /// output.
    pub fn resume(net: &Net, seed: u64) -> Self {
        let mut trainer = Self::new(seed);
        trainer.embeddings = Embeddings::resume(&net.table);
        let mut put = |place: usize, values: &mut dyn Iterator<Item = f32>| {
            trainer.dense[place..].iter_mut().zip(values).for_each(|(weight, value)| *weight = value);
        };
        put(CONV, &mut net.conv.iter().flatten().map(|&w| f32::from(w) / 65536.0 * CONV_RANGE));
        put(CONV_BIAS, &mut net.conv_bias.iter().map(|&b| (f32::from(b) / ONE - ROUNDED) * CONV_RANGE));
        let scale = |convolved: bool| if convolved { ONE / CONV_RANGE } else { ONE };
        for (part, weights) in net.policy.iter().enumerate() {
            put(POLICY + part * CHANNELS, &mut weights.iter().map(|w| w * scale(part == 0)));
        }
        if net.mix_out.iter().any(|&w| w != 0.0) {
            for (i, weights) in net.mix.iter().enumerate() {
                put(MIX_W + i * POLICY_HIDDEN, &mut weights.iter().map(|w| w * scale(i < CHANNELS)));
            }
            put(MIX_B, &mut net.mix_bias.iter().copied());
            put(MIX_OUT, &mut net.mix_out.iter().copied());
        }
        put(HIDDEN_W, &mut net.hidden.iter().flatten().map(|w| w * ONE * REGION_SCALE));
        put(HIDDEN_B, &mut net.hidden_bias.iter().copied());
        put(VALUE_W, &mut net.value.iter().flatten().copied());
        put(VALUE_B, &mut net.value_bias.iter().copied());
        put(PRIOR_WEIGHT, &mut net.prior_weight.iter().copied());
        put(CONTEXT_MIX, &mut net.context_mix.iter().flatten().copied());
        if net.context_mix.iter().flatten().any(|&w| w != 0.0) {
            put(CONTEXT_W, &mut net.context.iter().flatten().map(|w| w * ONE * REGION_SCALE));
            put(CONTEXT_B, &mut net.context_bias.iter().copied());
        }
        put(DEEP_VALUE, &mut net.deep_value.iter().flatten().copied());
        if net.deep_value.iter().flatten().any(|&w| w != 0.0) {
            put(DEEP_W, &mut net.deep.iter().flatten().copied());
            put(DEEP_B, &mut net.deep_bias.iter().copied());
        }
        trainer
    }

    /// All weights and optimiser states as bytes, for checkpoints.
    pub fn to_bytes(&self) -> Vec<u8> {
        write_parts(self.parts())
    }

    fn parts(&self) -> [&Vec<f32>; 6] {
        let [exact, exact_squares, pair, pair_squares] = self.embeddings.parts();
        [exact, exact_squares, pair, pair_squares, &self.dense, &self.dense_squares]
    }

    /// A trainer from a checkpoint, if its length is right.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut trainer = Self::new(0);
        let [exact, exact_squares, pair, pair_squares] = trainer.embeddings.parts_mut();
        let parts = [exact, exact_squares, pair, pair_squares, &mut trainer.dense, &mut trainer.dense_squares];
        read_parts(bytes, parts).then_some(trainer)
    }
}

/// All numbers as bytes, for checkpoints.
pub(in crate::engine::net) fn write_parts<const N: usize>(parts: [&Vec<f32>; N]) -> Vec<u8> {
    parts.into_iter().flatten().flat_map(|v| v.to_le_bytes()).collect()
}

/// Fills all parts from a checkpoint. Returns false if its length is wrong.
pub(in crate::engine::net) fn read_parts<const N: usize>(bytes: &[u8], parts: [&mut Vec<f32>; N]) -> bool {
    if bytes.len() != 4 * parts.iter().map(|part| part.len()).sum::<usize>() {
        return false;
    }
    let values = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    parts.into_iter().flatten().zip(values).for_each(|(weight, value)| *weight = value);
    true
}
