//! The tables in memory: creates them, loads them from their logs on demand, finds their tasks.
//!
//! A table that nobody uses leaves the memory. If its clock runs on, the registry remembers the deadline and loads the
//! table before it; a table that sleeps costs a few bytes, so clocks of days cannot fill the memory.

use super::actor::{TableActor, read_move};
use super::command::{Reply, TableCommand};
use super::state::{Occupant, TableState};
use super::summary::StoredSummary;
use crate::app_state::{AppState, until_stopping};
use crate::error::{ApiError, ApiResult};
use crate::log_record::{LogRecord, SeatPlayer, TableTerms};
use crate::{ids, time};
use axum::http::StatusCode;
use catalog::{ActionError, ErasedGame};
use futures_util::StreamExt;
use game::{RuleError, Seat};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::{GameRow, GameState, Lease, LogEntry, NewGame, SeatKind, SeatRow, SecretHash, StoreError};
use tokio::sync::{mpsc, oneshot};

/// How many tables are loaded at once after a server has gone.
const LOADING: usize = 8;
/// How many commands may wait at one table.
const INBOX: usize = 256;
/// How often sleeping tables are looked through, and how long before its deadline a table is loaded.
const WAKE_EVERY: Duration = Duration::from_secs(1);
const WAKE_LEAD_MS: i64 = 15_000;

type Slot = Arc<tokio::sync::Mutex<Option<mpsc::Sender<TableCommand>>>>;

/// A table that is not in memory while its clock runs.
struct Sleeper {
    /// When its clock runs out, in the server's milliseconds.
    deadline_ms: i64,
    /// The last record of its log when it left the memory.
    seq: i64,
    /// Where there are several servers, this one goes on to watch the clock.
    lease: Option<Lease>,
}

/// The tables in memory and those that sleep.
#[derive(Default)]
pub struct TableRegistry {
    slots: Mutex<HashMap<String, Slot>>,
    sleeping: Mutex<HashMap<String, Sleeper>>,
}

/// A table to be created.
pub struct TableSpec {
    pub id: String,
    pub game: Arc<dyn ErasedGame>,
    pub rules_version: u32,
    pub settings: Value,
    pub terms: TableTerms,
    pub seats: Vec<Option<Occupant>>,
    /// Actions to play at once, each read in the position it meets.
    pub moves: Vec<crate::api::MoveRequest>,
}

/// A table whose task has ended.
pub struct Ended {
    pub id: String,
    pub seq: i64,
    /// When its clock runs out, if it has one that runs at this server.
    pub deadline_ms: Option<i64>,
    pub lease: Option<Lease>,
}

/// Loads sleeping tables before their clocks run out, until the server stops.
pub async fn wake_sleeping(app: Arc<AppState>) {
    let mut stopping = app.stopping.subscribe();
    loop {
        tokio::select! {
            () = until_stopping(&mut stopping) => return,
            () = tokio::time::sleep(WAKE_EVERY) => {}
        }
        let due = app.tables.due(time::now_ms() + WAKE_LEAD_MS);
        if !due.is_empty() {
            app.tables.wake(&app, due).await;
        }
    }
}

impl TableRegistry {
    /// How many tables are in memory.
    pub fn live(&self) -> usize {
        self.slots.lock().expect("no panic while held").len()
    }

    /// How many tables sleep until their clocks run out.
    pub fn sleeping(&self) -> usize {
        self.sleeping.lock().expect("no panic while held").len()
    }

    /// Whether so many tables are in memory that idle ones should leave soon.
    pub fn is_crowded(&self, app: &AppState) -> bool {
        self.live() * 4 > app.config.limits.live_tables * 3
    }

    fn slot(&self, id: &str) -> Slot {
        Arc::clone(self.slots.lock().expect("no panic while held").entry(id.to_owned()).or_default())
    }

    /// Forgets a table whose task has ended, unless it was loaded again meanwhile.
    pub fn forget(&self, ended: Ended) {
        let mut slots = self.slots.lock().expect("no panic while held");
        let gone = slots.get(&ended.id).is_some_and(|slot| {
            slot.try_lock().is_ok_and(|sender| sender.as_ref().is_none_or(mpsc::Sender::is_closed))
        });
        if !gone {
            return;
        }
        slots.remove(&ended.id);
        if let Some(deadline_ms) = ended.deadline_ms {
            let sleeper = Sleeper { deadline_ms, seq: ended.seq, lease: ended.lease };
            self.sleeping.lock().expect("no panic while held").insert(ended.id, sleeper);
        }
    }

    /// The sleeping tables whose clocks run out before a moment.
    fn due(&self, before_ms: i64) -> Vec<String> {
        let sleeping = self.sleeping.lock().expect("no panic while held");
        sleeping.iter().filter(|(_, sleeper)| sleeper.deadline_ms <= before_ms).map(|(id, _)| id.clone()).collect()
    }

    fn is_current(&self, id: &str, slot: &Slot) -> bool {
        self.slots.lock().expect("no panic while held").get(id).is_some_and(|current| Arc::ptr_eq(current, slot))
    }

    /// The task of a table that is in memory.
    pub async fn in_memory(&self, id: &str) -> Option<mpsc::Sender<TableCommand>> {
        let slot = self.slots.lock().expect("no panic while held").get(id).cloned()?;
        let sender = slot.lock().await;
        sender.as_ref().filter(|sender| !sender.is_closed()).cloned()
    }

    /// The task of a table, loaded from its log if it is not in memory.
    pub async fn table(&self, app: &Arc<AppState>, id: &str) -> ApiResult<mpsc::Sender<TableCommand>> {
        self.table_for(app, id, true).await
    }

    /// The same; a table that is not `requested` leaves the memory as soon as it has nothing to do.
    async fn table_for(&self, app: &Arc<AppState>, id: &str, requested: bool) -> ApiResult<mpsc::Sender<TableCommand>> {
        loop {
            let slot = self.slot(id);
            let mut sender = slot.lock().await;
            // While this call waited for the slot it may have been forgotten: a table must not live in two.
            if !self.is_current(id, &slot) {
                continue;
            }
            if let Some(sender) = sender.as_ref().filter(|sender| !sender.is_closed()) {
                return Ok(sender.clone());
            }
            let loaded = if self.live() > app.config.limits.live_tables {
                Err(ApiError::busy("limits.tables", "too many tables are being played: try again later"))
            } else {
                load(app, id).await
            };
            return match loaded {
                Ok(state) => {
                    let sleeper = self.sleeping.lock().expect("no panic while held").remove(id);
                    let started = start(app, state, sleeper.and_then(|sleeper| sleeper.lease), requested);
                    *sender = Some(started.clone());
                    Ok(started)
                }
                Err(error) => {
                    drop(sender);
                    self.forget(Ended { id: id.to_owned(), seq: 0, deadline_ms: None, lease: None });
                    Err(error)
                }
            };
        }
    }

    /// Sends a table a command and waits for its answer.
    pub async fn request<T>(
        &self,
        app: &Arc<AppState>,
        id: &str,
        command: impl FnOnce(Reply<T>) -> TableCommand,
    ) -> ApiResult<T> {
        let table = self.table(app, id).await?;
        let (reply, answer) = oneshot::channel();
        match table.try_send(command(reply)) {
            Ok(()) => answer.await.map_err(|_| ApiError::table_restarts())?,
            Err(mpsc::error::TrySendError::Full(_)) => {
                Err(ApiError::busy("limits.table", "too much is happening at this table: try again"))
            }
            Err(mpsc::error::TrySendError::Closed(_)) => Err(ApiError::table_restarts()),
        }
    }

    /// Creates a table and stores it; a table of the same id stays as it is.
    pub async fn create(&self, app: &Arc<AppState>, spec: TableSpec) -> ApiResult<String> {
        if self.live() >= app.config.limits.live_tables {
            return Err(ApiError::busy("limits.tables", "too many tables are being played: try again later"));
        }
        let now = time::now_ms();
        let id = spec.id;
        let mut row = GameRow {
            id: id.clone(),
            game: spec.game.info().id.to_owned(),
            rules_version: spec.rules_version,
            settings: spec.settings.to_string(),
            seats: 0,
            seed: ids::random_u64(),
            listed: !spec.terms.options.private,
            terms: to_json(&spec.terms),
            state: GameState::Waiting,
            wake: false,
            head: 0,
            summary: String::new(),
            created_ms: now,
            updated_ms: now,
        };
        let mut state = TableState::new(Arc::clone(&spec.game), &row)?;
        let mut entries = Vec::new();
        let mut record = |state: &mut TableState, record: LogRecord| -> Result<(), ActionError> {
            let record = state.apply(record, now)?;
            entries.push(LogEntry { seq: state.seq, at_ms: now, body: to_json(&record) });
            Ok(())
        };
        let mut seats = Vec::new();
        for (index, occupant) in spec.seats.into_iter().enumerate() {
            let Some(occupant) = occupant else { continue };
            let seat = Seat(index as u8);
            record(&mut state, LogRecord::Seated { seat, who: occupant.who.clone() })?;
            seats.push(seat_row(seat, &occupant.who, occupant.token_hash.clone()));
            state.seats[index] = Some(occupant);
        }
        if let Some(count) = state.seats_if_ready() {
            record(&mut state, LogRecord::Started { seats: count })?;
        }
        for (number, request) in spec.moves.iter().enumerate() {
            let event = read_move(&state, request)
                .map_err(|error| ApiError { detail: at_move(error.detail, number), ..error })?;
            record(&mut state, LogRecord::play(event)).map_err(|refusal| {
                let error = ApiError::from(refusal);
                ApiError { detail: at_move(error.detail, number), ..error }
            })?;
        }
        row.seats = state.playing;
        row.state = state.phase();
        row.wake = state.needs_server();
        row.head = state.seq;
        row.summary = to_json(&StoredSummary::of(&state));
        match app.store.create(NewGame { row, seats, entries }).await {
            Ok(()) => *self.slot(&id).lock().await = Some(start(app, state, None, true)),
            Err(StoreError::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(id)
    }

    /// Loads tables that have something to do without a request; returns those that cannot be loaded.
    pub async fn wake(&self, app: &Arc<AppState>, ids: Vec<String>) -> Vec<String> {
        let wake = async |id: String| match self.table_for(app, &id, false).await {
            Ok(table) => {
                let _ = table.try_send(TableCommand::CheckLease);
                None
            }
            Err(error) => {
                tracing::warn!(table = id, error = error.detail.message, "a table cannot be loaded");
                Some(id)
            }
        };
        let woken = futures_util::stream::iter(ids).map(wake).buffer_unordered(LOADING);
        woken.filter_map(std::future::ready).collect().await
    }

    /// The tables that this server follows: those in memory and those that sleep.
    pub fn ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = self.slots.lock().expect("no panic while held").keys().cloned().collect();
        ids.extend(self.sleeping.lock().expect("no panic while held").keys().cloned());
        ids
    }

    /// Sends a command to a table that is in memory.
    pub fn notify(&self, id: &str, command: TableCommand) {
        let slot = self.slots.lock().expect("no panic while held").get(id).cloned();
        let Some(slot) = slot else { return };
        let send = |sender: &Option<mpsc::Sender<TableCommand>>, command: TableCommand| {
            // A table that is too busy catches up from the store.
            sender.as_ref().is_some_and(|sender| sender.try_send(command).is_ok())
        };
        if let Ok(sender) = Arc::clone(&slot).try_lock() {
            send(&sender, command);
            return;
        }
        // The table is being loaded, perhaps from a log that was read before this happened.
        tokio::spawn(async move { send(&*slot.lock().await, command) });
    }

    /// The log of a table has grown at another server. A table that sleeps is loaded: its deadline may be another one.
    pub fn log_grown(&self, app: &Arc<AppState>, id: &str, seq: i64) {
        let asleep = self.sleeping.lock().expect("no panic while held").get(id).is_some_and(|at| at.seq < seq);
        if asleep {
            let (app, id) = (Arc::clone(app), id.to_owned());
            tokio::spawn(async move { app.tables.wake(&app, vec![id]).await });
            return;
        }
        self.notify(id, TableCommand::LogGrown { seq });
    }

    /// Stops every table.
    pub async fn stop(&self) {
        let slots: Vec<Slot> = self.slots.lock().expect("no panic while held").values().cloned().collect();
        for slot in slots {
            if let Some(sender) = slot.lock().await.take() {
                let _ = sender.send(TableCommand::Stop).await;
                sender.closed().await;
            }
        }
    }
}

fn at_move(mut detail: crate::api::ErrorDetail, number: usize) -> crate::api::ErrorDetail {
    detail.message = format!("move {}: {}", number + 1, detail.message);
    detail
}

fn start(app: &Arc<AppState>, state: TableState, lease: Option<Lease>, requested: bool) -> mpsc::Sender<TableCommand> {
    let (sender, inbox) = mpsc::channel(INBOX);
    let actor = TableActor::new(Arc::clone(app), state, sender.clone(), lease);
    tokio::spawn(actor.run(inbox, requested));
    sender
}

/// A table replayed from its log, with the log.
pub struct Replayed {
    pub state: TableState,
    pub row: GameRow,
    pub log: Vec<LogEntry>,
}

/// A table replayed from its log.
pub(super) async fn load(app: &Arc<AppState>, id: &str) -> ApiResult<TableState> {
    Ok(replay(app, id).await?.state)
}

/// Replays a table from its log, whether it is in memory or not.
pub async fn replay(app: &Arc<AppState>, id: &str) -> ApiResult<Replayed> {
    let row = app.store.game(id).await?;
    let row = row.ok_or_else(|| ApiError::not_found("table.unknown", format!("there is no table {id}")))?;
    let game = app.catalog.game(&row.game).cloned().ok_or_else(|| {
        let message = format!("table {id} is a game of {}, which this installation does not have", row.game);
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "table.game_missing", message)
    })?;
    let log = app.store.log(id, 0).await?;
    let opened = app.serving.opened_ms();
    let replayed = tokio::task::spawn_blocking(move || match TableState::replay(game, &row, &log, opened) {
        Ok(state) => Ok(Replayed { state, row, log }),
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
                format!("table {id} cannot be loaded from its log"),
            ));
        }
    };
    load_occupants(app, &mut replayed.state).await?;
    Ok(replayed)
}

/// Loads what the log does not hold about occupants: the token hashes of their seats and their names.
pub(super) async fn load_occupants(app: &AppState, state: &mut TableState) -> ApiResult<()> {
    let rows = app.store.seats(&state.id).await?;
    for guest in rows.iter().filter_map(|row| row.guest_id.as_deref()) {
        if app.names.get(guest).is_none()
            && let Some(guest) = app.store.guest(guest).await?
        {
            app.names.put(&guest.id, &guest.name);
        }
    }
    for row in rows {
        if let Some(Some(occupant)) = state.seats.get_mut(usize::from(row.seat)) {
            occupant.token_hash = row.token_hash;
        }
    }
    Ok(())
}

/// A log that this program cannot replay stays as it is: a newer program wrote it, or a rules version was removed.
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
pub fn seat_row(seat: Seat, who: &SeatPlayer, token_hash: Option<SecretHash>) -> SeatRow {
    match who {
        SeatPlayer::Person { guest } => {
            SeatRow { seat: seat.0, kind: SeatKind::Person, guest_id: Some(guest.clone()), level: None, token_hash }
        }
        SeatPlayer::Bot { level } => {
            SeatRow { seat: seat.0, kind: SeatKind::Bot, guest_id: None, level: Some(level.clone()), token_hash: None }
        }
    }
}

/// JSON of a type of this crate.
pub fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data can be written")
}
