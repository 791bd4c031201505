//! `similarities`: all clues of a finished game against all its words.

use super::at_table;
use crate::engine::meaning::ScoringModel;
use crate::table::{Codenames, PhaseView};
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// The request has no parameters.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct SimilaritiesRequest {}

/// Scores of one clue for all cards.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SimilarityRow {
    pub clue: String,
    /// Cosines of the word vectors, card by card.
    pub vectors: Vec<f32>,
    /// The similarity of Jareš 2019, card by card.
    #[serde(rename = "study")]
    pub jares: Vec<f32>,
    /// The association model's score, card by card.
    pub strong: Vec<f32>,
}

/// All clues of a game against all its words.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SimilaritiesAnswer {
    pub words: Vec<String>,
    pub clues: Vec<SimilarityRow>,
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "similarities",
        "After the game: how strongly each clue is linked to each word, by three models.",
        Cost::Heavy,
        Needs::View,
        json!({}),
        |game: &Codenames, _: SimilaritiesRequest, call| {
            let view = at_table(&call)?;
            if view.phase != PhaseView::Over {
                return Err(ServiceError::BadRequest("similarities are available after the game".to_owned()));
            }
            let lm = game.language_model(&view.lang)?;
            let words: Vec<String> = view.cards.iter().map(|c| c.word.to_lowercase()).collect();
            let raw = |model: ScoringModel, clue: &str| -> Vec<f32> {
                lm.scores(model, clue, &words).into_iter().map(|s| s / model.sharpness()).collect()
            };
            let clues = view.turns.iter().filter(|t| !t.word.is_empty()).map(|turn| {
                let clue = turn.word.to_lowercase();
                SimilarityRow {
                    vectors: raw(ScoringModel::Vectors, &clue),
                    jares: raw(ScoringModel::Jares, &clue),
                    strong: raw(ScoringModel::Strong, &clue),
                    clue,
                }
            });
            Ok(SimilaritiesAnswer { clues: clues.collect(), words })
        },
    )
}
