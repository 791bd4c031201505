//! Playing at a table: actions of people and bots, taking back, giving up, time and absence.

use super::actor::{Actor, waiting};
use super::ask::Caller;
use super::room::Room;
use crate::api::{Acknowledged, Act, Move, Undo};
use crate::error::{Answer, ApiError};
use crate::record::Record;
use crate::time;
use axum::http::StatusCode;
use game::{Event, Seat, SeatSet, Thought};
use serde_json::Value;
use store::GameState;

impl Actor {
    pub(super) async fn act(&mut self, caller: &Caller, act: Act) -> Answer<Acknowledged> {
        self.room.table.as_ref().ok_or_else(waiting)?;
        let seat = self.own_seat(caller, act.seat)?;
        let now = time::now_ms();
        // Another server that looks after the table sees to its clocks.
        if let Some(clock) = self.room.clock.as_ref().filter(|_| self.on_duty())
            && self.room.to_act().contains(seat)
            && clock.left(seat, now) == Some(0)
        {
            self.flag(Some(seat)).await;
        }
        if let Some(expected) = act.expect_ply
            && let Some(acknowledged) = self.repeated(caller, &act, expected)?
        {
            return Ok(acknowledged);
        }
        let action = read(&self.room, seat, act.action, act.text.as_deref())?;
        let spent_ms = self.room.clock.as_ref().map_or(0, |clock| clock.spent(seat, now));
        let record = Record::Play { event: Event::Action { seat, action }, spent_ms, thought: None, redo: false };
        let acknowledged = self.commit(vec![record], Vec::new()).await?;
        metrics::counter!("parlour_actions_total").increment(1);
        self.changed().await;
        Ok(acknowledged)
    }

    /// Whether an action that expects `expected` actions to stand was already played; an error if something else was.
    pub(super) fn repeated(&self, caller: &Caller, act: &Act, expected: u32) -> Answer<Option<Acknowledged>> {
        let Some(table) = &self.room.table else { return Ok(None) };
        let ply = table.ply();
        let elsewhere =
            || ApiError::conflict("table.ply", format!("{ply} actions stand, not {expected}: look at the table again"));
        if expected == ply {
            return Ok(None);
        }
        if expected > ply {
            return Err(elsewhere());
        }
        let mine = self.room.seats_of(caller);
        let is_mine = |seat: Seat| act.seat.map_or(mine.contains(seat), |wish| wish == seat && mine.contains(seat));
        // In turns the action can only stand at the expected place; where several act at once, others may have come
        // between.
        let info = self.room.game.info();
        let until = if info.simultaneous || !info.turns { ply } else { expected + 1 };
        let Some((place, (seat, standing))) = (expected..until)
            .filter_map(|place| Some((place, table.action_at(place)?)))
            .find(|(_, (seat, _))| is_mine(*seat))
        else {
            return if until == ply && (info.simultaneous || !info.turns) { Ok(None) } else { Err(elsewhere()) };
        };
        match read(&self.room, seat, act.action.clone(), act.text.as_deref()) {
            Ok(action) if table.canonical(&action).is_ok_and(|action| action == standing) => {
                Ok(Some(Acknowledged { seq: self.room.seq, ply: place + 1 }))
            }
            _ => Err(elsewhere()),
        }
    }

    pub(super) async fn bot_acts(&mut self, seat: Seat, decided: Option<Result<catalog::BotDecision, game::BotError>>) {
        let mut decided = match decided {
            None => return,
            Some(Ok(decision)) => decision,
            Some(Err(_)) => {
                self.attend().await;
                return;
            }
        };
        for _ in 0..2 {
            let now = time::now_ms();
            let spent_ms = self.room.clock.as_ref().map_or(0, |clock| clock.spent(seat, now));
            let thought = Some(decided.thought).filter(|thought| *thought != Thought::default());
            let event = Event::Action { seat, action: decided.action };
            match self.commit(vec![Record::Play { event, spent_ms, thought, redo: false }], Vec::new()).await {
                Ok(_) => {
                    self.bots.succeeded(seat);
                    metrics::counter!("parlour_bot_actions_total").increment(1);
                    self.changed().await;
                    return;
                }
                // What was thought about has changed.
                Err(_) if self.broken || self.was_overtaken().await => return,
                Err(error) => match self.bots.failed(&self.room, seat, game::BotError::Other(error.detail.message)) {
                    Ok(decision) => decided = decision,
                    Err(_) => break,
                },
            }
        }
        self.attend().await;
    }

    pub(super) async fn flag(&mut self, seat: Option<Seat>) {
        let Some(seat) = seat else { return };
        if self.commit(vec![Record::play(Event::Flag { seat })], Vec::new()).await.is_ok() {
            self.changed().await;
        } else {
            self.was_overtaken().await;
        }
    }

    pub(super) async fn abandon(&mut self) -> Answer<bool> {
        if self.is_watched() || self.room.state() != GameState::Running {
            return Ok(false);
        }
        self.commit(vec![Record::play(Event::Abandon)], Vec::new()).await?;
        self.changed().await;
        Ok(true)
    }

    pub(super) async fn undo(&mut self, caller: &Caller, undo: Undo) -> Answer<Acknowledged> {
        let table = self.room.table.as_ref().ok_or_else(waiting)?;
        self.nothing_is_taken_back()?;
        if !self.room.game.info().undo {
            return Err(catalog::ActionError::Table(game::TableError::NoUndo).into());
        }
        let seat = self.own_seat(caller, undo.seat)?;
        let mine = self.room.seats_of(caller);
        if let Some(accept) = undo.accept {
            return self.answer_offer(seat, mine, accept).await;
        }
        let last_of_mine = || table.actors().iter().rposition(|actor| mine.contains(*actor)).map(|ply| ply as u32);
        let keep = undo.keep.or_else(last_of_mine).ok_or_else(|| {
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.nothing_to_undo", "you have not acted yet")
        })?;
        if keep >= table.ply() {
            return Err(catalog::ActionError::Table(game::TableError::UndoTooFar { keep, have: table.ply() }).into());
        }
        let others = self.room.people().iter().any(|seat| !mine.contains(seat));
        let record = if others { Record::Offer { by: seat, keep } } else { Record::play(Event::Undo { keep }) };
        if !others {
            self.bots.stop_all();
        }
        let acknowledged = self.commit(vec![record], Vec::new()).await?;
        self.changed().await;
        Ok(acknowledged)
    }

    /// A rated game goes forward only.
    fn nothing_is_taken_back(&self) -> Answer<()> {
        if !self.room.terms.options.rated {
            return Ok(());
        }
        let message = "in a rated game nothing is taken back";
        Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.rated", message))
    }

    pub(super) async fn answer_offer(&mut self, seat: Seat, mine: SeatSet, accept: bool) -> Answer<Acknowledged> {
        let offer = self.room.offer.clone();
        let offer = offer
            .filter(|offer| !mine.contains(offer.by) || !accept)
            .ok_or_else(|| ApiError::conflict("table.no_offer", "nobody else has asked to take something back"))?;
        let agreed = mine.iter().fold(offer.agreed, SeatSet::with);
        // Everybody who plays has to agree, except whoever asked (on all seats of that person).
        let asking = self.room.sitter(offer.by).map(|sitter| sitter.who.clone());
        let asked = |seat: &Seat| self.room.sitter(*seat).map(|sitter| &sitter.who) != asking.as_ref();
        let everybody = self.room.people().iter().filter(asked).all(|seat| agreed.contains(seat));
        let mut records = vec![Record::Answer { seat, accept }];
        if accept && everybody {
            self.bots.stop_all();
            records.push(Record::play(Event::Undo { keep: offer.keep }));
        }
        let acknowledged = self.commit(records, Vec::new()).await?;
        self.changed().await;
        Ok(acknowledged)
    }

    pub(super) async fn redo(&mut self, caller: &Caller) -> Answer<Acknowledged> {
        self.room.table.as_ref().ok_or_else(waiting)?;
        let mine = self.seated(caller)?;
        if self.room.people().iter().any(|seat| !mine.contains(seat)) {
            return Err(ApiError::conflict("table.redo_alone", "only games against the computer can be played again"));
        }
        let mut again = self.room.redo.iter().rev();
        let Some(first) = again.next() else {
            return Err(ApiError::conflict("table.nothing_to_redo", "nothing was taken back"));
        };
        // My action and what the others answered to it.
        let rest = again.take_while(|(seat, _)| !mine.contains(*seat));
        let records = [first]
            .into_iter()
            .chain(rest)
            .map(|(seat, action)| {
                let event = Event::Action { seat: *seat, action: action.clone() };
                Record::Play { event, spent_ms: 0, thought: None, redo: true }
            })
            .collect();
        self.bots.stop_all();
        let acknowledged = self.commit(records, Vec::new()).await?;
        self.changed().await;
        Ok(acknowledged)
    }

    pub(super) async fn resign(&mut self, caller: &Caller, wish: Option<Seat>) -> Answer<Acknowledged> {
        self.room.table.as_ref().ok_or_else(waiting)?;
        let seat = self.own_seat(caller, wish)?;
        let acknowledged = self.commit(vec![Record::play(Event::Resign { seat })], Vec::new()).await?;
        self.bots.stop_all();
        self.changed().await;
        Ok(acknowledged)
    }
}

/// An action given as data or as text.
fn read(room: &Room, seat: Seat, action: Option<Value>, text: Option<&str>) -> Answer<Value> {
    let table = room.table.as_ref().ok_or_else(waiting)?;
    match (action, text) {
        (Some(action), None) => Ok(action),
        (None, Some(text)) => Ok(table.read_action(seat, text)?),
        _ => Err(ApiError::bad_form("an action is given either as `action` or as `text`")),
    }
}

/// A move of an imported game.
pub fn read_move(room: &Room, wish: &Move) -> Answer<Event<Value>> {
    let seat = wish.seat.or_else(|| room.to_act().iter().next()).ok_or_else(waiting)?;
    let action = read(room, seat, wish.action.clone(), wish.text.as_deref())?;
    Ok(Event::Action { seat, action })
}
