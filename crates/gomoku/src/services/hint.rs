//! `hint`: one good move and its reason.

use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::analyse::analyse;
use super::request::{SearchEffort, table_position};
use crate::Gomoku;
use crate::engine::reason::MoveReason;
use crate::table::{Phase, Spot};

/// The effort for a hint.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct HintRequest {
    #[serde(flatten)]
    pub effort: SearchEffort,
}

/// A recommended move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Hint {
    #[serde(rename = "move")]
    pub point: Spot,
    pub reason: MoveReason,
    /// The reason in one English sentence.
    pub note: String,
    /// Win probability after it, 0 to 1.
    pub win_probability: f64,
    /// Moves of both sides until the end, where it is forced; negative when losing.
    pub forced_in: Option<i32>,
    /// The principal variation, the hint itself first.
    pub line: Vec<Spot>,
}

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![Service::new(
        "hint",
        "A good move for the side to move, with the reason in players' words.",
        Cost::Heavy,
        Needs::View,
        json!({ "ms": 500 }),
        |game: &Gomoku, request: HintRequest, call| {
            if call.view.is_some_and(|view| !matches!(view.phase, Phase::Play)) {
                return Err(ServiceError::BadRequest("hints are for the game after the opening".to_owned()));
            }
            let position = table_position(&call)?;
            let effort = SearchEffort { ms: request.effort.ms.or(Some(500)), ..request.effort };
            let found = analyse(game, &position, effort, 1, call.seed, call.control)?;
            let best = found.lines.into_iter().next().ok_or_else(|| {
                ServiceError::Unavailable("no move was found in the time given; ask for more".to_owned())
            })?;
            Ok(Hint {
                point: best.first,
                reason: best.reason,
                note: best.note,
                win_probability: best.win_probability,
                forced_in: best.forced_in,
                line: best.line,
            })
        },
    )]
}
