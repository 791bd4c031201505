//! `mobile_operative_send_enemy_hint`: the other side's clue.

use super::{SessionHintRequest, SessionStep, example_session, unanswered};
use crate::table::Codenames;
use game::{Cost, Needs, Service};
use serde_json::json;

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "mobile_operative_send_enemy_hint",
        "Add the other side's clue: the operative learns which words to suspect.",
        Cost::Light,
        Needs::Nothing,
        json!({ "session": example_session(), "clue": "money", "number": 1 }),
        |_: &Codenames, mut request: SessionHintRequest, _| {
            request.session.steps.push(SessionStep::EnemyHint { clue: request.clue, number: request.number });
            request.session.position(true)?;
            Ok(unanswered(request.session))
        },
    )
}
