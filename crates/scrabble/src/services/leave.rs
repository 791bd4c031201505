//! `leave`: the value of a leave.

use super::words_answer::bad;
use super::{Call, language};
use crate::table::Scrabble;
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
struct LeaveRequest {
    language: String,
    /// Tiles kept, `?` for a blank.
    tiles: String,
}

#[derive(Serialize, ToSchema)]
struct LeaveAnswer {
    tiles: String,
    /// Points.
    value: f64,
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "leave",
        "The value of a leave.",
        Cost::Light,
        Needs::Nothing,
        serde_json::json!({ "language": "en", "tiles": "ERS?" }),
        leave,
    )
}

fn leave(game: &Scrabble, request: LeaveRequest, _: Call<'_>) -> Result<LeaveAnswer, ServiceError> {
    let language = language(game, &request.language)?;
    let alphabet = language.dictionary.alphabet();
    let mut tiles = alphabet.encode_rack(&request.tiles).map_err(bad)?;
    if tiles.len() > 6 {
        return Err(bad("a leave has up to six tiles"));
    }
    tiles.sort_unstable();
    let value = f64::from(language.leaves.value(&tiles)) / 1000.0;
    Ok(LeaveAnswer { tiles: alphabet.decode(&tiles), value })
}
