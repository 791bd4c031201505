//! Rows of games, seats, guests and ratings.

use crate::SecretHash;

/// Life cycle of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameState {
    /// Waiting for players.
    Waiting,
    Running,
    Over,
}

impl GameState {
    /// The name in the database and in the API.
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

/// The kind of a seat's occupant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SeatKind {
    Person,
    Bot,
}

impl SeatKind {
    /// The name in the database and in the API.
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

/// How much of the store the games of a guest take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuestUsage {
    /// Games that are not over.
    pub open: i64,
    pub stored: i64,
    /// Bytes of settings, and a hundred per event.
    pub bytes: i64,
}

/// An event of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// From 1 in each game, without gaps.
    pub seq: i64,
    pub at_ms: i64,
    /// JSON in the server's form.
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

/// A change of a seat's occupant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatChange {
    Taken(SeatRow),
    Left(u8),
}

/// A stored game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    pub id: String,
    pub game: String,
    pub rules_version: u32,
    pub settings: String,
    /// Number of seats; 0 before the start.
    pub seats: u8,
    pub seed: u64,
    /// Clock and options as JSON.
    pub terms: String,
    /// Whether the public list shows it.
    pub listed: bool,
    pub state: GameState,
    /// Whether it needs a server: a bot to act, a running clock, or an unrated result.
    pub wake: bool,
    /// The sequence number of the last event.
    pub head: i64,
    /// Summary for lists, without hidden information.
    pub summary: String,
    pub created_ms: i64,
    pub updated_ms: i64,
}

/// A new game with its first events.
#[derive(Clone, Debug)]
pub struct NewGame {
    pub row: GameRow,
    pub seats: Vec<SeatRow>,
    pub entries: Vec<LogEntry>,
}

/// Events to append to a game.
#[derive(Clone, Debug)]
pub struct Append {
    pub game: String,
    /// The sequence number that these events follow.
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

/// Filter of a list of games.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    pub game: Option<String>,
    pub state: Option<GameState>,
    pub limit: u32,
}

/// A player's rating in one game against one pool of opponents.
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
