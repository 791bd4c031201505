//! Parts that requests share: a position and a search effort.

use std::time::Duration;

use game::{ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Gomoku;
use crate::engine::{Config, Engine, Evaluation, SearchLimits};
use crate::rules::{Color, Position, Rule};
use crate::table::{Opening, Settings};

/// A position stated in a request.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    /// Stones in plain notation, alternating from black: `h8i9`.
    #[schema(max_length = 2_000)]
    pub stones: String,
    /// Points per side; 15 if not given.
    #[serde(default = "usual_size")]
    pub size: u8,
    #[serde(default)]
    pub rule: Rule,
    /// Who moves; the side whose turn follows if not given.
    #[serde(default)]
    pub to_move: Option<Color>,
}

const fn usual_size() -> u8 {
    15
}

impl PositionRequest {
    /// The position it states.
    pub fn position(&self) -> Result<Position, ServiceError> {
        let settings = Settings {
            size: self.size,
            rule: self.rule,
            opening: Opening::Free,
            stones: self.stones.clone(),
            to_move: self.to_move,
        };
        Ok(settings.start()?)
    }
}

/// The effort of a search. A node budget is reproducible; a time limit is not.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SearchEffort {
    /// Milliseconds, at most 60,000.
    #[schema(maximum = 60_000)]
    pub ms: Option<u64>,
    /// Moves made and evaluated, at most 50 million.
    #[schema(maximum = 50_000_000)]
    pub nodes: Option<u64>,
}

/// The largest effort of one request.
const MOST_MS: u64 = 60_000;
const MOST_NODES: u64 = 50_000_000;

impl SearchEffort {
    /// The engine limits; `usual` milliseconds where the request names none.
    pub fn limits(self, usual: u64, seed: u64) -> Result<SearchLimits, ServiceError> {
        if self.ms.is_some_and(|ms| ms > MOST_MS) || self.nodes.is_some_and(|nodes| nodes > MOST_NODES) {
            let message = format!("too long a thought: at most {MOST_MS} ms or {MOST_NODES} nodes can be asked for");
            return Err(ServiceError::BadRequest(message));
        }
        let turn = match (self.ms, self.nodes) {
            (Some(ms), _) => Some(Duration::from_millis(ms)),
            (None, Some(_)) => None,
            (None, None) => Some(Duration::from_millis(usual)),
        };
        Ok(SearchLimits { nodes: self.nodes, turn, seed, ..SearchLimits::default() })
    }
}

/// A request without options.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
pub struct NoOptions {}

/// The position of the caller's own table.
pub fn table_position(call: &ServiceCall<'_, Gomoku>) -> Result<Position, ServiceError> {
    let view = call.view.ok_or_else(|| ServiceError::BadRequest("this is about a table: call it there".to_owned()))?;
    view.position().map_err(|error| ServiceError::BadRequest(error.to_string()))
}

/// An engine for the position with the strongest evaluation available.
pub fn engine(game: &Gomoku, position: &Position) -> Result<Engine, ServiceError> {
    let evaluation = game.nets.get(position.rule()).unwrap_or(Evaluation::Pattern);
    let config = Config { table_mb: 16, ..Config::new(position.rule(), position.size()).with_evaluation(evaluation) };
    Engine::new(config).map_err(|error| ServiceError::Unavailable(error.to_string()))
}

/// Refuses a finished game.
pub fn still_running(position: &Position) -> Result<(), ServiceError> {
    if position.is_over() {
        return Err(ServiceError::BadRequest("the game is over; step back to look at an earlier move".to_owned()));
    }
    Ok(())
}
