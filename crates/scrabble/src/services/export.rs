//! `export`: the game as a file, a GCG record or a report as one HTML page. It holds only what the viewer may know.

use super::{Call, language, view};
use crate::engine::analysis::{AnalysisOptions, GameReport, ReportedTurn, report_game};
use crate::formats::gcg::{Gcg, GcgPlayer};
use crate::formats::html::{self, MOVES_PER_TURN};
use crate::rules::Layout;
use crate::table::{GameLanguage, HistoryTurn, Scrabble, View};
use game::{Cost, Needs, Seat, Service, ServiceError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum FileFormat {
    Gcg,
    Html,
}

#[derive(Deserialize, ToSchema)]
struct ExportRequest {
    format: FileFormat,
    /// What the players are called, by seat.
    #[serde(default)]
    players: Vec<String>,
}

/// A file to be saved.
#[derive(Serialize, ToSchema)]
struct File {
    name: String,
    media_type: String,
    text: String,
}

/// The turns of a game as far as the viewer may know them.
fn turns(view: &View) -> Vec<ReportedTurn> {
    let turn = |t: &HistoryTurn| ReportedTurn {
        seat: t.seat.index(),
        kind: t.kind.clone(),
        at: t.at.clone(),
        word: t.word.clone().or_else(|| t.exchanged_tiles.clone()),
        rack: t.rack.clone(),
        score: t.score,
        total: t.total,
        undone: t.undone,
    };
    view.history.iter().map(turn).collect()
}

fn layout(view: &View) -> Result<Layout, ServiceError> {
    Layout::named(&view.board_name).ok_or_else(|| ServiceError::BadRequest("no such board".into()))
}

/// The report of a table.
pub(super) fn table_report(
    language: &GameLanguage,
    view: &View,
    names: &[String],
    options: AnalysisOptions,
) -> Result<GameReport, ServiceError> {
    Ok(report_game(language, &layout(view)?, player_names(view, names), &turns(view), &view.scores, options))
}

/// The given names on one line each, seats where there are none.
fn player_names(view: &View, given: &[String]) -> Vec<String> {
    let name = |seat: usize| {
        let given = given.get(seat).map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
        given.filter(|name| !name.is_empty()).unwrap_or_else(|| Seat(seat as u8).to_string())
    };
    (0..view.scores.len()).map(name).collect()
}

/// What racks left over gave or cost: seat, tiles, points, total.
fn leftovers(view: &View) -> Vec<(usize, String, i32, i32)> {
    let Some(racks) = &view.final_racks else { return Vec::new() };
    let changed = view.adjustments.iter().enumerate().filter(|(_, points)| **points != 0);
    let line = |(seat, &points): (usize, &i32)| {
        // the player who gained went out and counts the racks of the others
        let counted = racks.iter().enumerate().filter(|(other, _)| (*other == seat) != (points > 0));
        let tiles: String = counted.flat_map(|(_, rack)| rack.iter().map(String::as_str)).collect();
        (seat, tiles, points, view.scores[seat])
    };
    changed.map(line).collect()
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "export",
        "The game as a file: a GCG record, or a report as one HTML page.",
        Cost::Heavy,
        Needs::View,
        serde_json::json!({ "format": "gcg", "players": ["Anna", "Bob"] }),
        export,
    )
}

fn export(game: &Scrabble, request: ExportRequest, call: Call<'_>) -> Result<File, ServiceError> {
    let view = view(&call)?;
    let names = player_names(view, &request.players);
    let (name, media_type, text) = match request.format {
        FileFormat::Gcg => {
            let player =
                |(i, name): (usize, &String)| GcgPlayer { nick: format!("player{}", i + 1), name: name.clone() };
            let players = names.iter().enumerate().map(player).collect();
            let turns = turns(view);
            if turns
                .iter()
                .any(|turn| turn.rack.is_none() && matches!(turn.kind.as_str(), "play" | "exchange" | "pass"))
            {
                let message = "a GCG record names every rack, so it can only be written once the game is over";
                return Err(ServiceError::BadRequest(message.into()));
            }
            let record = Gcg::from_turns(players, &turns, &leftovers(view));
            ("scrabble.gcg", "text/plain;charset=utf-8", record.write())
        }
        FileFormat::Html => {
            let report = table_report(
                &*language(game, &view.language)?,
                view,
                &names,
                AnalysisOptions { shown: MOVES_PER_TURN, ..AnalysisOptions::default() },
            )?;
            let page = html::page(&report, &layout(view)?, "Scrabble");
            ("scrabble.html", "text/html;charset=utf-8", page)
        }
    };
    Ok(File { name: name.into(), media_type: media_type.into(), text })
}
