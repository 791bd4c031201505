//! The gradients of one batch.

use super::embeddings::RowGradients;

/// Gradients of one batch, and room to compute them in.
pub struct Batch<S> {
    pub(in crate::net) embeddings: RowGradients,
    pub(in crate::net) dense: Vec<f32>,
    /// Lessons that have been added.
    pub(in crate::net) count: usize,
    pub(in crate::net) scratch: S,
}

impl<S: Default> Batch<S> {
    /// A batch of nothing for this many dense weights.
    pub(in crate::net) fn new(dense: usize) -> Self {
        Self { embeddings: RowGradients::new(), dense: vec![0.0; dense], count: 0, scratch: S::default() }
    }

    /// Adds another batch to this one and empties it.
    pub(in crate::net) fn take(&mut self, other: &mut Self) {
        self.embeddings.take(&mut other.embeddings);
        for (sum, g) in self.dense.iter_mut().zip(&mut other.dense) {
            *sum += std::mem::take(g);
        }
        self.count += std::mem::take(&mut other.count);
    }
}
