//! Exact play once the bag is empty: both racks are known, so the game has perfect information.
//!
//! Principal variation search with iterative deepening and a transposition table. Positions at the depth limit are
//! evaluated by a greedy playout. A value is *proved* only when no such evaluation contributed to it. Move generation
//! takes most of the time and most lanes of the board are unchanged between positions, so the plays of a lane are
//! cached per (lane, rack).

mod lanes;
mod search;

pub use search::{Endgame, EndgameLimits, EndgameSolution, ProofStatus};
