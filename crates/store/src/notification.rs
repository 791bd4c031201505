//! Notifications between the servers of one database (`NOTIFY` payloads).

use serde::{Deserialize, Serialize};

/// The notification channel.
pub(crate) const CHANNEL: &str = "parlour";
/// PostgreSQL limits payloads to less than 8,000 bytes.
const MAX_PAYLOAD: usize = 7_900;

/// A notification with its sender.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Notification {
    pub(crate) from: String,
    pub(crate) what: NotificationKind,
}

/// The content of a notification.
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
    /// The payload, unless it exceeds the limit.
    pub(crate) fn write(&self) -> Option<String> {
        let text = serde_json::to_string(self).expect("plain data can be written");
        (text.len() <= MAX_PAYLOAD).then_some(text)
    }

    /// Parses a payload. Other programs may use the channel, so unknown payloads are ignored.
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
