//! The WebSocket of a table: views as they change, actions with acknowledgement, presence.

use super::HttpState;
use super::body::Params;
use super::identity::Identity;
use super::middleware::{RemoteAddress, quota};
use super::tables::SeatParams;
use crate::api::ActionRequest;
use crate::app_state::until_stopping;
use crate::error::{ApiError, ApiResult};
use crate::table::{Caller, Subscriber, TableCommand};
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
/// A socket that has been silent for so long is closed.
const SILENCE_LIMIT: Duration = Duration::from_secs(65);
/// How many short-lived messages may wait for a slow socket.
const TRANSIENT: usize = 64;
/// Bytes of the read buffer: messages are small, the library's usual 128 kB per socket are not needed.
const READ_BUFFER: usize = 4 << 10;
/// A socket with more refused messages than this is closed.
const STRIKES: u32 = 100;

/// The messages of clients.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ClientMessage {
    Hello(Hello),
    Ping(Value),
    Presence(Value),
    Action(ActionRequest),
}

#[derive(Debug, Deserialize)]
struct Hello {
    seq: Option<i64>,
}

/// Opens the socket of a table.
#[utoipa::path(get, path = "/api/v1/tables/{id}/socket", tag = "tables", params(("id" = String, Path), SeatParams),
    responses((status = 101, description = "a WebSocket; messages are described in docs/api.md")))]
pub async fn open(
    State(http): State<HttpState>,
    Path(id): Path<String>,
    identity: Identity,
    RemoteAddress(address): RemoteAddress,
    Params(params): Params<SeatParams>,
    upgrade: WebSocketUpgrade,
) -> ApiResult<Response> {
    http.app.tables.table(&http.app, &id).await?;
    // The last quarter of the sockets is for players: spectators cannot keep them from their tables.
    let most = http.app.config.limits.sockets;
    if http.app.sockets.load(Ordering::Relaxed) >= most - most / 4 {
        let caller = identity.caller();
        if !http.app.tables.request(&http.app, &id, |reply| TableCommand::IsSeated { caller, reply }).await? {
            return Err(ApiError::busy("limits.sockets", "too many people are connected: only players come in now"));
        }
    }
    if http.app.sockets.fetch_add(1, Ordering::Relaxed) >= most {
        http.app.sockets.fetch_sub(1, Ordering::Relaxed);
        return Err(ApiError::busy("limits.sockets", "too many people are connected: try again later"));
    }
    let of_address = http.sockets.acquire(address);
    if of_address.is_none() {
        http.app.sockets.fetch_sub(1, Ordering::Relaxed);
        return Err(ApiError::busy("limits.sockets", "too many sockets are open from your address"));
    }
    let limit = http.app.config.limits.message;
    let slot = SocketSlot(http.clone());
    let (caller, seat) = (identity.caller(), params.seat.map(Seat));
    let upgrade = upgrade.max_message_size(limit).max_frame_size(limit).read_buffer_size(READ_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| async move {
        metrics::gauge!("parlour_sockets").increment(1.0);
        SocketSession { http: slot.0.clone(), id, caller, seat, strikes: 0 }.run(socket).await;
        metrics::gauge!("parlour_sockets").decrement(1.0);
        drop((slot, of_address));
    }))
}

/// One of the server's sockets; given back also when the upgrade never happens.
struct SocketSlot(HttpState);

impl Drop for SocketSlot {
    fn drop(&mut self) {
        self.0.app.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

struct SocketSession {
    http: HttpState,
    id: String,
    caller: Caller,
    seat: Option<Seat>,
    strikes: u32,
}

/// Why a session ends.
enum SessionEnd {
    Gone,
    Close(u16, &'static str),
}

impl SocketSession {
    async fn run(mut self, mut socket: WebSocket) {
        let end = self.serve(&mut socket).await;
        if let SessionEnd::Close(code, reason) = end {
            let frame = CloseFrame { code, reason: reason.into() };
            let _ = tokio::time::timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
        }
    }

    async fn serve(&mut self, socket: &mut WebSocket) -> SessionEnd {
        let mut stopping = self.http.app.stopping.subscribe();
        let limiter = RateLimiter::direct(quota(self.http.app.config.limits.per_socket));
        let mut since = None;
        // A table that is loaded again from its log ends its subscriptions: the session subscribes again.
        loop {
            let (latest, mut latest_view) = watch::channel(None);
            let (transient, mut transient_messages) = mpsc::channel(TRANSIENT);
            let subscriber = Subscriber { caller: self.caller.clone(), seat: self.seat, latest, transient };
            let app = &self.http.app;
            let subscribed =
                app.tables.request(app, &self.id, |reply| TableCommand::Subscribe { subscriber, since, reply }).await;
            let Ok(id) = subscribed else { return SessionEnd::Close(close_code::AWAY, "the table cannot be reached") };
            let (latest, transient) = (&mut latest_view, &mut transient_messages);
            let mut subscription = Subscription { id, limiter: &limiter, latest, transient };
            let end = self.while_subscribed(socket, &mut subscription, &mut stopping).await;
            if let Some(table) = self.http.app.tables.in_memory(&self.id).await {
                let _ = table.send(TableCommand::Unsubscribe { id }).await;
            }
            match end {
                Some(end) => return end,
                None => since = Some(0),
            }
        }
    }

    /// Serves until the session ends (`Some`) or the table has to be subscribed to again (`None`).
    async fn while_subscribed(
        &mut self,
        socket: &mut WebSocket,
        subscription: &mut Subscription<'_>,
        stopping: &mut watch::Receiver<bool>,
    ) -> Option<SessionEnd> {
        let mut last_message = Instant::now();
        let mut ping = tokio::time::interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        loop {
            tokio::select! {
                biased;
                () = until_stopping(stopping) => {
                    return Some(SessionEnd::Close(close_code::RESTART, "the server is stopping"));
                }
                changed = subscription.latest.changed() => {
                    if changed.is_err() {
                        return None;
                    }
                    let text = subscription.latest.borrow_and_update().clone();
                    if let Some(text) = text && !self.send_text(socket, &text).await {
                        return Some(SessionEnd::Gone);
                    }
                }
                Some(text) = subscription.transient.recv() => {
                    if !self.send_text(socket, &text).await {
                        return Some(SessionEnd::Gone);
                    }
                }
                message = socket.recv() => {
                    last_message = Instant::now();
                    let text = match message {
                        None | Some(Err(_) | Ok(Message::Close(_))) => return Some(SessionEnd::Gone),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Binary(_))) => return Some(SessionEnd::Close(close_code::UNSUPPORTED, "text only")),
                        Some(Ok(Message::Text(text))) => text,
                    };
                    if self.strikes > STRIKES {
                        return Some(SessionEnd::Close(close_code::POLICY, "too many messages"));
                    }
                    if let Some(answer) = self.handle(&text, subscription).await && !self.send_text(socket, &answer).await {
                        return Some(SessionEnd::Gone);
                    }
                }
                _ = ping.tick() => {
                    if last_message.elapsed() > SILENCE_LIMIT {
                        return Some(SessionEnd::Gone);
                    }
                    if !self.send(socket, Message::Ping(Vec::new().into())).await {
                        return Some(SessionEnd::Gone);
                    }
                }
            }
        }
    }

    async fn send_text(&self, socket: &mut WebSocket, text: &str) -> bool {
        self.send(socket, Message::Text(text.into())).await
    }

    /// Sends a message; one that the network does not take in time ends the session.
    async fn send(&self, socket: &mut WebSocket, message: Message) -> bool {
        let within = self.http.app.config.limits.send_within;
        matches!(tokio::time::timeout(within, socket.send(message)).await, Ok(Ok(())))
    }

    /// Handles a message of the client and returns the answer, if it has one.
    async fn handle(&mut self, text: &str, subscription: &Subscription<'_>) -> Option<String> {
        if subscription.limiter.check().is_err() {
            self.strikes += 1;
            metrics::counter!("parlour_refused_total", "why" => "socket").increment(1);
            let id =
                serde_json::from_str::<Value>(text).ok().and_then(|message| message.get("action")?.get("id").cloned());
            return Some(nack(id, &ApiError::too_many(1)));
        }
        let app = &self.http.app;
        match serde_json::from_str::<ClientMessage>(text) {
            Err(error) => {
                self.strikes += 1;
                Some(nack(None, &ApiError::bad_form(format!("the message does not fit: {error}"))))
            }
            Ok(ClientMessage::Ping(value)) => Some(json!({ "pong": value }).to_string()),
            Ok(ClientMessage::Hello(hello)) => {
                let command = TableCommand::Resume { id: subscription.id, since: hello.seq.unwrap_or(0) };
                app.tables.table(app, &self.id).await.ok()?.try_send(command).ok()?;
                None
            }
            Ok(ClientMessage::Presence(body)) => {
                let command = TableCommand::Presence { id: subscription.id, body };
                app.tables.table(app, &self.id).await.ok()?.try_send(command).ok()?;
                None
            }
            Ok(ClientMessage::Action(mut act)) => {
                let id = act.id.take().map(Value::String);
                let caller = self.caller.clone();
                act.seat = act.seat.or(self.seat);
                match app.tables.request(app, &self.id, |reply| TableCommand::Act { caller, act, reply }).await {
                    Ok(done) => {
                        if let Some(token) = &self.caller.token {
                            self.http.admission.prove(token);
                        }
                        Some(json!({ "ack": { "id": id, "seq": done.seq, "ply": done.ply } }).to_string())
                    }
                    Err(error) => Some(nack(id, &error)),
                }
            }
        }
    }
}

struct Subscription<'a> {
    id: u64,
    limiter: &'a DefaultDirectRateLimiter,
    latest: &'a mut watch::Receiver<Option<Arc<str>>>,
    transient: &'a mut mpsc::Receiver<Arc<str>>,
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
            let _ = serde_json::from_str::<ClientMessage>(text);
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
            assert!(serde_json::from_str::<ClientMessage>(text).is_ok(), "{text}");
        }
    }
}
