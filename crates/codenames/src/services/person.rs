//! `learn`: what past turns say of how a person thinks. Nothing is kept here: the page keeps it and may forget it.

use crate::meaning::{Person, Taken};
use crate::table::Codenames;
use game::{Cost, Needs, Service, ServiceError};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// The most turns learned from at once.
const MOST: usize = 400;

/// A person's turns, the newest last.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct LearnRequest {
    #[serde(default = "english")]
    pub lang: String,
    pub turns: Vec<Taken>,
}

fn english() -> String {
    "en".to_owned()
}

pub(super) fn services() -> Vec<Service<Codenames>> {
    vec![Service::new(
        "learn",
        "Learns from a person's past turns which links the person follows; the answer is the setting `person` of a table.",
        Cost::Light,
        Needs::Nothing,
        json!({ "lang": "en", "turns": [{ "clue": "reef", "board": ["whale", "drum", "lion"], "taken": ["whale"] }] }),
        |game: &Codenames, request: LearnRequest, _| {
            if request.turns.len() > MOST || request.turns.iter().any(|t| t.board.len() > 50) {
                let message = format!("turns: at most {MOST} turns with boards of at most 50 words");
                return Err(ServiceError::BadRequest(message));
            }
            Ok::<Person, ServiceError>(Person::learn(game.tongue(&request.lang)?, &request.turns))
        },
    )]
}
