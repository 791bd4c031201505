//! `position`: ranked moves of any position given as CGP.

use super::analyse::{AnalyseAnswer, analyse};
use super::{Call, language, ten};
use crate::formats::Cgp;
use crate::rules::{Layout, unseen};
use crate::table::{Scrabble, SeatKnowledge};
use game::{Cost, Needs, Service, ServiceError};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
struct PositionRequest {
    language: String,
    /// The position as CGP; the first rack is the one to move.
    #[schema(max_length = 2_000)]
    cgp: String,
    /// How many moves.
    #[serde(default = "ten")]
    n: usize,
    /// Milliseconds of simulation; 0 ranks by static equity only.
    #[serde(default)]
    ms: u64,
}

pub(super) fn service() -> Service<Scrabble> {
    let empty_board = format!("{} AEINRST/ 0/0 0", ["15"; 15].join("/"));
    Service::new(
        "position",
        "Ranked moves of any position given as CGP.",
        Cost::Heavy,
        Needs::Nothing,
        serde_json::json!({ "language": "en", "cgp": empty_board, "n": 5 }),
        position,
    )
}

fn position(game: &Scrabble, request: PositionRequest, call: Call<'_>) -> Result<AnalyseAnswer, ServiceError> {
    let language = language(game, &request.language)?;
    let bad = |e: String| ServiceError::BadRequest(e);
    let layout = Layout::named("standard").ok_or_else(|| bad("no standard board".into()))?;
    let cgp = Cgp::parse(&request.cgp, &language.dictionary, &layout).map_err(|e| bad(e.to_string()))?;
    let hidden = unseen(&language.dictionary, &cgp.board, &cgp.racks[0])
        .ok_or_else(|| bad("more tiles than a set has".into()))?;
    let opponent_tiles = if cgp.racks[1].is_empty() { hidden.len().min(7) } else { cgp.racks[1].len() };
    let known = SeatKnowledge {
        layout,
        board: cgp.board,
        rack: cgp.racks[0].clone(),
        bag: hidden.len() - opponent_tiles,
        unseen: hidden,
        opponent_tiles,
        lead: cgp.scores[0] - cgp.scores[1],
        seats: 2,
        last: None,
    };
    Ok(analyse(&language, &known, request.n, request.ms, &call))
}
