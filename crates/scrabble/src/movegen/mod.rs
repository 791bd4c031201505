//! Move generation: every legal play, or the best one with most of the board never searched.
//!
//! Anchors and cross-sets after Appel & Jacobson, the search from each anchor leftwards and then rightwards through
//! the GADDAG after Gordon (the study's algorithm 4.1). In best-move mode every anchor first gets an upper bound per
//! number of tiles to its left and right; anchors are searched from the most promising down, branches that cannot
//! beat the best move found are cut, and the rest of the board is skipped. What was found out about the lanes of one board
//! serves other boards that share them.

mod best;
mod bound;
mod found;
mod rack;
mod search;

pub use best::Known;
pub use found::Best;
pub use rack::{LeaveValues, MAX_RACK, NoLeaves, Rack};
pub use search::Generator;
