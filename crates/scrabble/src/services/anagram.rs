//! `anagram`: the words that a rack spells.

use super::words_answer::{WordsAnswer, answer, bad};
use super::{Call, language};
use crate::table::Scrabble;
use game::{Cost, Needs, Service, ServiceError};
use serde::Deserialize;
use utoipa::ToSchema;

/// Most tiles and blanks of an anagram.
const MAX_TILES: usize = 15;
const MAX_BLANKS: usize = 3;

#[derive(Deserialize, ToSchema)]
struct AnagramRequest {
    language: String,
    /// Tiles, `?` for a blank.
    rack: String,
    /// Also words that use only some of the tiles.
    #[serde(default)]
    partial: bool,
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "anagram",
        "The words that a rack spells.",
        Cost::Heavy,
        Needs::Nothing,
        serde_json::json!({ "language": "en", "rack": "AEINRS?", "partial": false }),
        anagram,
    )
}

fn anagram(game: &Scrabble, request: AnagramRequest, _: Call<'_>) -> Result<WordsAnswer, ServiceError> {
    let language = language(game, &request.language)?;
    let lexicon = language.dictionary.lexicon();
    let rack = lexicon.alphabet().encode_rack(&request.rack).map_err(bad)?;
    if rack.len() > MAX_TILES || rack.iter().filter(|&&t| t == 0).count() > MAX_BLANKS {
        return Err(bad(format!("an anagram takes up to {MAX_TILES} tiles, {MAX_BLANKS} of them blanks")));
    }
    Ok(answer(lexicon, &lexicon.anagrams(&rack, request.partial)))
}
