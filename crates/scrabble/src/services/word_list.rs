//! `word_list`: words of a length by the probability of their tiles, with hooks.

use super::words_answer::MAX_WORDS;
use super::{Call, language};
use crate::table::Scrabble;
use game::{Cost, Needs, Service, ServiceError};
use lexicon::Tile;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
struct WordListRequest {
    language: String,
    /// Letters of the words.
    length: usize,
    /// Words skipped before the first.
    #[serde(default)]
    offset: usize,
    /// How many words.
    #[serde(default = "super::ten")]
    n: usize,
}

/// A word of a list by probability.
#[derive(Serialize, ToSchema)]
struct StudyWord {
    word: String,
    /// Number of ways to draw its tiles from a full set.
    combinations: f64,
    front: Vec<String>,
    back: Vec<String>,
}

#[derive(Serialize, ToSchema)]
struct WordListAnswer {
    words: Vec<StudyWord>,
    /// Words of this length in all.
    total: usize,
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "word_list",
        "Words of a length by the probability of their tiles, with hooks.",
        Cost::Heavy,
        Needs::Nothing,
        serde_json::json!({ "language": "en", "length": 2, "n": 10 }),
        word_list,
    )
}

fn word_list(game: &Scrabble, request: WordListRequest, _: Call<'_>) -> Result<WordListAnswer, ServiceError> {
    let language = language(game, &request.language)?;
    let lexicon = language.dictionary.lexicon();
    let list = lexicon.by_probability(request.length);
    let texts = |tiles: &[Tile]| tiles.iter().map(|&t| lexicon.alphabet().text(t).to_owned()).collect();
    let entry = |(word, combinations): &(Vec<Tile>, f64)| {
        let hooks = lexicon.hooks(word);
        let (front, back) = (texts(&hooks.front), texts(&hooks.back));
        StudyWord { word: lexicon.alphabet().decode(word), combinations: *combinations, front, back }
    };
    let words = list.iter().skip(request.offset).take(request.n.min(MAX_WORDS)).map(entry).collect();
    Ok(WordListAnswer { words, total: list.len() })
}
