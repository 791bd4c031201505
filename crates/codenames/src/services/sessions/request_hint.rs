//! `mobile_spymaster_request_hint`: the spymaster's next clue.

use super::{SessionRequest, example_session, spymaster};
use crate::table::Codenames;
use game::{Cost, Needs, Service};
use serde_json::json;

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "mobile_spymaster_request_hint",
        "Get the spymaster's next clue with its targets and reasons.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "session": example_session() }),
        |game: &Codenames, request: SessionRequest, _| spymaster(game, request.session),
    )
}
