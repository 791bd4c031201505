//! `explain`: why a clue, after its turn; `similarities`: everything, after the game.

use crate::meaning::Model;
use crate::rules::Number;
use crate::table::{Codenames, PhaseView};
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Which turn to explain, counted from 0 in the clue log.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ExplainRequest {
    pub turn: usize,
}

/// How strongly a clue speaks of one card.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Strength {
    pub card: usize,
    pub word: String,
    /// Chance that the clue is understood to mean it, by the association model.
    pub probability: f64,
    /// What links the two, strongest first.
    pub reasons: Vec<String>,
    /// Whether the giver meant it, where that may be told.
    pub meant: Option<bool>,
}

/// A clue and what it says of the cards that lay open.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ExplainAnswer {
    pub clue: String,
    #[schema(value_type = Object)]
    pub number: Number,
    /// Strongest first.
    pub words: Vec<Strength>,
}

/// Nothing is asked but the table.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct SimilaritiesRequest {}

/// Scores of one clue for all cards.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SimilarityRow {
    pub clue: String,
    /// Cosines of the word vectors, card by card.
    pub vectors: Vec<f32>,
    /// The study's similarity, card by card.
    pub study: Vec<f32>,
    /// The association model's score, card by card.
    pub strong: Vec<f32>,
}

/// All clues of a game against all its words.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SimilaritiesAnswer {
    pub words: Vec<String>,
    pub clues: Vec<SimilarityRow>,
}

pub(super) fn services() -> Vec<Service<Codenames>> {
    vec![
        Service::new(
            "explain",
            "What a clue of a finished turn says of each word that lay open, and what it meant where that may be told.",
            Cost::Light,
            Needs::View,
            json!({ "turn": 0 }),
            |game: &Codenames, request: ExplainRequest, call| {
                let view = call.view.ok_or_else(|| ServiceError::BadRequest("call this at a table".to_owned()))?;
                let tongue = game.tongue(&view.lang)?;
                let turn = view.turns.get(request.turn).filter(|t| !t.word.is_empty()).ok_or_else(|| {
                    let message = format!("there is no clue number {}; the log has {}", request.turn, view.turns.len());
                    ServiceError::BadRequest(message)
                })?;
                let giver = view.my_seat == Some(turn.seat);
                if !turn.finished && !giver {
                    return Err(ServiceError::BadRequest("a clue is explained after its turn".to_owned()));
                }
                let before = view.turns[..request.turn].iter().flat_map(|t| &t.guesses);
                let gone: Vec<u8> = before.map(|g| g.card).collect();
                let cards: Vec<usize> = (0..view.cards.len()).filter(|&i| !gone.contains(&(i as u8))).collect();
                let words: Vec<String> = cards.iter().map(|&i| view.cards[i].word.to_lowercase()).collect();
                let scores = tongue.scores(Model::Strong, &turn.word.to_lowercase(), &words);
                let meant = f64::from(turn.number.meant().unwrap_or(1).max(1));
                let chances = crate::players::race::inclusion(&scores, meant);
                let mut strengths: Vec<Strength> = cards
                    .iter()
                    .zip(words.iter().zip(chances))
                    .map(|(&card, (word, probability))| Strength {
                        card,
                        word: word.clone(),
                        probability,
                        reasons: Vec::new(),
                        meant: turn.meant.as_ref().map(|m| m.contains(&(card as u8))),
                    })
                    .collect();
                strengths.sort_by(|a, b| b.probability.total_cmp(&a.probability));
                for strength in strengths.iter_mut().take(6) {
                    let reasons = tongue.reasons(&turn.word, &strength.word);
                    strength.reasons = reasons.into_iter().take(3).map(|r| r.text).collect();
                }
                for strength in strengths.iter_mut().skip(6).filter(|s| s.meant == Some(true)) {
                    let reasons = tongue.reasons(&turn.word, &strength.word);
                    strength.reasons = reasons.into_iter().take(3).map(|r| r.text).collect();
                }
                Ok(ExplainAnswer { clue: turn.word.clone(), number: turn.number, words: strengths })
            },
        ),
        Service::new(
            "similarities",
            "After the game: how strongly each clue speaks of each word, by three models.",
            Cost::Heavy,
            Needs::View,
            json!({}),
            |game: &Codenames, _: SimilaritiesRequest, call| {
                let view = call.view.ok_or_else(|| ServiceError::BadRequest("call this at a table".to_owned()))?;
                if view.phase != PhaseView::Over {
                    return Err(ServiceError::BadRequest("the table of similarities opens after the game".to_owned()));
                }
                let tongue = game.tongue(&view.lang)?;
                let words: Vec<String> = view.cards.iter().map(|c| c.word.to_lowercase()).collect();
                let raw = |model: Model, clue: &str| -> Vec<f32> {
                    tongue.scores(model, clue, &words).into_iter().map(|s| s / model.sharpness()).collect()
                };
                let clues = view.turns.iter().filter(|t| !t.word.is_empty()).map(|turn| {
                    let clue = turn.word.to_lowercase();
                    SimilarityRow {
                        vectors: raw(Model::Vectors, &clue),
                        study: raw(Model::Study, &clue),
                        strong: raw(Model::Strong, &clue),
                        clue,
                    }
                });
                Ok(SimilaritiesAnswer { clues: clues.collect(), words })
            },
        ),
    ]
}
