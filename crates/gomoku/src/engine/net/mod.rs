//! The line-table net: every line window around a point has an embedding, looked up and never computed.
//!
//! For the side to move, the features of a point are the rectified sum of the embeddings of its four line windows (four
//! points to each side). Two heads read them:
//!
//! * the value head sums features over a 3 × 3 division of the board and predicts win, draw and loss through two layers;
//! * the policy head combines the features of a point, a depthwise convolution of them over a star of 17 points, and
//!   hidden units that also see a summary of the whole board. It is computed only for the moves that a node orders.
//!
//! Both heads add to the tuned patterns ([`PatternPrior`]), so the net learns only what patterns miss. Mirror images of
//! a window share an embedding. In training an embedding is the sum of one for the exact window and one for its pair of
//! shapes, so that rare windows learn from common ones; for play both are merged into one int16 table. The layout
//! follows the idea of Rapfi's pattern net and of NNUE (Nasu 2018): cheap incremental inputs, small dense heads.
//!
//! Where the moves of a position are wanted without a tree, a deeper network answers: [`PolicyNet`].
//!
//! * [`Net`] — quantised weights, with a byte format;
//! * [`NetEvaluator`] — incremental inference inside the search;
//! * [`NetTrainer`] and [`PolicyTrainer`] — float weights and their optimisers;
//! * [`GradientTrainer`] — the interface that both share.

mod average;
mod batch;
mod evaluator;
#[cfg(test)]
mod gradient_check;
mod gradient_trainer;
mod policy_net;
mod prior;
mod trainer;
mod training_example;
mod weights;
mod windows;

pub use batch::GradientBatch;
pub use evaluator::{LazyEval, NetEvaluator};
pub use gradient_trainer::{GradientTrainer, Losses};
pub use policy_net::{PolicyNet, PolicyTrainer};
pub use prior::PatternPrior;
pub use trainer::NetTrainer;
pub use training_example::{LabelledPosition, TrainingExample};
pub use weights::{Net, NetError};

/// Features of a point.
pub const CHANNELS: usize = 32;
/// Regions of the value head.
pub const REGIONS: usize = 9;
/// Hidden units of the value head.
pub const HIDDEN: usize = 32;
/// Units of the second layer of the value head.
pub const VALUE_HIDDEN: usize = 32;
/// Hidden units of the policy head.
pub const POLICY_HIDDEN: usize = 32;
/// Units that summarise the board for the policy head.
pub const CONTEXT: usize = 16;

/// Taps of the policy convolution as (column, row) offsets: the 3 × 3 neighbourhood row by row, then the points two steps
/// away along lines.
pub const STAR: [(isize, isize); 17] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (0, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (-2, -2),
    (0, -2),
    (2, -2),
    (-2, 0),
    (2, 0),
    (-2, 2),
    (0, 2),
    (2, 2),
];
/// Number of taps.
pub const TAPS: usize = STAR.len();

/// The region of a point: a 3 × 3 division of the board.
pub fn region(x: usize, y: usize, size: usize) -> usize {
    3 * (y * 3 / size) + x * 3 / size
}
