//! `mobile_spymaster_end_turn`, `mobile_operative_end_turn`: the turn ended.

use super::{SessionRequest, SessionStep, example_session, unanswered};
use crate::table::Codenames;
use game::{Cost, Needs, Service};
use serde_json::json;

pub(super) fn services() -> [Service<Codenames>; 2] {
    ["mobile_spymaster_end_turn", "mobile_operative_end_turn"].map(|name| {
        Service::new(
            name,
            "End the turn.",
            Cost::Light,
            Needs::Nothing,
            json!({ "session": example_session() }),
            |_: &Codenames, mut request: SessionRequest, _| {
                request.session.steps.push(SessionStep::EndTurn);
                Ok(unanswered(request.session))
            },
        )
    })
}
