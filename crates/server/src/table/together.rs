//! One table at several servers: each has a task for it, all follow one log, one of them looks after it.
//!
//! Any of them takes actions: an append names the event it follows, so whoever is second reads on and tries again.
//! Bots think and clocks fall at the server that holds the table's lock. Before a caller is answered the task looks
//! whether the log has grown, so that an answer knows everything that was acknowledged anywhere before.

use super::actor::Actor;
use super::ask::Ask;
use super::distant::{Here, Word};
use super::early::{foresee, foresees};
use super::hub::{know_sitters, load, to_json};
use crate::error::Answer;
use crate::record::Record;
use game::Event;
use serde_json::json;
use store::Lease;

impl Ask {
    /// Whether it comes from a caller, who may have been answered by another server before.
    pub(super) fn is_from_outside(&self) -> bool {
        !self.is_between_servers()
            && !matches!(
                self,
                Self::Unsubscribe { .. }
                    | Self::Presence { .. }
                    | Self::ServiceProgress { .. }
                    | Self::BotProgress { .. }
                    | Self::BotDone { .. }
                    | Self::Stop
            )
    }

    /// Whether servers say it among themselves: no sign that anybody uses the table here.
    pub(super) fn is_between_servers(&self) -> bool {
        matches!(self, Self::Grown { .. } | Self::Attend | Self::Elsewhere { .. } | Self::Gone { .. })
    }
}

impl Actor {
    /// Whether this server looks after the table.
    pub(super) fn on_duty(&self) -> bool {
        self.house.serving.peers().is_none() || self.hold.as_ref().is_some_and(Lease::is_valid)
    }

    /// Looks after the table if it needs somebody and nobody else does: its bots think here and its clocks fall here.
    pub(super) async fn attend(&mut self) {
        let needed = self.room.goes_on() || foresees(&self.room);
        if needed
            && !self.on_duty()
            && let Some(peers) = self.house.serving.peers()
        {
            self.hold = peers.claim(&self.room.id).await;
        }
        if self.on_duty() {
            self.bots.schedule(&self.house, &self.room, &self.me);
            foresee(&self.house, &self.room);
        } else {
            self.bots.stop_all();
        }
    }

    /// Reads on in the log if another server has written there.
    pub(super) async fn refresh(&mut self) {
        let Some(peers) = self.house.serving.peers() else { return };
        self.room.not_before(self.house.serving.opened_ms());
        match peers.head(&self.room.id).await {
            Ok(Some(head)) if head > self.room.seq => self.follow().await,
            Ok(Some(_)) => {}
            // The game was removed: whoever asks next is told so.
            Ok(None) => self.broken = true,
            Err(error) => {
                tracing::warn!(table = self.room.id, %error, "the log cannot be looked at");
                self.broken = true;
            }
        }
    }

    /// Carries out what other servers have written, and shows it.
    pub(super) async fn follow(&mut self) {
        match self.read_on().await {
            Ok(false) => {}
            Ok(true) => self.changed().await,
            Err(error) => {
                tracing::warn!(table = self.room.id, error = error.detail.message, "the log cannot be followed");
                self.broken = true;
            }
        }
    }

    async fn read_on(&mut self) -> Answer<bool> {
        let entries = self.house.store.log(&self.room.id, self.room.seq).await?;
        let mut seated = false;
        for entry in &entries {
            match self.room.read(entry)? {
                Record::Seated { .. } => seated = true,
                Record::Play { redo: true, .. }
                | Record::Play {
                    event: Event::Undo { .. } | Event::Resign { .. } | Event::Flag { .. } | Event::Abandon,
                    ..
                } => self.bots.stop_all(),
                _ => {}
            }
        }
        if seated {
            know_sitters(&self.house, &mut self.room).await?;
        }
        Ok(!entries.is_empty())
    }

    /// Whether another server's append came first; then the table is set up again from the log, and the change may be
    /// tried again.
    pub(super) async fn was_overtaken(&mut self) -> bool {
        if !std::mem::take(&mut self.overtaken) {
            return false;
        }
        metrics::counter!("parlour_overtaken_total").increment(1);
        match Box::pin(load(&self.house, &self.room.id)).await {
            Ok(room) => {
                self.room = room;
                self.bots.stop_all();
                self.changed().await;
            }
            Err(error) => {
                tracing::warn!(table = self.room.id, error = error.detail.message, "a table cannot be set up again");
                self.broken = true;
            }
        }
        !self.broken
    }

    /// Says something to the tasks of this table at other servers.
    pub(super) fn tell_others(&self, word: &Word) {
        // Who is where must be known to a server that has just come; the rest is for those who listen now.
        let lasting = matches!(word, Word::Who | Word::Here { .. });
        if let Some(peers) = self.house.serving.peers().filter(|peers| lasting || !peers.is_alone()) {
            peers.pass_on(&self.room.id, &to_json(word));
        }
    }

    /// Asks the other servers who has a socket there.
    pub(super) fn ask_who_is_there(&self) {
        self.tell_others(&Word::Who);
    }

    /// Tells the other servers who has a socket here, if that has changed.
    pub(super) fn say_who_is_here(&mut self) {
        let here = Here { seats: self.connected_here(), watched: !self.subscribers.is_empty() };
        if here != self.distant.told {
            self.distant.told = here;
            self.tell_who_is_here();
        }
    }

    fn tell_who_is_here(&self) {
        let Here { seats, watched } = self.distant.told;
        self.tell_others(&Word::Here { seats: seats.iter().collect(), watched });
    }

    /// Hears what this table's task at another server says.
    pub(super) fn hear_from(&mut self, server: String, text: &str) {
        match serde_json::from_str(text) {
            Ok(Word::Who) => {
                if self.distant.told.watched {
                    self.tell_who_is_here();
                }
            }
            Ok(Word::Here { seats, watched }) => {
                if self.distant.note(server, Here { seats: seats.into_iter().collect(), watched }) {
                    self.broadcast();
                }
            }
            Ok(Word::Thinking(thinking)) => {
                self.pass_on(&json!({ "thinking": thinking }));
                self.distant.thinking = Some((server, thinking));
            }
            Ok(Word::Presence(fields)) => self.pass_on(&json!({ "presence": fields })),
            Err(error) => tracing::debug!(table = self.room.id, %error, "a word of another server was not understood"),
        }
    }
}
