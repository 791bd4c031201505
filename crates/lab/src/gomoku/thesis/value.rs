//! A value network: convolutions and pooling that shrink the board to the win probability of the side to move.

use gomoku::engine::net::LabelledPosition;
use neural::{Adam, BoardShape, ConvBlock, Linear, Matrix, Param, Trainable, max_pool, max_pool_back, pool_squares};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::samples::{SHAPE, TOGETHER, planes};

/// Channels of the layers before and after the board is halved twice.
const CHANNELS: [usize; 4] = [48, 32, 48, 48];

/// Indices of pooled values, and their number of rows.
type Pooled = (Vec<usize>, usize);

/// The network.
#[derive(Clone)]
pub struct ThesisValueNet {
    /// Two layers at full size: together they see seven cells across, more than a five.
    wide: [ConvBlock; 2],
    half: ConvBlock,
    quarter: ConvBlock,
    out: Linear,
    pooled: Vec<Pooled>,
}

impl ThesisValueNet {
    /// With random weights.
    pub fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let [a, b, c, d] = CHANNELS;
        let mut block =
            |shape: BoardShape, kernel, channels, edge| ConvBlock::new(shape, kernel, channels, edge, &mut rng);
        let wide = [block(SHAPE, 5, [2, a], -1.0), block(SHAPE, 3, [a, b], 0.0)];
        let half = block(SHAPE.halved(), 3, [b, c], 0.0);
        let quarter = block(SHAPE.halved().halved(), 3, [c, d], 0.0);
        Self { wide, half, quarter, out: Linear::new(d, 1, &mut rng), pooled: Vec::new() }
    }

    fn forward(&mut self, planes: Matrix, train: bool) -> Matrix {
        self.pooled.clear();
        let mut note = |(pooled, from): (Matrix, Vec<usize>), rows: usize| {
            self.pooled.push((from, rows));
            pooled
        };
        let x = self.wide[0].forward(planes, train);
        let x = self.wide[1].forward(x, train);
        let x = note(pool_squares(&x, SHAPE), x.rows);
        let x = self.half.forward(x, train);
        let x = note(pool_squares(&x, SHAPE.halved()), x.rows);
        let x = self.quarter.forward(x, train);
        let x = note(max_pool(&x, SHAPE.halved().halved().cells()), x.rows);
        self.out.forward(&x)
    }

    /// The win probability of the side to move for every sample.
    pub fn values(&mut self, samples: &[LabelledPosition]) -> Vec<f32> {
        let told = samples.chunks(TOGETHER).flat_map(|part| self.forward(planes(part), false).data);
        told.map(sigmoid).collect()
    }

    /// One step on a batch; a draw is half a win. Returns the mean loss.
    pub fn learn(&mut self, batch: &[LabelledPosition], adam: &mut Adam) -> f32 {
        let mut gradient = self.forward(planes(batch), true);
        let mut sum = 0.0;
        for (sample, value) in batch.iter().zip(&mut gradient.data) {
            let (told, truth) = (sigmoid(*value), truth(sample));
            sum += loss(told, truth);
            *value = (told - truth) / batch.len() as f32;
        }
        let mut dy = self.out.backward(&gradient);
        let mut grow = |dy: &Matrix| {
            let (from, rows) = self.pooled.pop().unwrap_or_default();
            max_pool_back(dy, &from, rows)
        };
        dy = grow(&dy);
        dy = grow(&self.quarter.backward(dy));
        dy = grow(&self.half.backward(dy));
        let dy = self.wide[1].backward(dy);
        self.wide[0].backward_first(dy);
        adam.step(self);
        sum / batch.len() as f32
    }

    /// Mean log-loss on samples.
    pub fn loss(&mut self, samples: &[LabelledPosition]) -> f64 {
        let mut sum = 0.0;
        for part in samples.chunks(TOGETHER) {
            let told = self.values(part);
            sum += part.iter().zip(told).map(|(sample, told)| f64::from(loss(told, truth(sample)))).sum::<f64>();
        }
        sum / samples.len().max(1) as f64
    }
}

impl Trainable for ThesisValueNet {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        self.wide.iter_mut().for_each(|block| block.visit(visit));
        self.half.visit(visit);
        self.quarter.visit(visit);
        self.out.visit(visit);
    }
}

/// The result of a sample's game for its side to move.
pub fn truth(sample: &LabelledPosition) -> f32 {
    sample.outcome[0] + sample.outcome[1] / 2.0
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn loss(told: f32, truth: f32) -> f32 {
    let told = told.clamp(1e-6, 1.0 - 1e-6);
    -(truth * told.ln() + (1.0 - truth) * (1.0 - told).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_learns_who_has_five() {
        let row: Vec<u16> = (100..105).collect();
        let sample = |own: &[u16], other: &[u16], won: f32| LabelledPosition {
            size: 19,
            own: own.to_vec(),
            other: other.to_vec(),
            targets: Vec::new(),
            outcome: [won, 0.0, 1.0 - won],
        };
        let batch: Vec<LabelledPosition> = (0..8)
            .map(|i| if i % 2 == 0 { sample(&row, &[7], 1.0) } else { sample(&[7], &row, 0.0) }.turned(i))
            .collect();
        let mut net = ThesisValueNet::new(1);
        let mut adam = Adam::new(0.005);
        let first = net.learn(&batch, &mut adam);
        let mut last = first;
        for _ in 0..30 {
            last = net.learn(&batch, &mut adam);
        }
        assert!(last < first / 3.0, "{first} {last}");
    }
}
