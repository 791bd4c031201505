//! What the log of a table holds, one record per sequence number.

use crate::api::{ClockTerms, TableOptions};
use game::{Event, Seat, Thought};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatPlayer {
    /// A guest, by id.
    Person {
        guest: String,
    },
    Bot {
        level: String,
    },
}

/// One thing that happened at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum LogRecord {
    Seated {
        seat: Seat,
        who: SeatPlayer,
    },
    Stood {
        seat: Seat,
    },
    /// Enough seats are taken; `seats` play.
    Started {
        seats: u8,
    },
    /// An event of the game itself.
    Play {
        event: Event<Value>,
        /// What it cost on the clock.
        #[serde(default, skip_serializing_if = "is_zero")]
        spent_ms: u64,
        /// What a bot thought.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<Thought>,
        /// Whether it was played again after it had been taken back.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        redo: bool,
    },
    /// A seat asks to go back to the moment after `keep` actions.
    Offer {
        by: Seat,
        keep: u32,
    },
    /// A seat answered the offer.
    Answer {
        seat: Seat,
        accept: bool,
    },
    /// The same players have a new table.
    Rematch {
        id: String,
    },
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl LogRecord {
    /// An event of the game without clock and thought.
    pub fn play(event: Event<Value>) -> Self {
        Self::Play { event, spent_ms: 0, thought: None, redo: false }
    }
}

/// What a table was made with besides rules and settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableTerms {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockTerms>,
    #[serde(default)]
    pub options: TableOptions,
    /// How many seats the table has.
    pub size: u8,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Logs are kept for ever: these lines were written by earlier versions and must stay readable.
    #[test]
    fn old_lines_stay_readable() {
        let lines = [
            r#"{"record":"seated","seat":0,"who":{"person":{"guest":"g1"}}}"#,
            r#"{"record":"seated","seat":1,"who":{"bot":{"level":"first"}}}"#,
            r#"{"record":"started","seats":2}"#,
            r#"{"record":"play","event":{"event":"action","seat":0,"action":{"cell":4}},"spent_ms":12}"#,
            r#"{"record":"play","event":{"event":"undo","keep":0}}"#,
            r#"{"record":"play","event":{"event":"resign","seat":1}}"#,
            r#"{"record":"play","event":{"event":"flag","seat":1}}"#,
            r#"{"record":"play","event":{"event":"abandon"}}"#,
            r#"{"record":"play","event":{"event":"join","seat":2}}"#,
            r#"{"record":"offer","by":0,"keep":3}"#,
            r#"{"record":"answer","seat":1,"accept":true}"#,
            r#"{"record":"rematch","id":"abc"}"#,
            r#"{"record":"stood","seat":1}"#,
        ];
        for line in lines {
            let record: LogRecord = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            let written = serde_json::to_value(&record).expect("a record can be written");
            let read: Value = serde_json::from_str(line).expect("it is JSON");
            assert_eq!(written, read);
        }
        let play = LogRecord::play(Event::Action { seat: Seat(0), action: json!(1) });
        assert_eq!(
            serde_json::to_value(&play).expect("it can be written").as_object().map(serde_json::Map::len),
            Some(2)
        );
    }
}
