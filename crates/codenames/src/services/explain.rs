//! `explain`: the links of a clue to the cards, after its turn.

use super::at_table;
use crate::engine::choice_model::inclusion_probabilities;
use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::rules::Number;
use crate::table::{Codenames, TurnView, View};
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Cards whose links are given in words.
const EXPLAINED: usize = 6;
/// Links per card.
const LINKS: usize = 3;

/// Which turn to explain.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ExplainRequest {
    /// Index in the clue log, from 0.
    pub turn: usize,
}

/// How strongly a clue is linked to one card.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LinkStrength {
    pub card: usize,
    pub word: String,
    /// Probability that the clue is meant for it, by the association model.
    pub probability: f64,
    /// The links, strongest first.
    pub reasons: Vec<String>,
    /// Whether the spymaster meant it, where the viewer may know.
    pub meant: Option<bool>,
}

/// A clue and its links to the cards that were open.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ExplainAnswer {
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
    /// Strongest first.
    pub words: Vec<LinkStrength>,
}

fn explain(lm: &LanguageModel, view: &View, turn: &TurnView, before: &[TurnView]) -> ExplainAnswer {
    let turned: Vec<u8> = before.iter().flat_map(|t| &t.guesses).map(|g| g.card).collect();
    let cards: Vec<usize> = (0..view.cards.len()).filter(|&i| !turned.contains(&(i as u8))).collect();
    let words: Vec<String> = cards.iter().map(|&i| view.cards[i].word.to_lowercase()).collect();
    let scores = lm.scores(ScoringModel::Strong, &turn.word.to_lowercase(), &words);
    let meant = f64::from(turn.number.meant().unwrap_or(1).max(1));
    let probabilities = inclusion_probabilities(&scores, meant);
    let mut strengths: Vec<LinkStrength> = cards
        .iter()
        .zip(words.iter().zip(probabilities))
        .map(|(&card, (word, probability))| LinkStrength {
            card,
            word: word.clone(),
            probability,
            reasons: Vec::new(),
            meant: turn.meant.as_ref().map(|m| m.contains(&(card as u8))),
        })
        .collect();
    strengths.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    for (_, strength) in strengths.iter_mut().enumerate().filter(|(k, s)| *k < EXPLAINED || s.meant == Some(true)) {
        let reasons = lm.reasons(&turn.word, &strength.word);
        strength.reasons = reasons.into_iter().take(LINKS).map(|r| r.text).collect();
    }
    ExplainAnswer { clue: turn.word.clone(), number: turn.number, words: strengths }
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "explain",
        "Explain the clue of a finished turn: its links to each open word, and its targets where the viewer may know them.",
        Cost::Light,
        Needs::View,
        json!({ "turn": 0 }),
        |game: &Codenames, request: ExplainRequest, call| {
            let view = at_table(&call)?;
            let lm = game.language_model(&view.lang)?;
            let turn = view.turns.get(request.turn).filter(|t| !t.word.is_empty()).ok_or_else(|| {
                let message = format!("there is no clue number {}; the log has {}", request.turn, view.turns.len());
                ServiceError::BadRequest(message)
            })?;
            if !turn.finished && view.my_seat != Some(turn.seat) {
                return Err(ServiceError::BadRequest("a clue is explained after its turn".to_owned()));
            }
            Ok(explain(lm, view, turn, &view.turns[..request.turn]))
        },
    )
}
