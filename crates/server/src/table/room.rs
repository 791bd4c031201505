//! One table in memory: its row, its seats and the game in progress, folded from the log. Pure: no tasks, no I/O.

use super::ask::Caller;
use crate::api::{Missed, ThoughtLine, UndoOffer};
use crate::clock::Clock;
use crate::record::{Record, Terms, Who};
use catalog::{ActionError, ErasedGame, ErasedTable};
use game::{Ending, Event, RuleError, Seat, SeatPlan, SeatSet, Seed, Setup};
use serde_json::Value;
use std::sync::Arc;
use store::{GameRow, GameState, LogEntry, SecretHash};

/// Who sits on a seat, and the secret that acts for it.
#[derive(Clone, Debug)]
pub struct Sitter {
    pub who: Who,
    pub token_hash: Option<SecretHash>,
}

/// A request to take something back.
#[derive(Clone, Debug)]
pub struct Offer {
    pub by: Seat,
    pub keep: u32,
    pub agreed: SeatSet,
}

/// One table.
pub struct Room {
    pub id: String,
    pub game: Arc<dyn ErasedGame>,
    pub rules_version: u32,
    pub settings: Value,
    pub seed: Seed,
    pub terms: Terms,
    pub plan: SeatPlan,
    pub seats: Vec<Option<Sitter>>,
    /// How many seats play; 0 until it has started.
    pub playing: u8,
    pub table: Option<Box<dyn ErasedTable>>,
    pub seq: i64,
    pub clock: Option<Clock>,
    pub redo: Vec<(Seat, Value)>,
    pub offer: Option<Offer>,
    pub thoughts: Vec<ThoughtLine>,
    pub trail: Vec<Missed>,
    pub rematch: Option<String>,
}

impl Room {
    /// A table before anybody sits down.
    pub fn new(game: Arc<dyn ErasedGame>, row: &GameRow) -> Result<Self, ActionError> {
        let bad =
            |what: &str, error: serde_json::Error| ActionError::BadForm(format!("table {}: {what}: {error}", row.id));
        let settings: Value = serde_json::from_str(&row.settings).map_err(|error| bad("settings", error))?;
        let terms: Terms = serde_json::from_str(&row.terms).map_err(|error| bad("terms", error))?;
        let (settings, plan) = game.settings(&settings)?;
        let size = usize::from(terms.size);
        Ok(Self {
            id: row.id.clone(),
            rules_version: row.rules_version,
            settings,
            seed: Seed(row.seed),
            clock: terms.clock.map(|terms| Clock::new(terms, size)),
            terms,
            plan,
            seats: vec![None; size],
            playing: 0,
            table: None,
            seq: 0,
            redo: Vec::new(),
            offer: None,
            thoughts: Vec::new(),
            trail: Vec::new(),
            rematch: None,
            game,
        })
    }

    /// The table that a log makes. Clocks run since the log says, but not before the house was `opened`.
    pub fn replay(
        game: Arc<dyn ErasedGame>,
        row: &GameRow,
        log: &[LogEntry],
        opened: i64,
    ) -> Result<Self, ActionError> {
        let mut room = Self::new(game, row)?;
        for entry in log {
            room.read(entry)?;
        }
        room.not_before(opened);
        Ok(room)
    }

    /// Carries out what the log says next.
    pub fn read(&mut self, entry: &LogEntry) -> Result<Record, ActionError> {
        let wrong = |why: &dyn std::fmt::Display| {
            ActionError::BadForm(format!("table {}: event {} cannot be read: {why}", self.id, entry.seq))
        };
        let record: Record = serde_json::from_str(&entry.body).map_err(|error| wrong(&error))?;
        if entry.seq != self.seq + 1 {
            return Err(wrong(&format!("it does not follow {}", self.seq)));
        }
        self.apply(record, entry.at_ms)
    }

    /// Clocks do not count what was before the house was `opened`.
    pub fn not_before(&mut self, opened: i64) {
        if let Some(clock) = &mut self.clock {
            clock.not_before(opened);
        }
    }

    /// Carries out a record and returns it in its full form, or refuses it and leaves the room as it was.
    pub fn apply(&mut self, record: Record, now: i64) -> Result<Record, ActionError> {
        let record = match record {
            Record::Seated { seat, ref who } => {
                *self.place(seat)? = Some(Sitter { who: who.clone(), token_hash: None });
                self.note("seated", Some(seat), None);
                record
            }
            Record::Stood { seat } => {
                *self.place(seat)? = None;
                self.note("stood", Some(seat), None);
                record
            }
            Record::Started { seats } => {
                let setup = Setup {
                    rules_version: self.rules_version,
                    settings: self.settings.clone(),
                    seats,
                    seed: self.seed,
                };
                self.table = Some(self.game.open(&setup, &[])?);
                self.playing = seats;
                self.run_clock(None, true, now);
                self.note("started", None, None);
                record
            }
            Record::Play { event, spent_ms, thought, redo } => {
                let event = self.play(event, spent_ms, redo, now)?;
                if let (Some(thought), Event::Action { seat, .. }) = (&thought, &event) {
                    let line = ThoughtLine { ply: self.ply(), seat: *seat, thought: thought.clone() };
                    self.thoughts.push(line);
                }
                Record::Play { event, spent_ms, thought, redo }
            }
            Record::Offer { by, keep } => {
                self.offer = Some(Offer { by, keep, agreed: SeatSet::NONE });
                self.note("offer", Some(by), Some(keep));
                record
            }
            Record::Answer { seat, accept } => {
                match (&mut self.offer, accept) {
                    (Some(offer), true) => offer.agreed = offer.agreed.with(seat),
                    _ => self.offer = None,
                }
                self.note("answer", Some(seat), None);
                record
            }
            Record::Rematch { ref id } => {
                self.rematch = Some(id.clone());
                self.note("rematch", None, None);
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
                self.offer = None;
                self.thoughts.retain(|line| line.ply <= keep);
            }
            Event::Join { seat } => self.playing = self.playing.max(seat.0 + 1),
            Event::Resign { .. } | Event::Flag { .. } | Event::Abandon => self.offer = None,
        }
        self.run_clock(acted, matches!(event, Event::Undo { .. }), now);
        self.note(what, seat, Some(ply));
        Ok(event)
    }

    fn run_clock(&mut self, acted: Option<Seat>, restart: bool, now: i64) {
        let acting = self.to_act();
        if let Some(clock) = &mut self.clock {
            clock.run(acting, acted, restart, now);
        }
    }

    fn note(&mut self, what: &str, seat: Option<Seat>, ply: Option<u32>) {
        self.seq += 1;
        self.trail.push(Missed { seq: self.seq, what: what.to_owned(), seat, ply });
    }

    fn place(&mut self, seat: Seat) -> Result<&mut Option<Sitter>, ActionError> {
        self.seats.get_mut(seat.index()).ok_or(ActionError::Table(game::TableError::NoSuchSeat(seat)))
    }

    /// Who sits on a seat.
    pub fn sitter(&self, seat: Seat) -> Option<&Sitter> {
        self.seats.get(seat.index())?.as_ref()
    }

    /// The seats that belong to a caller.
    pub fn seats_of(&self, caller: &Caller) -> SeatSet {
        let owns = |sitter: &Sitter| {
            let by_token = caller.token.is_some() && sitter.token_hash == caller.token;
            let by_guest =
                matches!((&sitter.who, &caller.guest), (Who::Person { guest }, Some(caller)) if guest == caller);
            by_token || by_guest
        };
        self.all_seats().filter(|&seat| self.sitter(seat).is_some_and(owns)).collect()
    }

    /// All seats of the table.
    pub fn all_seats(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone + use<> {
        Seat::all(self.seats.len())
    }

    /// The seats on which bots sit.
    pub fn bots(&self) -> SeatSet {
        self.all_seats()
            .filter(|&seat| matches!(self.sitter(seat), Some(Sitter { who: Who::Bot { .. }, .. })))
            .collect()
    }

    /// The seats on which people sit.
    pub fn people(&self) -> SeatSet {
        let person = |seat: &Seat| matches!(self.sitter(*seat), Some(Sitter { who: Who::Person { .. }, .. }));
        self.all_seats().filter(person).collect()
    }

    /// The other seats of the same side on which people sit.
    pub fn people_beside(&self, seat: Seat) -> SeatSet {
        let people = self.people();
        self.beside(seat).filter(|&other| people.contains(other)).collect()
    }

    /// The other seats of the same side on which people sit or nobody does yet.
    pub fn people_or_nobody_beside(&self, seat: Seat) -> SeatSet {
        let bots = self.bots();
        self.beside(seat).filter(|&other| !bots.contains(other)).collect()
    }

    /// The other seats of the same side.
    fn beside(&self, seat: Seat) -> impl Iterator<Item = Seat> + '_ {
        let team = |seat: Seat| self.plan.teams.get(seat.index()).copied().unwrap_or(seat.0);
        self.all_seats().filter(move |&other| other != seat && team(other) == team(seat))
    }

    /// How many seats play if the table may start now.
    pub fn ready(&self) -> Option<u8> {
        if self.table.is_some() {
            return None;
        }
        let taken: Vec<Seat> = self.all_seats().filter(|&seat| self.sitter(seat).is_some()).collect();
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

    /// How it ended, if it did.
    pub fn ending(&self) -> Option<Ending> {
        self.table.as_ref().and_then(|table| table.ending())
    }

    /// Where the table stands in its life.
    pub fn state(&self) -> GameState {
        match &self.table {
            None => GameState::Waiting,
            Some(table) if table.ending().is_some() => GameState::Over,
            Some(_) => GameState::Running,
        }
    }

    /// Whether it goes on by itself: a bot is to act or a clock runs.
    pub fn goes_on(&self) -> bool {
        let acting = self.to_act();
        let bots = self.bots();
        self.state() == GameState::Running && (self.clock.is_some() || acting.iter().any(|seat| bots.contains(seat)))
    }

    /// Whether a server has something to do for it: it goes on by itself, or its result is to be rated.
    pub fn wake(&self) -> bool {
        self.goes_on() || (self.terms.options.rated && self.state() == GameState::Over)
    }

    /// The offer as people see it.
    pub fn offer_view(&self) -> Option<UndoOffer> {
        self.offer.as_ref().map(|offer| UndoOffer { by: offer.by, keep: offer.keep })
    }

    /// What happened after `seq`.
    pub fn missed(&self, seq: i64) -> &[Missed] {
        let from = usize::try_from(seq).unwrap_or(0).min(self.trail.len());
        &self.trail[from..]
    }
}

fn not_started() -> ActionError {
    RuleError::new("table.waiting", "the table waits for players: nothing can be played yet").into()
}
