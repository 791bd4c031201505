//! `check_clue`: whether a clue is legal at a table, and what a bot would guess from it.

use super::at_table;
use crate::engine::BoardPosition;
use crate::engine::meaning::LanguageModel;
use crate::players::{Operative, RankedCard};
use crate::rules::{Clue, ClueLegality, ClueRefusal, Number, Strictness};
use crate::table::Codenames;
use game::{Cost, Needs, Service};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// A clue to check at a table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CheckClueRequest {
    pub word: String,
    /// 0 to 9, or `unlimited`.
    #[schema(value_type = Object)]
    pub number: Number,
}

/// One card in an operative's ranking.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LikelyCard {
    pub card: usize,
    pub word: String,
    /// Probability that the clue is meant for it.
    pub probability: f64,
}

/// The verdict on a clue and what a bot would guess.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CheckClueAnswer {
    pub legal: bool,
    /// Why it is refused.
    pub refusal: Option<ClueRefusal>,
    /// The stable code of the refusal.
    pub code: Option<String>,
    /// The guesses of a bot, most probable first; empty for a refused clue.
    pub guesses: Vec<LikelyCard>,
}

/// The verdict on a clue for a position; the key is not used.
pub(super) fn check(
    lm: &LanguageModel,
    strictness: Strictness,
    position: &BoardPosition,
    word: &str,
    number: Number,
) -> CheckClueAnswer {
    let legality = ClueLegality::new(Some(lm.language()), strictness);
    if let Err(refusal) = legality.check(word, &position.open_words()) {
        let code = Some(refusal.kind.code().to_owned());
        return CheckClueAnswer { legal: false, refusal: Some(refusal), code, guesses: Vec::new() };
    }
    let clue = Clue { word: word.trim().to_lowercase(), number };
    let ranking = Operative::strong().rank(lm, &position.hidden(), &clue);
    CheckClueAnswer { legal: true, refusal: None, code: None, guesses: likely_cards(position, &ranking) }
}

pub(super) fn likely_cards(position: &BoardPosition, ranking: &[RankedCard]) -> Vec<LikelyCard> {
    let word = |card: usize| position.cards[card].word.clone();
    ranking.iter().map(|r| LikelyCard { card: r.card, word: word(r.card), probability: r.probability }).collect()
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "check_clue",
        "Check whether a clue is legal at this table, and what a bot would guess from it.",
        Cost::Light,
        Needs::View,
        json!({ "word": "ocean", "number": 2 }),
        |game: &Codenames, request: CheckClueRequest, call| {
            let view = at_table(&call)?;
            let lm = game.language_model(&view.lang)?;
            let mut position = view.impersonal_position(true).hidden();
            position.turns.clear();
            Ok(check(lm, view.strictness, &position, &request.word, request.number))
        },
    )
}
