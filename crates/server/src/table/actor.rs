//! The task that owns a table: one question after the other, each change committed before it is answered.

use super::ask::{Ask, Caller, ForService, Subscriber};
use super::bots::Bots;
use super::hub::{Plan, seat_row, to_json};
use super::present::{Eyes, Surroundings, shown_thinking, table_view};
use super::room::{Room, Sitter};
use super::summary::Summary;
use crate::api::{Acknowledged, Act, Move, Rematch, SeatWish, Seated, Undo, ViewAt, WishKind};
use crate::error::{Answer, ApiError};
use crate::house::House;
use crate::record::{Record, Who};
use crate::time;
use axum::http::StatusCode;
use game::{Event, Seat, SeatSet, Thought};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use store::{Append, Entry, GameState, SeatChange, Secret};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// The most bytes of a presence message.
const PRESENCE_LIMIT: usize = 2_048;

/// The task that owns a table.
pub struct Actor {
    house: Arc<House>,
    room: Room,
    me: mpsc::Sender<Ask>,
    subscribers: HashMap<u64, Subscriber>,
    next_subscriber: u64,
    bots: Bots,
    /// The log and the memory may differ: the task ends and the table is set up again from the log.
    broken: bool,
    stopped: bool,
}

impl Actor {
    pub fn new(house: Arc<House>, room: Room, me: mpsc::Sender<Ask>) -> Self {
        let (subscribers, next_subscriber, bots) = (HashMap::new(), 0, Bots::default());
        Self { house, room, me, subscribers, next_subscriber, bots, broken: false, stopped: false }
    }

    /// Works until nobody needs the table in memory any more.
    pub async fn run(mut self, mut inbox: mpsc::Receiver<Ask>) {
        metrics::gauge!("parlour_tables_live").increment(1.0);
        self.bots.schedule(&self.house, &self.room, &self.me);
        let idle = self.house.config.keeping.idle_in_memory;
        let mut last_used = Instant::now();
        while !self.broken && !self.stopped {
            let now = time::now_ms();
            let fall = self.room.clock.as_ref().and_then(|clock| clock.next_fall(now));
            let fall_in =
                Duration::from_millis(fall.map_or(0, |(_, at)| at.saturating_sub(now).max(0).cast_unsigned()));
            tokio::select! {
                ask = inbox.recv() => match ask {
                    None => break,
                    Some(ask) => {
                        last_used = Instant::now();
                        self.handle(ask).await;
                    }
                },
                () = tokio::time::sleep(fall_in), if fall.is_some() => self.flag(fall.map(|(seat, _)| seat)).await,
                () = tokio::time::sleep_until(last_used + idle) => {
                    if self.subscribers.is_empty() && !self.bots.busy() && !self.room.wake() {
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
        // A caller that no longer waits is no reason to stop: the change stands.
        match ask {
            Ask::Show { caller, seat, reply } => drop(reply.send(Ok(self.show(self.eyes(&caller, seat))))),
            Ask::ViewAt { caller, seat, ply, reply } => drop(reply.send(self.view_at(&caller, seat, ply))),
            Ask::Act { caller, act, reply } => drop(reply.send(self.act(&caller, act).await)),
            Ask::Undo { caller, undo, reply } => drop(reply.send(self.undo(&caller, undo).await)),
            Ask::Redo { caller, reply } => drop(reply.send(self.redo(&caller).await)),
            Ask::Resign { caller, seat, reply } => drop(reply.send(self.resign(&caller, seat).await)),
            Ask::Rematch { caller, reply } => drop(reply.send(self.rematch(&caller).await)),
            Ask::Sit { caller, seat, wish, reply } => drop(reply.send(self.sit(&caller, seat, wish).await)),
            Ask::Stand { caller, seat, reply } => drop(reply.send(self.stand(&caller, seat).await)),
            Ask::ForService { caller, seat, reply } => drop(reply.send(self.for_service(&caller, seat))),
            Ask::Subscribe { subscriber, since, reply } => {
                let id = self.subscribe(subscriber, since);
                drop(reply.send(Ok(id)));
            }
            Ask::Unsubscribe { id } => {
                if self.subscribers.remove(&id).is_some() {
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
                }
            }
            Ask::BotDone { ticket, seat, level, bot, result } => {
                let decided = self.bots.done(&self.house, &self.room, (ticket, seat), (level, bot), result);
                self.bot_acts(seat, decided).await;
            }
            Ask::Abandon { reply } => drop(reply.send(self.abandon().await)),
            Ask::Stop => self.stopped = true,
        }
    }

    /// The seats that belong to a caller.
    fn mine(&self, caller: &Caller) -> SeatSet {
        let owns = |sitter: &Sitter| {
            let by_token = caller.token.is_some() && sitter.token_hash == caller.token;
            let by_guest =
                matches!((&sitter.who, &caller.guest), (Who::Person { guest }, Some(caller)) if guest == caller);
            by_token || by_guest
        };
        self.room.all_seats().filter(|&seat| self.room.sitter(seat).is_some_and(owns)).collect()
    }

    /// Whose eyes a caller looks through: the seat it asks for if it is its own, else the one that is to act.
    fn eyes(&self, caller: &Caller, wish: Option<Seat>) -> Eyes {
        let mine = self.mine(caller);
        let acting = self.room.to_act().iter().find(|&seat| mine.contains(seat));
        let seat = wish.filter(|&seat| mine.contains(seat)).or(acting).or_else(|| mine.iter().next());
        Eyes { seat, mine }
    }

    fn surroundings(&self) -> Surroundings<'_> {
        let connected =
            self.subscribers.values().flat_map(|subscriber| self.mine(&subscriber.caller).iter().collect::<Vec<_>>());
        Surroundings {
            names: &self.house.names,
            connected: connected.collect(),
            thinking: self.bots.shown(),
            public_url: &self.house.config.public_url,
            local_only: self.house.config.local_only,
            now: time::now_ms(),
        }
    }

    fn show(&self, eyes: Eyes) -> Arc<str> {
        to_json(&table_view(&self.room, eyes, &self.surroundings())).into()
    }

    fn view_at(&self, caller: &Caller, seat: Option<Seat>, ply: u32) -> Answer<ViewAt> {
        let table = self.room.table.as_ref().ok_or_else(waiting)?;
        let view = table.view_at(ply, self.eyes(caller, seat).viewer())?;
        Ok(ViewAt { ply, view })
    }

    fn for_service(&self, caller: &Caller, seat: Option<Seat>) -> Answer<ForService> {
        let table = self.room.table.as_ref().ok_or_else(waiting)?;
        let eyes = self.eyes(caller, seat);
        Ok(ForService {
            viewer: eyes.viewer(),
            view: table.view_for(eyes.viewer()),
            running: self.room.state() == GameState::Running,
            help: self.room.terms.options.help,
            game: Arc::clone(&self.room.game),
        })
    }

    fn subscribe(&mut self, subscriber: Subscriber, since: Option<i64>) -> u64 {
        self.next_subscriber += 1;
        let id = self.next_subscriber;
        let seated = !self.mine(&subscriber.caller).is_empty();
        self.subscribers.insert(id, subscriber);
        if seated {
            self.broadcast();
        }
        self.catch_up(id, since);
        id
    }

    fn catch_up(&self, id: u64, since: Option<i64>) {
        let Some(subscriber) = self.subscribers.get(&id) else { return };
        let table = self.show(self.eyes(&subscriber.caller, subscriber.seat));
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
    fn broadcast(&self) {
        let mut made: HashMap<Eyes, Arc<str>> = HashMap::new();
        for subscriber in self.subscribers.values() {
            let eyes = self.eyes(&subscriber.caller, subscriber.seat);
            let text = made
                .entry(eyes)
                .or_insert_with(|| format!(r#"{{"seq":{},"table":{}}}"#, self.room.seq, self.show(eyes)).into());
            subscriber.latest.send_replace(Some(Arc::clone(text)));
        }
    }

    /// Sends everybody a short-lived message.
    fn pass_on(&self, message: &Value) {
        let text: Arc<str> = message.to_string().into();
        for subscriber in self.subscribers.values() {
            let _ = subscriber.passing.try_send(Arc::clone(&text));
        }
    }

    fn presence(&self, id: u64, body: Value) {
        let Some(sender) = self.subscribers.get(&id) else { return };
        let Some(seat) = self.eyes(&sender.caller, sender.seat).seat else { return };
        let Value::Object(mut fields) = body else { return };
        fields.insert("seat".to_owned(), json!(seat));
        let text: Arc<str> = json!({ "presence": fields }).to_string().into();
        if text.len() > PRESENCE_LIMIT {
            return;
        }
        for (_, other) in self.subscribers.iter().filter(|(other, _)| **other != id) {
            let _ = other.passing.try_send(Arc::clone(&text));
        }
    }

    /// Carries out records and writes them down; answers once they are committed. Then everybody is shown the change.
    async fn commit(&mut self, records: Vec<Record>, seat_changes: Vec<SeatChange>) -> Answer<Acknowledged> {
        let now = time::now_ms();
        let after = self.room.seq;
        let mut entries = Vec::with_capacity(records.len());
        for record in records {
            match self.room.apply(record, now) {
                Ok(record) => entries.push(Entry { seq: self.room.seq, at_ms: now, body: to_json(&record) }),
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
        if let Err(error) = self.house.store.append(append).await {
            self.broken = true;
            return Err(error.into());
        }
        metrics::histogram!("parlour_commit_seconds").record(begun.elapsed());
        Ok(Acknowledged { seq: self.room.seq, ply: self.room.ply() })
    }

    /// What follows from a change: the table starts if it can, bots think, everybody sees.
    async fn changed(&mut self) -> Answer<()> {
        if let Some(seats) = self.room.ready() {
            self.commit(vec![Record::Started { seats }], Vec::new()).await?;
        }
        self.bots.schedule(&self.house, &self.room, &self.me);
        self.broadcast();
        Ok(())
    }

    fn seated(&self, caller: &Caller) -> Answer<SeatSet> {
        let mine = self.mine(caller);
        if mine.is_empty() {
            return Err(ApiError::forbidden("table.not_seated", "only somebody who sits at this table may do that"));
        }
        Ok(mine)
    }

    fn own_seat(&self, caller: &Caller, wish: Option<Seat>) -> Answer<Seat> {
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

    async fn act(&mut self, caller: &Caller, act: Act) -> Answer<Acknowledged> {
        self.room.table.as_ref().ok_or_else(waiting)?;
        let seat = self.own_seat(caller, act.seat)?;
        let now = time::now_ms();
        if let Some(clock) = &self.room.clock
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
        self.changed().await?;
        Ok(acknowledged)
    }

    /// Whether an action that expects `expected` actions to stand was already played; an error if something else was.
    fn repeated(&self, caller: &Caller, act: &Act, expected: u32) -> Answer<Option<Acknowledged>> {
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
        let mine = self.mine(caller);
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

    async fn bot_acts(&mut self, seat: Seat, decided: Option<Result<catalog::Decision, game::BotError>>) {
        let mut decided = match decided {
            None => return,
            Some(Ok(decision)) => decision,
            Some(Err(_)) => {
                self.bots.schedule(&self.house, &self.room, &self.me);
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
                    let _ = self.changed().await;
                    return;
                }
                Err(_) if self.broken => return,
                Err(error) => match self.bots.failed(&self.room, seat, game::BotError::Other(error.detail.message)) {
                    Ok(decision) => decided = decision,
                    Err(_) => break,
                },
            }
        }
        self.bots.schedule(&self.house, &self.room, &self.me);
    }

    async fn flag(&mut self, seat: Option<Seat>) {
        let Some(seat) = seat else { return };
        if self.commit(vec![Record::play(Event::Flag { seat })], Vec::new()).await.is_ok() {
            let _ = self.changed().await;
        }
    }

    async fn abandon(&mut self) -> Answer<bool> {
        if !self.subscribers.is_empty() || self.room.state() != GameState::Running {
            return Ok(false);
        }
        self.commit(vec![Record::play(Event::Abandon)], Vec::new()).await?;
        self.changed().await?;
        Ok(true)
    }

    async fn undo(&mut self, caller: &Caller, undo: Undo) -> Answer<Acknowledged> {
        let table = self.room.table.as_ref().ok_or_else(waiting)?;
        if !self.room.game.info().undo {
            return Err(catalog::Refusal::Table(game::TableError::NoUndo).into());
        }
        let seat = self.own_seat(caller, undo.seat)?;
        let mine = self.mine(caller);
        if let Some(accept) = undo.accept {
            return self.answer_offer(seat, mine, accept).await;
        }
        let last_of_mine = || table.actors().iter().rposition(|actor| mine.contains(*actor)).map(|ply| ply as u32);
        let keep = undo.keep.or_else(last_of_mine).ok_or_else(|| {
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "table.nothing_to_undo", "you have not acted yet")
        })?;
        if keep >= table.ply() {
            return Err(catalog::Refusal::Table(game::TableError::UndoTooFar { keep, have: table.ply() }).into());
        }
        let others = self.room.people().iter().any(|seat| !mine.contains(seat));
        let record = if others { Record::Offer { by: seat, keep } } else { Record::play(Event::Undo { keep }) };
        if !others {
            self.bots.stop_all();
        }
        let acknowledged = self.commit(vec![record], Vec::new()).await?;
        self.changed().await?;
        Ok(acknowledged)
    }

    async fn answer_offer(&mut self, seat: Seat, mine: SeatSet, accept: bool) -> Answer<Acknowledged> {
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
        self.changed().await?;
        Ok(acknowledged)
    }

    async fn redo(&mut self, caller: &Caller) -> Answer<Acknowledged> {
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
        self.changed().await?;
        Ok(acknowledged)
    }

    async fn resign(&mut self, caller: &Caller, wish: Option<Seat>) -> Answer<Acknowledged> {
        self.room.table.as_ref().ok_or_else(waiting)?;
        let seat = self.own_seat(caller, wish)?;
        let acknowledged = self.commit(vec![Record::play(Event::Resign { seat })], Vec::new()).await?;
        self.bots.stop_all();
        self.changed().await?;
        Ok(acknowledged)
    }

    async fn rematch(&mut self, caller: &Caller) -> Answer<Rematch> {
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
        let plan = Plan {
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
        self.changed().await?;
        Ok(Rematch { id })
    }

    async fn sit(&mut self, caller: &Caller, seat: Seat, wish: SeatWish) -> Answer<Seated> {
        if seat.index() >= self.room.seats.len() {
            return Err(catalog::Refusal::Table(game::TableError::NoSuchSeat(seat)).into());
        }
        let joins = match self.room.state() {
            GameState::Waiting => false,
            GameState::Running if self.room.game.info().join_during_play => seat.0 >= self.room.playing,
            GameState::Running => return Err(ApiError::conflict("table.started", "the game has started")),
            GameState::Over => return Err(ApiError::conflict("table.over", "the game is over")),
        };
        let mine = self.mine(caller);
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
        self.changed().await?;
        Ok(Seated { seat, token: token.map(|token| token.reveal()) })
    }

    async fn stand(&mut self, caller: &Caller, seat: Seat) -> Answer<Acknowledged> {
        let mine = self.seated(caller)?;
        if self.room.table.is_some() {
            return Err(ApiError::conflict("table.started", "the game has started: resign instead"));
        }
        if !mine.contains(seat) && !self.room.bots().contains(seat) {
            return Err(ApiError::forbidden("table.not_your_seat", format!("{seat} is not yours")));
        }
        let acknowledged = self.commit(vec![Record::Stood { seat }], vec![SeatChange::Left(seat.0)]).await?;
        self.changed().await?;
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

fn waiting() -> ApiError {
    ApiError::conflict("table.waiting", "the table waits for players: nothing can be played yet")
}
