//! The settings of a table: its puzzle.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The puzzle of a table: a shipped one by its id, or one's own as ipuz text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// A shipped puzzle, as the service `puzzles` lists them; not used where `file` is given.
    pub puzzle: String,
    /// A puzzle as ipuz text, as the services `open` and `make` return it. Never shown again: it may hold the solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { puzzle: "en/01".to_owned(), file: None }
    }
}
