//! `report`: a finished game turn by turn.

use super::export::table_report;
use super::{Call, EmptyRequest, language, view};
use crate::engine::analysis::{AnalysisOptions, GameReport};
use crate::table::Scrabble;
use game::{Cost, Needs, Service, ServiceError};

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "report",
        "A finished game turn by turn: the move, the best move, what it cost, where the game turned.",
        Cost::Heavy,
        Needs::View,
        serde_json::json!({}),
        |game: &Scrabble, _: EmptyRequest, call: Call<'_>| -> Result<GameReport, ServiceError> {
            let view = view(&call)?;
            table_report(&*language(game, &view.language)?, view, &[], AnalysisOptions::default())
        },
    )
}
