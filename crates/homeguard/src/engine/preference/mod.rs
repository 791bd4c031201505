//! Preference learning: which maps a player likes, from a few ratings.
//!
//! - [`features`]: the numbers measured for a map.
//! - [`PreferenceModel`]: expected ratings with uncertainty.
//! - [`MapPool`], [`propose()`]: precomputed and evolved maps, and which of them to play next.
//! - [`PreferenceProfile`]: a player's ratings as a file.
//! - [`elimination`]: the four elimination algorithms of Šindelář 2024 (section 4.7).

mod drift;
pub mod elimination;
pub mod features;
mod gaussian_process;
mod kernel;
mod model;
mod play_features;
mod pool;
mod profile;
mod propose;
mod surrogate;

pub use drift::{RatedFeatures, weighted};
pub use model::{FeatureEffect, FeatureScale, Observation, PreferenceModel, RatingPrediction};
pub use pool::{BEHAVIOUR, MapPool, MapPoolError, MeasuredMap, plain_map, varied_map};
pub use profile::{MapRating, PreferenceProfile, ProfileError, RatedMap, RatingError};
pub use propose::{EVOLVED, Proposal, ProposalKind, ProposalParams, ReasonPart, ShownMap, diverse_choice, propose};
