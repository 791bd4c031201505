//! `hint`: the best move in three depths.

use super::{Call, knowledge};
use crate::engine::{MoveSort, rank_moves};
use crate::formats::notation::{coordinate, word_text};
use crate::rules::PlayerMove;
use crate::table::Scrabble;
use game::{Cost, Needs, RuleError, Service, ServiceError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
struct HintRequest {
    /// 1 where, 2 which tiles, 3 the move.
    depth: u8,
}

#[derive(Default, Serialize, ToSchema)]
struct HintAnswer {
    depth: u8,
    /// Squares (row, column) of the move.
    squares: Vec<(u8, u8)>,
    /// Tiles of the rack it uses, from depth 2 on.
    tiles: Option<Vec<String>>,
    /// The move, at depth 3.
    at: Option<String>,
    word: Option<String>,
    score: Option<i32>,
    /// `exchange` or `pass` when that is better than any play.
    instead: Option<String>,
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "hint",
        "A hint in three depths: where, which tiles, the move.",
        Cost::Light,
        Needs::View,
        serde_json::json!({ "depth": 1 }),
        hint,
    )
}

fn hint(game: &Scrabble, request: HintRequest, call: Call<'_>) -> Result<HintAnswer, ServiceError> {
    let (language, known) = knowledge(game, &call)?;
    if !(1..=3).contains(&request.depth) {
        return Err(ServiceError::Rule(RuleError::new("scrabble.hint", "a hint has depth 1, 2 or 3")));
    }
    let player = known.one_ply(&language, MoveSort::Equity);
    let best = rank_moves(&player, &known.known_position(&language, None), 1).into_iter().next();
    let alphabet = language.dictionary.alphabet();
    let mut answer = HintAnswer { depth: request.depth, ..HintAnswer::default() };
    match best.map(|b| b.turn) {
        Some(PlayerMove::Play(play)) => {
            answer.squares = play.laid_tiles().map(|(r, c, _)| (r as u8, c as u8)).collect();
            if request.depth >= 2 {
                let mut tiles: Vec<u8> = play.rack_tiles().collect();
                tiles.sort_unstable();
                answer.tiles = Some(tiles.iter().map(|&t| alphabet.text(t).to_owned()).collect());
            }
            if request.depth == 3 {
                answer.at = Some(coordinate(&play));
                answer.word = Some(word_text(alphabet, &play));
                answer.score = Some(play.score.into());
            }
        }
        Some(PlayerMove::Exchange(tiles)) => {
            answer.instead = Some("exchange".into());
            if request.depth >= 2 {
                answer.tiles = Some(tiles.iter().map(|&t| alphabet.text(t).to_owned()).collect());
            }
        }
        _ => answer.instead = Some("pass".into()),
    }
    Ok(answer)
}
