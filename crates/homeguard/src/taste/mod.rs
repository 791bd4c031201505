//! Taste: what players like about maps, learned from a few ratings.
//!
//! - [`simulated`]: players whose true liking is known, to measure the rest honestly.
//! - [`features`]: what is measured about a map.
//! - [`TasteModel`]: expected ratings with uncertainty.
//! - [`Pool`], [`propose`]: prepared and bred maps, and which of them to play next.
//! - [`Profile`]: a player's ratings as a file.
//! - [`elimination`]: the study's four elimination algorithms.
//! - [`eval`]: how much better than random the proposals are.

pub mod elimination;
pub mod eval;
pub mod features;
mod gp;
mod guess;
mod kernel;
mod model;
mod pool;
mod profile;
mod propose;
pub mod simulated;

pub use model::{Effect, Prediction, Scale, TasteModel};
pub use pool::{BEHAVIOUR, Measured, Pool, PoolError, plain_map, varied_map};
pub use profile::{Profile, ProfileError, RatedMap, Rating, RatingError};
pub use propose::{BRED, Kind, Proposal, ReasonPart, Wish, propose};
