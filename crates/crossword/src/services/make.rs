//! `make`: a new puzzle.

use super::open::{OpenAnswer, answer};
use crate::engine::maker::ConstructionRequest;
use crate::formats::ipuz;
use crate::table::Crossword;
use game::{Cost, Needs, RuleError, Service, ServiceCall, ServiceError};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// The puzzle to make.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeRequest {
    /// `en`, `cs` or `pl`.
    pub lang: String,
    /// Cells a side, 5 to 21.
    pub size: usize,
    /// 1 easy, 2 medium, 3 hard; 2 if absent.
    #[serde(default)]
    pub difficulty: Option<u8>,
    /// The same seed makes the same puzzle; drawn if absent.
    #[serde(default)]
    pub seed: Option<u64>,
    #[serde(default)]
    pub title: Option<String>,
}

pub(super) fn service() -> Service<Crossword> {
    Service::new(
        "make",
        "Makes a puzzle: a symmetric grid filled with words, clues from the clue collection and from dictionaries.",
        Cost::Heavy,
        Needs::Nothing,
        json!({"lang": "en", "size": 9, "difficulty": 1, "seed": 7}),
        make,
    )
}

fn make(game: &Crossword, request: MakeRequest, call: ServiceCall<'_, Crossword>) -> Result<OpenAnswer, ServiceError> {
    let language = game.languages.by_tag(&request.lang).map_err(ServiceError::Unavailable)?;
    let title = request.title.unwrap_or_else(|| format!("{0} × {0}", request.size));
    let wanted = ConstructionRequest {
        size: request.size,
        difficulty: request.difficulty.unwrap_or(2),
        seed: request.seed.unwrap_or(call.seed),
        title: title.chars().take(100).collect(),
        author: "Parlour".to_owned(),
        ..ConstructionRequest::default()
    };
    let puzzle = language
        .make(&wanted)
        .map_err(|fault| ServiceError::Rule(RuleError::new("crossword.make", fault.to_string())))?;
    let file = ipuz::write(&puzzle).map_err(|fault| ServiceError::Unavailable(fault.to_string()))?;
    Ok(answer(&puzzle, file, "ipuz"))
}
