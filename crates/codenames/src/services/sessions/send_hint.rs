//! `mobile_operative_send_hint`: our spymaster's clue.

use super::{PhoneSession, SessionStep, example_session, operative};
use crate::rules::Number;
use crate::table::Codenames;
use game::{Cost, Needs, Service};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// A clue given at the table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct SessionHintRequest {
    pub session: PhoneSession,
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "mobile_operative_send_hint",
        "Add our spymaster's clue: the operative answers with its guesses and their probabilities.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "session": example_session(), "clue": "ocean", "number": 3 }),
        |game: &Codenames, mut request: SessionHintRequest, _| {
            let step = SessionStep::Hint { clue: request.clue, number: request.number, meant: Vec::new() };
            request.session.steps.push(step);
            operative(game, request.session)
        },
    )
}
