//! `threats`: every point where a side makes a threat, without search.

use game::{Cost, Needs, Service, ServiceError};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::request::{NoOptions, PositionRequest, still_running, table_position};
use crate::Gomoku;
use crate::engine::geometry::Cell;
use crate::engine::reason::{Threat, patterns};
use crate::rules::{Color, Position};
use crate::table::Spot;

/// A point where a stone of a colour makes a threat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ThreatSpot {
    #[serde(flatten)]
    pub spot: Spot,
    pub color: Color,
    pub threat: Threat,
}

/// All threats on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Threats {
    /// Strongest first.
    pub threats: Vec<ThreatSpot>,
}

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![
        Service::new(
            "threats",
            "Every point where either side makes a five, a four, a four-three or an open three.",
            Cost::Light,
            Needs::View,
            json!({}),
            |_: &Gomoku, _: NoOptions, call| threats(&table_position(&call)?),
        ),
        Service::new(
            "threats_position",
            "The same for any position.",
            Cost::Light,
            Needs::Nothing,
            json!({ "stones": "h8a1i8a3j8a5" }),
            |_: &Gomoku, request: PositionRequest, _| threats(&request.position()?),
        ),
    ]
}

fn threats(position: &Position) -> Result<Threats, ServiceError> {
    still_running(position)?;
    let patterns =
        patterns(position).ok_or_else(|| ServiceError::BadRequest("the position has no patterns".to_owned()))?;
    let size = position.size();
    let mut threats: Vec<ThreatSpot> = Vec::new();
    for point in position.board().empty_points() {
        for color in [Color::Black, Color::White] {
            if let Some(threat) = Threat::of(patterns.class(Cell::of(point), color)) {
                threats.push(ThreatSpot { spot: Spot::new(point, size), color, threat });
            }
        }
    }
    threats.sort_by_key(|found| found.threat);
    Ok(Threats { threats })
}
