//! One table at several servers: each has a task for it, all follow one log, one of them has its lease.
//!
//! Every server accepts actions: an append names the event it follows, so the second of two appends conflicts, and its
//! server reads on and tries again. Bots think and clocks run out at the server with the lease. Before a task answers
//! a caller it checks whether the log has grown, so that an answer includes everything acknowledged anywhere before.

use super::actor::TableActor;
use super::prefetch::{prefetch, should_prefetch};
use super::registry::{load, load_occupants, to_json};
use super::remote_presence::{LocalPresence, PeerMessage};
use crate::error::ApiResult;
use crate::log_record::LogRecord;
use game::{Event, SeatSet};
use serde_json::json;
use store::Lease;

impl TableActor {
    /// Whether bots think and clocks run out at this server.
    pub(super) fn holds_lease(&self) -> bool {
        self.app.serving.peers().is_none() || self.lease.as_ref().is_some_and(Lease::is_valid)
    }

    /// Starts the bots that are to act, if this server has the table's lease; takes the lease if the table needs one
    /// and no other server has it.
    pub(super) async fn schedule_bots(&mut self) {
        let pauses = self.pauses();
        let bots_due = self.state.bots_to_act() != SeatSet::NONE && !pauses;
        let needed = bots_due || self.state.clock_runs() || should_prefetch(&self.state);
        if needed
            && !self.holds_lease()
            && let Some(peers) = self.app.serving.peers()
        {
            self.lease = peers.claim(&self.state.id).await;
        }
        if self.holds_lease() {
            self.bots.schedule(&self.app, &self.state, &self.inbox, pauses);
            prefetch(&self.app, &self.state);
        } else {
            self.bots.stop_all();
        }
    }

    /// Reads on in the log if another server has appended to it.
    pub(super) async fn refresh(&mut self) {
        let Some(peers) = self.app.serving.peers() else { return };
        self.state.exclude_downtime(self.app.serving.opened_ms());
        match peers.head(&self.state.id).await {
            Ok(Some(head)) if head > self.state.seq => self.follow_log().await,
            Ok(Some(_)) => {}
            // The game was deleted: the next request says so.
            Ok(None) => self.broken = true,
            Err(error) => {
                tracing::warn!(table = self.state.id, %error, "the head of the log cannot be read");
                self.broken = true;
            }
        }
    }

    /// Applies what other servers have appended to the log, and publishes it.
    pub(super) async fn follow_log(&mut self) {
        match self.apply_new_records().await {
            Ok(false) => {}
            Ok(true) => self.publish().await,
            Err(error) => {
                tracing::warn!(table = self.state.id, error = error.detail.message, "the log cannot be followed");
                self.broken = true;
            }
        }
    }

    async fn apply_new_records(&mut self) -> ApiResult<bool> {
        let entries = self.app.store.log(&self.state.id, self.state.seq).await?;
        let mut seated = false;
        for entry in &entries {
            match self.state.read(entry)? {
                LogRecord::Seated { .. } => seated = true,
                LogRecord::Play { redo: true, .. }
                | LogRecord::Play {
                    event: Event::Undo { .. } | Event::Resign { .. } | Event::Flag { .. } | Event::Abandon,
                    ..
                } => self.bots.stop_all(),
                _ => {}
            }
        }
        if seated {
            load_occupants(&self.app, &mut self.state).await?;
        }
        Ok(!entries.is_empty())
    }

    /// Whether another server's append came first. Then the table is loaded again from the log, and the change may be
    /// retried.
    pub(super) async fn reload_after_conflict(&mut self) -> bool {
        if !std::mem::take(&mut self.conflicted) {
            return false;
        }
        metrics::counter!("parlour_overtaken_total").increment(1);
        match Box::pin(load(&self.app, &self.state.id)).await {
            Ok(state) => {
                self.state = state;
                self.bots.stop_all();
                self.publish().await;
            }
            Err(error) => {
                tracing::warn!(table = self.state.id, error = error.detail.message, "a table cannot be loaded again");
                self.broken = true;
            }
        }
        !self.broken
    }

    /// Sends a message to the tasks of this table at other servers.
    pub(super) fn notify_peers(&self, message: &PeerMessage) {
        // A server that has just started must learn who is connected; other messages are for those that listen now.
        let lasting = matches!(message, PeerMessage::Who | PeerMessage::Here { .. });
        if let Some(peers) = self.app.serving.peers().filter(|peers| lasting || !peers.is_alone()) {
            peers.pass_on(&self.state.id, &to_json(message));
        }
    }

    /// Asks the other servers which seats are connected there.
    pub(super) fn request_presence(&self) {
        self.notify_peers(&PeerMessage::Who);
    }

    /// Tells the other servers which seats are connected here, if that has changed.
    pub(super) fn announce_presence(&mut self) {
        let here = LocalPresence { seats: self.connected_here(), watched: !self.subscribers.is_empty() };
        if here != self.remote.announced {
            self.remote.announced = here;
            self.send_presence();
        }
    }

    fn send_presence(&self) {
        let LocalPresence { seats, watched } = self.remote.announced;
        self.notify_peers(&PeerMessage::Here { seats: seats.iter().collect(), watched });
    }

    /// Takes a message of this table's task at another server.
    pub(super) fn receive_peer_message(&mut self, server: String, text: &str) {
        match serde_json::from_str(text) {
            Ok(PeerMessage::Who) => {
                if self.remote.announced.watched {
                    self.send_presence();
                }
            }
            Ok(PeerMessage::Here { seats, watched }) => {
                if self.remote.update(server, LocalPresence { seats: seats.into_iter().collect(), watched }) {
                    self.broadcast();
                }
            }
            Ok(PeerMessage::Thinking(thinking)) => {
                self.broadcast_transient(&json!({ "thinking": thinking }));
                self.remote.thinking = Some((server, thinking));
            }
            Ok(PeerMessage::Presence(fields)) => self.broadcast_transient(&json!({ "presence": fields })),
            Err(error) => {
                tracing::debug!(table = self.state.id, %error, "a message of another server was not understood")
            }
        }
    }
}
