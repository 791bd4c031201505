//! `pattern`: the words that fit a pattern.

use super::words_answer::{MAX_WORDS, WordsAnswer, answer, bad};
use super::{Call, language};
use crate::table::Scrabble;
use game::{Cost, Needs, Service, ServiceError};
use lexicon::Pattern;
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
struct PatternRequest {
    language: String,
    /// Letters, `?` for any one, `*` for any number, `[AEI]` or `[^AEI]` for one of.
    pattern: String,
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "pattern",
        "The words that fit a pattern.",
        Cost::Heavy,
        Needs::Nothing,
        serde_json::json!({ "language": "en", "pattern": "Q[^U]*" }),
        matching,
    )
}

fn matching(game: &Scrabble, request: PatternRequest, _: Call<'_>) -> Result<WordsAnswer, ServiceError> {
    let language = language(game, &request.language)?;
    let lexicon = language.dictionary.lexicon();
    if request.pattern.chars().filter(|&c| c == '*').count() > 3 || request.pattern.chars().count() > 60 {
        return Err(bad("a pattern has up to 60 characters, three of them `*`"));
    }
    let pattern = Pattern::parse(&request.pattern, lexicon).map_err(bad)?;
    Ok(answer(lexicon, &lexicon.matching(&pattern, MAX_WORDS + 1)))
}
