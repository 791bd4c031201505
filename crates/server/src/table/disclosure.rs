//! What leaves the server about a table, to whom, whatever the channel: HTTP, sockets and user data.
//!
//! [`table_view`] is what a viewer sees of a table, [`exported`] what a guest takes home of it; lists show
//! [`super::summary`], which holds nothing hidden. Nobody else writes anything of a table, and how much is no longer
//! secret is decided in one place, [`Disclosure::of`].

use super::command::Caller;
use super::name_cache::NameCache;
use super::state::{Occupant, TableState};
use crate::api::{BotThinking, BotThought, LegalMove, PlayerName, Rematch, SeatView, TableView};
use crate::log_record::SeatPlayer;
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
    pub fn of(state: &TableState, caller: &Caller, request: Option<Seat>) -> Self {
        let mine = state.seats_of(caller);
        let acting = state.to_act().iter().find(|&seat| mine.contains(seat));
        let seat = request.filter(|&seat| mine.contains(seat)).or(acting).or_else(|| mine.iter().next());
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
    pub fn of(state: &TableState) -> Self {
        let info = state.game.info();
        if state.phase() == GameState::Over && (!info.undo || state.terms.options.rated) {
            return Self::Seed;
        }
        if !info.hidden || state.table.as_ref().is_some_and(|table| table.is_decided()) {
            return Self::Actions;
        }
        Self::Views
    }
}

/// What a table knows besides its state.
pub struct Surroundings<'a> {
    pub names: &'a NameCache,
    pub connected: SeatSet,
    pub thinking: Option<&'a BotThinking>,
    pub public_url: &'a str,
    pub local_only: bool,
    pub now: i64,
}

/// The table as a viewer may see it.
pub fn table_view(state: &TableState, context: ViewerContext, around: &Surroundings<'_>) -> TableView {
    let viewer = context.viewer();
    let table = state.table.as_deref();
    let open_hand = Disclosure::of(state) >= Disclosure::Actions;
    TableView {
        id: state.id.clone(),
        game: state.game.info().id.to_owned(),
        rules_version: state.rules_version,
        settings: state.game.public_settings(&state.settings),
        options: state.terms.options,
        state: state.phase().as_str().to_owned(),
        seats: state.all_seats().map(|seat| seat_view(state, seat, context.mine, around)).collect(),
        viewer: context.seat,
        seq: state.seq,
        ply: state.ply(),
        to_act: state.to_act().iter().collect(),
        view: table.map_or(Value::Null, |table| table.view(viewer)),
        history: table.map(|table| table.history(viewer)).unwrap_or_default(),
        legal: legal(state, context),
        clock: state.clock.as_ref().map(|clock| clock.view(around.now)),
        outcome: state.ending().map(outcome),
        thoughts: if open_hand { state.thoughts.clone() } else { own_thoughts(state, context) },
        thinking: around.thinking.map(|thinking| shown_thinking(thinking, open_hand)),
        undo_offer: state.offer_view(),
        can_redo: !state.redo.is_empty(),
        rematch: state.rematch.clone().map(|id| Rematch { id }),
        invite_url: format!("{}/t/{}", around.public_url, state.id),
        local_only: around.local_only,
    }
}

/// What a guest takes home of a table: of a game that is over and told in full its log, else what the guest sees.
pub fn exported(state: &TableState, row: &GameRow, log: &[LogEntry], guest: &str, around: &Surroundings<'_>) -> Value {
    let disclosure = Disclosure::of(state);
    let mut exported = json!({
        "id": row.id,
        "game": row.game,
        "rules_version": row.rules_version,
        "settings": state.game.public_settings(&state.settings),
        "state": row.state.as_str(),
        "created_ms": row.created_ms,
        "updated_ms": row.updated_ms,
    });
    if disclosure == Disclosure::Seed {
        exported["seed"] = json!(row.seed.to_string());
    }
    if state.phase() == GameState::Over && disclosure >= Disclosure::Actions {
        exported["log"] = log.iter().map(|entry| exported_entry(entry, guest)).collect();
    } else {
        let caller = Caller { guest: Some(guest.to_owned()), token: None };
        exported["table"] = json!(table_view(state, ViewerContext::of(state, &caller, None), around));
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
pub fn shown_thinking(thinking: &BotThinking, open_hand: bool) -> BotThinking {
    if open_hand {
        return thinking.clone();
    }
    BotThinking { seat: thinking.seat, done: 0.0, note: String::new(), detail: Value::Null }
}

fn own_thoughts(state: &TableState, context: ViewerContext) -> Vec<BotThought> {
    state.thoughts.iter().filter(|line| context.mine.contains(line.seat)).cloned().collect()
}

fn legal(state: &TableState, context: ViewerContext) -> Option<Vec<LegalMove>> {
    let lines = state.table.as_ref()?.legal(context.seat?, LEGAL_LIMIT)?;
    Some(lines.into_iter().map(|line| LegalMove { action: line.action, text: line.text }).collect())
}

fn seat_view(state: &TableState, seat: Seat, mine: SeatSet, around: &Surroundings<'_>) -> SeatView {
    let (kind, player, level) = match state.occupant(seat) {
        None => ("open", None, None),
        Some(Occupant { who: SeatPlayer::Person { guest }, .. }) => {
            let name = around.names.get(guest).unwrap_or_else(|| "Guest".to_owned());
            ("person", Some(PlayerName { name }), None)
        }
        Some(Occupant { who: SeatPlayer::Bot { level }, .. }) => ("bot", None, Some(level.clone())),
    };
    SeatView {
        seat,
        name_id: state.plan.names.get(seat.index()).cloned().unwrap_or_else(|| format!("seat{}", seat.0 + 1)),
        team: state.plan.teams.get(seat.index()).copied().unwrap_or(seat.0),
        kind: kind.to_owned(),
        player,
        level,
        me: mine.contains(seat),
        connected: kind == "bot" || around.connected.contains(seat),
    }
}
