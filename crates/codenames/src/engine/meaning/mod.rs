//! How strongly a clue calls up a board word, by several scoring models over the data of one language.

mod clue_vocabulary;
mod definition_counts;
mod definitions;
mod jares;
mod language_model;
mod link_trust;
mod person_profile;
mod score_matrix;
mod scoring_model;

pub(crate) use definition_counts::DefinitionCounts;
pub use language_model::LanguageModel;
pub use link_trust::LinkTrust;
pub use person_profile::{PersonProfile, PersonTurn};
pub use score_matrix::{ScoreColumn, ScoreColumns, ScoreMatrix, ScoreMatrixError};
pub use scoring_model::ScoringModel;
