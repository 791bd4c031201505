//! The reader: a deep policy that reads threats further than a point's own neighbourhood.
//!
//! The line-table net judges a move by what stands around it; a win by several fours goes from line to line. The reader
//! has embeddings of its own and passes what it sees from point to point through residual blocks, over stones and the
//! empty cells near them only. In each block every point reads its star through a depthwise convolution, together
//! with the sum over all points, and mixes its units. It costs as much as a hundred nodes of search, so it is asked
//! for the moves of a position, not inside a tree.
//!
//! * [`Reader`] — weights for play;
//! * [`ReaderTrainer`] — weights in training: Adam for the blocks, sparse Adagrad for the embeddings.

#[cfg(test)]
mod gradients;
mod ground;
mod kernels;
#[cfg(test)]
mod oracle;
mod places;
mod trainer;

pub(super) use ground::Ground;
use ground::TAPS;
pub use trainer::ReaderTrainer;

use self::kernels::{add_row, convolve, dot, multiply, rectified, sum_rows};
use self::places::*;
use super::CHANNELS;
use super::weights::{ONE, Row};
use super::windows::WINDOWS;

/// Units of a point.
pub(super) const WIDTH: usize = 48;
/// Residual blocks.
pub(super) const BLOCKS: usize = 8;
/// Sums over all points are divided by this.
const POOL_SCALE: f32 = 32.0;

/// Units of one point.
type Units = [f32; WIDTH];

/// A reader as it is played.
#[derive(Clone, PartialEq)]
pub struct Reader {
    /// One embedding per window.
    pub(super) table: Vec<Row>,
    /// All other weights, see `places`.
    pub(super) dense: Vec<f32>,
}

impl Reader {
    /// Bytes of a reader in a file.
    pub(super) const BYTES: usize = 2 * WINDOWS * CHANNELS + 4 * DENSE;

    /// Appends the reader's bytes.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.table.iter().flat_map(|row| row.0).flat_map(i16::to_le_bytes));
        out.extend(self.dense.iter().flat_map(|v| v.to_le_bytes()));
    }

    /// The reader of these bytes; those that are missing are nothing.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let (table, dense) = bytes.split_at(bytes.len().min(2 * WINDOWS * CHANNELS));
        let mut ints = table.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]]));
        let floats = dense.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        Self {
            table: (0..WINDOWS).map(|_| Row(std::array::from_fn(|_| ints.next().unwrap_or(0)))).collect(),
            dense: floats.chain(std::iter::repeat(0.0)).take(DENSE).collect(),
        }
    }

    /// Log-odds of the ground's first `logits.len()` cells as the next move, up to a constant; `windows` are those of its
    /// cells, `logits` hold the patterns' log-odds before. The mean over that many of the board's eight images.
    pub(super) fn read(&self, ground: &mut Ground, windows: &[[u16; 4]], images: usize, logits: &mut [f32]) {
        // mirror images of a window share an embedding, so only stars differ between images of the board
        let features: Vec<[f32; CHANNELS]> = windows
            .iter()
            .map(|four| {
                let rows = four.map(|w| &self.table[usize::from(w)].0);
                std::array::from_fn(|c| {
                    let sum: i32 = rows.iter().map(|row| i32::from(row[c])).sum();
                    sum.max(0) as f32 / ONE
                })
            })
            .collect();
        let prior = logits.to_vec();
        let mut trace = Trace::default();
        logits.fill(0.0);
        for image in 0..images {
            ground.turn(image);
            forward(&self.dense, ground, &features, &mut trace);
            for (n, logit) in logits.iter_mut().enumerate() {
                *logit += trace.logit(&self.dense, n, prior[n]) / images as f32;
            }
        }
    }
}

/// What the points' units were on the way, block by block; kept for its memory.
#[derive(Default)]
struct Trace {
    /// Units after the last block.
    last: Vec<Units>,
    /// For each block: the rectified units before it with a row of nothing behind, their sum, and the rectified convolution.
    before: Vec<Vec<Units>>,
    pools: Vec<Units>,
    mixed: Vec<Vec<Units>>,
}

/// Passes features through all blocks.
fn forward(dense: &[f32], ground: &Ground, features: &[[f32; CHANNELS]], trace: &mut Trace) {
    let Trace { last: units, before, pools, mixed } = trace;
    before.resize_with(BLOCKS, Vec::new);
    mixed.resize_with(BLOCKS, Vec::new);
    pools.clear();
    units.clear();
    units.resize(features.len(), row(dense, LIFT_B));
    multiply(features, rows(dense, LIFT, CHANNELS), units);
    for block in 0..BLOCKS {
        let at = block_place(block);
        let (before, mixed) = (&mut before[block], &mut mixed[block]);
        before.clear();
        before.extend(units.iter().map(rectified));
        let pool = sum_rows(before).map(|sum| sum / POOL_SCALE);
        pools.push(pool);
        before.push([0.0; WIDTH]);
        let mut start = [row(dense, at + STAR_B)];
        multiply(&[pool], rows(dense, at + POOL, WIDTH), &mut start);
        convolve(ground, before, rows(dense, at + STAR_W, TAPS), &start[0], mixed);
        mixed.iter_mut().for_each(|units| *units = rectified(units));
        let bias = row(dense, at + MIX_B);
        units.iter_mut().for_each(|units| add_row(units, &bias));
        multiply(mixed, rows(dense, at + MIX, WIDTH), units);
    }
}

impl Trace {
    /// What the last units and the patterns' log-odds say of a cell.
    fn logit(&self, dense: &[f32], place: usize, prior: f32) -> f32 {
        dense[TRUST] * prior + dot(&rectified(&self.last[place]), &row(dense, OUT))
    }
}
