//! `mobile_operative_init`, `mobile_spymaster_init`: begin a session.

use super::{PhoneSession, before_a_hint, unanswered};
use crate::formats::BoardFile;
use crate::services::example_board;
use crate::table::Codenames;
use game::{Cost, Needs, Service};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// The board of a new session.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct InitRequest {
    pub board: BoardFile,
    #[serde(default)]
    pub player: Option<String>,
}

fn service(name: &'static str) -> Service<Codenames> {
    Service::new(
        name,
        "Begin a session for a board at a real table; the session travels with every call.",
        Cost::Light,
        Needs::Nothing,
        json!({ "board": example_board() }),
        |game: &Codenames, request: InitRequest, _| {
            game.language_model(&request.board.lang)?;
            let session = PhoneSession { board: request.board, steps: Vec::new(), player: request.player };
            session.position(false)?;
            Ok(unanswered(session))
        },
    )
}

pub(super) fn services() -> [Service<Codenames>; 2] {
    [service("mobile_operative_init"), before_a_hint(service("mobile_spymaster_init"))]
}
