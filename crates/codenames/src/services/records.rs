//! `export`: the turns of a table in the study's records; `import`: measures a player on such records.

use crate::eval::{evaluate, ranked_records};
use crate::formats::{Turn, read_turns, write_cnwa};
use crate::players::Guesser;
use crate::table::{Codenames, View};
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// The most turns measured at once.
const MOST: usize = 2_000;

/// Which layout to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordFormat {
    /// Clue and number, meant words, board words, with tabs between.
    Cnwa,
    /// The same with the strong player's ranking and its average precision.
    Cnwae,
    /// JSON lines with `hint`, `board`, `guesses`, `targets`.
    Jsonl,
}

/// A layout.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RecordExportRequest {
    pub format: RecordFormat,
}

/// A file to keep.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RecordFile {
    pub name: String,
    pub media_type: String,
    pub text: String,
}

/// Records to measure a player on.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RecordImportRequest {
    pub lang: String,
    /// `.cnwa`, or JSON lines with `hint`, `board`, `guesses`, `targets`.
    pub text: String,
    /// `strong` (default), `study`, `vectors` or `glosses`.
    #[serde(default)]
    pub player: Option<String>,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RecordImportAnswer {
    pub turns: usize,
    pub ap_targets: f64,
    pub ap_guesses: f64,
    pub recall_at_k: f64,
    pub top1: f64,
    /// The records with the player's rankings, as `.cnwae`.
    pub cnwae: String,
}

/// The turns whose meaning the viewer may know, as records: the cards that lay open, those meant and those touched.
fn records(view: &View) -> Vec<Turn> {
    let word = |card: u8| view.cards[usize::from(card)].word.to_lowercase();
    let mut gone: Vec<u8> = Vec::new();
    let mut turns = Vec::new();
    for turn in &view.turns {
        let open = (0..view.cards.len() as u8).filter(|card| !gone.contains(card));
        if let Some(meant) = turn.meant.as_ref().filter(|_| !turn.word.is_empty()) {
            turns.push(Turn {
                clue: turn.word.to_lowercase(),
                board: open.map(word).collect(),
                guesses: turn.guesses.iter().map(|g| word(g.card)).collect(),
                targets: meant.iter().map(|&card| word(card)).collect(),
                number: turn.number.meant(),
            });
        }
        // in Duet a bystander to one may still be the other's agent
        let turned = turn.guesses.iter().map(|g| g.card).filter(|&c| view.cards[usize::from(c)].revealed.is_some());
        gone.extend(turned);
    }
    turns
}

fn export(game: &Codenames, view: &View, format: RecordFormat) -> Result<RecordFile, ServiceError> {
    let turns = records(view);
    let (text, ending, media) = match format {
        RecordFormat::Cnwa => (write_cnwa(&turns), "cnwa", "text/tab-separated-values"),
        RecordFormat::Cnwae => {
            let strong = Guesser::parse("strong").expect("strong is a guesser");
            (ranked_records(game.tongue(&view.lang)?, &strong, &turns), "cnwae", "text/tab-separated-values")
        }
        RecordFormat::Jsonl => {
            let lines: Result<Vec<String>, _> = turns.iter().map(serde_json::to_string).collect();
            let lines = lines.map_err(|error| ServiceError::BadRequest(error.to_string()))?;
            (lines.into_iter().map(|line| line + "\n").collect(), "jsonl", "application/jsonl")
        }
    };
    Ok(RecordFile { name: format!("codenames.{ending}"), media_type: media.to_owned(), text })
}

fn import(game: &Codenames, request: &RecordImportRequest) -> Result<RecordImportAnswer, ServiceError> {
    let tongue = game.tongue(&request.lang)?;
    let name = request.player.as_deref().unwrap_or("strong");
    let guesser = Guesser::parse(name)
        .ok_or_else(|| ServiceError::BadRequest(format!("player: {name:?}; strong, study, vectors or glosses")))?;
    let turns = read_turns(&request.text).map_err(|error| ServiceError::BadRequest(format!("text: {error}")))?;
    if turns.is_empty() || turns.len() > MOST {
        return Err(ServiceError::BadRequest(format!("text: {} turns; 1 to {MOST} are measured", turns.len())));
    }
    let report = evaluate(tongue, &guesser, &turns);
    Ok(RecordImportAnswer {
        turns: report.turns,
        ap_targets: report.ap_targets,
        ap_guesses: report.ap_guesses,
        recall_at_k: report.recall_at_k,
        top1: report.top1,
        cnwae: ranked_records(tongue, &guesser, &turns),
    })
}

pub(super) fn services() -> Vec<Service<Codenames>> {
    vec![
        Service::new(
            "export",
            "The turns of this table whose meaning you may know, as the study's records or as JSON lines.",
            Cost::Light,
            Needs::View,
            json!({ "format": "cnwa" }),
            |game: &Codenames, request: RecordExportRequest, call| {
                let view = call.view.ok_or_else(|| ServiceError::BadRequest("call this at a table".to_owned()))?;
                export(game, view, request.format)
            },
        ),
        Service::new(
            "import",
            "Measures a player on recorded turns and gives them back with its rankings.",
            Cost::Heavy,
            Needs::Nothing,
            json!({ "lang": "en", "text": "ocean 2\twave beach\twave beach ship bank spider bomb\n" }),
            |game: &Codenames, request: RecordImportRequest, _| import(game, &request),
        ),
    ]
}
