//! The interface of trainers: gradients are accumulated per example and applied per batch.

use super::batch::GradientBatch;
use super::training_example::TrainingExample;

/// Losses and top-k hits, summed over examples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    pub samples: f64,
    /// Cross-entropy of win, draw, loss.
    pub value: f64,
    /// Examples with target moves, their policy loss, and how often the best move ranked first or in the top five.
    pub moves: f64,
    pub policy: f64,
    pub first: f64,
    pub five: f64,
}

impl Losses {
    /// Adds the sums of others.
    pub fn add(&mut self, other: &Self) {
        self.samples += other.samples;
        self.value += other.value;
        self.moves += other.moves;
        self.policy += other.policy;
        self.first += other.first;
        self.five += other.five;
    }
}

/// Weights that are fitted to examples by gradient steps.
pub trait GradientTrainer: Sync {
    /// Buffers of the forward and backward pass.
    type Scratch: Default + Send;
    /// Number of dense weights.
    const DENSE: usize;

    /// An empty batch.
    fn batch(&self) -> GradientBatch<Self::Scratch> {
        GradientBatch::new(Self::DENSE)
    }

    /// Adds the gradients of an example to the batch (unless `measure_only`) and its losses to the sums.
    fn accumulate(
        &self,
        example: &TrainingExample,
        batch: &mut GradientBatch<Self::Scratch>,
        losses: &mut Losses,
        measure_only: bool,
    );

    /// Takes one optimiser step along the mean gradient of a batch and empties the batch.
    fn step(&mut self, batch: &mut GradientBatch<Self::Scratch>);
}
