//! Taste: what players like about maps, learned from a few ratings.
//!
//! - [`simulated`]: players whose true liking is known, to measure the rest honestly.

pub mod simulated;
