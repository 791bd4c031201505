//! `import`: a GCG record as a report to step through.

use super::{Call, language};
use crate::engine::analysis::{AnalysisOptions, GameReport};
use crate::formats::gcg::Gcg;
use crate::rules::Layout;
use crate::table::Scrabble;
use game::{Cost, Needs, Service, ServiceError};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
struct ImportRequest {
    language: String,
    /// The record as GCG text.
    #[schema(max_length = 200_000)]
    gcg: String,
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "import",
        "A GCG record as a report to step through.",
        Cost::Heavy,
        Needs::Nothing,
        serde_json::json!({ "language": "en", "gcg": "#player1 A A\n#player2 B B\n>A: AEINRST 8D STAINER +66 66\n" }),
        import,
    )
}

fn import(game: &Scrabble, request: ImportRequest, _: Call<'_>) -> Result<GameReport, ServiceError> {
    let language = language(game, &request.language)?;
    let layout = Layout::named("standard").ok_or_else(|| ServiceError::BadRequest("no standard board".into()))?;
    let gcg = Gcg::parse(request.gcg.as_bytes()).map_err(|e| ServiceError::BadRequest(e.to_string()))?;
    Ok(gcg.report(&language, &layout, AnalysisOptions::default()))
}
