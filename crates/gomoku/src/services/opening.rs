//! `opening`: three balanced stones to begin with.

use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::Gomoku;
use crate::formats;
use crate::players::swap2::three_stones;
use crate::players::{Resources, player};
use crate::rules::Rule;
use crate::table::Spot;

/// For which board and rule to find an opening.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningRequest {
    pub size: Option<u8>,
    #[serde(default)]
    pub rule: Rule,
}

/// Three stones that leave both sides with about equal chances.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BalancedOpening {
    pub stones: Vec<Spot>,
    /// The stones in plain notation, ready for settings.
    pub plain: String,
}

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![Service::new(
        "opening",
        "Three balanced stones to begin with.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "size": 15, "rule": "freestyle" }),
        |game: &Gomoku, request: OpeningRequest, call| {
            let size = request.size.unwrap_or(15);
            let mut player = player("full", &game.nets, Resources { table_mb: 8, threads: 1 })
                .ok_or_else(|| ServiceError::Unavailable("no engine".to_owned()))?;
            let stones = three_stones(&mut *player, request.rule, size, call.seed, call.control)
                .map_err(|error| ServiceError::BadRequest(error.to_string()))?;
            Ok(BalancedOpening {
                stones: stones.iter().map(|&point| Spot::new(point, size)).collect(),
                plain: formats::plain::write(&stones, size),
            })
        },
    )]
}
