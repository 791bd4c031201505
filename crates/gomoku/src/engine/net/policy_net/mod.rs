//! The policy network: a residual network over the sparse graph of points near stones.
//!
//! The line-table net rates a move by its own surroundings; a win by several fours runs from line to line. This network
//! has its own embeddings and passes messages from point to point through residual blocks. Its nodes are the stones and
//! the empty cells near them; its edges join points at most four steps apart on a line. In each block a point reads its
//! neighbours through a depthwise convolution over 33 taps, adds a linear map of the sum over all points (global
//! pooling, as in KataGo, Wu 2019) and mixes its channels. One evaluation costs as much as a hundred search nodes, so it
//! answers for whole positions (the player `policy`, the heat map), not inside a tree.
//!
//! * [`PolicyNet`] — weights for play;
//! * [`PolicyTrainer`] — weights in training: Adam (Kingma & Ba 2015) for the blocks, sparse Adagrad (Duchi et al. 2011)
//!   for the embeddings.

#[cfg(test)]
mod gradient_check;
mod kernels;
#[cfg(test)]
mod oracle;
mod param_layout;
mod point_graph;
mod trainer;

pub(super) use point_graph::PointGraph;
use point_graph::TAPS;
pub use trainer::PolicyTrainer;

use self::kernels::{add_row, convolve, dot, multiply, rectified, sum_rows};
use self::param_layout::*;
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

/// A policy network for play.
#[derive(Clone, PartialEq)]
pub struct PolicyNet {
    /// One embedding per window.
    pub(super) table: Vec<Row>,
    /// All other weights, see `param_layout`.
    pub(super) dense: Vec<f32>,
}

impl PolicyNet {
    /// Bytes of a policy network in a file.
    pub(super) const BYTES: usize = 2 * WINDOWS * CHANNELS + 4 * DENSE;

    /// Appends the weights as bytes.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.table.iter().flat_map(|row| row.0).flat_map(i16::to_le_bytes));
        out.extend(self.dense.iter().flat_map(|v| v.to_le_bytes()));
    }

    /// A policy network from its bytes. Missing weights are zero.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let (table, dense) = bytes.split_at(bytes.len().min(2 * WINDOWS * CHANNELS));
        let mut ints = table.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]]));
        let floats = dense.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        Self {
            table: (0..WINDOWS).map(|_| Row(std::array::from_fn(|_| ints.next().unwrap_or(0)))).collect(),
            dense: floats.chain(std::iter::repeat(0.0)).take(DENSE).collect(),
        }
    }

    /// Logits of the first `logits.len()` cells of the graph as the next move. `windows` belong to its cells, `logits`
    /// hold
    /// the pattern prior on entry. The result is the mean over the first `images` of the eight symmetric images of the
    /// board.
    pub(super) fn infer(&self, graph: &mut PointGraph, windows: &[[u16; 4]], images: usize, logits: &mut [f32]) {
        // mirror images of a window share an embedding, so only the neighbours differ between images of the board
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
            graph.turn(image);
            forward(&self.dense, graph, &features, &mut trace);
            for (n, logit) in logits.iter_mut().enumerate() {
                *logit += trace.logit(&self.dense, n, prior[n]) / images as f32;
            }
        }
    }
}

/// Activations of all blocks, for the backward pass.
#[derive(Default)]
struct Trace {
    /// Units after the last block.
    last: Vec<Units>,
    /// For each block: the rectified units before it (with a row of zeros at the end), their sum, and the rectified
    /// convolution.
    before: Vec<Vec<Units>>,
    pools: Vec<Units>,
    mixed: Vec<Vec<Units>>,
}

/// Forward pass through all blocks.
fn forward(dense: &[f32], graph: &PointGraph, features: &[[f32; CHANNELS]], trace: &mut Trace) {
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
        convolve(graph, before, rows(dense, at + STAR_W, TAPS), &start[0], mixed);
        mixed.iter_mut().for_each(|units| *units = rectified(units));
        let bias = row(dense, at + MIX_B);
        units.iter_mut().for_each(|units| add_row(units, &bias));
        multiply(mixed, rows(dense, at + MIX, WIDTH), units);
    }
}

impl Trace {
    /// The logit of a cell from its last units and the pattern prior.
    fn logit(&self, dense: &[f32], place: usize, prior: f32) -> f32 {
        dense[PRIOR_WEIGHT] * prior + dot(&rectified(&self.last[place]), &row(dense, OUT))
    }
}
