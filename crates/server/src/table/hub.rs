//! The live tables: makes them, sets them up from their logs on demand, and finds them.

use super::actor::Actor;
use super::ask::{Ask, Reply};
use super::room::{Room, Sitter};
use super::summary::Summary;
use crate::error::{Answer, ApiError};
use crate::house::House;
use crate::record::{Record, Terms, Who};
use crate::{ids, time};
use axum::http::StatusCode;
use catalog::{ActionError, ErasedGame};
use futures_util::StreamExt;
use game::{RuleError, Seat};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use store::{GameRow, GameState, LogEntry, NewGame, SeatKind, SeatRow, SecretHash, StoreError};
use tokio::sync::{mpsc, oneshot};

/// How many tables are set up at once after a server has gone.
const WAKING: usize = 8;
/// How many questions may wait at one table.
const INBOX: usize = 256;

type Slot = Arc<tokio::sync::Mutex<Option<mpsc::Sender<Ask>>>>;

/// The live tables.
#[derive(Default)]
pub struct Hub {
    slots: Mutex<HashMap<String, Slot>>,
}

/// A table to be made.
pub struct Plan {
    pub id: String,
    pub game: Arc<dyn ErasedGame>,
    pub rules_version: u32,
    pub settings: Value,
    pub terms: Terms,
    pub seats: Vec<Option<Sitter>>,
    /// Actions to play at once, read with the room as it then is.
    pub moves: Vec<crate::api::Move>,
}

impl Hub {
    /// How many tables are in memory.
    pub fn live(&self) -> usize {
        self.slots.lock().expect("no panic while held").len()
    }

    fn slot(&self, id: &str) -> Slot {
        Arc::clone(self.slots.lock().expect("no panic while held").entry(id.to_owned()).or_default())
    }

    /// Forgets a table that has left the memory, unless it was set up again meanwhile.
    pub fn forget(&self, id: &str) {
        let mut slots = self.slots.lock().expect("no panic while held");
        let gone = slots.get(id).is_some_and(|slot| {
            slot.try_lock().is_ok_and(|sender| sender.as_ref().is_none_or(mpsc::Sender::is_closed))
        });
        if gone {
            slots.remove(id);
        }
    }

    fn is_current(&self, id: &str, slot: &Slot) -> bool {
        self.slots.lock().expect("no panic while held").get(id).is_some_and(|current| Arc::ptr_eq(current, slot))
    }

    /// The way to a table that is in memory.
    pub async fn in_memory(&self, id: &str) -> Option<mpsc::Sender<Ask>> {
        let slot = self.slots.lock().expect("no panic while held").get(id).cloned()?;
        let sender = slot.lock().await;
        sender.as_ref().filter(|sender| !sender.is_closed()).cloned()
    }

    /// The way to a table, set up from its log if it is not in memory.
    pub async fn table(&self, house: &Arc<House>, id: &str) -> Answer<mpsc::Sender<Ask>> {
        loop {
            let slot = self.slot(id);
            let mut sender = slot.lock().await;
            // While we waited for the slot it may have been forgotten: a table must not live in two.
            if !self.is_current(id, &slot) {
                continue;
            }
            if let Some(sender) = sender.as_ref().filter(|sender| !sender.is_closed()) {
                return Ok(sender.clone());
            }
            let loaded = if self.live() > house.config.limits.live_tables {
                Err(ApiError::busy("limits.tables", "too many tables are being played: try again later"))
            } else {
                load(house, id).await
            };
            return match loaded {
                Ok(room) => {
                    let started = start(house, room);
                    *sender = Some(started.clone());
                    Ok(started)
                }
                Err(error) => {
                    drop(sender);
                    self.forget(id);
                    Err(error)
                }
            };
        }
    }

    /// Asks a table something and waits for its answer.
    pub async fn ask<T>(&self, house: &Arc<House>, id: &str, ask: impl FnOnce(Reply<T>) -> Ask) -> Answer<T> {
        let table = self.table(house, id).await?;
        let (reply, answer) = oneshot::channel();
        match table.try_send(ask(reply)) {
            Ok(()) => answer.await.map_err(|_| ApiError::table_restarts())?,
            Err(mpsc::error::TrySendError::Full(_)) => {
                Err(ApiError::busy("limits.table", "too much is happening at this table: try again"))
            }
            Err(mpsc::error::TrySendError::Closed(_)) => Err(ApiError::table_restarts()),
        }
    }

    /// Makes a table and writes it down; one that is there already stays as it is.
    pub async fn create(&self, house: &Arc<House>, plan: Plan) -> Answer<String> {
        if self.live() >= house.config.limits.live_tables {
            return Err(ApiError::busy("limits.tables", "too many tables are being played: try again later"));
        }
        let now = time::now_ms();
        let id = plan.id;
        let mut row = GameRow {
            id: id.clone(),
            game: plan.game.info().id.to_owned(),
            rules_version: plan.rules_version,
            settings: plan.settings.to_string(),
            seats: 0,
            seed: ids::random_u64(),
            listed: !plan.terms.options.private,
            terms: to_json(&plan.terms),
            state: GameState::Waiting,
            wake: false,
            head: 0,
            summary: String::new(),
            created_ms: now,
            updated_ms: now,
        };
        let mut room = Room::new(Arc::clone(&plan.game), &row)?;
        let mut entries = Vec::new();
        let mut record = |room: &mut Room, record: Record| -> Result<(), ActionError> {
            let record = room.apply(record, now)?;
            entries.push(LogEntry { seq: room.seq, at_ms: now, body: to_json(&record) });
            Ok(())
        };
        let mut seats = Vec::new();
        for (index, sitter) in plan.seats.into_iter().enumerate() {
            let Some(sitter) = sitter else { continue };
            let seat = Seat(index as u8);
            record(&mut room, Record::Seated { seat, who: sitter.who.clone() })?;
            seats.push(seat_row(seat, &sitter.who, sitter.token_hash.clone()));
            room.seats[index] = Some(sitter);
        }
        if let Some(count) = room.ready() {
            record(&mut room, Record::Started { seats: count })?;
        }
        for (number, wish) in plan.moves.iter().enumerate() {
            let event = super::play::read_move(&room, wish)
                .map_err(|error| ApiError { detail: at_move(error.detail, number), ..error })?;
            record(&mut room, Record::play(event)).map_err(|refusal| {
                let error = ApiError::from(refusal);
                ApiError { detail: at_move(error.detail, number), ..error }
            })?;
        }
        row.seats = room.playing;
        row.state = room.state();
        row.wake = room.wake();
        row.head = room.seq;
        row.summary = to_json(&Summary::of(&room));
        match house.store.create(NewGame { row, seats, entries }).await {
            Ok(()) => *self.slot(&id).lock().await = Some(start(house, room)),
            Err(StoreError::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(id)
    }

    /// Sets up tables that go on by themselves and have nobody who looks after them; those that could not be.
    pub async fn wake(&self, house: &Arc<House>, ids: Vec<String>) -> Vec<String> {
        let wake = async |id: String| match self.table(house, &id).await {
            Ok(table) => {
                let _ = table.try_send(Ask::Attend);
                None
            }
            Err(error) => {
                tracing::warn!(table = id, error = error.detail.message, "a table does not go on");
                Some(id)
            }
        };
        let woken = futures_util::stream::iter(ids).map(wake).buffer_unordered(WAKING);
        woken.filter_map(std::future::ready).collect().await
    }

    /// The tables in memory.
    pub fn ids(&self) -> Vec<String> {
        self.slots.lock().expect("no panic while held").keys().cloned().collect()
    }

    /// Tells a table something, if it is in memory.
    pub fn tell(&self, id: &str, ask: Ask) {
        let slot = self.slots.lock().expect("no panic while held").get(id).cloned();
        let Some(slot) = slot else { return };
        let send = |sender: &Option<mpsc::Sender<Ask>>, ask: Ask| {
            // A table that is too busy finds it in the store.
            sender.as_ref().is_some_and(|sender| sender.try_send(ask).is_ok())
        };
        if let Ok(sender) = Arc::clone(&slot).try_lock() {
            send(&sender, ask);
            return;
        }
        // It is being set up, perhaps from a log that was read before this happened.
        tokio::spawn(async move { send(&*slot.lock().await, ask) });
    }

    /// Tells every table to stop.
    pub async fn stop(&self) {
        let slots: Vec<Slot> = self.slots.lock().expect("no panic while held").values().cloned().collect();
        for slot in slots {
            if let Some(sender) = slot.lock().await.take() {
                let _ = sender.send(Ask::Stop).await;
                sender.closed().await;
            }
        }
    }
}

fn at_move(mut detail: crate::api::ErrorDetail, number: usize) -> crate::api::ErrorDetail {
    detail.message = format!("move {}: {}", number + 1, detail.message);
    detail
}

fn start(house: &Arc<House>, room: Room) -> mpsc::Sender<Ask> {
    let (sender, inbox) = mpsc::channel(INBOX);
    let actor = Actor::new(Arc::clone(house), room, sender.clone());
    tokio::spawn(actor.run(inbox));
    sender
}

/// A table as its log says, with its log.
pub struct Replayed {
    pub room: Room,
    pub row: GameRow,
    pub log: Vec<LogEntry>,
}

/// A table as its log says.
pub(super) async fn load(house: &Arc<House>, id: &str) -> Answer<Room> {
    Ok(replay(house, id).await?.room)
}

/// Replays a table from its log, beside whatever is in memory.
pub async fn replay(house: &Arc<House>, id: &str) -> Answer<Replayed> {
    let row = house.store.game(id).await?;
    let row = row.ok_or_else(|| ApiError::not_found("table.unknown", format!("there is no table {id}")))?;
    let game = house.catalog.game(&row.game).cloned().ok_or_else(|| {
        let message = format!("table {id} is a game of {}, which this installation does not have", row.game);
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "table.game_missing", message)
    })?;
    let log = house.store.log(id, 0).await?;
    let opened = house.serving.opened_ms();
    let replayed = tokio::task::spawn_blocking(move || match Room::replay(game, &row, &log, opened) {
        Ok(room) => Ok(Replayed { room, row, log }),
        Err(refusal) => Err(Box::new((row, refusal))),
    });
    let mut replayed = match replayed.await {
        Ok(Ok(replayed)) => replayed,
        Ok(Err(refused)) => return Err(not_replayable(&refused.0, &refused.1)),
        Err(panic) => {
            tracing::error!(table = id, error = %panic, "a log does not replay");
            return Err(ApiError::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "table.broken",
                format!("table {id} cannot be set up from its log"),
            ));
        }
    };
    know_sitters(house, &mut replayed.room).await?;
    Ok(replayed)
}

/// Learns what the log does not say of those who sit at a table: the secrets of their seats and their names.
pub(super) async fn know_sitters(house: &House, room: &mut Room) -> Answer<()> {
    let rows = house.store.seats(&room.id).await?;
    for guest in rows.iter().filter_map(|row| row.guest_id.as_deref()) {
        if house.names.get(guest).is_none()
            && let Some(guest) = house.store.guest(guest).await?
        {
            house.names.put(&guest.id, &guest.name);
        }
    }
    for row in rows {
        if let Some(Some(sitter)) = room.seats.get_mut(usize::from(row.seat)) {
            sitter.token_hash = row.token_hash;
        }
    }
    Ok(())
}

/// A log that this program cannot replay is left as it is: a newer program wrote it, or a rules version was lost.
fn not_replayable(row: &GameRow, refusal: &ActionError) -> ApiError {
    tracing::error!(table = row.id, game = row.game, rules_version = row.rules_version, %refusal, "a log does not replay");
    let rule = RuleError::new(
        "table.rules_version",
        format!(
            "table {} was played under rules version {} and does not replay here: {refusal}",
            row.id, row.rules_version
        ),
    );
    ApiError::new(StatusCode::CONFLICT, rule.code, rule.message)
}

/// The row of a taken seat.
pub fn seat_row(seat: Seat, who: &Who, token_hash: Option<SecretHash>) -> SeatRow {
    match who {
        Who::Person { guest } => {
            SeatRow { seat: seat.0, kind: SeatKind::Person, guest_id: Some(guest.clone()), level: None, token_hash }
        }
        Who::Bot { level } => {
            SeatRow { seat: seat.0, kind: SeatKind::Bot, guest_id: None, level: Some(level.clone()), token_hash: None }
        }
    }
}

/// JSON of a type of ours.
pub fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data can be written")
}
