//! `check_hint`: checks a clue for any board (Jareš 2019, section 5.7).

use super::check_clue::check;
use super::{board_position, example_board};
use crate::formats::BoardFile;
use crate::rules::{Number, Strictness};
use crate::table::Codenames;
use game::{Cost, Needs, Service};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// A clue and a board.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CheckHintRequest {
    pub board: BoardFile,
    pub clue: String,
    /// 0 to 9, or `unlimited`.
    #[schema(value_type = Object)]
    pub number: Number,
    #[serde(default)]
    pub strictness: Strictness,
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "check_hint",
        "Check a clue for any board and rank what would be guessed.",
        Cost::Light,
        Needs::Nothing,
        json!({ "board": example_board(), "clue": "ocean", "number": 3 }),
        |game: &Codenames, request: CheckHintRequest, _| {
            let lm = game.language_model(&request.board.lang)?;
            let position = board_position(&request.board)?;
            Ok(check(lm, request.strictness, &position, &request.clue, request.number))
        },
    )
}
