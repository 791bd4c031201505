//! `learn`: which kinds of links a person follows, from past turns. The server keeps nothing: the page stores the answer and
//! may delete it.

use super::english;
use crate::engine::meaning::{PersonProfile, PersonTurn};
use crate::table::Codenames;
use game::{Cost, Needs, Service, ServiceError};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// Largest number of turns in one request.
const MAX_TURNS: usize = 400;
/// Largest board, in words.
const MAX_BOARD: usize = 50;

/// A person's turns, the newest last.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct LearnRequest {
    #[serde(default = "english")]
    pub lang: String,
    pub turns: Vec<PersonTurn>,
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "learn",
        "Learn from a person's past turns which links the person follows; the answer is the setting `person` of a table.",
        Cost::Light,
        Needs::Nothing,
        json!({ "lang": "en", "turns": [{ "clue": "reef", "board": ["whale", "drum", "lion"], "taken": ["whale"] }] }),
        |game: &Codenames, request: LearnRequest, _| {
            if request.turns.len() > MAX_TURNS || request.turns.iter().any(|t| t.board.len() > MAX_BOARD) {
                let message = format!("turns: at most {MAX_TURNS} turns with boards of at most {MAX_BOARD} words");
                return Err(ServiceError::BadRequest(message));
            }
            Ok::<PersonProfile, ServiceError>(PersonProfile::learn(game.language_model(&request.lang)?, &request.turns))
        },
    )
}
