//! `mobile_operative_played_word`, `mobile_spymaster_played_word`: a card was turned.

use super::{PhoneSession, SessionStep, example_session, operative, unanswered};
use crate::rules::CardSide;
use crate::table::Codenames;
use game::{Cost, Needs, Service};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// A card turned at the table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PlayedRequest {
    pub session: PhoneSession,
    pub word: String,
    pub role: CardSide,
}

impl PlayedRequest {
    fn applied(self) -> PhoneSession {
        let mut session = self.session;
        session.steps.push(SessionStep::Played { word: self.word, role: self.role });
        session
    }
}

fn example() -> serde_json::Value {
    json!({ "session": example_session(), "word": "wave", "role": "own" })
}

pub(super) fn operative_service() -> Service<Codenames> {
    Service::new(
        "mobile_operative_played_word",
        "Add a turned card: the operative answers with its next guess.",
        Cost::Heavy,
        Needs::Nothing,
        example(),
        |game: &Codenames, request: PlayedRequest, _| operative(game, request.applied()),
    )
}

pub(super) fn spymaster_service() -> Service<Codenames> {
    Service::new(
        "mobile_spymaster_played_word",
        "Add a turned card.",
        Cost::Light,
        Needs::Nothing,
        example(),
        |_: &Codenames, request: PlayedRequest, _| {
            let session = request.applied();
            session.position(false)?;
            Ok(unanswered(session))
        },
    )
}
