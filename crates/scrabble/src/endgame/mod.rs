//! Exact play once the bag is empty: both racks are known, so the game is solved by search.
//!
//! Alpha-beta (negamax with null windows) and iterative deepening over a transposition table; positions at the depth
//! limit are judged by playing both sides out greedily. A value is *proved* only when no such judgement took part in
//! it. Most of the time goes into generating moves, and most lanes of the board are the same in most positions, so
//! the plays of a lane are kept per (lane, rack) and looked up.

mod lanes;
mod search;

pub use search::{Endgame, Limits, Solution, Status};
