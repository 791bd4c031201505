//! Taking back, playing again, and resigning.

use super::actor::{TableActor, waiting};
use super::command::Caller;
use crate::api::{Acknowledged, UndoRequest};
use crate::error::{ApiError, ApiResult};
use crate::log_record::LogRecord;
use axum::http::StatusCode;
use catalog::ErasedTable;
use game::{Event, Seat, SeatSet};

impl TableActor {
    /// Takes actions back: at once against bots, as an offer to people; or answers an offer.
    pub(super) async fn undo(&mut self, caller: &Caller, undo: UndoRequest) -> ApiResult<Acknowledged> {
        let table = self.state.table.as_ref().ok_or_else(waiting)?;
        self.check_not_rated()?;
        let info = self.state.game.info();
        if !info.undo {
            return Err(catalog::ActionError::Table(game::TableError::NoUndo).into());
        }
        let seat = self.own_seat(caller, undo.seat)?;
        let mine = self.state.seats_of(caller);
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
        let keep = if info.hidden && info.simultaneous { before_round(&**table, seat, keep) } else { keep };
        let others = self.state.people().iter().any(|seat| !mine.contains(seat));
        let record = if others { LogRecord::Offer { by: seat, keep } } else { LogRecord::play(Event::Undo { keep }) };
        if !others {
            self.bots.stop_all();
        }
        let acknowledged = self.commit(vec![record], Vec::new()).await?;
        self.publish().await;
        Ok(acknowledged)
    }

    /// In a rated game nothing is taken back.
    fn check_not_rated(&self) -> ApiResult<()> {
        if !self.state.terms.options.rated {
            return Ok(());
        }
        let message = "in a rated game nothing is taken back";
        Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.rated", message))
    }

    /// Answers an offer; the actions are taken back once everybody has agreed.
    async fn answer_offer(&mut self, seat: Seat, mine: SeatSet, accept: bool) -> ApiResult<Acknowledged> {
        let offer = self.state.offer.clone();
        let offer = offer
            .filter(|offer| !mine.contains(offer.by) || !accept)
            .ok_or_else(|| ApiError::conflict("table.no_offer", "nobody else has asked to take something back"))?;
        let agreed = mine.iter().fold(offer.agreed, SeatSet::with);
        // Everybody who plays has to agree, except the person who made the offer, on all seats of that person.
        let offerer = self.state.occupant(offer.by).map(|occupant| occupant.who.clone());
        let others = |seat: &Seat| self.state.occupant(*seat).map(|occupant| &occupant.who) != offerer.as_ref();
        let everybody = self.state.people().iter().filter(others).all(|seat| agreed.contains(seat));
        let mut records = vec![LogRecord::Answer { seat, accept }];
        if accept && everybody {
            self.bots.stop_all();
            records.push(LogRecord::play(Event::Undo { keep: offer.keep }));
        }
        let acknowledged = self.commit(records, Vec::new()).await?;
        self.publish().await;
        Ok(acknowledged)
    }

    /// Plays again what was taken back, against bots only.
    pub(super) async fn redo(&mut self, caller: &Caller) -> ApiResult<Acknowledged> {
        self.state.table.as_ref().ok_or_else(waiting)?;
        let mine = self.seated(caller)?;
        if self.state.people().iter().any(|seat| !mine.contains(seat)) {
            return Err(ApiError::conflict("table.redo_alone", "only games against the computer can be played again"));
        }
        let mut again = self.state.redo.iter().rev();
        let Some(first) = again.next() else {
            return Err(ApiError::conflict("table.nothing_to_redo", "nothing was taken back"));
        };
        // The caller's action and the answers of the others to it.
        let rest = again.take_while(|(seat, _)| !mine.contains(*seat));
        let records = [first]
            .into_iter()
            .chain(rest)
            .map(|(seat, action)| {
                let event = Event::Action { seat: *seat, action: action.clone() };
                LogRecord::Play { event, spent_ms: 0, thought: None, redo: true }
            })
            .collect();
        self.bots.stop_all();
        let acknowledged = self.commit(records, Vec::new()).await?;
        self.publish().await;
        Ok(acknowledged)
    }

    /// Gives the game up.
    pub(super) async fn resign(&mut self, caller: &Caller, wanted: Option<Seat>) -> ApiResult<Acknowledged> {
        self.state.table.as_ref().ok_or_else(waiting)?;
        let seat = self.own_seat(caller, wanted)?;
        let acknowledged = self.commit(vec![LogRecord::play(Event::Resign { seat })], Vec::new()).await?;
        self.bots.stop_all();
        self.publish().await;
        Ok(acknowledged)
    }
}

/// Where simultaneous actions are hidden until all are in, a takeback reaches back before the whole round: an action of
/// the same round that stood already would be known to the seat that chooses again.
fn before_round(table: &dyn ErasedTable, seat: Seat, mut keep: u32) -> u32 {
    while let Some(before) = keep.checked_sub(1) {
        let same_round = table.action_at(before).is_some_and(|(actor, _)| actor != seat)
            && table.to_act_at(before).is_ok_and(|acting| acting.contains(seat));
        if !same_round {
            break;
        }
        keep = before;
    }
    keep
}
