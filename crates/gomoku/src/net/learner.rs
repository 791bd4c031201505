//! What learns from lessons, batch by batch.

use super::batch::Batch;
use super::lesson::Lesson;

/// Losses and hits, summed over samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    pub samples: f64,
    /// Cross-entropy of win, draw, loss.
    pub value: f64,
    /// Samples with moves to learn, the log-loss of choosing well, and how often the best came first or among five.
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

/// Weights that are fitted to lessons.
pub trait Learner: Sync {
    /// What a lesson goes through, kept for its memory.
    type Scratch: Default + Send;
    /// Dense weights.
    const DENSE: usize;

    /// Room for the gradients of a batch.
    fn batch(&self) -> Batch<Self::Scratch> {
        Batch::new(Self::DENSE)
    }

    /// Adds a lesson's gradients to the batch (unless only measuring) and its losses to the sums.
    fn learn(&self, lesson: &Lesson, batch: &mut Batch<Self::Scratch>, losses: &mut Losses, measure_only: bool);

    /// Takes one step along a batch's mean gradient and empties the batch.
    fn step(&mut self, batch: &mut Batch<Self::Scratch>);
}
