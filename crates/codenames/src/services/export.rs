//! `export`: the turns of a table as records of Jareš 2019 or as JSON lines.

use super::at_table;
use crate::eval::ranked_records;
use crate::formats::{TurnRecord, write_cnwa};
use crate::players::Operative;
use crate::table::{Codenames, View};
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Which format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordFormat {
    /// Clue and number, meant words, board words, separated by tabs.
    Cnwa,
    /// The same with the strong operative's ranking and its average precision.
    Cnwae,
    /// JSON lines with `hint`, `board`, `guesses`, `targets`.
    Jsonl,
}

/// A format.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RecordExportRequest {
    pub format: RecordFormat,
}

/// A file to download.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TurnRecordFile {
    pub name: String,
    pub media_type: String,
    pub text: String,
}

/// The turns whose meaning the viewer may know, as records: the cards that lay open, those meant and those touched.
fn records(view: &View) -> Vec<TurnRecord> {
    let word = |card: u8| view.cards[usize::from(card)].word.to_lowercase();
    let mut gone: Vec<u8> = Vec::new();
    let mut turns = Vec::new();
    for turn in &view.turns {
        let open = (0..view.cards.len() as u8).filter(|card| !gone.contains(card));
        if let Some(meant) = turn.meant.as_ref().filter(|_| !turn.word.is_empty()) {
            turns.push(TurnRecord {
                clue: turn.word.to_lowercase(),
                board: open.map(word).collect(),
                guesses: turn.guesses.iter().map(|g| word(g.card)).collect(),
                targets: meant.iter().map(|&card| word(card)).collect(),
                number: turn.number.meant(),
            });
        }
        // in Duet a bystander for one player may be an agent for the other
        let turned = turn.guesses.iter().map(|g| g.card).filter(|&c| view.cards[usize::from(c)].revealed.is_some());
        gone.extend(turned);
    }
    turns
}

fn export(game: &Codenames, view: &View, format: RecordFormat) -> Result<TurnRecordFile, ServiceError> {
    let turns = records(view);
    let (text, ending, media) = match format {
        RecordFormat::Cnwa => (write_cnwa(&turns), "cnwa", "text/tab-separated-values"),
        RecordFormat::Cnwae => {
            let strong = Operative::strong();
            (ranked_records(game.language_model(&view.lang)?, &strong, &turns), "cnwae", "text/tab-separated-values")
        }
        RecordFormat::Jsonl => {
            let lines: Result<Vec<String>, _> = turns.iter().map(serde_json::to_string).collect();
            let lines = lines.map_err(|error| ServiceError::BadRequest(error.to_string()))?;
            (lines.into_iter().map(|line| line + "\n").collect(), "jsonl", "application/jsonl")
        }
    };
    Ok(TurnRecordFile { name: format!("codenames.{ending}"), media_type: media.to_owned(), text })
}

pub(super) fn service() -> Service<Codenames> {
    Service::new(
        "export",
        "Export the turns of this table whose targets you may know, as .cnwa records or as JSON lines.",
        Cost::Light,
        Needs::View,
        json!({ "format": "cnwa" }),
        |game: &Codenames, request: RecordExportRequest, call| export(game, at_table(&call)?, request.format),
    )
}
