//! What a table shows to whom. Everything that leaves a table is made here, from views.

use super::names::Names;
use super::room::{Room, Sitter};
use crate::api::{LegalLine, PlayerName, Rematch, SeatView, TableView, Thinking, ThoughtLine};
use crate::record::Who;
use game::{Ending, Outcome, Seat, SeatSet, Viewer};
use serde_json::Value;
use store::GameState;

/// The most legal actions that are listed.
const LEGAL_LIMIT: usize = 2_000;

/// Whose eyes a table is shown to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Eyes {
    /// The seat looked from.
    pub seat: Option<Seat>,
    /// All seats of the caller.
    pub mine: SeatSet,
}

impl Eyes {
    pub fn viewer(self) -> Viewer {
        self.seat.map_or(Viewer::Spectator, Viewer::Seat)
    }
}

/// What a table knows besides its room.
pub struct Surroundings<'a> {
    pub names: &'a Names,
    pub connected: SeatSet,
    pub thinking: Option<&'a Thinking>,
    pub public_url: &'a str,
    pub local_only: bool,
    pub now: i64,
}

/// The table as `eyes` may see it.
pub fn table_view(room: &Room, eyes: Eyes, around: &Surroundings<'_>) -> TableView {
    let viewer = eyes.viewer();
    let table = room.table.as_deref();
    let open_hand = !room.game.info().hidden || room.state() == GameState::Over;
    TableView {
        id: room.id.clone(),
        game: room.game.info().id.to_owned(),
        rules_version: room.rules_version,
        settings: room.game.public_settings(&room.settings),
        options: room.terms.options,
        state: room.state().as_str().to_owned(),
        seats: room.all_seats().map(|seat| seat_view(room, seat, eyes.mine, around)).collect(),
        viewer: eyes.seat,
        seq: room.seq,
        ply: room.ply(),
        to_act: room.to_act().iter().collect(),
        view: table.map_or(Value::Null, |table| table.view(viewer)),
        history: table.map(|table| table.history(viewer)).unwrap_or_default(),
        legal: legal(room, eyes),
        clock: room.clock.as_ref().map(|clock| clock.view(around.now)),
        outcome: room.ending().map(outcome),
        thoughts: if open_hand { room.thoughts.clone() } else { own_thoughts(room, eyes) },
        thinking: around.thinking.map(|thinking| shown_thinking(thinking, open_hand)),
        undo_offer: room.offer_view(),
        can_redo: !room.redo.is_empty(),
        rematch: room.rematch.clone().map(|id| Rematch { id }),
        invite_url: format!("{}/t/{}", around.public_url, room.id),
        local_only: around.local_only,
    }
}

/// How a game ended; one that was abandoned has no results.
pub fn outcome(ending: Ending) -> Outcome {
    match ending {
        Ending::Outcome(outcome) => outcome,
        Ending::Abandoned => Outcome { results: Vec::new(), scores: Vec::new(), reason: "abandoned".to_owned() },
    }
}

/// A bot's progress; in games with hidden information its words stay with it until the end.
pub fn shown_thinking(thinking: &Thinking, open_hand: bool) -> Thinking {
    if open_hand {
        return thinking.clone();
    }
    Thinking { seat: thinking.seat, done: 0.0, note: String::new(), detail: Value::Null }
}

fn own_thoughts(room: &Room, eyes: Eyes) -> Vec<ThoughtLine> {
    room.thoughts.iter().filter(|line| eyes.mine.contains(line.seat)).cloned().collect()
}

fn legal(room: &Room, eyes: Eyes) -> Option<Vec<LegalLine>> {
    let lines = room.table.as_ref()?.legal(eyes.seat?, LEGAL_LIMIT)?;
    Some(lines.into_iter().map(|line| LegalLine { action: line.action, text: line.text }).collect())
}

fn seat_view(room: &Room, seat: Seat, mine: SeatSet, around: &Surroundings<'_>) -> SeatView {
    let (kind, player, level) = match room.sitter(seat) {
        None => ("open", None, None),
        Some(Sitter { who: Who::Person { guest }, .. }) => {
            let name = around.names.get(guest).unwrap_or_else(|| "Guest".to_owned());
            ("person", Some(PlayerName { name }), None)
        }
        Some(Sitter { who: Who::Bot { level }, .. }) => ("bot", None, Some(level.clone())),
    };
    SeatView {
        seat,
        name_id: room.plan.names.get(seat.index()).cloned().unwrap_or_else(|| format!("seat{}", seat.0 + 1)),
        team: room.plan.teams.get(seat.index()).copied().unwrap_or(seat.0),
        kind: kind.to_owned(),
        player,
        level,
        me: mine.contains(seat),
        connected: kind == "bot" || around.connected.contains(seat),
    }
}
