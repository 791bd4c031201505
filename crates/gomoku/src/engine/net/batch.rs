//! Gradients of one batch.

use super::trainer::RowGradients;

/// Gradients of one batch, with the buffers to compute them in.
pub struct GradientBatch<S> {
    pub(super) embeddings: RowGradients,
    pub(super) dense: Vec<f32>,
    /// Examples that have been added.
    pub(super) count: usize,
    pub(super) scratch: S,
}

impl<S: Default> GradientBatch<S> {
    /// An empty batch for this many dense weights.
    pub(super) fn new(dense: usize) -> Self {
        Self { embeddings: RowGradients::new(), dense: vec![0.0; dense], count: 0, scratch: S::default() }
    }

    /// Adds another batch to this one and empties it.
    pub fn take(&mut self, other: &mut Self) {
        self.embeddings.take(&mut other.embeddings);
        for (sum, g) in self.dense.iter_mut().zip(&mut other.dense) {
            *sum += std::mem::take(g);
        }
        self.count += std::mem::take(&mut other.count);
    }
}
