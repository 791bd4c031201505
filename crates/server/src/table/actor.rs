//! The task that owns a table at this server, and the way of a move through it.
//!
//! A move takes these steps, all in this file: [`TableActor::run`] receives the command, `handle` dispatches it, `act`
//! checks whose move it is and reads it, `commit` applies it and appends it to the log, the caller is acknowledged, and
//! `publish` starts the bots and sends every viewer the new view. A bot's move joins at `bot_acts`.
//!
//! The other files of this folder hold what is beside that way: `audience` (sockets and views), `takeback` (undo, redo,
//! resign), `seating`, `replication` (the same table at other servers), `bots` (thoughts on the worker pool).

use super::bots::Bots;
use super::command::{Caller, Subscriber, TableCommand};
use super::disclosure::shown_thinking;
use super::registry::{Ended, to_json};
use super::remote_presence::{PeerMessage, RemotePresence};
use super::state::TableState;
use super::summary::StoredSummary;
use crate::api::{Acknowledged, ActionRequest, MoveRequest};
use crate::app_state::AppState;
use crate::error::{ApiError, ApiResult};
use crate::log_record::LogRecord;
use crate::time;
use game::{Event, Seat, SeatSet, Thought};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use store::{Append, GameState, Lease, LogEntry, SeatChange, StoreError};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How long a look at a table without a socket counts as watching it.
const LOOK_LASTS: Duration = Duration::from_secs(30);

/// Retries a change while other servers append to the log first.
macro_rules! retry_on_conflict {
    ($actor:ident, $attempt:expr) => {
        loop {
            let answer = $attempt;
            if !$actor.reload_after_conflict().await {
                break answer;
            }
        }
    };
}

/// The task that owns a table at this server.
pub struct TableActor {
    pub(super) app: Arc<AppState>,
    pub(super) state: TableState,
    pub(super) inbox: mpsc::Sender<TableCommand>,
    pub(super) subscribers: HashMap<u64, Subscriber>,
    pub(super) bots: Bots,
    /// That bots think and clocks run out at this server, where there are several.
    pub(super) lease: Option<Lease>,
    pub(super) remote: RemotePresence,
    /// Our append lost the compare-and-swap: the state in memory has diverged from the log.
    pub(super) conflicted: bool,
    /// Log and memory may differ: the task ends, and the next request loads the table from its log.
    pub(super) broken: bool,
    /// When somebody last looked at the table without a socket.
    pub(super) looked_at: Option<Instant>,
    stopped: bool,
}

impl TableActor {
    pub fn new(app: Arc<AppState>, state: TableState, inbox: mpsc::Sender<TableCommand>, lease: Option<Lease>) -> Self {
        Self {
            app,
            state,
            inbox,
            subscribers: HashMap::new(),
            bots: Bots::default(),
            lease,
            remote: RemotePresence::default(),
            conflicted: false,
            broken: false,
            looked_at: None,
            stopped: false,
        }
    }

    /// Works until nobody needs the table in memory any more.
    pub async fn run(mut self, mut inbox: mpsc::Receiver<TableCommand>, requested: bool) {
        metrics::gauge!("parlour_tables_live").increment(1.0);
        self.request_presence();
        self.schedule_bots().await;
        // Also when a finished table is loaded again: the server may have stopped between the end and the rating.
        self.rate();
        let idle = self.app.config.retention.idle_in_memory;
        let tick = idle.min(LOOK_LASTS);
        // A table that was loaded for its clock or its bots alone leaves again as soon as they need nothing.
        let mut last_used = requested.then(Instant::now);
        let mut next_tick = if requested { Instant::now() + tick } else { Instant::now() };
        while !self.broken && !self.stopped {
            let now = time::now_ms();
            let flag = self.state.clock.as_ref().filter(|_| self.holds_lease()).and_then(|clock| clock.next_flag(now));
            let flag_in =
                Duration::from_millis(flag.map_or(0, |(_, at)| at.saturating_sub(now).max(0).cast_unsigned()));
            tokio::select! {
                command = inbox.recv() => match command {
                    None => break,
                    Some(command) => {
                        if !command.is_between_servers() {
                            last_used = Some(Instant::now());
                        }
                        self.handle(command).await;
                    }
                },
                () = tokio::time::sleep(flag_in), if flag.is_some() => self.flag(flag.map(|(seat, _)| seat)).await,
                () = tokio::time::sleep_until(next_tick) => {
                    next_tick = Instant::now() + tick;
                    let soon = self.pauses() || flag_in > self.app.config.retention.near_deadline || self.app.tables.is_crowded(&self.app);
                    let quiet_for = if soon { tick } else { idle };
                    let quiet = last_used.is_none_or(|at| at.elapsed() >= quiet_for);
                    self.stopped = quiet && self.may_sleep(flag_in);
                }
            }
        }
        // Commands that were accepted are answered (or told to try again); new ones find the table loaded afresh.
        inbox.close();
        while let Some(command) = inbox.recv().await {
            if !self.broken && !matches!(command, TableCommand::Subscribe { .. } | TableCommand::Stop) {
                self.handle(command).await;
            }
        }
        self.bots.close(&self.app);
        // A clock that runs goes on while the table is not in memory: the registry loads the table before it runs out.
        let runs_here = !self.broken && self.holds_lease() && self.state.clock_runs();
        let deadline = self.state.clock.as_ref().filter(|_| runs_here);
        let deadline_ms = deadline.and_then(|clock| clock.next_flag(time::now_ms())).map(|(_, at)| at);
        let (id, seq, lease) = (self.state.id.clone(), self.state.seq, self.lease.take());
        self.app.tables.forget(Ended { id, seq, deadline_ms, lease });
        metrics::gauge!("parlour_tables_live").decrement(1.0);
    }

    /// Whether only bots play and nobody looks: then they wait until somebody does.
    pub(super) fn pauses(&self) -> bool {
        let looked = self.looked_at.is_some_and(|at| at.elapsed() < LOOK_LASTS);
        self.state.people() == SeatSet::NONE && !self.state.clock_runs() && !looked && !self.is_watched()
    }

    /// Whether nothing keeps the table in memory: no socket, no thought, no bot to move, no clock near its end.
    fn may_sleep(&self, flag_in: Duration) -> bool {
        let bots_due = self.state.bots_to_act() != SeatSet::NONE && !self.pauses();
        let active = self.holds_lease()
            && (bots_due || (self.state.clock_runs() && flag_in <= self.app.config.retention.near_deadline));
        self.subscribers.is_empty() && !self.bots.busy() && !active
    }

    async fn handle(&mut self, command: TableCommand) {
        if command.is_from_caller() {
            self.refresh().await;
            if self.broken {
                return;
            }
            let paused = self.pauses();
            self.looked_at = Some(Instant::now());
            if paused {
                self.schedule_bots().await;
            }
        }
        // A caller that no longer waits does not stop a change: it stands.
        match command {
            TableCommand::Act { caller, act, reply } => {
                drop(reply.send(retry_on_conflict!(self, self.act(&caller, act.clone()).await)));
            }
            TableCommand::BotDone { ticket, seat, level, bot, result } => {
                let decided = self.bots.done(&self.app, &self.state, (ticket, seat), (level, bot), result);
                self.bot_acts(seat, decided).await;
            }
            TableCommand::BotProgress { ticket, seat, progress } => {
                let open = !self.state.game.info().hidden;
                if let Some(thinking) = self.bots.progress(ticket, seat, progress) {
                    let thinking = shown_thinking(thinking, open);
                    self.broadcast_transient(&json!({ "thinking": thinking }));
                    self.notify_peers(&PeerMessage::Thinking(thinking));
                }
            }
            TableCommand::Show { caller, seat, reply } => drop(reply.send(Ok(self.show(&caller, seat)))),
            TableCommand::ViewAt { caller, seat, ply, reply } => drop(reply.send(self.view_at(&caller, seat, ply))),
            TableCommand::IsSeated { caller, reply } => {
                drop(reply.send(Ok(!self.state.seats_of(&caller).is_empty())));
            }
            TableCommand::ServiceContext { caller, seat, reply } => {
                drop(reply.send(self.service_context(&caller, seat)));
            }
            TableCommand::Subscribe { subscriber, since, reply } => {
                let id = self.subscribe(subscriber, since);
                drop(reply.send(Ok(id)));
            }
            TableCommand::Unsubscribe { id } => self.unsubscribe(id),
            TableCommand::Resume { id, since } => self.send_view(id, Some(since)),
            TableCommand::Presence { id, body } => self.presence(id, body),
            TableCommand::ServiceProgress { caller, service, id, progress } => {
                self.service_progress(&caller, &service, id, progress);
            }
            TableCommand::Undo { caller, undo, reply } => {
                drop(reply.send(retry_on_conflict!(self, self.undo(&caller, undo).await)));
            }
            TableCommand::Redo { caller, reply } => {
                drop(reply.send(retry_on_conflict!(self, self.redo(&caller).await)))
            }
            TableCommand::Resign { caller, seat, reply } => {
                drop(reply.send(retry_on_conflict!(self, self.resign(&caller, seat).await)));
            }
            TableCommand::Rematch { caller, reply } => {
                drop(reply.send(retry_on_conflict!(self, self.rematch(&caller).await)));
            }
            TableCommand::Sit { caller, seat, request, reply } => {
                drop(reply.send(retry_on_conflict!(self, self.sit(&caller, seat, request.clone()).await)));
            }
            TableCommand::Stand { caller, seat, reply } => {
                drop(reply.send(retry_on_conflict!(self, self.stand(&caller, seat).await)));
            }
            TableCommand::Abandon { reply } => drop(reply.send(retry_on_conflict!(self, self.abandon().await))),
            TableCommand::Stop => self.stopped = true,
            between_servers => self.handle_between_servers(between_servers).await,
        }
    }

    /// Commands that servers send each other.
    async fn handle_between_servers(&mut self, command: TableCommand) {
        match command {
            TableCommand::LogGrown { seq } if seq > self.state.seq => {
                self.follow_log().await;
            }
            TableCommand::CheckLease => {
                self.schedule_bots().await;
                self.rate();
            }
            TableCommand::PeerMessage { server, text } => {
                let paused = self.pauses();
                self.receive_peer_message(server, &text);
                if paused && !self.pauses() {
                    self.schedule_bots().await;
                }
            }
            TableCommand::PeerGone { server } if self.remote.forget(&server) => {
                self.broadcast();
            }
            // `handle` has dispatched all others.
            _ => {}
        }
    }

    /// A person's move: whose it is, whether it was played before, what it says; then the commit.
    async fn act(&mut self, caller: &Caller, act: ActionRequest) -> ApiResult<Acknowledged> {
        self.state.table.as_ref().ok_or_else(waiting)?;
        let seat = self.own_seat(caller, act.seat)?;
        let now = time::now_ms();
        // Every server looks at the clock before it acknowledges a move: the one with the lease may have fallen silent.
        if let Some(clock) = &self.state.clock
            && self.state.to_act().contains(seat)
            && clock.left(seat, now) == Some(0)
        {
            self.flag(Some(seat)).await;
        }
        if let Some(expected) = act.expect_ply
            && let Some(acknowledged) = self.already_played(caller, &act, expected)?
        {
            return Ok(acknowledged);
        }
        let action = read_action(&self.state, seat, act.action, act.text.as_deref())?;
        let spent_ms = self.state.clock.as_ref().map_or(0, |clock| clock.spent(seat, now));
        let record = LogRecord::Play { event: Event::Action { seat, action }, spent_ms, thought: None, redo: false };
        let acknowledged = self.commit(vec![record], Vec::new()).await?;
        metrics::counter!("parlour_actions_total").increment(1);
        self.publish().await;
        Ok(acknowledged)
    }

    /// A client that lost its connection sends a move again: whether the move that expects `expected` actions stands
    /// already; an error if another one stands there.
    fn already_played(&self, caller: &Caller, act: &ActionRequest, expected: u32) -> ApiResult<Option<Acknowledged>> {
        let Some(table) = &self.state.table else { return Ok(None) };
        let ply = table.ply();
        let conflict =
            || ApiError::conflict("table.ply", format!("{ply} actions stand, not {expected}: look at the table again"));
        if expected == ply {
            return Ok(None);
        }
        if expected > ply {
            return Err(conflict());
        }
        let mine = self.state.seats_of(caller);
        let is_mine = |seat: Seat| act.seat.map_or(mine.contains(seat), |wanted| wanted == seat && mine.contains(seat));
        // In turns the action can only stand at the expected place; where several seats act at once, others may have
        // come between.
        let info = self.state.game.info();
        let until = if info.simultaneous || !info.turns { ply } else { expected + 1 };
        let Some((place, (seat, standing))) = (expected..until)
            .filter_map(|place| Some((place, table.action_at(place)?)))
            .find(|(_, (seat, _))| is_mine(*seat))
        else {
            return if until == ply && (info.simultaneous || !info.turns) { Ok(None) } else { Err(conflict()) };
        };
        match read_action(&self.state, seat, act.action.clone(), act.text.as_deref()) {
            Ok(action) if table.canonical(&action).is_ok_and(|action| action == standing) => {
                Ok(Some(Acknowledged { seq: self.state.seq, ply: place + 1 }))
            }
            _ => Err(conflict()),
        }
    }

    /// A bot's move, once it has thought. A move that the rules refuse is replaced by a random one.
    async fn bot_acts(&mut self, seat: Seat, decided: Option<Result<catalog::BotDecision, game::BotError>>) {
        let mut decided = match decided {
            None => return,
            Some(Ok(decision)) => decision,
            Some(Err(_)) => {
                self.schedule_bots().await;
                return;
            }
        };
        for _ in 0..2 {
            let now = time::now_ms();
            let spent_ms = self.state.clock.as_ref().map_or(0, |clock| clock.spent(seat, now));
            let thought = Some(decided.thought).filter(|thought| *thought != Thought::default());
            let event = Event::Action { seat, action: decided.action };
            match self.commit(vec![LogRecord::Play { event, spent_ms, thought, redo: false }], Vec::new()).await {
                Ok(_) => {
                    self.bots.succeeded(seat);
                    metrics::counter!("parlour_bot_actions_total").increment(1);
                    self.publish().await;
                    return;
                }
                // The position that the bot thought about has changed.
                Err(_) if self.broken || self.reload_after_conflict().await => return,
                Err(error) => match self.bots.failed(&self.state, seat, game::BotError::Other(error.detail.message)) {
                    Ok(decision) => decided = decision,
                    Err(_) => break,
                },
            }
        }
        self.schedule_bots().await;
    }

    /// Applies records and appends them to the log; returns once they are committed.
    pub(super) async fn commit(
        &mut self,
        records: Vec<LogRecord>,
        seat_changes: Vec<SeatChange>,
    ) -> ApiResult<Acknowledged> {
        let now = time::now_ms();
        let after = self.state.seq;
        let mut entries = Vec::with_capacity(records.len() + 1);
        let mut records = records.into_iter();
        // The last seat that is taken starts the game in the same append.
        while let Some(record) =
            records.next().or_else(|| self.state.seats_if_ready().map(|seats| LogRecord::Started { seats }))
        {
            match self.state.apply(record, now) {
                Ok(record) => entries.push(LogEntry { seq: self.state.seq, at_ms: now, body: to_json(&record) }),
                Err(refusal) => {
                    self.broken = !entries.is_empty();
                    return Err(refusal.into());
                }
            }
        }
        for change in &seat_changes {
            if let SeatChange::Taken(row) = change
                && let Some(Some(occupant)) = self.state.seats.get_mut(usize::from(row.seat))
            {
                occupant.token_hash.clone_from(&row.token_hash);
            }
        }
        let append = Append {
            game: self.state.id.clone(),
            after,
            entries,
            seat_changes,
            seats: self.state.playing,
            state: self.state.phase(),
            wake: self.state.needs_server(),
            summary: to_json(&StoredSummary::of(&self.state)),
            updated_ms: now,
        };
        let begun = Instant::now();
        match self.app.store.append(append).await {
            Ok(()) => {}
            Err(error) => {
                self.conflicted = matches!(error, StoreError::Conflict { .. });
                self.broken = !self.conflicted;
                return Err(error.into());
            }
        }
        metrics::histogram!("parlour_commit_seconds").record(begun.elapsed());
        self.app.counters.committed(begun.elapsed());
        Ok(Acknowledged { seq: self.state.seq, ply: self.state.ply() })
    }

    /// After a change: bots start to think, the result is rated, every viewer gets its new view.
    pub(super) async fn publish(&mut self) {
        self.remote.thinking = None;
        self.schedule_bots().await;
        self.rate();
        self.broadcast();
    }

    /// Rates a finished rated game, in a task of its own.
    fn rate(&self) {
        if !self.state.terms.options.rated || self.state.phase() != GameState::Over {
            return;
        }
        let (app, id, game) = (Arc::clone(&self.app), self.state.id.clone(), self.state.game.info().id);
        let summary = StoredSummary::of(&self.state);
        tokio::spawn(async move {
            if let Err(error) = crate::ratings::settle(&app, &id, game, &summary).await {
                tracing::warn!(%error, table = id, "the ratings after a game were not written");
            }
        });
    }

    /// A clock ran out.
    async fn flag(&mut self, seat: Option<Seat>) {
        let Some(seat) = seat else { return };
        if self.commit(vec![LogRecord::play(Event::Flag { seat })], Vec::new()).await.is_ok() {
            self.publish().await;
        } else {
            self.reload_after_conflict().await;
        }
    }

    /// Closes a game that nobody watches, without a result.
    async fn abandon(&mut self) -> ApiResult<bool> {
        if self.is_watched() || self.state.phase() != GameState::Running {
            return Ok(false);
        }
        self.commit(vec![LogRecord::play(Event::Abandon)], Vec::new()).await?;
        self.publish().await;
        Ok(true)
    }

    /// The seats of a caller, at least one.
    pub(super) fn seated(&self, caller: &Caller) -> ApiResult<SeatSet> {
        let mine = self.state.seats_of(caller);
        if mine.is_empty() {
            return Err(ApiError::forbidden("table.not_seated", "only somebody who sits at this table may do that"));
        }
        Ok(mine)
    }

    /// The seat a caller acts for: the one it names, else the one to act, else any of its own.
    pub(super) fn own_seat(&self, caller: &Caller, wanted: Option<Seat>) -> ApiResult<Seat> {
        let mine = self.seated(caller)?;
        match wanted {
            Some(seat) if mine.contains(seat) => Ok(seat),
            Some(seat) => Err(ApiError::forbidden("table.not_your_seat", format!("{seat} is not yours"))),
            None => {
                let acting = self.state.to_act().iter().find(|&seat| mine.contains(seat));
                acting.or_else(|| mine.iter().next()).ok_or_else(waiting)
            }
        }
    }
}

/// The game has not started.
pub(super) fn waiting() -> ApiError {
    ApiError::conflict("table.waiting", "the table waits for players: nothing can be played yet")
}

/// An action given as data or in the game's notation.
fn read_action(state: &TableState, seat: Seat, action: Option<Value>, text: Option<&str>) -> ApiResult<Value> {
    let table = state.table.as_ref().ok_or_else(waiting)?;
    match (action, text) {
        (Some(action), None) => Ok(action),
        (None, Some(text)) => Ok(table.read_action(seat, text)?),
        _ => Err(ApiError::bad_form("an action is given either as `action` or as `text`")),
    }
}

/// A move of an imported game.
pub fn read_move(state: &TableState, request: &MoveRequest) -> ApiResult<Event<Value>> {
    let seat = request.seat.or_else(|| state.to_act().iter().next()).ok_or_else(waiting)?;
    let action = read_action(state, seat, request.action.clone(), request.text.as_deref())?;
    Ok(Event::Action { seat, action })
}
