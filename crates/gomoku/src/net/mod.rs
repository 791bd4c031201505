//! The line-table net: every line shape around a point has an embedding, looked up, never computed.
//!
//! For the side to move, each point's features are the sum of the embeddings of its four line windows
//! (four cells to each side), rectified. The value head reads sums of features over a 3 × 3 division of
//! the board through two layers and answers win, draw, loss; the policy head reads a point's features and a depthwise
//! convolution of them over a star of points, plainly and through hidden units that also hear of the board as a whole,
//! computed only where it is asked. Both add to what the tuned patterns say
//! (see [`Prior`]), so the net learns only what patterns miss. Mirror images of a window share an
//! embedding, and in training each embedding is the sum of one for the exact window and one for its
//! pair of shapes, so that rare windows learn from common ones; for play both are merged into one int16
//! table.
//!
//! Where the moves of a position are what is asked for, not their order inside a tree, a deeper policy answers that reads
//! threats from line to line, see [`Reader`].
//!
//! * [`Net`] — quantised weights, with a byte format;
//! * [`NetJudge`] — inference inside the search, updated by difference;
//! * [`Trainer`] — float weights and their fitting, [`ReaderTrainer`] those of the reader;
//! * [`Learner`] — what both have in common.

mod batch;
#[cfg(test)]
mod gradients;
mod infer;
mod learner;
mod lesson;
mod prior;
mod reader;
mod trainer;
mod weights;
mod windows;

pub use batch::Batch;
pub use infer::{Asked, NetJudge};
pub use learner::{Learner, Losses};
pub use lesson::{Lesson, Sample};
pub use prior::Prior;
pub use reader::{Reader, ReaderTrainer};
pub use trainer::Trainer;
pub use weights::{Net, NetError};

/// Features of a point.
pub const CHANNELS: usize = 32;
/// Regions of the value head.
pub const REGIONS: usize = 9;
/// Hidden units of the value head.
pub const HIDDEN: usize = 32;
/// Units of the value head's second layer.
pub const DEEP: usize = 32;
/// Hidden units of the policy head.
pub const MIXED: usize = 32;
/// Units that tell the policy head of the board as a whole.
pub const CONTEXT: usize = 16;

/// Points that the policy's convolution reads, as columns and rows from the middle: its neighbours row by row, then those
/// two steps away along lines.
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
/// How many points that are.
pub const TAPS: usize = STAR.len();

/// The region of a point: a 3 × 3 division of the board.
pub fn region(x: usize, y: usize, size: usize) -> usize {
    3 * (y * 3 / size) + x * 3 / size
}
