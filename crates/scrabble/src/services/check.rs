//! `check`: whether a tentative move fits, its words and its score.

use super::{Call, knowledge};
use crate::formats::notation::parse_play;
use crate::rules::check_play;
use crate::table::Scrabble;
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A tentative move.
#[derive(Deserialize, ToSchema)]
struct CheckRequest {
    /// Square and direction: `8D` across, `D8` down.
    at: String,
    /// The word, lower case for blanks, `.` for tiles already there.
    word: String,
}

#[derive(Serialize, ToSchema)]
struct WordCheck {
    word: String,
    valid: bool,
}

#[derive(Serialize, ToSchema)]
struct CheckAnswer {
    /// Whether the tiles may lie there and the rack has them.
    fits: bool,
    /// Whether all words exist.
    valid: bool,
    score: i32,
    words: Vec<WordCheck>,
    /// Why it does not fit.
    reason: Option<String>,
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "check",
        "Whether a tentative move fits, its words and its score.",
        Cost::Light,
        Needs::View,
        serde_json::json!({ "at": "8D", "word": "WORD" }),
        check,
    )
}

fn check(game: &Scrabble, request: CheckRequest, call: Call<'_>) -> Result<CheckAnswer, ServiceError> {
    let (language, known) = knowledge(game, &call)?;
    let dictionary = &language.dictionary;
    let refuse =
        |reason: String| CheckAnswer { fits: false, valid: false, score: 0, words: Vec::new(), reason: Some(reason) };
    let play = match parse_play(dictionary.alphabet(), &known.board, &request.at, &request.word) {
        Ok(play) => play,
        Err(error) => return Ok(refuse(error.to_string())),
    };
    let scored = match check_play(&known.board, &known.layout, dictionary.values(), &play, 7) {
        Ok(scored) => scored,
        Err(error) => return Ok(refuse(error.to_string())),
    };
    let mut left = known.rack.clone();
    for tile in play.rack_tiles() {
        match left.iter().position(|&t| t == tile) {
            Some(i) => {
                left.swap_remove(i);
            }
            None => return Ok(refuse(format!("the rack has no further {}", dictionary.alphabet().text(tile)))),
        }
    }
    let words: Vec<WordCheck> = scored
        .words
        .iter()
        .map(|w| WordCheck { word: dictionary.alphabet().decode(w), valid: dictionary.lexicon().contains(w) })
        .collect();
    let valid = words.iter().all(|w| w.valid);
    Ok(CheckAnswer { fits: true, valid, score: scored.score, words, reason: None })
}
