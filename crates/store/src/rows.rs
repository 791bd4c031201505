//! What goes into the store and comes out of it.

use crate::SecretHash;

/// Where a table stands in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameState {
    /// Seats are still open.
    Waiting,
    Running,
    Over,
}

impl GameState {
    /// The word in the database and in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Over => "over",
        }
    }

    pub(crate) fn parse(text: &str) -> Self {
        match text {
            "waiting" => Self::Waiting,
            "running" => Self::Running,
            _ => Self::Over,
        }
    }
}

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SeatKind {
    Person,
    Bot,
}

impl SeatKind {
    /// The word in the database and in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Bot => "bot",
        }
    }

    pub(crate) fn parse(text: &str) -> Self {
        if text == "bot" { Self::Bot } else { Self::Person }
    }
}

/// One event of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// From 1 in each game, without gaps.
    pub seq: i64,
    pub at_ms: i64,
    /// JSON of the server's making.
    pub body: String,
}

/// A taken seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    pub seat: u8,
    pub kind: SeatKind,
    pub guest_id: Option<String>,
    pub level: Option<String>,
    pub token_hash: Option<SecretHash>,
}

/// A change of who sits where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatChange {
    Taken(SeatRow),
    Left(u8),
}

/// A game as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    pub id: String,
    pub game: String,
    pub rules_version: u32,
    pub settings: String,
    /// How many seats play; 0 until it has started.
    pub seats: u8,
    pub seed: u64,
    /// Clock and options.
    pub terms: String,
    /// Whether strangers find it in the list.
    pub listed: bool,
    pub state: GameState,
    /// Whether it goes on by itself: a bot is to act, a clock runs, or the result has not been rated yet.
    pub wake: bool,
    /// The sequence number of the last event.
    pub head: i64,
    /// What lists show of it; nothing hidden.
    pub summary: String,
    pub created_ms: i64,
    pub updated_ms: i64,
}

/// A game with its first events.
#[derive(Clone, Debug)]
pub struct NewGame {
    pub row: GameRow,
    pub seats: Vec<SeatRow>,
    pub entries: Vec<LogEntry>,
}

/// More events of a game.
#[derive(Clone, Debug)]
pub struct Append {
    pub game: String,
    /// The sequence number these events follow.
    pub after: i64,
    pub entries: Vec<LogEntry>,
    pub seat_changes: Vec<SeatChange>,
    pub seats: u8,
    pub state: GameState,
    pub wake: bool,
    pub summary: String,
    pub updated_ms: i64,
}

/// A person without an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestRow {
    pub id: String,
    pub name: String,
    pub secret_hash: SecretHash,
    pub created_ms: i64,
    pub seen_ms: i64,
}

/// Which games a list asks for.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    pub game: Option<String>,
    pub state: Option<GameState>,
    pub limit: u32,
}

/// How strong somebody is in one game against one pool of opponents.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    pub player: String,
    pub game: String,
    pub pool: String,
    pub rating: f64,
    pub deviation: f64,
    pub volatility: f64,
    pub games: i64,
    pub updated_ms: i64,
}
