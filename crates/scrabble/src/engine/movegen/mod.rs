//! Move generation: every legal play, or the best one with most of the board never searched.
//!
//! Anchors and cross-sets after Appel & Jacobson 1988; the search from each anchor leftwards and then rightwards
//! through the GADDAG after Gordon 1994 (Dvořák 2006, algorithm 4.1). In best-move mode every anchor first gets an
//! upper bound per number of tiles to its left and right; anchors are searched in order of that bound, branches that
//! cannot beat the best move are cut, and the remaining anchors are skipped. Results for unchanged lanes are reused
//! across boards.

mod best;
mod bound;
mod rack;
mod search;
mod sink;

pub use best::AnchorCache;
pub use rack::{LeaveValues, MAX_RACK, NoLeaves, Rack};
pub use search::MoveGenerator;
pub use sink::Best;
