//! `clue`: answers to one clue, with a pattern of known letters.

use crate::engine::solver::AnswerReason;
use crate::table::Crossword;
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// A clue by itself.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClueRequest {
    pub clue: String,
    /// Known letters, `?` for unknown ones, such as `?A??E`.
    pub pattern: String,
    #[serde(default)]
    pub lang: Option<String>,
    /// Number of answers; 10 if absent, at most 50.
    #[serde(default)]
    pub n: Option<usize>,
}

/// An answer and the evidence for it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ClueAnswerLine {
    pub answer: String,
    pub probability: f64,
    pub why: Vec<AnswerReason>,
}

/// The most probable answers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ClueAnswers {
    pub answers: Vec<ClueAnswerLine>,
}

pub(super) fn service() -> Service<Crossword> {
    Service::new(
        "clue",
        "Likely answers to one clue.",
        Cost::Heavy,
        Needs::Nothing,
        json!({"clue": "Squirrel's nut", "pattern": "?C???", "lang": "en", "n": 5}),
        |game: &Crossword, request: ClueRequest, _| {
            let language =
                game.languages.by_tag(request.lang.as_deref().unwrap_or("en")).map_err(ServiceError::Unavailable)?;
            let most = request.n.unwrap_or(10).clamp(1, 50);
            let found = language.with_knowledge(|knowledge| knowledge.answers(&request.clue, &request.pattern, most));
            let answers = found.map_err(ServiceError::BadRequest)?.into_iter().map(|found| ClueAnswerLine {
                answer: found.answer,
                probability: found.probability,
                why: found.why,
            });
            Ok(ClueAnswers { answers: answers.collect() })
        },
    )
}
