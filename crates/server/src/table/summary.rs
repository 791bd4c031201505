//! What lists show of a table: kept beside the log, holds nothing hidden.

use super::names::Names;
use super::disclosure::outcome;
use super::room::{Room, Sitter};
use crate::api::{PlayerName, SeatView, TableSummary};
use crate::record::Who;
use game::{Outcome, Seat};
use serde::{Deserialize, Serialize};
use store::GameRow;

/// The summary as the store keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub seats: Vec<SeatLine>,
    pub ply: u32,
    pub to_act: Vec<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

/// A seat in the summary.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatLine {
    pub name_id: String,
    pub team: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Who>,
}

impl Summary {
    pub fn of(room: &Room) -> Self {
        let line = |seat: Seat| SeatLine {
            name_id: room.plan.names.get(seat.index()).cloned().unwrap_or_else(|| format!("seat{}", seat.0 + 1)),
            team: room.plan.teams.get(seat.index()).copied().unwrap_or(seat.0),
            who: room.sitter(seat).map(|Sitter { who, .. }| who.clone()),
        };
        Self {
            seats: room.all_seats().map(line).collect(),
            ply: room.ply(),
            to_act: room.to_act().iter().collect(),
            outcome: room.ending().map(outcome),
        }
    }

    /// Every guest who sits here.
    pub fn guests(&self) -> impl Iterator<Item = &str> {
        self.seats.iter().filter_map(|line| match &line.who {
            Some(Who::Person { guest }) => Some(guest.as_str()),
            _ => None,
        })
    }
}

/// A line of a list as `guest` sees it; `None` where the stored summary cannot be read.
pub fn list_line(row: &GameRow, guest: Option<&str>, names: &Names) -> Option<TableSummary> {
    let summary: Summary = serde_json::from_str(&row.summary).ok()?;
    let seats: Vec<SeatView> = summary
        .seats
        .iter()
        .enumerate()
        .map(|(index, line)| {
            let (kind, player, level, me) = match &line.who {
                None => ("open", None, None, false),
                Some(Who::Person { guest: sitter }) => {
                    let name = names.get(sitter).unwrap_or_else(|| "Guest".to_owned());
                    ("person", Some(PlayerName { name }), None, guest == Some(sitter.as_str()))
                }
                Some(Who::Bot { level }) => ("bot", None, Some(level.clone()), false),
            };
            SeatView {
                seat: Seat(index as u8),
                name_id: line.name_id.clone(),
                team: line.team,
                kind: kind.to_owned(),
                player,
                level,
                me,
                connected: false,
            }
        })
        .collect();
    Some(TableSummary {
        id: row.id.clone(),
        game: row.game.clone(),
        state: row.state.as_str().to_owned(),
        my_turn: summary.to_act.iter().any(|seat| seats.get(seat.index()).is_some_and(|seat| seat.me)),
        seats,
        ply: summary.ply,
        to_act: summary.to_act,
        outcome: summary.outcome,
        created_ms: row.created_ms,
        updated_ms: row.updated_ms,
    })
}
