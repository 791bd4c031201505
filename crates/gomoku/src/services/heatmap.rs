//! `heatmap`: the policy over the board, without search.

use game::{Cost, Needs, Service, ServiceError};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::request::{NoOptions, PositionRequest, engine, still_running, table_position};
use crate::Gomoku;
use crate::players::engine_stones;
use crate::rules::Position;
use crate::table::Spot;

/// Probability of a point as the next move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HeatSpot {
    #[serde(flatten)]
    pub spot: Spot,
    pub probability: f64,
}

/// The policy over the board.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HeatMap {
    /// Most likely first. The probabilities sum to one over the whole board; points below 0.05 % are left out.
    pub points: Vec<HeatSpot>,
    /// Whether the policy is that of a trained net; otherwise it is that of patterns.
    pub trained: bool,
}

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![
        Service::new(
            "heatmap",
            "How likely each point is as the next move, without search.",
            Cost::Light,
            Needs::View,
            json!({}),
            |game: &Gomoku, _: NoOptions, call| heatmap(game, &table_position(&call)?),
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
