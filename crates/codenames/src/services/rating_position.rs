//! `rating_position`: a prepared position with the clues of several spymasters, unnamed.

use super::english;
use super::rating::prepare;
use crate::engine::Card;
use crate::rules::{CardSide, Number};
use crate::table::Codenames;
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Which position.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RatingRequest {
    #[serde(default = "english")]
    pub lang: String,
    /// Names the position: the same seed gives the same words, key and clues.
    pub seed: u64,
}

/// A card of a prepared position as the rater sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingCard {
    pub word: String,
    /// Its side, if it is turned.
    pub revealed: Option<CardSide>,
}

/// A clue without its spymaster's name.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingClue {
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
}

/// A position with clues to answer in turn.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingPosition {
    pub seed: u64,
    pub cards: Vec<RatingCard>,
    pub clues: Vec<RatingClue>,
}

fn rating_position(game: &Codenames, request: &RatingRequest) -> Result<RatingPosition, ServiceError> {
    let (position, clues) = prepare(game, &request.lang, request.seed)?;
    let card = |c: &Card| RatingCard { word: c.word.clone(), revealed: (!c.open).then_some(c.side) };
    Ok(RatingPosition {
        seed: request.seed,
        cards: position.cards.iter().map(card).collect(),
        clues: clues.into_iter().map(|(_, c)| RatingClue { clue: c.word, number: c.number }).collect(),
    })
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "rating_position",
        "Prepare a position and the clues of several spymasters, without their names, for blind rating.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "lang": "en", "seed": 1 }),
        |game: &Codenames, request: RatingRequest, _| rating_position(game, &request),
    )
}
