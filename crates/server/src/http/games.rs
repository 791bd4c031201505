//! The games of this installation.

use super::HttpState;
use crate::api::{GameSummary, LevelSummary, ServiceSummary};
use axum::Json;
use axum::extract::State;
use catalog::{ErasedGame, ServiceInfo};
use serde_json::Value;

/// The games of this installation.
#[utoipa::path(get, path = "/api/v1/games", tag = "games", responses((status = 200, body = Vec<GameSummary>)))]
pub async fn list(State(http): State<HttpState>) -> Json<Vec<GameSummary>> {
    Json(http.app.catalog.games().iter().map(|game| summary(&**game)).collect())
}

/// A game as the list shows it.
pub fn summary(game: &dyn ErasedGame) -> GameSummary {
    let info = game.info();
    let level = |level: game::Level| LevelSummary { id: level.id, name: level.name, description: level.description };
    GameSummary {
        id: info.id.to_owned(),
        rules_version: info.rules_version,
        min_seats: info.min_seats,
        max_seats: info.max_seats,
        hidden: info.hidden,
        undo: info.undo,
        turns: info.turns,
        simultaneous: info.simultaneous,
        join_during_play: info.join_during_play,
        levels: game.levels().into_iter().map(level).collect(),
        default_level: game.default_level().to_owned(),
        default_settings: game.default_settings(),
        settings_schema: super::openapi::standalone(&game.settings_schema()),
        services: game.services().iter().map(service).collect(),
    }
}

fn service(info: &ServiceInfo) -> ServiceSummary {
    let word = |value: serde_json::Result<Value>| {
        value.ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
    };
    ServiceSummary {
        name: info.name.to_owned(),
        summary: info.summary.to_owned(),
        cost: word(serde_json::to_value(info.cost)),
        needs: word(serde_json::to_value(info.needs)),
        example: info.example.clone(),
    }
}
