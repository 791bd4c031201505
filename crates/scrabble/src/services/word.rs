//! `word`: whether a word exists and its hooks.

use super::{Call, language};
use crate::table::Scrabble;
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
struct WordRequest {
    language: String,
    word: String,
}

#[derive(Serialize, ToSchema)]
struct WordAnswer {
    word: String,
    valid: bool,
    /// Front hooks.
    front: Vec<String>,
    /// Back hooks.
    back: Vec<String>,
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "word",
        "Whether a word exists and what hooks onto it.",
        Cost::Light,
        Needs::Nothing,
        serde_json::json!({ "language": "en", "word": "rate" }),
        word,
    )
}

fn word(game: &Scrabble, request: WordRequest, _: Call<'_>) -> Result<WordAnswer, ServiceError> {
    let language = language(game, &request.language)?;
    let alphabet = language.dictionary.alphabet();
    let tiles = alphabet.encode(&request.word).map_err(|e| ServiceError::BadRequest(e.to_string()))?;
    let hooks = language.dictionary.lexicon().hooks(&tiles);
    let texts = |tiles: &[u8]| tiles.iter().map(|&t| alphabet.text(t).to_owned()).collect();
    Ok(WordAnswer {
        word: alphabet.decode(&tiles),
        valid: language.dictionary.lexicon().contains(&tiles),
        front: texts(&hooks.front),
        back: texts(&hooks.back),
    })
}
