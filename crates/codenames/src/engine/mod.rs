//! What makes the players strong: language models, the choice model of a noisy operative, and two spymasters with their
//! operatives, one by expected value and one after Jareš 2019.

pub mod choice_model;
mod ensemble;
pub(crate) mod expected_value;
pub mod jares;
pub mod meaning;
mod position;

pub use ensemble::{Audience, Ensemble, EnsembleMember, Objective};
pub use position::{BoardPosition, Card, PastTurn};
