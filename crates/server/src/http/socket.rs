//! The socket of a table: views as they change, actions with acknowledgement, presence.

use super::App;
use super::body::Params;
use super::guard::{Sender, quota};
use super::identity::Visitor;
use super::tables::LookParams;
use crate::api::Act;
use crate::error::{Answer, ApiError};
use crate::house::until_stopping;
use crate::table::{Ask, Caller, Subscriber};
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, State};
use axum::response::Response;
use game::Seat;
use governor::{DefaultDirectRateLimiter, RateLimiter};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// How often a quiet socket is pinged.
const PING_EVERY: Duration = Duration::from_secs(20);
/// A socket that has not answered for so long is closed.
const SILENCE: Duration = Duration::from_secs(65);
/// How many short-lived messages may wait for a slow socket.
const PASSING: usize = 64;
/// Bytes kept for what a socket says: most sockets are quiet, and the usual 128 kB of each would be most of the
/// server's memory.
const READ_BUFFER: usize = 4 << 10;
/// So many refused messages close the socket.
const STRIKES: u32 = 100;

/// What a client may say.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Said {
    Hello(Hello),
    Ping(Value),
    Presence(Value),
    Action(Act),
}

#[derive(Debug, Deserialize)]
struct Hello {
    seq: Option<i64>,
}

/// Opens the socket of a table.
#[utoipa::path(get, path = "/api/v1/tables/{id}/socket", tag = "tables", params(("id" = String, Path), LookParams),
    responses((status = 101, description = "a WebSocket; messages are described in docs/api.md")))]
pub async fn open(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Visitor,
    Sender(address): Sender,
    Params(params): Params<LookParams>,
    upgrade: WebSocketUpgrade,
) -> Answer<Response> {
    app.house.hub.table(&app.house, &id).await?;
    if app.house.sockets.fetch_add(1, Ordering::Relaxed) >= app.house.config.limits.sockets {
        app.house.sockets.fetch_sub(1, Ordering::Relaxed);
        return Err(ApiError::busy("limits.sockets", "too many people are connected: try again later"));
    }
    let of_address = app.sockets.one_more(address);
    if of_address.is_none() {
        app.house.sockets.fetch_sub(1, Ordering::Relaxed);
        return Err(ApiError::busy("limits.sockets", "too many sockets are open from your address"));
    }
    let limit = app.house.config.limits.message;
    let counted = Counted(app.clone());
    let (caller, seat) = (visitor.caller(), params.seat.map(Seat));
    let upgrade = upgrade.max_message_size(limit).max_frame_size(limit).read_buffer_size(READ_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| async move {
        metrics::gauge!("parlour_sockets").increment(1.0);
        Line { app: counted.0.clone(), id, caller, seat, strikes: 0 }.run(socket).await;
        metrics::gauge!("parlour_sockets").decrement(1.0);
        drop((counted, of_address));
    }))
}

/// Gives the place back, also when the upgrade never happens.
struct Counted(App);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.house.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Line {
    app: App,
    id: String,
    caller: Caller,
    seat: Option<Seat>,
    strikes: u32,
}

/// Why a line ends.
enum End {
    Gone,
    Close(u16, &'static str),
}

impl Line {
    async fn run(mut self, mut socket: WebSocket) {
        let end = self.talk(&mut socket).await;
        if let End::Close(code, reason) = end {
            let frame = CloseFrame { code, reason: reason.into() };
            let _ = tokio::time::timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
        }
    }

    async fn talk(&mut self, socket: &mut WebSocket) -> End {
        let mut stopping = self.app.house.stopping.subscribe();
        let limiter = RateLimiter::direct(quota(self.app.house.config.limits.per_socket));
        let mut since = None;
        // The table leaves the memory when its log moved on elsewhere: then the line is joined to it afresh.
        loop {
            let (latest, mut newest) = watch::channel(None);
            let (passing, mut passed) = mpsc::channel(PASSING);
            let subscriber = Subscriber { caller: self.caller.clone(), seat: self.seat, latest, passing };
            let house = &self.app.house;
            let subscribed = house.hub.ask(house, &self.id, |reply| Ask::Subscribe { subscriber, since, reply }).await;
            let Ok(id) = subscribed else { return End::Close(close_code::AWAY, "the table cannot be reached") };
            let mut joined = Joined { id, limiter: &limiter, newest: &mut newest, passed: &mut passed };
            let end = self.while_joined(socket, &mut joined, &mut stopping).await;
            if let Some(table) = self.app.house.hub.in_memory(&self.id).await {
                let _ = table.send(Ask::Unsubscribe { id }).await;
            }
            match end {
                Some(end) => return end,
                None => since = Some(0),
            }
        }
    }

    /// Talks until the line ends (`Some`) or the table has to be joined afresh (`None`).
    async fn while_joined(
        &mut self,
        socket: &mut WebSocket,
        joined: &mut Joined<'_>,
        stopping: &mut watch::Receiver<bool>,
    ) -> Option<End> {
        let mut heard = Instant::now();
        let mut ping = tokio::time::interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        loop {
            tokio::select! {
                biased;
                () = until_stopping(stopping) => {
                    return Some(End::Close(close_code::RESTART, "the server is stopping"));
                }
                changed = joined.newest.changed() => {
                    if changed.is_err() {
                        return None;
                    }
                    let text = joined.newest.borrow_and_update().clone();
                    if let Some(text) = text && !self.say(socket, &text).await {
                        return Some(End::Gone);
                    }
                }
                Some(text) = joined.passed.recv() => {
                    if !self.say(socket, &text).await {
                        return Some(End::Gone);
                    }
                }
                message = socket.recv() => {
                    heard = Instant::now();
                    let text = match message {
                        None | Some(Err(_) | Ok(Message::Close(_))) => return Some(End::Gone),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Binary(_))) => return Some(End::Close(close_code::UNSUPPORTED, "text only")),
                        Some(Ok(Message::Text(text))) => text,
                    };
                    if self.strikes > STRIKES {
                        return Some(End::Close(close_code::POLICY, "too many messages"));
                    }
                    if let Some(answer) = self.hear(&text, joined).await && !self.say(socket, &answer).await {
                        return Some(End::Gone);
                    }
                }
                _ = ping.tick() => {
                    if heard.elapsed() > SILENCE {
                        return Some(End::Gone);
                    }
                    if !self.send(socket, Message::Ping(Vec::new().into())).await {
                        return Some(End::Gone);
                    }
                }
            }
        }
    }

    async fn say(&self, socket: &mut WebSocket, text: &str) -> bool {
        self.send(socket, Message::Text(text.into())).await
    }

    /// Sends a message; one that cannot be handed to the network in time ends the line.
    async fn send(&self, socket: &mut WebSocket, message: Message) -> bool {
        let within = self.app.house.config.limits.send_within;
        matches!(tokio::time::timeout(within, socket.send(message)).await, Ok(Ok(())))
    }

    /// Answers what a client said, if it wants an answer.
    async fn hear(&mut self, text: &str, joined: &Joined<'_>) -> Option<String> {
        if joined.limiter.check().is_err() {
            self.strikes += 1;
            metrics::counter!("parlour_refused_total", "why" => "socket").increment(1);
            let id = serde_json::from_str::<Value>(text).ok().and_then(|said| said.get("action")?.get("id").cloned());
            return Some(nack(id, &ApiError::too_many(1)));
        }
        let house = &self.app.house;
        match serde_json::from_str::<Said>(text) {
            Err(error) => {
                self.strikes += 1;
                Some(nack(None, &ApiError::bad_form(format!("the message does not fit: {error}"))))
            }
            Ok(Said::Ping(value)) => Some(json!({ "pong": value }).to_string()),
            Ok(Said::Hello(hello)) => {
                let ask = Ask::CatchUp { id: joined.id, since: hello.seq.unwrap_or(0) };
                house.hub.table(house, &self.id).await.ok()?.try_send(ask).ok()?;
                None
            }
            Ok(Said::Presence(body)) => {
                let ask = Ask::Presence { id: joined.id, body };
                house.hub.table(house, &self.id).await.ok()?.try_send(ask).ok()?;
                None
            }
            Ok(Said::Action(mut act)) => {
                let id = act.id.take().map(Value::String);
                let caller = self.caller.clone();
                act.seat = act.seat.or(self.seat);
                match house.hub.ask(house, &self.id, |reply| Ask::Act { caller, act, reply }).await {
                    Ok(done) => Some(json!({ "ack": { "id": id, "seq": done.seq, "ply": done.ply } }).to_string()),
                    Err(error) => Some(nack(id, &error)),
                }
            }
        }
    }
}

struct Joined<'a> {
    id: u64,
    limiter: &'a DefaultDirectRateLimiter,
    newest: &'a mut watch::Receiver<Option<Arc<str>>>,
    passed: &'a mut mpsc::Receiver<Arc<str>>,
}

fn nack(id: Option<Value>, error: &ApiError) -> String {
    json!({ "nack": { "id": id, "error": error.detail, "retry_after": error.retry_after } }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_message_is_read_or_refused_without_a_panic() {
        bolero::check!().with_type::<String>().with_iterations(5_000).for_each(|text| {
            let _ = serde_json::from_str::<Said>(text);
        });
    }

    #[test]
    fn the_messages_of_the_contract_are_understood() {
        for text in [
            r#"{"hello":{"seq":3}}"#,
            r#"{"hello":{}}"#,
            r#"{"ping":1}"#,
            r#"{"presence":{"cell":[1,2]}}"#,
            r#"{"action":{"action":{"cell":1},"id":"a","expect_ply":0}}"#,
            r#"{"action":{"text":"h8"}}"#,
        ] {
            assert!(serde_json::from_str::<Said>(text).is_ok(), "{text}");
        }
    }
}
