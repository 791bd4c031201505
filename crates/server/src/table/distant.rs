//! What a table knows of its people at other servers. Short-lived: never in the log.

use crate::api::Thinking;
use game::{Seat, SeatSet};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

/// What the tasks of one table at several servers say to each other.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// Who has a socket at your server?
    Who,
    /// These seats' owners have a socket here; `watched` if anybody has.
    Here { seats: Vec<Seat>, watched: bool },
    /// A bot that thinks here, as everybody may see it.
    Thinking(Thinking),
    /// Presence of somebody with a socket here.
    Presence(Value),
}

/// Who has a socket at one server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Here {
    pub seats: SeatSet,
    pub watched: bool,
}

/// What a table knows of its people at other servers.
#[derive(Default)]
pub struct Distant {
    servers: HashMap<String, Here>,
    /// A bot that thinks at another server, and which.
    pub thinking: Option<(String, Thinking)>,
    /// What the others were told last.
    pub told: Here,
}

impl Distant {
    /// Notes who is at another server; whether that is news.
    pub fn note(&mut self, server: String, here: Here) -> bool {
        let before = if here.watched { self.servers.insert(server, here) } else { self.servers.remove(&server) };
        before.unwrap_or_default() != here
    }

    /// Forgets a server that has gone; whether anybody was there. If a bot thought there, it thinks there no more.
    pub fn forget(&mut self, server: &str) -> bool {
        let thought = self.thinking.take_if(|(thinker, _)| thinker == server).is_some();
        self.servers.remove(server).is_some() || thought
    }

    /// Whether anybody looks at the table elsewhere.
    pub fn is_watched(&self) -> bool {
        self.servers.values().any(|here| here.watched)
    }

    /// The seats whose owners have a socket elsewhere.
    pub fn seats(&self) -> SeatSet {
        self.servers.values().flat_map(|here| here.seats.iter()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_elsewhere_are_there_until_they_or_their_server_go() {
        let mut distant = Distant::default();
        let both = Here { seats: SeatSet::first(2), watched: true };
        assert!(distant.note("b".into(), both));
        assert!(!distant.note("b".into(), both), "the same again is no news");
        assert!(distant.note("c".into(), Here { seats: SeatSet::NONE, watched: true }));
        assert_eq!(distant.seats(), SeatSet::first(2));
        assert!(distant.note("b".into(), Here::default()));
        assert!(distant.is_watched() && distant.seats() == SeatSet::NONE, "somebody without a seat looks on at c");
        let seat = Seat(1);
        let thinking = Thinking { seat, done: 0.5, note: String::new(), detail: Value::Null };
        distant.thinking = Some(("b".into(), thinking));
        assert!(distant.forget("c") && !distant.forget("c"));
        assert!(distant.forget("b") && distant.thinking.is_none());
        assert!(!distant.is_watched());
    }

    #[test]
    fn any_word_is_read_or_refused_without_a_panic() {
        bolero::check!().with_type::<String>().with_iterations(2_000).for_each(|text| {
            let _ = serde_json::from_str::<Word>(text);
        });
        for text in [
            r#""who""#,
            r#"{"here":{"seats":[0],"watched":true}}"#,
            r#"{"thinking":{"seat":1,"done":0.5,"note":""}}"#,
            r#"{"presence":{"cell":4,"seat":1}}"#,
        ] {
            assert!(serde_json::from_str::<Word>(text).is_ok(), "{text}");
        }
    }
}
