//! Who watches a table at this server, and what is sent to them.

use super::actor::{TableActor, waiting};
use super::command::{Caller, ServiceContext, Subscriber};
use super::disclosure::{Surroundings, ViewerContext, table_view};
use super::registry::to_json;
use super::remote_presence::PeerMessage;
use crate::api::ViewAt;
use crate::error::ApiResult;
use crate::time;
use game::{Progress, Seat, SeatSet};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::GameState;

/// Most bytes of a presence message.
const PRESENCE_LIMIT: usize = 2_048;

impl TableActor {
    /// Whether anybody has a socket to the table, here or at another server.
    pub(super) fn is_watched(&self) -> bool {
        !self.subscribers.is_empty() || self.remote.is_watched()
    }

    /// The seats whose owners have a socket at this server.
    pub(super) fn connected_here(&self) -> SeatSet {
        let seats = self
            .subscribers
            .values()
            .flat_map(|subscriber| self.state.seats_of(&subscriber.caller).iter().collect::<Vec<_>>());
        seats.collect()
    }

    /// The table as a caller may see it.
    pub(super) fn show(&self, caller: &Caller, seat: Option<Seat>) -> Arc<str> {
        self.view(ViewerContext::of(&self.state, caller, seat))
    }

    fn view(&self, context: ViewerContext) -> Arc<str> {
        let around = Surroundings {
            names: &self.app.names,
            connected: self.connected_here().iter().fold(self.remote.seats(), SeatSet::with),
            thinking: self.bots.shown().or(self.remote.thinking.as_ref().map(|(_, thinking)| thinking)),
            public_url: &self.app.config.public_url,
            local_only: self.app.config.local_only,
            now: time::now_ms(),
        };
        to_json(&table_view(&self.state, context, &around)).into()
    }

    /// What a caller saw after `ply` actions.
    pub(super) fn view_at(&self, caller: &Caller, seat: Option<Seat>, ply: u32) -> ApiResult<ViewAt> {
        let table = self.state.table.as_ref().ok_or_else(waiting)?;
        let view = table.view_at(ply, ViewerContext::of(&self.state, caller, seat).viewer())?;
        Ok(ViewAt { ply, view })
    }

    /// What a service gets: the caller's own view.
    pub(super) fn service_context(&self, caller: &Caller, seat: Option<Seat>) -> ApiResult<ServiceContext> {
        let table = self.state.table.as_ref().ok_or_else(waiting)?;
        let viewer = ViewerContext::of(&self.state, caller, seat).viewer();
        Ok(ServiceContext {
            viewer,
            view: table.view_for(viewer),
            running: self.state.phase() == GameState::Running,
            help: self.state.terms.options.help,
            game: Arc::clone(&self.state.game),
        })
    }

    /// Adds a socket and sends it the table.
    pub(super) fn subscribe(&mut self, subscriber: Subscriber, since: Option<i64>) -> u64 {
        // Unique over all tables and their lives, so that a late `Unsubscribe` never hits another socket.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let seated = !self.state.seats_of(&subscriber.caller).is_empty();
        self.subscribers.insert(id, subscriber);
        self.announce_presence();
        if seated {
            self.broadcast();
        }
        self.send_view(id, since);
        id
    }

    pub(super) fn unsubscribe(&mut self, id: u64) {
        if self.subscribers.remove(&id).is_some() {
            self.announce_presence();
            self.broadcast();
        }
    }

    /// Sends a socket its view, with the events after `since`.
    pub(super) fn send_view(&self, id: u64, since: Option<i64>) {
        let Some(subscriber) = self.subscribers.get(&id) else { return };
        let table = self.show(&subscriber.caller, subscriber.seat);
        let text = match since {
            None => format!(r#"{{"seq":{},"table":{table}}}"#, self.state.seq),
            Some(since) => {
                let missed = to_json(&self.state.missed(since));
                format!(r#"{{"seq":{},"missed":{missed},"table":{table}}}"#, self.state.seq)
            }
        };
        subscriber.latest.send_replace(Some(text.into()));
    }

    /// Sends every socket its view; viewers who see the same share one text.
    pub(super) fn broadcast(&self) {
        let mut views: HashMap<ViewerContext, Arc<str>> = HashMap::new();
        for subscriber in self.subscribers.values() {
            let context = ViewerContext::of(&self.state, &subscriber.caller, subscriber.seat);
            let text = views
                .entry(context)
                .or_insert_with(|| format!(r#"{{"seq":{},"table":{}}}"#, self.state.seq, self.view(context)).into());
            subscriber.latest.send_replace(Some(Arc::clone(text)));
        }
    }

    /// Sends every socket a short-lived message; a slow socket misses it.
    pub(super) fn broadcast_transient(&self, message: &Value) {
        let text: Arc<str> = message.to_string().into();
        for subscriber in self.subscribers.values() {
            let _ = subscriber.transient.try_send(Arc::clone(&text));
        }
    }

    /// Passes a seated client's presence (where it points, what it drags) to the others.
    pub(super) fn presence(&self, id: u64, body: Value) {
        let Some(sender) = self.subscribers.get(&id) else { return };
        let Some(seat) = ViewerContext::of(&self.state, &sender.caller, sender.seat).seat else { return };
        let Value::Object(mut fields) = body else { return };
        fields.insert("seat".to_owned(), json!(seat));
        let text: Arc<str> = json!({ "presence": &fields }).to_string().into();
        if text.len() > PRESENCE_LIMIT {
            return;
        }
        for (_, other) in self.subscribers.iter().filter(|(other, _)| **other != id) {
            let _ = other.transient.try_send(Arc::clone(&text));
        }
        self.notify_peers(&PeerMessage::Presence(Value::Object(fields)));
    }

    /// Tells the sockets of a caller how far its service has come.
    pub(super) fn service_progress(&self, caller: &Caller, service: &str, id: Option<String>, progress: Progress) {
        let text: Arc<str> = json!({ "progress": {
            "service": service, "id": id, "done": progress.done, "note": progress.note, "detail": progress.detail,
        } })
        .to_string()
        .into();
        for subscriber in self.subscribers.values().filter(|subscriber| subscriber.caller == *caller) {
            let _ = subscriber.transient.try_send(Arc::clone(&text));
        }
    }
}
