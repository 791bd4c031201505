//! The state of one table, folded from its log: seats, game in progress, clocks, offers. Pure: no tasks, no I/O.

use super::command::Caller;
use crate::api::{BotThought, MissedEvent, UndoOffer};
use crate::clock::TableClock;
use crate::log_record::{LogRecord, SeatPlayer, TableTerms};
use catalog::{ActionError, ErasedGame, ErasedTable};
use game::{Ending, Event, RuleError, Seat, SeatPlan, SeatSet, Seed, Setup};
use serde_json::Value;
use std::sync::Arc;
use store::{GameRow, GameState, LogEntry, SecretHash};

/// The player on a seat, and the hash of the token that acts for the seat.
#[derive(Clone, Debug)]
pub struct Occupant {
    pub who: SeatPlayer,
    pub token_hash: Option<SecretHash>,
}

/// A request to take actions back, and the seats that agreed so far.
#[derive(Clone, Debug)]
pub struct TakebackOffer {
    pub by: Seat,
    pub keep: u32,
    pub agreed: SeatSet,
}

/// The state of one table.
pub struct TableState {
    pub id: String,
    pub game: Arc<dyn ErasedGame>,
    pub rules_version: u32,
    pub settings: Value,
    pub seed: Seed,
    pub terms: TableTerms,
    pub plan: SeatPlan,
    pub seats: Vec<Option<Occupant>>,
    /// How many seats play; 0 until the game has started.
    pub playing: u8,
    /// The game in progress; `None` while the table waits for players.
    pub table: Option<Box<dyn ErasedTable>>,
    /// The sequence number of the last record.
    pub seq: i64,
    pub clock: Option<TableClock>,
    /// Actions that were taken back and may be played again; the earliest is last.
    pub redo: Vec<(Seat, Value)>,
    /// How often something was taken back.
    pub undos: u32,
    pub offer: Option<TakebackOffer>,
    pub thoughts: Vec<BotThought>,
    /// One line per record, for clients that come back.
    pub events: Vec<MissedEvent>,
    pub rematch: Option<String>,
}

impl TableState {
    /// A table before anybody sits down.
    pub fn new(game: Arc<dyn ErasedGame>, row: &GameRow) -> Result<Self, ActionError> {
        let bad =
            |what: &str, error: serde_json::Error| ActionError::BadForm(format!("table {}: {what}: {error}", row.id));
        let settings: Value = serde_json::from_str(&row.settings).map_err(|error| bad("settings", error))?;
        let terms: TableTerms = serde_json::from_str(&row.terms).map_err(|error| bad("terms", error))?;
        let (settings, plan) = game.settings(&settings)?;
        let size = usize::from(terms.size);
        Ok(Self {
            id: row.id.clone(),
            rules_version: row.rules_version,
            settings,
            seed: Seed(row.seed),
            clock: terms.clock.map(|terms| TableClock::new(terms, size)),
            terms,
            plan,
            seats: vec![None; size],
            playing: 0,
            table: None,
            seq: 0,
            redo: Vec::new(),
            undos: 0,
            offer: None,
            thoughts: Vec::new(),
            events: Vec::new(),
            rematch: None,
            game,
        })
    }

    /// The state that a log leads to. Clocks run from the times in the log, but not before a server `opened`.
    pub fn replay(
        game: Arc<dyn ErasedGame>,
        row: &GameRow,
        log: &[LogEntry],
        opened: i64,
    ) -> Result<Self, ActionError> {
        let mut state = Self::new(game, row)?;
        for entry in log {
            state.read(entry)?;
        }
        state.exclude_downtime(opened);
        Ok(state)
    }

    /// Applies the next record of the log.
    pub fn read(&mut self, entry: &LogEntry) -> Result<LogRecord, ActionError> {
        let wrong = |why: &dyn std::fmt::Display| {
            ActionError::BadForm(format!("table {}: event {} cannot be read: {why}", self.id, entry.seq))
        };
        let record: LogRecord = serde_json::from_str(&entry.body).map_err(|error| wrong(&error))?;
        if entry.seq != self.seq + 1 {
            return Err(wrong(&format!("it does not follow {}", self.seq)));
        }
        self.apply(record, entry.at_ms)
    }

    /// Clocks do not count time before `opened`: no server was running.
    pub fn exclude_downtime(&mut self, opened: i64) {
        if let Some(clock) = &mut self.clock {
            clock.exclude_downtime(opened);
        }
    }

    /// Applies a record and returns it in canonical form, or refuses it and leaves the state unchanged.
    pub fn apply(&mut self, record: LogRecord, now: i64) -> Result<LogRecord, ActionError> {
        let record = match record {
            LogRecord::Seated { seat, ref who } => {
                *self.seat_mut(seat)? = Some(Occupant { who: who.clone(), token_hash: None });
                self.record_event("seated", Some(seat), None);
                record
            }
            LogRecord::Stood { seat } => {
                *self.seat_mut(seat)? = None;
                self.record_event("stood", Some(seat), None);
                record
            }
            LogRecord::Started { seats } => {
                let setup = Setup {
                    rules_version: self.rules_version,
                    settings: self.settings.clone(),
                    seats,
                    seed: self.seed,
                };
                self.table = Some(self.game.open(&setup, &[])?);
                self.playing = seats;
                self.run_clock(None, true, now);
                self.record_event("started", None, None);
                record
            }
            LogRecord::Play { event, spent_ms, thought, redo } => {
                let event = self.play(event, spent_ms, redo, now)?;
                if let (Some(thought), Event::Action { seat, .. }) = (&thought, &event) {
                    let line = BotThought { ply: self.ply(), seat: *seat, thought: thought.clone() };
                    self.thoughts.push(line);
                }
                LogRecord::Play { event, spent_ms, thought, redo }
            }
            LogRecord::Offer { by, keep } => {
                self.offer = Some(TakebackOffer { by, keep, agreed: SeatSet::NONE });
                self.record_event("offer", Some(by), Some(keep));
                record
            }
            LogRecord::Answer { seat, accept } => {
                match (&mut self.offer, accept) {
                    (Some(offer), true) => offer.agreed = offer.agreed.with(seat),
                    _ => self.offer = None,
                }
                self.record_event("answer", Some(seat), None);
                record
            }
            LogRecord::Rematch { ref id } => {
                self.rematch = Some(id.clone());
                self.record_event("rematch", None, None);
                record
            }
        };
        Ok(record)
    }

    fn play(&mut self, event: Event<Value>, spent: u64, redo: bool, now: i64) -> Result<Event<Value>, ActionError> {
        let table = self.table.as_mut().ok_or_else(not_started)?;
        let undone: Vec<(Seat, Value)> = match event {
            Event::Undo { keep } => (keep..table.ply()).filter_map(|ply| table.action_at(ply)).collect(),
            _ => Vec::new(),
        };
        let event = table.apply(&event)?;
        let ply = table.ply();
        let (what, seat, acted) = match event {
            Event::Action { seat, .. } => ("action", Some(seat), Some(seat)),
            Event::Join { seat } => ("join", Some(seat), None),
            Event::Undo { .. } => ("undo", None, None),
            Event::Resign { seat } => ("resign", Some(seat), None),
            Event::Flag { seat } => ("flag", Some(seat), None),
            Event::Abandon => ("abandon", None, None),
        };
        match event {
            Event::Action { seat, .. } => {
                if redo {
                    self.redo.pop();
                } else {
                    self.redo.clear();
                }
                self.offer = None;
                if let Some(clock) = &mut self.clock {
                    clock.charge(seat, spent);
                }
            }
            Event::Undo { keep } => {
                // The stack is popped from its end: the earliest action taken back is on top.
                self.redo.extend(undone.into_iter().rev());
                self.undos += 1;
                self.offer = None;
                self.thoughts.retain(|line| line.ply <= keep);
            }
            Event::Join { seat } => self.playing = self.playing.max(seat.0 + 1),
            Event::Resign { .. } | Event::Flag { .. } | Event::Abandon => self.offer = None,
        }
        self.run_clock(acted, matches!(event, Event::Undo { .. }), now);
        self.record_event(what, seat, Some(ply));
        Ok(event)
    }

    fn run_clock(&mut self, acted: Option<Seat>, restart: bool, now: i64) {
        let acting = self.to_act();
        if let Some(clock) = &mut self.clock {
            clock.run(acting, acted, restart, now);
        }
    }

    fn record_event(&mut self, what: &str, seat: Option<Seat>, ply: Option<u32>) {
        self.seq += 1;
        self.events.push(MissedEvent { seq: self.seq, what: what.to_owned(), seat, ply });
    }

    fn seat_mut(&mut self, seat: Seat) -> Result<&mut Option<Occupant>, ActionError> {
        self.seats.get_mut(seat.index()).ok_or(ActionError::Table(game::TableError::NoSuchSeat(seat)))
    }

    /// The occupant of a seat.
    pub fn occupant(&self, seat: Seat) -> Option<&Occupant> {
        self.seats.get(seat.index())?.as_ref()
    }

    /// The seats that belong to a caller.
    pub fn seats_of(&self, caller: &Caller) -> SeatSet {
        let owns = |occupant: &Occupant| {
            let by_token = caller.token.is_some() && occupant.token_hash == caller.token;
            let by_guest = matches!((&occupant.who, &caller.guest), (SeatPlayer::Person { guest }, Some(caller)) if guest == caller);
            by_token || by_guest
        };
        self.all_seats().filter(|&seat| self.occupant(seat).is_some_and(owns)).collect()
    }

    /// All seats of the table.
    pub fn all_seats(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone + use<> {
        Seat::all(self.seats.len())
    }

    /// The seats on which bots sit.
    pub fn bots(&self) -> SeatSet {
        self.all_seats()
            .filter(|&seat| matches!(self.occupant(seat), Some(Occupant { who: SeatPlayer::Bot { .. }, .. })))
            .collect()
    }

    /// The seats on which people sit.
    pub fn people(&self) -> SeatSet {
        let person =
            |seat: &Seat| matches!(self.occupant(*seat), Some(Occupant { who: SeatPlayer::Person { .. }, .. }));
        self.all_seats().filter(person).collect()
    }

    /// The other seats of the same team on which people sit.
    pub fn human_teammates(&self, seat: Seat) -> SeatSet {
        let people = self.people();
        self.teammates(seat).filter(|&other| people.contains(other)).collect()
    }

    /// The other seats of the same team that people have or may still take.
    pub fn possible_human_teammates(&self, seat: Seat) -> SeatSet {
        let bots = self.bots();
        self.teammates(seat).filter(|&other| !bots.contains(other)).collect()
    }

    /// The other seats of the same team.
    fn teammates(&self, seat: Seat) -> impl Iterator<Item = Seat> + '_ {
        let team = |seat: Seat| self.plan.teams.get(seat.index()).copied().unwrap_or(seat.0);
        self.all_seats().filter(move |&other| other != seat && team(other) == team(seat))
    }

    /// How many seats play, if the game may start now.
    pub fn seats_if_ready(&self) -> Option<u8> {
        if self.table.is_some() {
            return None;
        }
        let taken: Vec<Seat> = self.all_seats().filter(|&seat| self.occupant(seat).is_some()).collect();
        if !self.game.info().join_during_play {
            return (taken.len() == self.seats.len()).then_some(self.terms.size);
        }
        let seats = taken.last()?.0 + 1;
        (taken.len() >= usize::from(self.plan.min)).then_some(seats.max(self.plan.min))
    }

    /// Who may act now.
    pub fn to_act(&self) -> SeatSet {
        self.table.as_ref().map_or(SeatSet::NONE, |table| table.to_act())
    }

    /// How many actions stand.
    pub fn ply(&self) -> u32 {
        self.table.as_ref().map_or(0, |table| table.ply())
    }

    /// How the game ended, if it did.
    pub fn ending(&self) -> Option<Ending> {
        self.table.as_ref().and_then(|table| table.ending())
    }

    /// Whether the table waits, runs or is over.
    pub fn phase(&self) -> GameState {
        match &self.table {
            None => GameState::Waiting,
            Some(table) if table.ending().is_some() => GameState::Over,
            Some(_) => GameState::Running,
        }
    }

    /// Whether the game continues without a request: a clock runs, or a bot is to act while a person plays.
    ///
    /// Games that only bots play continue while somebody watches; see `TableActor::schedule_bots`.
    pub fn is_active(&self) -> bool {
        self.clock_runs() || (self.bots_to_act() != SeatSet::NONE && self.people() != SeatSet::NONE)
    }

    /// Whether a clock may run out.
    pub fn clock_runs(&self) -> bool {
        self.phase() == GameState::Running && self.clock.is_some()
    }

    /// The bots whose turn it is.
    pub fn bots_to_act(&self) -> SeatSet {
        let bots = self.bots();
        self.to_act().iter().filter(|&seat| bots.contains(seat)).collect()
    }

    /// Whether a server has to load the table by itself: it is active, or its result is to be rated.
    pub fn needs_server(&self) -> bool {
        self.is_active() || (self.terms.options.rated && self.phase() == GameState::Over)
    }

    /// The offer as clients see it.
    pub fn offer_view(&self) -> Option<UndoOffer> {
        self.offer.as_ref().map(|offer| UndoOffer { by: offer.by, keep: offer.keep })
    }

    /// The events after `seq`.
    pub fn missed(&self, seq: i64) -> &[MissedEvent] {
        let from = usize::try_from(seq).unwrap_or(0).min(self.events.len());
        &self.events[from..]
    }
}

fn not_started() -> ActionError {
    RuleError::new("table.waiting", "the table waits for players: nothing can be played yet").into()
}
