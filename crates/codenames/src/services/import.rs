//! `import`: measures an operative on recorded turns.

use crate::eval::{evaluate, ranked_records};
use crate::formats::read_turns;
use crate::players::Operative;
use crate::table::Codenames;
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Largest number of turns in one request.
const MAX_TURNS: usize = 2_000;

/// Records to measure an operative on.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RecordImportRequest {
    pub lang: String,
    /// `.cnwa`, or JSON lines with `hint`, `board`, `guesses`, `targets`.
    #[schema(max_length = 1_000_000)]
    pub text: String,
    /// `strong` (default), `jares`, `plain`, `vectors` or `glosses`.
    #[serde(default)]
    pub player: Option<String>,
}

/// The measures.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RecordImportAnswer {
    pub turns: usize,
    pub ap_targets: f64,
    pub ap_guesses: f64,
    pub recall_at_k: f64,
    pub top1: f64,
    /// The records with the operative's rankings, as `.cnwae`.
    pub cnwae: String,
}

fn import(game: &Codenames, request: &RecordImportRequest) -> Result<RecordImportAnswer, ServiceError> {
    let lm = game.language_model(&request.lang)?;
    let name = request.player.as_deref().unwrap_or("strong");
    let operative = Operative::parse(name).ok_or_else(|| {
        ServiceError::BadRequest(format!("player: {name:?}; strong, jares, plain, vectors or glosses"))
    })?;
    let turns = read_turns(&request.text).map_err(|error| ServiceError::BadRequest(format!("text: {error}")))?;
    if turns.is_empty() || turns.len() > MAX_TURNS {
        return Err(ServiceError::BadRequest(format!("text: {} turns; 1 to {MAX_TURNS} are measured", turns.len())));
    }
    let report = evaluate(lm, &operative, &turns);
    Ok(RecordImportAnswer {
        turns: report.turns,
        ap_targets: report.ap_targets,
        ap_guesses: report.ap_guesses,
        recall_at_k: report.recall_at_k,
        top1: report.top1,
        cnwae: ranked_records(lm, &operative, &turns),
    })
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "import",
        "Measure an operative on recorded turns and return them with its rankings.",
        Cost::Heavy,
        Needs::Nothing,
        json!({ "lang": "en", "text": "ocean 2\twave beach\twave beach ship bank spider bomb\n" }),
        |game: &Codenames, request: RecordImportRequest, _| import(game, &request),
    )
}
