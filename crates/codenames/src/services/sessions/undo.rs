//! `mobile_operative_undo`, `mobile_spymaster_undo`: take back the last step.

use super::{SessionRequest, unanswered};
use crate::services::example_board;
use crate::table::Codenames;
use game::{Cost, Needs, Service, ServiceError};
use serde_json::json;

pub(super) fn services() -> [Service<Codenames>; 2] {
    ["mobile_operative_undo", "mobile_spymaster_undo"].map(|name| {
        Service::new(
            name,
            "Take back the last step with everything concluded from it.",
            Cost::Light,
            Needs::Nothing,
            json!({ "session": { "board": example_board(), "steps": [{ "step": "end_turn" }] } }),
            |_: &Codenames, mut request: SessionRequest, _| {
                if request.session.steps.pop().is_none() {
                    return Err(ServiceError::BadRequest("there is no step to take back".to_owned()));
                }
                Ok(unanswered(request.session))
            },
        )
    })
}
