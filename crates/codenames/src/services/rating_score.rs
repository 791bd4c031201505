//! `rating_score`: the score of each spymaster's clue from the cards a person marked. A record counts only if every clue is
//! answered.

use super::english;
use super::rating::prepare;
use crate::eval::{Marked, clue_score};
use crate::rules::{CardSide, Number};
use crate::table::Codenames;
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// The cards a person marked for each clue, in any order.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RatingAnswers {
    #[serde(default = "english")]
    pub lang: String,
    pub seed: u64,
    pub answers: Vec<Vec<u8>>,
}

/// The score of one spymaster's clue.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingRow {
    #[serde(rename = "giver")]
    pub spymaster: String,
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
    /// The cards it was meant for.
    pub meant: Vec<usize>,
    /// Own +1, enemy −1, bystander 0; with the assassin minus the enemy words left.
    pub score: f64,
}

/// The record of a position, and its key.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatingRecord {
    pub seed: u64,
    pub rows: Vec<RatingRow>,
    pub key: Vec<CardSide>,
}

fn rating_score(game: &Codenames, request: &RatingAnswers) -> Result<RatingRecord, ServiceError> {
    let (position, clues) = prepare(game, &request.lang, request.seed)?;
    if request.answers.len() != clues.len() || request.answers.iter().any(Vec::is_empty) {
        let message = format!("answers: a record counts only if all {} clues are answered", clues.len());
        return Err(ServiceError::BadRequest(message));
    }
    let mut rows = Vec::new();
    for ((spymaster, clue), marked) in clues.into_iter().zip(&request.answers) {
        let mut sides = Vec::new();
        let mut seen = Vec::new();
        for &card in marked {
            let known = position.cards.get(usize::from(card)).filter(|c| c.open && !seen.contains(&card));
            let known = known.ok_or_else(|| {
                ServiceError::BadRequest(format!("answers: card {card} is not open, or was marked twice"))
            })?;
            sides.push(known.side);
            seen.push(card);
        }
        let score = clue_score(&[Marked { sides, enemy_left: position.enemy_left }]).unwrap_or(0.0);
        rows.push(RatingRow {
            spymaster: spymaster.to_owned(),
            clue: clue.word,
            number: clue.number,
            meant: clue.targets,
            score,
        });
    }
    Ok(RatingRecord { seed: request.seed, rows, key: position.cards.iter().map(|c| c.side).collect() })
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "rating_score",
        "Score the marked cards of a prepared position, and name the spymaster of each clue.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "lang": "en", "seed": 1, "answers": [[0], [1], [2]] }),
        |game: &Codenames, request: RatingAnswers, _| rating_score(game, &request),
    )
}
