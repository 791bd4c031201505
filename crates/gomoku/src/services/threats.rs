//! `threats` and `heatmap`: what is where on the board, without search.

use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::question::{PositionRequest, engine, still_running, table_position};
use crate::Gomoku;
use crate::engine::geometry::Cell;
use crate::players::engine_stones;
use crate::reason::{Threat, patterns};
use crate::rules::{Color, Position};
use crate::table::Spot;

/// Nothing to say besides the table.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
pub struct Plain {}

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

/// How likely a point is as the next move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HeatSpot {
    #[serde(flatten)]
    pub spot: Spot,
    pub probability: f64,
}

/// The policy over the board.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HeatMap {
    /// Most likely first; the probabilities sum to one over the whole board, the rarest points are left out.
    pub points: Vec<HeatSpot>,
    /// Whether a trained net spoke, or the patterns in its place.
    pub trained: bool,
}

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![
        Service::new(
            "threats",
            "Every point where either side makes a five, a four, a four-three or an open three.",
            Cost::Light,
            Needs::View,
            json!({}),
            |_: &Gomoku, _: Plain, call| threats(&table_position(&call)?),
        ),
        Service::new(
            "threats_position",
            "The same for any position.",
            Cost::Light,
            Needs::Nothing,
            json!({ "stones": "h8a1i8a3j8a5" }),
            |_: &Gomoku, request: PositionRequest, _| threats(&request.position()?),
        ),
        Service::new(
            "heatmap",
            "How likely each point is as the next move, without search.",
            Cost::Light,
            Needs::View,
            json!({}),
            |game: &Gomoku, _: Plain, call| heatmap(game, &table_position(&call)?),
        ),
        Service::new(
            "heatmap_position",
            "The same for any position.",
            Cost::Light,
            Needs::Nothing,
            json!({ "stones": "h8i9" }),
            |game: &Gomoku, request: PositionRequest, _| heatmap(game, &request.position()?),
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

/// Points less likely than this are left out of a heat map.
const FAINT: f32 = 0.000_5;

fn heatmap(game: &Gomoku, position: &Position) -> Result<HeatMap, ServiceError> {
    still_running(position)?;
    let mut engine = engine(game, position)?;
    let policy = engine
        .policy(&engine_stones(position), position.to_move())
        .map_err(|error| ServiceError::BadRequest(error.to_string()))?;
    let points = policy
        .into_iter()
        .filter(|(_, probability)| *probability >= FAINT)
        .map(|(point, probability)| HeatSpot {
            spot: Spot::new(point, position.size()),
            probability: f64::from(probability),
        })
        .collect();
    Ok(HeatMap { points, trained: game.nets.get(position.rule()).is_some() })
}
