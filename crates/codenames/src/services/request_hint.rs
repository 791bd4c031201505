//! `request_hint`: the best clues for any board whose key is known (Jareš 2019, section 5.7).

use super::ideas::{IdeasAnswer, IdeasRequest, describe_clue, ideas};
use super::{board_position, example_board};
use crate::engine::PastTurn;
use crate::formats::BoardFile;
use crate::players::{Spymaster, SpymasterKind};
use crate::rules::{Clue, Number};
use crate::table::Codenames;
use game::{Cost, Needs, Service};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// A board with its key.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RequestHintRequest {
    pub board: BoardFile,
    /// Clues given before; they are not repeated.
    #[serde(default)]
    pub previous: Vec<String>,
    #[serde(flatten)]
    pub ideas: IdeasRequest,
    /// `strong` (default) or `jares`.
    #[serde(default)]
    pub player: Option<String>,
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "request_hint",
        "Propose the best clues for any board whose key is known, each for different words.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "board": example_board(), "n": 3 }),
        |game: &Codenames, request: RequestHintRequest, _| {
            let lm = game.language_model(&request.board.lang)?;
            let mut position = board_position(&request.board)?;
            for word in &request.previous {
                let clue = Clue { word: word.to_lowercase(), number: Number::Of(1) };
                position.turns.push(PastTurn { own: false, clue, guesses: Vec::new(), meant: Vec::new() });
            }
            if super::is_jares(request.player.as_deref()) {
                let kind = SpymasterKind::Jares { strategy: false, hypernyms: true };
                let spymaster = Spymaster { kind, ..Spymaster::jares() };
                let found = spymaster.best_clues(lm, &position, request.ideas.n.clamp(1, 20));
                return Ok(IdeasAnswer { ideas: found.iter().map(|c| describe_clue(lm, &position, c)).collect() });
            }
            ideas(lm, &position, &request.ideas)
        },
    )
}
