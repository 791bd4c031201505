//! The policy head in training: features, a convolution over a star of points, hidden units with board context.

use super::param_layout::*;
use super::{NetTrainer, Scratch};
use crate::engine::net::gradient_trainer::Losses;
use crate::engine::net::prior::URGENCY;
use crate::engine::net::training_example::TrainingExample;
use crate::engine::net::{CHANNELS, CONTEXT, POLICY_HIDDEN, REGIONS, STAR};

/// Moves below this probability get no gradient: most moves are below it and would only cost time.
const NEGLIGIBLE: f32 = 1e-4;

impl NetTrainer {
    pub(super) fn forward_policy(&self, example: &TrainingExample, scratch: &mut Scratch) {
        let size = usize::from(example.sample.size);
        let bias: [f32; CHANNELS] = std::array::from_fn(|c| self.dense[CONV_BIAS + c]);
        let (convolved, plain) = self.dense[POLICY..MIX_W].split_at(CHANNELS);
        let prior_weight = self.dense[PRIOR_WEIGHT + 1] / URGENCY;
        let board_context = self.forward_context(scratch);
        scratch.mixed.clear();
        scratch.units.clear();
        scratch.logits.clear();
        for &(at, urgency) in &example.candidates {
            let at = usize::from(at);
            let mut sum = bias;
            for_star(at, size, |k, other| {
                let weights = &self.dense[CONV + k * CHANNELS..][..CHANNELS];
                let features = &scratch.features[other];
                for c in 0..CHANNELS {
                    sum[c] += weights[c] * features[c];
                }
            });
            let mixed = sum.map(|v| v.max(0.0));
            let features = &scratch.features[at];
            let mut logit = prior_weight * f32::from(urgency);
            for c in 0..CHANNELS {
                logit += convolved[c] * mixed[c] + plain[c] * features[c];
            }
            let mut units = board_context;
            for (i, &input) in mixed.iter().chain(features).enumerate().filter(|(_, input)| **input > 0.0) {
                let row = &self.dense[MIX_W + i * POLICY_HIDDEN..][..POLICY_HIDDEN];
                for h in 0..POLICY_HIDDEN {
                    units[h] += input * row[h];
                }
            }
            let units = units.map(|u| u.max(0.0));
            for h in 0..POLICY_HIDDEN {
                logit += self.dense[MIX_OUT + h] * units[h];
            }
            scratch.units.push(units);
            scratch.mixed.push(mixed);
            scratch.logits.push(logit);
        }
    }

    /// Initial values of the hidden units on this board.
    fn forward_context(&self, scratch: &mut Scratch) -> [f32; POLICY_HIDDEN] {
        let mut context: [f32; CONTEXT] = std::array::from_fn(|h| self.dense[CONTEXT_B + h]);
        for (i, s) in scratch.sums.iter().enumerate() {
            let row = &self.dense[CONTEXT_W + i * CONTEXT..][..CONTEXT];
            for h in 0..CONTEXT {
                context[h] += s * row[h];
            }
        }
        scratch.context = context.map(|h| h.max(0.0));
        let mut units: [f32; POLICY_HIDDEN] = std::array::from_fn(|h| self.dense[MIX_B + h]);
        for (i, active) in scratch.context.iter().enumerate() {
            let row = &self.dense[CONTEXT_MIX + i * POLICY_HIDDEN..][..POLICY_HIDDEN];
            for h in 0..POLICY_HIDDEN {
                units[h] += active * row[h];
            }
        }
        units
    }

    /// Adds the gradients of the policy loss with respect to weights, features and region sums.
    pub(super) fn backward_policy(
        &self,
        example: &TrainingExample,
        grad: &mut [f32],
        d_sums: &mut [f32; REGIONS * CHANNELS],
        scratch: &mut Scratch,
    ) {
        let size = usize::from(example.sample.size);
        let Scratch { features, mixed, units, gradient, logits, sums, context, .. } = scratch;
        // summed over cells: the gradient of the board context
        let mut d_surroundings = [0f32; POLICY_HIDDEN];
        for (n, (&(at, urgency), &d_logit)) in example.candidates.iter().zip(logits.iter()).enumerate() {
            if d_logit == 0.0 {
                continue;
            }
            let at = usize::from(at);
            let (mixed, units) = (&mixed[n], &units[n]);
            let mut d_units = [0f32; POLICY_HIDDEN];
            for h in 0..POLICY_HIDDEN {
                grad[MIX_OUT + h] += d_logit * units[h];
                d_units[h] = if units[h] > 0.0 { d_logit * self.dense[MIX_OUT + h] } else { 0.0 };
                d_surroundings[h] += d_units[h];
            }
            let mut d_inputs = [0f32; 2 * CHANNELS];
            for (i, &input) in mixed.iter().chain(&features[at]).enumerate().filter(|(_, input)| **input > 0.0) {
                let weights = &self.dense[MIX_W + i * POLICY_HIDDEN..][..POLICY_HIDDEN];
                let row = &mut grad[MIX_W + i * POLICY_HIDDEN..][..POLICY_HIDDEN];
                for h in 0..POLICY_HIDDEN {
                    row[h] += input * d_units[h];
                    d_inputs[i] += weights[h] * d_units[h];
                }
            }
            grad[PRIOR_WEIGHT + 1] += d_logit * f32::from(urgency) / URGENCY;
            let mut d_mixed = [0f32; CHANNELS];
            for c in 0..CHANNELS {
                grad[POLICY + c] += d_logit * mixed[c];
                grad[POLICY + CHANNELS + c] += d_logit * features[at][c];
                gradient[at][c] += d_logit * self.dense[POLICY + CHANNELS + c] + d_inputs[CHANNELS + c];
                d_mixed[c] = if mixed[c] > 0.0 { d_logit * self.dense[POLICY + c] + d_inputs[c] } else { 0.0 };
                grad[CONV_BIAS + c] += d_mixed[c];
            }
            for_star(at, size, |k, other| {
                let weights = &self.dense[CONV + k * CHANNELS..][..CHANNELS];
                let row = &mut grad[CONV + k * CHANNELS..][..CHANNELS];
                for c in 0..CHANNELS {
                    row[c] += d_mixed[c] * features[other][c];
                    gradient[other][c] += d_mixed[c] * weights[c];
                }
            });
        }
        self.backward_context(&d_surroundings, context, sums, grad, d_sums);
    }

    fn backward_context(
        &self,
        d_surroundings: &[f32; POLICY_HIDDEN],
        context: &[f32; CONTEXT],
        sums: &[f32],
        grad: &mut [f32],
        d_sums: &mut [f32; REGIONS * CHANNELS],
    ) {
        for h in 0..POLICY_HIDDEN {
            grad[MIX_B + h] += d_surroundings[h];
        }
        let mut d_context = [0f32; CONTEXT];
        for (i, &active) in context.iter().enumerate().filter(|(_, active)| **active > 0.0) {
            let weights = &self.dense[CONTEXT_MIX + i * POLICY_HIDDEN..][..POLICY_HIDDEN];
            let row = &mut grad[CONTEXT_MIX + i * POLICY_HIDDEN..][..POLICY_HIDDEN];
            for h in 0..POLICY_HIDDEN {
                row[h] += active * d_surroundings[h];
                d_context[i] += weights[h] * d_surroundings[h];
            }
            grad[CONTEXT_B + i] += d_context[i];
        }
        for (i, s) in sums.iter().enumerate() {
            let weights = &self.dense[CONTEXT_W + i * CONTEXT..][..CONTEXT];
            let row = &mut grad[CONTEXT_W + i * CONTEXT..][..CONTEXT];
            for h in 0..CONTEXT {
                row[h] += s * d_context[h];
                d_sums[i] += weights[h] * d_context[h];
            }
        }
    }
}

/// Adds the policy loss of the target candidates and replaces logits by their gradients. Without targets all are zero.
///
/// The loss is −ln Σ wᵢ pᵢ over the targets with weights wᵢ: moves that are equally good may share the probability in
/// any way.
pub(in crate::engine::net) fn loss(
    logits: &mut [f32],
    targets: impl Iterator<Item = (usize, f32)> + Clone,
    losses: &mut Losses,
) {
    let Some((best, _)) = targets.clone().next() else {
        logits.fill(0.0);
        return;
    };
    let mine = logits[best];
    let better = logits.iter().filter(|&&l| l > mine).count();
    losses.moves += 1.0;
    losses.first += f64::from(u8::from(better == 0));
    losses.five += f64::from(u8::from(better < 5));
    let powers = |logits: &[f32]| {
        let top = logits.iter().copied().fold(f32::MIN, f32::max);
        let powers: Vec<f32> = logits.iter().map(|l| (l - top).exp()).collect();
        let total: f32 = powers.iter().sum();
        (top + total.ln(), powers.into_iter().map(move |power| power / total))
    };
    // shares among the targets in log space: their probabilities may underflow
    let among: Vec<f32> = targets.clone().map(|(place, worth)| logits[place] + worth.ln()).collect();
    let (well, shares) = powers(&among);
    let (total, chances) = powers(logits);
    losses.policy += f64::from(total - well);
    logits.iter_mut().zip(chances).for_each(|(logit, chance)| *logit = chance);
    for ((place, _), share) in targets.zip(shares) {
        logits[place] -= share;
    }
    // gradients must keep summing to zero, or all logits drift together
    let others = |logits: &[f32]| logits.iter().filter(|l| **l > 0.0).sum::<f32>();
    let all = others(logits);
    logits.iter_mut().filter(|l| (0.0..NEGLIGIBLE).contains(*l)).for_each(|l| *l = 0.0);
    let kept = others(logits);
    if kept > 0.0 {
        logits.iter_mut().filter(|l| **l > 0.0).for_each(|l| *l *= all / kept);
    } else {
        logits.fill(0.0);
    }
}

/// Visits the points of [`STAR`] around a point that are on the board, with the number of their tap.
#[inline(always)]
fn for_star(at: usize, size: usize, mut visit: impl FnMut(usize, usize)) {
    let (x, y) = ((at % size) as isize, (at / size) as isize);
    let on_board = |n: isize| (n as usize) < size;
    for (k, (dx, dy)) in STAR.into_iter().enumerate() {
        if on_board(x + dx) && on_board(y + dy) {
            visit(k, (y + dy) as usize * size + (x + dx) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_of_logits_add_up_to_nothing_though_unlikely_moves_are_left_out() {
        let mut logits: Vec<f32> = (0..90).map(|n| if n < 3 { n as f32 } else { -9.0 }).collect();
        loss(&mut logits, [(1, 1.0)].into_iter(), &mut Losses::default());
        assert!(logits.iter().sum::<f32>().abs() < 1e-5, "{logits:?}");
        assert!(logits[0] > 0.0 && logits[1] < -0.5 && logits[2] > 0.5);
        assert!(logits[3..].iter().all(|&l| l == 0.0));
        // a move of probability near one gives no gradient
        let mut certain = vec![30.0, 0.0, 1.0];
        loss(&mut certain, [(0, 1.0)].into_iter(), &mut Losses::default());
        assert_eq!(certain, [0.0; 3]);
    }

    #[test]
    fn moves_that_are_equally_wanted_share_the_chance_as_they_like() {
        let chances = [0.5f32, 0.3, 0.2];
        let learned = |targets: &[(usize, f32)]| {
            let mut logits = chances.map(f32::ln);
            let mut losses = Losses::default();
            loss(&mut logits, targets.iter().copied(), &mut losses);
            (logits, losses.policy as f32)
        };
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-5, "{a} and {b}");
        let (gradient, found) = learned(&[(0, 1.0), (1, 1.0)]);
        near(found, -0.8f32.ln());
        near(gradient[0] / gradient[1], 0.5 / 0.3);
        near(gradient[2], 0.2);
        // half as good: −ln(0.5 + 0.5 · 0.3)
        let (gradient, found) = learned(&[(0, 1.0), (1, 0.5)]);
        near(found, -0.65f32.ln());
        near(gradient[0], 0.5 - 0.5 / 0.65);
        near(gradient[1], 0.3 - 0.15 / 0.65);
        // no targets
        assert_eq!(learned(&[]), ([0.0; 3], 0.0));
    }
}
