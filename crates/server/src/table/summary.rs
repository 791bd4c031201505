//! Summaries of tables for lists: stored beside the log, contain nothing hidden.

use super::disclosure::outcome;
use super::name_cache::NameCache;
use super::state::{Occupant, TableState};
use crate::api::{PlayerName, SeatView, TableSummary};
use crate::log_record::SeatPlayer;
use game::{Outcome, Seat};
use serde::{Deserialize, Serialize};
use store::GameRow;

/// The summary in the store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredSummary {
    pub seats: Vec<StoredSeat>,
    pub ply: u32,
    pub to_act: Vec<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

/// A seat in the summary.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredSeat {
    pub name_id: String,
    pub team: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<SeatPlayer>,
}

impl StoredSummary {
    pub fn of(state: &TableState) -> Self {
        let line = |seat: Seat| StoredSeat {
            name_id: state.plan.names.get(seat.index()).cloned().unwrap_or_else(|| format!("seat{}", seat.0 + 1)),
            team: state.plan.teams.get(seat.index()).copied().unwrap_or(seat.0),
            who: state.occupant(seat).map(|Occupant { who, .. }| who.clone()),
        };
        Self {
            seats: state.all_seats().map(line).collect(),
            ply: state.ply(),
            to_act: state.to_act().iter().collect(),
            outcome: state.ending().map(outcome),
        }
    }

    /// Every guest who sits here.
    pub fn guests(&self) -> impl Iterator<Item = &str> {
        self.seats.iter().filter_map(|line| match &line.who {
            Some(SeatPlayer::Person { guest }) => Some(guest.as_str()),
            _ => None,
        })
    }
}

/// A line of a list as `guest` sees it; `None` where the stored summary cannot be read.
pub fn table_summary(row: &GameRow, guest: Option<&str>, names: &NameCache) -> Option<TableSummary> {
    let summary: StoredSummary = serde_json::from_str(&row.summary).ok()?;
    let seats: Vec<SeatView> = summary
        .seats
        .iter()
        .enumerate()
        .map(|(index, line)| {
            let (kind, player, level, me) = match &line.who {
                None => ("open", None, None, false),
                Some(SeatPlayer::Person { guest: occupant }) => {
                    let name = names.get(occupant).unwrap_or_else(|| "Guest".to_owned());
                    ("person", Some(PlayerName { name }), None, guest == Some(occupant.as_str()))
                }
                Some(SeatPlayer::Bot { level }) => ("bot", None, Some(level.clone()), false),
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
