//! Refusals by the rules.

use serde::Serialize;
use utoipa::ToSchema;

/// A refusal by the rules: what is wrong, where, and what would be right.
///
/// `code` is stable and short: the page translates it. `message` is a complete English sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, ToSchema)]
#[error("{message}")]
pub struct RuleError {
    /// For programs and translations, e.g. `gomoku.occupied`.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// For people.
    pub message: String,
}

impl RuleError {
    /// A refusal with a stable `code` and a complete English sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
