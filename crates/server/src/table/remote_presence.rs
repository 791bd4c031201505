//! Presence of players at other servers. Short-lived: never in the log.

use crate::api::BotThinking;
use game::{Seat, SeatSet};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// Messages between the tasks of one table at several servers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeerMessage {
    /// Which seats are connected at your server?
    Who,
    /// The owners of these seats are connected here; `watched` if any socket is.
    Here { seats: Vec<Seat>, watched: bool },
    /// A bot thinks here; as every viewer may see it.
    Thinking(BotThinking),
    /// Presence of a client that is connected here.
    Presence(Value),
}

/// Who is connected at one server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalPresence {
    pub seats: SeatSet,
    pub watched: bool,
}

/// Who is connected to a table at other servers.
#[derive(Default)]
pub struct RemotePresence {
    servers: HashMap<String, LocalPresence>,
    /// A bot that thinks at another server, and which.
    pub thinking: Option<(String, BotThinking)>,
    /// What was announced to the other servers last.
    pub announced: LocalPresence,
}

impl RemotePresence {
    /// Updates who is connected at another server; whether that is a change.
    pub fn update(&mut self, server: String, here: LocalPresence) -> bool {
        let before = if here.watched { self.servers.insert(server, here) } else { self.servers.remove(&server) };
        before.unwrap_or_default() != here
    }

    /// Forgets a server that has gone, and a bot that thought there; whether anybody was connected there.
    pub fn forget(&mut self, server: &str) -> bool {
        let thought = self.thinking.take_if(|(thinker, _)| thinker == server).is_some();
        self.servers.remove(server).is_some() || thought
    }

    /// Whether a socket to the table is open at another server.
    pub fn is_watched(&self) -> bool {
        self.servers.values().any(|here| here.watched)
    }

    /// The seats that are connected at other servers.
    pub fn seats(&self) -> SeatSet {
        self.servers.values().flat_map(|here| here.seats.iter()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_elsewhere_are_there_until_they_or_their_server_go() {
        let mut remote = RemotePresence::default();
        let both = LocalPresence { seats: SeatSet::first(2), watched: true };
        assert!(remote.update("b".into(), both));
        assert!(!remote.update("b".into(), both), "the same again is no news");
        assert!(remote.update("c".into(), LocalPresence { seats: SeatSet::NONE, watched: true }));
        assert_eq!(remote.seats(), SeatSet::first(2));
        assert!(remote.update("b".into(), LocalPresence::default()));
        assert!(remote.is_watched() && remote.seats() == SeatSet::NONE, "somebody without a seat looks on at c");
        let seat = Seat(1);
        let thinking = BotThinking { seat, done: 0.5, note: String::new(), detail: Value::Null };
        remote.thinking = Some(("b".into(), thinking));
        assert!(remote.forget("c") && !remote.forget("c"));
        assert!(remote.forget("b") && remote.thinking.is_none());
        assert!(!remote.is_watched());
    }

    #[test]
    fn any_word_is_read_or_refused_without_a_panic() {
        bolero::check!().with_type::<String>().with_iterations(2_000).for_each(|text| {
            let _ = serde_json::from_str::<PeerMessage>(text);
        });
        for text in [
            r#""who""#,
            r#"{"here":{"seats":[0],"watched":true}}"#,
            r#"{"thinking":{"seat":1,"done":0.5,"note":""}}"#,
            r#"{"presence":{"cell":4,"seat":1}}"#,
        ] {
            assert!(serde_json::from_str::<PeerMessage>(text).is_ok(), "{text}");
        }
    }
}
