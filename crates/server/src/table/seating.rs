//! Who sits at a table: sitting down, standing up, once more.

use super::actor::Actor;
use super::ask::Caller;
use super::hub::{Plan, seat_row};
use crate::api::{Acknowledged, Rematch, SeatWish, Seated, WishKind};
use crate::error::{Answer, ApiError};
use crate::record::{Record, Who};
use axum::http::StatusCode;
use game::{Event, Seat};
use std::sync::Arc;
use store::{GameState, SeatChange, Secret};

impl Actor {
    pub(super) async fn rematch(&mut self, caller: &Caller) -> Answer<Rematch> {
        self.seated(caller)?;
        if let Some(id) = self.room.rematch.clone() {
            return Ok(Rematch { id });
        }
        if self.room.state() != GameState::Over {
            return Err(ApiError::conflict("table.not_over", "the game is not over yet"));
        }
        // Everybody moves up one seat; the secrets of the seats go with their owners.
        let mut seats = self.room.seats.clone();
        seats.rotate_left(1);
        // However many servers are asked at once, and whenever one of them ends: there is one next table.
        let plan = Plan {
            id: crate::ids::following(&self.room.id),
            game: Arc::clone(&self.room.game),
            rules_version: self.room.game.info().rules_version,
            settings: self.room.settings.clone(),
            terms: self.room.terms.clone(),
            seats,
            moves: Vec::new(),
        };
        let house = Arc::clone(&self.house);
        let id = Box::pin(house.hub.create(&house, plan)).await?;
        self.commit(vec![Record::Rematch { id: id.clone() }], Vec::new()).await?;
        self.changed().await;
        Ok(Rematch { id })
    }

    pub(super) async fn sit(&mut self, caller: &Caller, seat: Seat, wish: SeatWish) -> Answer<Seated> {
        if seat.index() >= self.room.seats.len() {
            return Err(catalog::ActionError::Table(game::TableError::NoSuchSeat(seat)).into());
        }
        let joins = match self.room.state() {
            GameState::Waiting => false,
            GameState::Running if self.room.game.info().join_during_play => seat.0 >= self.room.playing,
            GameState::Running => return Err(ApiError::conflict("table.started", "the game has started")),
            GameState::Over => return Err(ApiError::conflict("table.over", "the game is over")),
        };
        let mine = self.room.seats_of(caller);
        if self.room.sitter(seat).is_some() {
            let already = wish.kind == WishKind::Me && mine.contains(seat);
            return if already {
                Ok(Seated { seat, token: None })
            } else {
                Err(ApiError::conflict("table.seat_taken", format!("{seat} is taken")))
            };
        }
        let (who, token) = match wish.kind {
            WishKind::Me => {
                let guest = caller.guest.clone().ok_or_else(|| {
                    ApiError::new(StatusCode::UNAUTHORIZED, "guest.unknown", "say who you are: POST /api/v1/guest")
                })?;
                (Who::Person { guest }, Some(Secret::generate()))
            }
            WishKind::Bot => {
                if mine.is_empty() && !self.room.people().is_empty() {
                    return Err(ApiError::forbidden(
                        "table.not_seated",
                        "only somebody who sits here may seat the computer",
                    ));
                }
                (Who::Bot { level: level_of(&*self.room.game, wish.level)? }, None)
            }
            WishKind::Open => return Err(ApiError::bad_form("kind: a seat is taken by `me` or `bot`")),
        };
        let row = seat_row(seat, &who, token.as_ref().map(Secret::hash));
        let mut records = vec![Record::Seated { seat, who }];
        if joins {
            records.push(Record::play(Event::Join { seat }));
        }
        self.commit(records, vec![SeatChange::Taken(row)]).await?;
        self.changed().await;
        Ok(Seated { seat, token: token.map(|token| token.reveal()) })
    }

    pub(super) async fn stand(&mut self, caller: &Caller, seat: Seat) -> Answer<Acknowledged> {
        let mine = self.seated(caller)?;
        if self.room.table.is_some() {
            return Err(ApiError::conflict("table.started", "the game has started: resign instead"));
        }
        if !mine.contains(seat) && !self.room.bots().contains(seat) {
            return Err(ApiError::forbidden("table.not_your_seat", format!("{seat} is not yours")));
        }
        let acknowledged = self.commit(vec![Record::Stood { seat }], vec![SeatChange::Left(seat.0)]).await?;
        self.changed().await;
        Ok(acknowledged)
    }
}

/// The level that is asked for, or the game's default; an error if there is no such level.
pub fn level_of(game: &dyn catalog::ErasedGame, wish: Option<String>) -> Answer<String> {
    let level = wish.unwrap_or_else(|| game.default_level().to_owned());
    if game.levels().iter().any(|known| known.id == level) {
        return Ok(level);
    }
    let known: Vec<String> = game.levels().into_iter().map(|level| level.id).collect();
    let message = format!("there is no level {level}: levels are {}", known.join(", "));
    Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.level", message))
}
