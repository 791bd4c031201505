//! Gradients of the reader's trainer against finite differences of its loss.

use super::{OUT, ReaderTrainer};
use crate::net::Trainer;
use crate::net::gradients::compare;

#[test]
fn gradients_are_those_of_finite_differences() {
    compare(
        ReaderTrainer::new(&Trainer::new(9).quantised().table, 3),
        |trainer| [&mut trainer.dense, &mut trainer.embeddings.exact],
        |batch| (&batch.dense, &batch.embeddings),
        |i| i % 61 == 0 || i >= OUT,
    );
}
