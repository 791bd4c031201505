//! The task that owns a table at this server: one question after the other, each change committed before it is
//! answered. `together` is about tasks of the same table at other servers.

use super::ask::{Ask, Caller, ForService, Subscriber};
use super::bots::Bots;
use super::distant::{Distant, Word};
use super::hub::to_json;
use super::disclosure::{Surroundings, ViewerContext, shown_thinking, table_view};
use super::room::Room;
use super::summary::Summary;
use crate::api::{Acknowledged, ViewAt};
use crate::error::{Answer, ApiError};
use crate::house::House;
use crate::record::Record;
use crate::time;
use game::{Seat, SeatSet};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use store::{Append, GameState, Lease, LogEntry, SeatChange, StoreError};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// The most bytes of a presence message.
const PRESENCE_LIMIT: usize = 2_048;

/// Tries a change again as long as other servers are faster.
macro_rules! settled {
    ($actor:ident, $attempt:expr) => {
        loop {
            let answer = $attempt;
            if !$actor.was_overtaken().await {
                break answer;
            }
        }
    };
}

/// The task that owns a table.
pub struct Actor {
    pub(super) house: Arc<House>,
    pub(super) room: Room,
    pub(super) me: mpsc::Sender<Ask>,
    pub(super) subscribers: HashMap<u64, Subscriber>,
    pub(super) bots: Bots,
    /// That this server looks after the table, where there are others.
    pub(super) hold: Option<Lease>,
    pub(super) distant: Distant,
    /// Another server's append came first: the room is ahead of a log that went another way.
    pub(super) overtaken: bool,
    /// The log and the memory may differ: the task ends and the table is set up again from the log.
    pub(super) broken: bool,
    stopped: bool,
}

impl Actor {
    pub fn new(house: Arc<House>, room: Room, me: mpsc::Sender<Ask>) -> Self {
        let (subscribers, bots, distant) = (HashMap::new(), Bots::default(), Distant::default());
        let (hold, overtaken, broken, stopped) = (None, false, false, false);
        Self { house, room, me, subscribers, bots, hold, distant, overtaken, broken, stopped }
    }

    /// Works until nobody needs the table in memory any more.
    pub async fn run(mut self, mut inbox: mpsc::Receiver<Ask>) {
        metrics::gauge!("parlour_tables_live").increment(1.0);
        self.ask_who_is_there();
        self.attend().await;
        // also when the table is looked at again: a server may have stopped between the end and this
        self.rate();
        let idle = self.house.config.keeping.idle_in_memory;
        let mut last_used = Instant::now();
        while !self.broken && !self.stopped {
            let now = time::now_ms();
            let fall = self.room.clock.as_ref().filter(|_| self.on_duty()).and_then(|clock| clock.next_fall(now));
            let fall_in =
                Duration::from_millis(fall.map_or(0, |(_, at)| at.saturating_sub(now).max(0).cast_unsigned()));
            tokio::select! {
                ask = inbox.recv() => match ask {
                    None => break,
                    Some(ask) => {
                        if !ask.is_between_servers() {
                            last_used = Instant::now();
                        }
                        self.handle(ask).await;
                    }
                },
                () = tokio::time::sleep(fall_in), if fall.is_some() => self.flag(fall.map(|(seat, _)| seat)).await,
                () = tokio::time::sleep_until(last_used + idle) => {
                    if self.subscribers.is_empty() && !self.bots.busy() && !(self.on_duty() && self.room.goes_on()) {
                        self.stopped = true;
                    } else {
                        last_used = Instant::now();
                    }
                }
            }
        }
        // Whoever has asked already is answered (or told to try again); new questions find a table set up afresh.
        inbox.close();
        while let Some(ask) = inbox.recv().await {
            if !self.broken && !matches!(ask, Ask::Subscribe { .. } | Ask::Stop) {
                self.handle(ask).await;
            }
        }
        self.bots.close(&self.house);
        self.house.hub.forget(&self.room.id);
        metrics::gauge!("parlour_tables_live").decrement(1.0);
    }

    async fn handle(&mut self, ask: Ask) {
        if ask.is_from_outside() {
            self.refresh().await;
            if self.broken {
                return;
            }
        }
        // A caller that no longer waits is no reason to stop: the change stands.
        match ask {
            Ask::Show { caller, seat, reply } => drop(reply.send(Ok(self.show(ViewerContext::of(&self.room, &caller, seat))))),
            Ask::ViewAt { caller, seat, ply, reply } => drop(reply.send(self.view_at(&caller, seat, ply))),
            Ask::Act { caller, act, reply } => drop(reply.send(settled!(self, self.act(&caller, act.clone()).await))),
            Ask::Undo { caller, undo, reply } => drop(reply.send(settled!(self, self.undo(&caller, undo).await))),
            Ask::Redo { caller, reply } => drop(reply.send(settled!(self, self.redo(&caller).await))),
            Ask::Resign { caller, seat, reply } => drop(reply.send(settled!(self, self.resign(&caller, seat).await))),
            Ask::Rematch { caller, reply } => drop(reply.send(settled!(self, self.rematch(&caller).await))),
            Ask::Sit { caller, seat, wish, reply } => {
                drop(reply.send(settled!(self, self.sit(&caller, seat, wish.clone()).await)));
            }
            Ask::Stand { caller, seat, reply } => drop(reply.send(settled!(self, self.stand(&caller, seat).await))),
            Ask::ForService { caller, seat, reply } => drop(reply.send(self.for_service(&caller, seat))),
            Ask::Subscribe { subscriber, since, reply } => {
                let id = self.subscribe(subscriber, since);
                drop(reply.send(Ok(id)));
            }
            Ask::Unsubscribe { id } => {
                if self.subscribers.remove(&id).is_some() {
                    self.say_who_is_here();
                    self.broadcast();
                }
            }
            Ask::CatchUp { id, since } => self.catch_up(id, Some(since)),
            Ask::Presence { id, body } => self.presence(id, body),
            Ask::ServiceProgress { caller, service, id, progress } => {
                let text: Arc<str> = json!({ "progress": {
                    "service": service, "id": id, "done": progress.done, "note": progress.note, "detail": progress.detail,
                } })
                .to_string()
                .into();
                for subscriber in self.subscribers.values().filter(|subscriber| subscriber.caller == caller) {
                    let _ = subscriber.passing.try_send(Arc::clone(&text));
                }
            }
            Ask::BotProgress { ticket, seat, progress } => {
                let open_hand = !self.room.game.info().hidden;
                if let Some(thinking) = self.bots.progress(ticket, seat, progress) {
                    let thinking = shown_thinking(thinking, open_hand);
                    self.pass_on(&json!({ "thinking": thinking }));
                    self.tell_others(&Word::Thinking(thinking));
                }
            }
            Ask::BotDone { ticket, seat, level, bot, result } => {
                let decided = self.bots.done(&self.house, &self.room, (ticket, seat), (level, bot), result);
                self.bot_acts(seat, decided).await;
            }
            Ask::Grown { seq } => {
                if seq > self.room.seq {
                    self.follow().await;
                }
            }
            Ask::Attend => {
                self.attend().await;
                self.rate();
            }
            Ask::Elsewhere { server, text } => self.hear_from(server, &text),
            Ask::Gone { server } => {
                if self.distant.forget(&server) {
                    self.broadcast();
                }
            }
            Ask::Abandon { reply } => drop(reply.send(settled!(self, self.abandon().await))),
            Ask::Stop => self.stopped = true,
        }
    }

    /// Whether anybody looks at the table.
    pub(super) fn is_watched(&self) -> bool {
        !self.subscribers.is_empty() || self.distant.is_watched()
    }

    /// The seats whose owners have a socket at this server.
    pub(super) fn connected_here(&self) -> SeatSet {
        let seats =
            self.subscribers.values().flat_map(|subscriber| self.room.seats_of(&subscriber.caller).iter().collect::<Vec<_>>());
        seats.collect()
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            names: &self.house.names,
            connected: self.connected_here().iter().fold(self.distant.seats(), SeatSet::with),
            thinking: self.bots.shown().or(self.distant.thinking.as_ref().map(|(_, thinking)| thinking)),
            public_url: &self.house.config.public_url,
            local_only: self.house.config.local_only,
            now: time::now_ms(),
        }
    }

    fn show(&self, context: ViewerContext) -> Arc<str> {
        to_json(&table_view(&self.room, context, &self.surroundings())).into()
    }

    fn view_at(&self, caller: &Caller, seat: Option<Seat>, ply: u32) -> Answer<ViewAt> {
        let table = self.room.table.as_ref().ok_or_else(waiting)?;
        let view = table.view_at(ply, ViewerContext::of(&self.room, caller, seat).viewer())?;
        Ok(ViewAt { ply, view })
    }

    fn for_service(&self, caller: &Caller, seat: Option<Seat>) -> Answer<ForService> {
        let table = self.room.table.as_ref().ok_or_else(waiting)?;
        let eyes = ViewerContext::of(&self.room, caller, seat);
        Ok(ForService {
            viewer: eyes.viewer(),
            view: table.view_for(eyes.viewer()),
            running: self.room.state() == GameState::Running,
            help: self.room.terms.options.help,
            game: Arc::clone(&self.room.game),
        })
    }

    fn subscribe(&mut self, subscriber: Subscriber, since: Option<i64>) -> u64 {
        // Unique over all tables and their lives, so that a late good-bye never hits somebody else.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let seated = !self.room.seats_of(&subscriber.caller).is_empty();
        self.subscribers.insert(id, subscriber);
        self.say_who_is_here();
        if seated {
            self.broadcast();
        }
        self.catch_up(id, since);
        id
    }

    fn catch_up(&self, id: u64, since: Option<i64>) {
        let Some(subscriber) = self.subscribers.get(&id) else { return };
        let table = self.show(ViewerContext::of(&self.room, &subscriber.caller, subscriber.seat));
        let text = match since {
            None => format!(r#"{{"seq":{},"table":{table}}}"#, self.room.seq),
            Some(since) => {
                let missed = to_json(&self.room.missed(since));
                format!(r#"{{"seq":{},"missed":{missed},"table":{table}}}"#, self.room.seq)
            }
        };
        subscriber.latest.send_replace(Some(text.into()));
    }

    /// Shows everybody the table as it is now.
    pub(super) fn broadcast(&self) {
        let mut made: HashMap<ViewerContext, Arc<str>> = HashMap::new();
        for subscriber in self.subscribers.values() {
            let eyes = ViewerContext::of(&self.room, &subscriber.caller, subscriber.seat);
            let text = made
                .entry(eyes)
                .or_insert_with(|| format!(r#"{{"seq":{},"table":{}}}"#, self.room.seq, self.show(eyes)).into());
            subscriber.latest.send_replace(Some(Arc::clone(text)));
        }
    }

    /// Sends everybody a short-lived message.
    pub(super) fn pass_on(&self, message: &Value) {
        let text: Arc<str> = message.to_string().into();
        for subscriber in self.subscribers.values() {
            let _ = subscriber.passing.try_send(Arc::clone(&text));
        }
    }

    fn presence(&self, id: u64, body: Value) {
        let Some(sender) = self.subscribers.get(&id) else { return };
        let Some(seat) = ViewerContext::of(&self.room, &sender.caller, sender.seat).seat else { return };
        let Value::Object(mut fields) = body else { return };
        fields.insert("seat".to_owned(), json!(seat));
        let text: Arc<str> = json!({ "presence": &fields }).to_string().into();
        if text.len() > PRESENCE_LIMIT {
            return;
        }
        for (_, other) in self.subscribers.iter().filter(|(other, _)| **other != id) {
            let _ = other.passing.try_send(Arc::clone(&text));
        }
        self.tell_others(&Word::Presence(Value::Object(fields)));
    }

    /// Carries out records and writes them down; answers once they are committed. Then everybody is shown the change.
    pub(super) async fn commit(&mut self, records: Vec<Record>, seat_changes: Vec<SeatChange>) -> Answer<Acknowledged> {
        let now = time::now_ms();
        let after = self.room.seq;
        let mut entries = Vec::with_capacity(records.len() + 1);
        let mut records = records.into_iter();
        // Whoever takes the last seat starts the game in the same moment.
        while let Some(record) = records.next().or_else(|| self.room.ready().map(|seats| Record::Started { seats })) {
            match self.room.apply(record, now) {
                Ok(record) => entries.push(LogEntry { seq: self.room.seq, at_ms: now, body: to_json(&record) }),
                Err(refusal) => {
                    self.broken = !entries.is_empty();
                    return Err(refusal.into());
                }
            }
        }
        for change in &seat_changes {
            if let SeatChange::Taken(row) = change
                && let Some(Some(sitter)) = self.room.seats.get_mut(usize::from(row.seat))
            {
                sitter.token_hash.clone_from(&row.token_hash);
            }
        }
        let append = Append {
            game: self.room.id.clone(),
            after,
            entries,
            seat_changes,
            seats: self.room.playing,
            state: self.room.state(),
            wake: self.room.wake(),
            summary: to_json(&Summary::of(&self.room)),
            updated_ms: now,
        };
        let begun = Instant::now();
        match self.house.store.append(append).await {
            Ok(()) => {}
            Err(error) => {
                self.overtaken = matches!(error, StoreError::Conflict { .. });
                self.broken = !self.overtaken;
                return Err(error.into());
            }
        }
        metrics::histogram!("parlour_commit_seconds").record(begun.elapsed());
        self.house.figures.committed(begun.elapsed());
        Ok(Acknowledged { seq: self.room.seq, ply: self.room.ply() })
    }

    /// What follows from a change: bots think, the result counts, everybody sees.
    pub(super) async fn changed(&mut self) {
        self.distant.thinking = None;
        self.attend().await;
        self.rate();
        self.broadcast();
    }

    /// Lets the result of a rated game count, beside everything else.
    pub(super) fn rate(&self) {
        if !self.room.terms.options.rated || self.room.state() != GameState::Over {
            return;
        }
        let (house, id, game) = (Arc::clone(&self.house), self.room.id.clone(), self.room.game.info().id);
        let summary = Summary::of(&self.room);
        tokio::spawn(async move {
            if let Err(error) = crate::ratings::settle(&house, &id, game, &summary).await {
                tracing::warn!(%error, table = id, "the ratings after a game were not written");
            }
        });
    }

    pub(super) fn seated(&self, caller: &Caller) -> Answer<SeatSet> {
        let mine = self.room.seats_of(caller);
        if mine.is_empty() {
            return Err(ApiError::forbidden("table.not_seated", "only somebody who sits at this table may do that"));
        }
        Ok(mine)
    }

    pub(super) fn own_seat(&self, caller: &Caller, wish: Option<Seat>) -> Answer<Seat> {
        let mine = self.seated(caller)?;
        match wish {
            Some(seat) if mine.contains(seat) => Ok(seat),
            Some(seat) => Err(ApiError::forbidden("table.not_your_seat", format!("{seat} is not yours"))),
            None => {
                let acting = self.room.to_act().iter().find(|&seat| mine.contains(seat));
                acting.or_else(|| mine.iter().next()).ok_or_else(waiting)
            }
        }
    }
}

/// Nothing can be played yet.
pub(super) fn waiting() -> ApiError {
    ApiError::conflict("table.waiting", "the table waits for players: nothing can be played yet")
}
