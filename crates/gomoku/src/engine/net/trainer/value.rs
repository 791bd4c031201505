//! The value head in training: region sums, two layers, and probabilities of win, draw and loss.

use super::NetTrainer;
use super::param_layout::*;
use crate::engine::net::training_example::TrainingExample;
use crate::engine::net::{CHANNELS, HIDDEN, REGIONS, VALUE_HIDDEN};

/// Activations of the value head for one example.
pub(super) struct Value {
    hidden: [f32; HIDDEN],
    deep: [f32; VALUE_HIDDEN],
    pub(super) probabilities: [f32; 3],
}

impl NetTrainer {
    pub(super) fn forward_value(&self, prior: f32, sums: &[f32]) -> Value {
        let dense = &self.dense;
        let mut hidden: [f32; HIDDEN] = std::array::from_fn(|h| dense[HIDDEN_B + h]);
        for (i, s) in sums.iter().enumerate() {
            let row = &dense[HIDDEN_W + i * HIDDEN..][..HIDDEN];
            for h in 0..HIDDEN {
                hidden[h] += s * row[h];
            }
        }
        let hidden = hidden.map(|h| h.max(0.0));
        let mut deep: [f32; VALUE_HIDDEN] = std::array::from_fn(|h| dense[DEEP_B + h]);
        for (i, active) in hidden.iter().enumerate() {
            let row = &dense[DEEP_W + i * VALUE_HIDDEN..][..VALUE_HIDDEN];
            for h in 0..VALUE_HIDDEN {
                deep[h] += active * row[h];
            }
        }
        let deep = deep.map(|h| h.max(0.0));
        let mut out: [f32; 3] = std::array::from_fn(|k| dense[VALUE_B + k]);
        for (from, layer) in [(VALUE_W, &hidden[..]), (DEEP_VALUE, &deep[..])] {
            for (h, active) in layer.iter().enumerate() {
                for k in 0..3 {
                    out[k] += active * dense[from + h * 3 + k];
                }
            }
        }
        out[0] += dense[PRIOR_WEIGHT] * prior / 2.0;
        out[2] -= dense[PRIOR_WEIGHT] * prior / 2.0;
        let mut probabilities = out;
        numerics::softmax(&mut probabilities);
        Value { hidden, deep, probabilities }
    }

    /// Adds the gradients of the value loss with respect to weights and to region sums.
    pub(super) fn backward_value(
        &self,
        example: &TrainingExample,
        value: &Value,
        sums: &[f32],
        grad: &mut [f32],
        d_sums: &mut [f32; REGIONS * CHANNELS],
    ) {
        let d_out: [f32; 3] = std::array::from_fn(|k| value.probabilities[k] - example.sample.outcome[k]);
        grad[PRIOR_WEIGHT] += (d_out[0] - d_out[2]) * example.value / 2.0;
        for k in 0..3 {
            grad[VALUE_B + k] += d_out[k];
        }
        let mut d_deep = [0f32; VALUE_HIDDEN];
        for h in 0..VALUE_HIDDEN {
            d_deep[h] = self.backward_output(DEEP_VALUE + h * 3, value.deep[h], &d_out, grad);
            grad[DEEP_B + h] += d_deep[h];
        }
        let mut d_hidden = [0f32; HIDDEN];
        for h in 0..HIDDEN {
            let mut d = self.backward_output(VALUE_W + h * 3, value.hidden[h], &d_out, grad);
            if value.hidden[h] > 0.0 {
                let (weights, row) = (
                    &self.dense[DEEP_W + h * VALUE_HIDDEN..][..VALUE_HIDDEN],
                    &mut grad[DEEP_W + h * VALUE_HIDDEN..][..VALUE_HIDDEN],
                );
                for k in 0..VALUE_HIDDEN {
                    row[k] += value.hidden[h] * d_deep[k];
                    d += weights[k] * d_deep[k];
                }
            }
            d_hidden[h] = d;
            grad[HIDDEN_B + h] += d;
        }
        for (i, s) in sums.iter().enumerate() {
            let weights = &self.dense[HIDDEN_W + i * HIDDEN..][..HIDDEN];
            let row = &mut grad[HIDDEN_W + i * HIDDEN..][..HIDDEN];
            for h in 0..HIDDEN {
                row[h] += s * d_hidden[h];
                d_sums[i] += weights[h] * d_hidden[h];
            }
        }
    }

    /// Adds the gradients of the three output weights of a unit. Returns the gradient of the unit, 0 where it is
    /// inactive.
    fn backward_output(&self, place: usize, active: f32, d_out: &[f32; 3], grad: &mut [f32]) -> f32 {
        let mut d = 0.0;
        for k in 0..3 {
            grad[place + k] += d_out[k] * active;
            d += d_out[k] * self.dense[place + k];
        }
        if active > 0.0 { d } else { 0.0 }
    }
}
