//! The policy networks of the thesis (section 6.1): convolutions that keep the board size, softmax over all points.

use gomoku::engine::net::LabelledPosition;
use neural::{Adam, Conv, ConvBlock, Matrix, Param, Trainable};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::samples::{SHAPE, TOGETHER, planes};

/// Kernels and channels of a network.
#[derive(Clone, Copy, Debug)]
pub struct Architecture {
    pub name: &'static str,
    pub kernels: &'static [usize],
    pub channels: &'static [usize],
}

impl Architecture {
    /// Side of the receptive field.
    pub fn field(&self) -> usize {
        1 + self.kernels.iter().map(|kernel| kernel - 1).sum::<usize>()
    }
}

const fn architecture(name: &'static str, kernels: &'static [usize], channels: &'static [usize]) -> Architecture {
    Architecture { name, kernels, channels }
}

/// The networks with two to six layers.
pub const LAYERS: [Architecture; 5] = [
    architecture("L2", &[5, 3], &[256, 1]),
    architecture("L3", &[3, 3, 3], &[64, 128, 1]),
    architecture("L4", &[3, 5, 5, 3], &[64, 64, 32, 1]),
    architecture("L5", &[3, 5, 5, 3, 3], &[32, 64, 64, 32, 1]),
    architecture("L6", &[3, 3, 3, 3, 3, 3], &[32, 64, 64, 32, 32, 1]),
];

/// Three layers with kernels in different orders (section 7.6). The thesis does not state their channels; here they are
/// small, so that the kernels make the difference.
pub const KERNELS: [Architecture; 6] = [
    architecture("3-3-3", &[3, 3, 3], &[32, 32, 1]),
    architecture("5-3-5", &[5, 3, 5], &[32, 32, 1]),
    architecture("5-5-3", &[5, 5, 3], &[32, 32, 1]),
    architecture("3-5-5", &[3, 5, 5], &[32, 32, 1]),
    architecture("3-3-7", &[3, 3, 7], &[32, 32, 1]),
    architecture("3-7-3", &[3, 7, 3], &[32, 32, 1]),
];

/// Padding value beyond the edge of the board in the first layer.
const EDGE: f32 = -1.0;

/// A policy network.
#[derive(Clone)]
pub struct ThesisPolicyNet {
    blocks: Vec<ConvBlock>,
    last: Conv,
}

impl ThesisPolicyNet {
    /// With random weights.
    pub fn new(architecture: &Architecture, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let Architecture { kernels, channels, .. } = architecture;
        let inputs: Vec<usize> = std::iter::once(2).chain(channels.iter().copied()).collect();
        let edge = |layer: usize| if layer == 0 { EDGE } else { 0.0 };
        let end = kernels.len() - 1;
        let blocks =
            (0..end).map(|i| ConvBlock::new(SHAPE, kernels[i], [inputs[i], channels[i]], edge(i), &mut rng)).collect();
        let last = Conv::new(SHAPE, kernels[end], [inputs[end], channels[end]], edge(end), &mut rng);
        Self { blocks, last }
    }

    fn forward(&mut self, planes: Matrix, train: bool) -> Matrix {
        let inner = self.blocks.iter_mut().fold(planes, |x, block| block.forward(x, train));
        self.last.forward(inner)
    }

    /// Probabilities of all points for every sample, occupied points included.
    fn chances(&mut self, samples: &[LabelledPosition], train: bool) -> Matrix {
        let mut out = self.forward(planes(samples), train);
        out.data.chunks_exact_mut(SHAPE.cells()).for_each(numerics::softmax);
        out
    }

    /// One step on a batch: towards the played moves, away from them where `sign` is −1. Returns the mean loss.
    pub fn learn(&mut self, batch: &[LabelledPosition], signs: &[f32], adam: &mut Adam) -> f32 {
        let mut gradient = self.chances(batch, true);
        let mut loss = 0.0;
        for ((sample, chances), sign) in batch.iter().zip(gradient.data.chunks_exact_mut(SHAPE.cells())).zip(signs) {
            let played = usize::from(sample.targets.first().expect("positions to learn from have a move").0);
            loss -= chances[played].max(1e-9).ln();
            chances[played] -= 1.0;
            chances.iter_mut().for_each(|d| *d *= sign / batch.len() as f32);
        }
        let mut dy = self.last.backward(&gradient);
        let (first, rest) = self.blocks.split_first_mut().expect("a network has two layers or more");
        for block in rest.iter_mut().rev() {
            dy = block.backward(dy);
        }
        first.backward_first(dy);
        adam.step(self);
        loss / batch.len() as f32
    }

    /// Probabilities of the free points of each sample; they sum to 1, occupied points are 0.
    pub fn free_chances(&mut self, samples: &[LabelledPosition]) -> Vec<Vec<f32>> {
        let mut all = Vec::with_capacity(samples.len());
        for part in samples.chunks(TOGETHER) {
            let chances = self.chances(part, false);
            for (sample, chances) in part.iter().zip(chances.data.chunks_exact(SHAPE.cells())) {
                let mut free = chances.to_vec();
                sample.own.iter().chain(&sample.other).for_each(|&taken| free[usize::from(taken)] = 0.0);
                let sum: f32 = free.iter().sum::<f32>().max(1e-12);
                free.iter_mut().for_each(|chance| *chance /= sum);
                all.push(free);
            }
        }
        all
    }

    /// Top-1 and top-5 accuracy over all points.
    pub fn accuracy(&mut self, samples: &[LabelledPosition]) -> [f64; 2] {
        let mut hits = [0usize; 2];
        for part in samples.chunks(TOGETHER) {
            let chances = self.chances(part, false);
            for (sample, chances) in part.iter().zip(chances.data.chunks_exact(SHAPE.cells())) {
                let played = chances[usize::from(sample.targets.first().map_or(0, |m| m.0))];
                let better = chances.iter().filter(|chance| **chance > played).count();
                hits[0] += usize::from(better == 0);
                hits[1] += usize::from(better < 5);
            }
        }
        hits.map(|hits| hits as f64 / samples.len().max(1) as f64)
    }
}

impl Trainable for ThesisPolicyNet {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        self.blocks.iter_mut().for_each(|block| block.visit(visit));
        self.last.visit(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_those_of_the_study_where_it_printed_them_right() {
        assert_eq!(LAYERS.map(|a| a.field()), [7, 7, 13, 15, 13]);
        assert_eq!(KERNELS.map(|a| a.field()), [7, 11, 11, 11, 11, 11]);
    }

    #[test]
    fn a_network_learns_a_move_and_unlearns_it_with_the_sign_turned() {
        let tiny = architecture("tiny", &[3, 3], &[8, 1]);
        let sample = LabelledPosition {
            size: 19,
            own: vec![180],
            other: vec![200],
            targets: vec![(181, 1.0)],
            outcome: [1.0, 0.0, 0.0],
        };
        let batch = vec![sample.clone(), sample.turned(1)];
        let mut net = ThesisPolicyNet::new(&tiny, 1);
        let losses = |net: &mut ThesisPolicyNet, sign: f32| {
            let mut adam = Adam::new(0.005);
            (0..4).map(|_| net.learn(&batch, &[sign; 2], &mut adam)).collect::<Vec<f32>>()
        };
        let away = losses(&mut net.clone(), -1.0);
        let towards = losses(&mut net, 1.0);
        assert_eq!(away[0], towards[0], "the first loss is that of the start");
        assert!(towards[3] < towards[0] && away[3] > away[0], "{towards:?} {away:?}");
        let chances = &net.free_chances(&batch)[0];
        assert_eq!((chances[180], chances[200]), (0.0, 0.0));
        assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}
