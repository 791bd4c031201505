//! What leaves the server about a table, to whom, whatever the channel: HTTP, sockets and user data.
//!
//! [`table_view`] is what a viewer sees of a table, [`exported`] what a guest takes home of it; lists show
//! [`super::summary`], which holds nothing hidden. Nobody else writes anything of a table, and how much is no longer
//! secret is decided in one place, [`Disclosure::of`].

use super::ask::Caller;
use super::names::Names;
use super::room::{Room, Sitter};
use crate::api::{LegalLine, PlayerName, Rematch, SeatView, TableView, Thinking, ThoughtLine};
use crate::record::Who;
use game::{Ending, Outcome, Seat, SeatSet, Viewer};
use serde_json::{Value, json};
use store::{GameRow, GameState, LogEntry};

/// The most legal actions that are listed.
const LEGAL_LIMIT: usize = 2_000;

/// Who looks at a table, and from which seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ViewerContext {
    /// The seat looked from.
    pub seat: Option<Seat>,
    /// All seats of the caller.
    pub mine: SeatSet,
}

impl ViewerContext {
    /// A caller looks from the seat it asks for if that is its own, else from its seat that is to act, else from any.
    pub fn of(room: &Room, caller: &Caller, wish: Option<Seat>) -> Self {
        let mine = room.seats_of(caller);
        let acting = room.to_act().iter().find(|&seat| mine.contains(seat));
        let seat = wish.filter(|&seat| mine.contains(seat)).or(acting).or_else(|| mine.iter().next());
        Self { seat, mine }
    }

    pub fn viewer(self) -> Viewer {
        self.seat.map_or(Viewer::Spectator, Viewer::Seat)
    }
}

/// How much of a table is no longer secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Disclosure {
    /// Every seat knows what its view shows.
    Views,
    /// Everything that happened: the actions of all seats and what computers thought.
    Actions,
    /// What is still to come, too: the seed. The table cannot be opened again.
    Seed,
}

impl Disclosure {
    /// How much of a table is no longer secret. An end by resignation, time or absence shows nothing as long as an
    /// undo can revive the game.
    pub fn of(room: &Room) -> Self {
        let info = room.game.info();
        if room.state() == GameState::Over && (!info.undo || room.terms.options.rated) {
            return Self::Seed;
        }
        if !info.hidden || room.table.as_ref().is_some_and(|table| table.is_decided()) {
            return Self::Actions;
        }
        Self::Views
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

/// The table as a viewer may see it.
pub fn table_view(room: &Room, context: ViewerContext, around: &Surroundings<'_>) -> TableView {
    let viewer = context.viewer();
    let table = room.table.as_deref();
    let open_hand = Disclosure::of(room) >= Disclosure::Actions;
    TableView {
        id: room.id.clone(),
        game: room.game.info().id.to_owned(),
        rules_version: room.rules_version,
        settings: room.game.public_settings(&room.settings),
        options: room.terms.options,
        state: room.state().as_str().to_owned(),
        seats: room.all_seats().map(|seat| seat_view(room, seat, context.mine, around)).collect(),
        viewer: context.seat,
        seq: room.seq,
        ply: room.ply(),
        to_act: room.to_act().iter().collect(),
        view: table.map_or(Value::Null, |table| table.view(viewer)),
        history: table.map(|table| table.history(viewer)).unwrap_or_default(),
        legal: legal(room, context),
        clock: room.clock.as_ref().map(|clock| clock.view(around.now)),
        outcome: room.ending().map(outcome),
        thoughts: if open_hand { room.thoughts.clone() } else { own_thoughts(room, context) },
        thinking: around.thinking.map(|thinking| shown_thinking(thinking, open_hand)),
        undo_offer: room.offer_view(),
        can_redo: !room.redo.is_empty(),
        rematch: room.rematch.clone().map(|id| Rematch { id }),
        invite_url: format!("{}/t/{}", around.public_url, room.id),
        local_only: around.local_only,
    }
}

/// What a guest takes home of a table: of a game that is over and told in full its log, else what the guest sees.
pub fn exported(room: &Room, row: &GameRow, log: &[LogEntry], guest: &str, around: &Surroundings<'_>) -> Value {
    let disclosure = Disclosure::of(room);
    let mut exported = json!({
        "id": row.id,
        "game": row.game,
        "rules_version": row.rules_version,
        "settings": room.game.public_settings(&room.settings),
        "state": row.state.as_str(),
        "created_ms": row.created_ms,
        "updated_ms": row.updated_ms,
    });
    if disclosure == Disclosure::Seed {
        exported["seed"] = json!(row.seed.to_string());
    }
    if room.state() == GameState::Over && disclosure >= Disclosure::Actions {
        exported["log"] = log.iter().map(|entry| exported_entry(entry, guest)).collect();
    } else {
        let caller = Caller { guest: Some(guest.to_owned()), token: None };
        exported["table"] = json!(table_view(room, ViewerContext::of(room, &caller, None), around));
    }
    exported
}

/// A line of the log in which other guests have no names.
fn exported_entry(entry: &LogEntry, guest: &str) -> Value {
    let mut record = serde_json::from_str::<Value>(&entry.body).unwrap_or(Value::Null);
    if let Some(who) = record.pointer_mut("/who/person/guest").filter(|who| who.as_str() != Some(guest)) {
        *who = Value::Null;
    }
    json!({ "at_ms": entry.at_ms, "record": record })
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

fn own_thoughts(room: &Room, context: ViewerContext) -> Vec<ThoughtLine> {
    room.thoughts.iter().filter(|line| context.mine.contains(line.seat)).cloned().collect()
}

fn legal(room: &Room, context: ViewerContext) -> Option<Vec<LegalLine>> {
    let lines = room.table.as_ref()?.legal(context.seat?, LEGAL_LIMIT)?;
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
