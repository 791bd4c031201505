//! Typed requests beside the table: check a clue, propose clues, explain a turn, sessions for phone apps. One file per
//! service.

mod check_clue;
mod check_hint;
mod explain;
mod export;
mod ideas;
mod import;
mod learn;
mod rating;
mod rating_position;
mod rating_score;
mod request_hint;
mod sessions;
mod similarities;

use crate::engine::BoardPosition;
use crate::formats::BoardFile;
use crate::table::{Codenames, View};
use game::{Service, ServiceCall, ServiceError};
use serde_json::json;

/// All services of the game.
pub fn all() -> Vec<Service<Codenames>> {
    let mut services = vec![
        check_clue::service(),
        ideas::service(),
        check_hint::service(),
        request_hint::service(),
        explain::service(),
        similarities::service(),
        learn::service(),
        rating_position::service(),
        rating_score::service(),
        export::service(),
        import::service(),
    ];
    services.extend(sessions::services());
    services
}

/// The caller's view, or an error if the service is called without a table.
fn at_table<'a>(call: &ServiceCall<'a, Codenames>) -> Result<&'a View, ServiceError> {
    call.view.ok_or_else(|| ServiceError::BadRequest("call this at a table".to_owned()))
}

fn board_position(board: &BoardFile) -> Result<BoardPosition, ServiceError> {
    board.position().map_err(ServiceError::BadRequest)
}

/// Whether a player name is that of Jareš 2019; `study` is its former name.
fn is_jares(player: Option<&str>) -> bool {
    matches!(player, Some("jares" | "study"))
}

/// The default language of requests.
fn english() -> String {
    "en".to_owned()
}

fn example_board() -> serde_json::Value {
    json!({ "lang": "en", "words": [
        { "word": "wave", "role": "own" }, { "word": "beach", "role": "own" }, { "word": "ship", "role": "own" },
        { "word": "bank", "role": "enemy" }, { "word": "spider", "role": "bystander" },
        { "word": "bomb", "role": "assassin" } ] })
}
