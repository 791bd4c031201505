//! Gradients of the policy trainer against finite differences of its loss.

use super::{OUT, PolicyTrainer};
use crate::engine::net::NetTrainer;
use crate::engine::net::gradient_check::compare;

#[test]
fn gradients_are_those_of_finite_differences() {
    compare(
        PolicyTrainer::new(&NetTrainer::new(9).quantised().table, 3),
        |trainer| [&mut trainer.dense, &mut trainer.embeddings.exact],
        |batch| (&batch.dense, &batch.embeddings),
        |i| i % 61 == 0 || i >= OUT,
    );
}
