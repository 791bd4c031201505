//! Seats: taking one, leaving one, rematch.

use super::actor::TableActor;
use super::command::Caller;
use super::registry::{TableSpec, seat_row};
use crate::api::{Acknowledged, Rematch, SeatRequest, SeatRequestKind, Seated};
use crate::error::{ApiError, ApiResult};
use crate::log_record::{LogRecord, SeatPlayer};
use axum::http::StatusCode;
use game::{Event, Seat};
use std::sync::Arc;
use store::{GameState, SeatChange, Secret};

impl TableActor {
    /// Creates the next table with the same players, each one seat further.
    pub(super) async fn rematch(&mut self, caller: &Caller) -> ApiResult<Rematch> {
        self.seated(caller)?;
        if let Some(id) = self.state.rematch.clone() {
            return Ok(Rematch { id });
        }
        if self.state.phase() != GameState::Over {
            return Err(ApiError::conflict("table.not_over", "the game is not over yet"));
        }
        // Everybody moves up one seat; the tokens of the seats stay with their owners.
        let mut seats = self.state.seats.clone();
        seats.rotate_left(1);
        // The id follows from this table's: several servers that are asked at once create one next table.
        let spec = TableSpec {
            id: crate::ids::following(&self.state.id),
            game: Arc::clone(&self.state.game),
            rules_version: self.state.game.info().rules_version,
            settings: self.state.settings.clone(),
            terms: self.state.terms.clone(),
            seats,
            moves: Vec::new(),
        };
        let app = Arc::clone(&self.app);
        let id = Box::pin(app.tables.create(&app, spec)).await?;
        self.commit(vec![LogRecord::Rematch { id: id.clone() }], Vec::new()).await?;
        self.publish().await;
        Ok(Rematch { id })
    }

    /// Takes a seat for the caller or for a bot.
    pub(super) async fn sit(&mut self, caller: &Caller, seat: Seat, request: SeatRequest) -> ApiResult<Seated> {
        if seat.index() >= self.state.seats.len() {
            return Err(catalog::ActionError::Table(game::TableError::NoSuchSeat(seat)).into());
        }
        let joins = match self.state.phase() {
            GameState::Waiting => false,
            GameState::Running if self.state.game.info().join_during_play => seat.0 >= self.state.playing,
            GameState::Running => return Err(ApiError::conflict("table.started", "the game has started")),
            GameState::Over => return Err(ApiError::conflict("table.over", "the game is over")),
        };
        let mine = self.state.seats_of(caller);
        if self.state.occupant(seat).is_some() {
            let already = request.kind == SeatRequestKind::Me && mine.contains(seat);
            return if already {
                Ok(Seated { seat, token: None })
            } else {
                Err(ApiError::conflict("table.seat_taken", format!("{seat} is taken")))
            };
        }
        let (who, token) = match request.kind {
            SeatRequestKind::Me => {
                let guest = caller.guest.clone().ok_or_else(|| {
                    ApiError::new(StatusCode::UNAUTHORIZED, "guest.unknown", "say who you are: POST /api/v1/guest")
                })?;
                (SeatPlayer::Person { guest }, Some(Secret::generate()))
            }
            SeatRequestKind::Bot => {
                if mine.is_empty() && !self.state.people().is_empty() {
                    return Err(ApiError::forbidden(
                        "table.not_seated",
                        "only somebody who sits here may seat the computer",
                    ));
                }
                (SeatPlayer::Bot { level: level_of(&*self.state.game, request.level)? }, None)
            }
            SeatRequestKind::Open => return Err(ApiError::bad_form("kind: a seat is taken by `me` or `bot`")),
        };
        let row = seat_row(seat, &who, token.as_ref().map(Secret::hash));
        let mut records = vec![LogRecord::Seated { seat, who }];
        if joins {
            records.push(LogRecord::play(Event::Join { seat }));
        }
        self.commit(records, vec![SeatChange::Taken(row)]).await?;
        self.publish().await;
        Ok(Seated { seat, token: token.map(|token| token.reveal()) })
    }

    /// Leaves a seat before the game has started.
    pub(super) async fn stand(&mut self, caller: &Caller, seat: Seat) -> ApiResult<Acknowledged> {
        let mine = self.seated(caller)?;
        if self.state.table.is_some() {
            return Err(ApiError::conflict("table.started", "the game has started: resign instead"));
        }
        if !mine.contains(seat) && !self.state.bots().contains(seat) {
            return Err(ApiError::forbidden("table.not_your_seat", format!("{seat} is not yours")));
        }
        let acknowledged = self.commit(vec![LogRecord::Stood { seat }], vec![SeatChange::Left(seat.0)]).await?;
        self.publish().await;
        Ok(acknowledged)
    }
}

/// The requested level, or the game's default; an error if the game has no such level.
pub fn level_of(game: &dyn catalog::ErasedGame, request: Option<String>) -> ApiResult<String> {
    let level = request.unwrap_or_else(|| game.default_level().to_owned());
    if game.levels().iter().any(|known| known.id == level) {
        return Ok(level);
    }
    let known: Vec<String> = game.levels().into_iter().map(|level| level.id).collect();
    let message = format!("there is no level {level}: levels are {}", known.join(", "));
    Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.level", message))
}
