//! Gradients of the trainer against finite differences of its loss.

use super::trainer::{DENSE, RowGradients};
use super::{CHANNELS, GradientBatch, GradientTrainer, LabelledPosition, Losses, NetTrainer, TrainingExample};

fn example(n: u16) -> TrainingExample {
    let sample = LabelledPosition {
        size: 9,
        own: vec![40, 41, 50 + n],
        other: vec![31, 22, 60 + n],
        targets: vec![(42, 1.0), (44, 0.3 * f32::from(n))],
        outcome: [0.6, 0.1, 0.3],
    };
    let candidates = (30..34).chain(42..48).map(|at| (at, (at as i16 * 37) % 90)).collect();
    TrainingExample { sample, value: 0.4, candidates }
}

fn loss(trainer: &impl GradientTrainer, examples: &[TrainingExample]) -> f64 {
    let mut losses = Losses::default();
    let mut batch = trainer.batch();
    for example in examples {
        trainer.accumulate(example, &mut batch, &mut losses, true);
    }
    losses.value + losses.policy
}

/// Reads the dense gradients and those of the embeddings from a batch.
pub(super) type Found<T> = fn(&GradientBatch<<T as GradientTrainer>::Scratch>) -> (&[f32], &RowGradients);

/// Compares the accumulated gradients of a trainer with finite differences of its loss, for the dense weights that
/// `every` selects and for some of the embeddings.
pub(super) fn compare<T: GradientTrainer>(
    mut trainer: T,
    parts: fn(&mut T) -> [&mut Vec<f32>; 2],
    found: Found<T>,
    every: fn(usize) -> bool,
) {
    let examples: Vec<TrainingExample> = (0..4).map(example).collect();
    let mut batch = trainer.batch();
    let mut losses = Losses::default();
    for example in &examples {
        trainer.accumulate(example, &mut batch, &mut losses, false);
    }
    let (dense, embeddings) = found(&batch);
    let dense = (0..dense.len()).filter(|&i| every(i)).map(|i| (0, i, dense[i]));
    let places = embeddings.touched.iter().step_by(3).map(|&w| usize::from(w) * CHANNELS);
    let rows = places.flat_map(|w| [0, 5, 13, 22, 31].map(|c| (1, w + c, embeddings.rows[w + c])));
    let step = 5e-4f32;
    let mut seen = 0;
    for (part, i, found) in dense.chain(rows) {
        let before = parts(&mut trainer)[part][i];
        let mut loss_at = |value: f32| {
            parts(&mut trainer)[part][i] = value;
            loss(&trainer, &examples)
        };
        let targets = ((loss_at(before + step) - loss_at(before - step)) / (2.0 * f64::from(step))) as f32;
        loss_at(before);
        // a rectifier may switch within the step: a small difference is allowed
        let name = ["dense", "window"][part];
        assert!((found - targets).abs() <= 0.02 + 0.1 * targets.abs(), "{name} {i}: {found}, by differences {targets}");
        seen += usize::from(found.abs() > 0.02);
    }
    assert!(seen > 30, "only {seen} gradients are large enough to mean anything");
}

#[test]
fn gradients_are_those_of_finite_differences() {
    compare(
        NetTrainer::new(9),
        |trainer| [&mut trainer.dense, &mut trainer.embeddings.exact],
        |batch| (&batch.dense, &batch.embeddings),
        |i| i % 97 == 0 || i + 40 >= DENSE,
    );
}
