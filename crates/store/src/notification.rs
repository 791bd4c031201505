//! What servers on one database tell each other: the form of a message.

use serde::{Deserialize, Serialize};

/// The channel on which servers speak.
pub(crate) const CHANNEL: &str = "parlour";
/// PostgreSQL takes payloads below 8,000 bytes.
const LONGEST: usize = 7_900;

/// A message with its sender.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Notification {
    pub(crate) from: String,
    pub(crate) what: NotificationKind,
}

/// What is told.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotificationKind {
    Grown { game: String, seq: i64 },
    Guest { id: String },
    Passing { game: String, text: String },
    Alive,
    Leaving,
}

impl Notification {
    /// The payload, unless it is too long for one.
    pub(crate) fn write(&self) -> Option<String> {
        let text = serde_json::to_string(self).expect("plain data can be written");
        (text.len() <= LONGEST).then_some(text)
    }

    /// Reads a payload; other programs may use the channel for something else.
    pub(crate) fn read(payload: &str) -> Option<Self> {
        serde_json::from_str(payload).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read_and_anything_else_is_passed_over() {
        bolero::check!().with_type::<(String, String, i64)>().with_iterations(2_000).for_each(|(from, text, seq)| {
            let told = |what| Notification { from: from.clone(), what };
            let game = text.clone();
            for what in [
                NotificationKind::Grown { game: game.clone(), seq: *seq },
                NotificationKind::Guest { id: text.clone() },
                NotificationKind::Passing { game, text: text.clone() },
                NotificationKind::Alive,
                NotificationKind::Leaving,
            ] {
                let told = told(what);
                let Some(payload) = told.write() else { continue };
                let read = Notification::read(&payload).expect("what was written can be read");
                assert_eq!((&read.from, &read.what), (&told.from, &told.what));
            }
            let _ = Notification::read(text);
        });
    }

    #[test]
    fn what_does_not_fit_is_not_sent() {
        let long = NotificationKind::Passing { game: "g".into(), text: "x".repeat(8_000) };
        assert_eq!(Notification { from: "a".into(), what: long }.write(), None);
    }
}
