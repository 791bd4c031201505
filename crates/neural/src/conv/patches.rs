//! What a kernel sees, cell by cell: boards with an edge around them, read row by row.

use super::BoardShape;

/// One board with its edge, and what the kernel sees in the cells of one of its rows.
#[derive(Clone, Debug)]
pub(super) struct Patches {
    shape: BoardShape,
    kernel: usize,
    channels: usize,
    board: Vec<f32>,
    row: Vec<f32>,
}

impl Patches {
    /// For boards with `channels` numbers in a cell; beyond the edge everything is `edge`.
    pub fn new(shape: BoardShape, kernel: usize, channels: usize, edge: f32) -> Self {
        let around = (shape.height + kernel - 1) * (shape.width + kernel - 1);
        let seen = kernel * kernel * channels;
        Patches { shape, kernel, channels, board: vec![edge; around * channels], row: vec![0.0; shape.width * seen] }
    }

    /// Takes the cells of a board.
    pub fn enter(&mut self, cells: &[f32]) {
        let (reach, pitch) = (self.kernel / 2, (self.shape.width + self.kernel - 1) * self.channels);
        for (y, from) in cells.chunks_exact(self.shape.width * self.channels).enumerate() {
            let start = (y + reach) * pitch + reach * self.channels;
            self.board[start..start + from.len()].copy_from_slice(from);
        }
    }

    /// What the kernel sees in every cell of row `y`: place by place, channel by channel.
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
