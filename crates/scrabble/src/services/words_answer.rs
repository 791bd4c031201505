//! The answer of services that list words.

use game::ServiceError;
use lexicon::{Lexicon, Tile};
use serde::Serialize;
use utoipa::ToSchema;

/// Most words of one answer.
pub(super) const MAX_WORDS: usize = 1000;

#[derive(Serialize, ToSchema)]
pub(super) struct WordsAnswer {
    words: Vec<String>,
    /// Whether there are more words than one answer holds.
    more: bool,
}

pub(super) fn bad(error: impl std::fmt::Display) -> ServiceError {
    ServiceError::BadRequest(error.to_string())
}

pub(super) fn answer(lexicon: &Lexicon, words: &[Vec<Tile>]) -> WordsAnswer {
    let shown = words.iter().take(MAX_WORDS).map(|w| lexicon.alphabet().decode(w)).collect();
    WordsAnswer { words: shown, more: words.len() > MAX_WORDS }
}
