//! im2col (Chellapilla, Puri & Simard 2006): copies the receptive field of each cell, so that a convolution is one matrix
//! product. Any kernel and any padding value.

use super::BoardShape;

/// One padded board, and the receptive fields of the cells of one of its rows.
#[derive(Clone, Debug)]
pub(super) struct Im2Col {
    shape: BoardShape,
    kernel: usize,
    channels: usize,
    board: Vec<f32>,
    row: Vec<f32>,
}

impl Im2Col {
    /// For boards with `channels` values per cell, padded with `edge`.
    pub fn new(shape: BoardShape, kernel: usize, channels: usize, edge: f32) -> Self {
        let around = (shape.height + kernel - 1) * (shape.width + kernel - 1);
        let seen = kernel * kernel * channels;
        Im2Col { shape, kernel, channels, board: vec![edge; around * channels], row: vec![0.0; shape.width * seen] }
    }

    /// Loads the cells of a board.
    pub fn enter(&mut self, cells: &[f32]) {
        let (reach, pitch) = (self.kernel / 2, (self.shape.width + self.kernel - 1) * self.channels);
        for (y, from) in cells.chunks_exact(self.shape.width * self.channels).enumerate() {
            let start = (y + reach) * pitch + reach * self.channels;
            self.board[start..start + from.len()].copy_from_slice(from);
        }
    }

    /// The receptive fields of the cells of row `y`: kernel position by kernel position, channel by channel.
    pub fn row(&mut self, y: usize) -> &[f32] {
        let (run, pitch) = (self.kernel * self.channels, (self.shape.width + self.kernel - 1) * self.channels);
        for (x, seen) in self.row.chunks_exact_mut(self.kernel * run).enumerate() {
            for (ky, to) in seen.chunks_exact_mut(run).enumerate() {
                let start = (y + ky) * pitch + x * self.channels;
                to.copy_from_slice(&self.board[start..start + run]);
            }
        }
        &self.row
    }
}
