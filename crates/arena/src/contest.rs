//! The interface between the arena and a game.

use serde::{Deserialize, Serialize};

/// A player of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    P1,
    P2,
}

/// The kind of fault that lost a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Loss on time.
    Time,
    /// An illegal move.
    Illegal,
    /// A crash, or output that is not a move.
    Crash,
}

/// A fault that lost a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub by: Side,
    pub kind: FaultKind,
    /// Description for people.
    pub note: String,
}

/// The result of one game.
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
    /// Plays one game of pair number `pair`. Both games of a pair have the same opening or seed. With `swapped` the players
    /// exchange sides.
    fn play(&self, pair: u64, swapped: bool) -> PlayedGame;
}
