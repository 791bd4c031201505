//! What the arena needs to know of a game: how to play one.

use serde::{Deserialize, Serialize};

/// One of the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    P1,
    P2,
}

/// Why a game was lost without being played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Out of time.
    Time,
    /// A move the rules refuse.
    Illegal,
    /// The player failed: it crashed, or said something that is no move.
    Crash,
}

/// Who lost a game by a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub by: Side,
    pub kind: FaultKind,
    /// What happened, for people.
    pub note: String,
}

/// One game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The first player's points: 1, ½ or 0.
    pub points: f64,
    pub plies: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// Plays games between two players.
pub trait Contest: Sync {
    /// Plays one game of pair number `pair`. Both games of a pair have the same opening or seed; in the one where
    /// `swapped` is set the players change places.
    fn play(&self, pair: u64, swapped: bool) -> PlayedGame;
}
