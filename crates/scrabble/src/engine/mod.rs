//! The engine: move generation, evaluation, simulation, inference, pre-endgames and endgames.
//!
//! Sheppard (2002, Maven) divides the game in the same way: static evaluation with leaves, simulation of the best
//! candidates, and search once the bag is nearly empty.

pub mod analysis;
pub mod endgame;
mod inference;
pub mod leaves;
pub mod movegen;
mod one_ply;
mod positional;
pub mod preendgame;
mod ranking;
mod rollout;
pub mod simulation;
mod statistics;
mod win_model;

pub use inference::Inference;
pub use leaves::{LeaveError, LeaveModel, pair_index, triple_index};
pub use one_ply::{MoveSort, OnePlyPlayer};
pub use positional::{FEATURES, PositionalModel, positional_features};
pub use ranking::{RankedTurn, move_equity, rank_moves};
pub use win_model::{MAX_UNSEEN, WinModel};
