//! What survives a restart: an append-only log of events per game, guests, seats, ratings, and the runs of the queue.
//!
//! The log is keyed (game, sequence) and is the truth; the other columns of a game (state, summary) are an index over
//! it, written in the same transaction. A write is answered after its commit, never before. An append names the
//! sequence number it follows: if somebody else was faster it is refused as [`StoreError::Conflict`], on one server
//! or on several.
//!
//! Two databases, one set of statements: SQLite (embedded, one writer task that commits waiting writes together) and
//! PostgreSQL. One server serves from an SQLite file; several may serve from one PostgreSQL ([`Peers`]). The store
//! knows nothing of games: settings, events and summaries are texts to it.

mod accounts;
pub mod backup;
pub mod jobs;
mod metrics;
mod migrations;
mod notification;
mod peers;
mod postgres;
mod registration;
mod rows;
mod secret;
mod sqlite;
mod store;
#[cfg(feature = "testing")]
pub mod testing;
mod writer;

pub use accounts::{AccountRow, UserData};
pub use metrics::{JobCounts, TableCount};
pub use peers::{Lease, PeerEvent, Peers};
pub use registration::ServerRegistration;
pub use rows::{
    Append, GameFilter, GameRow, GameState, GuestRow, LogEntry, NewGame, Rating, SeatChange, SeatKind, SeatRow,
};
pub use secret::{Secret, SecretHash};
pub use store::Store;

/// Why the store did not do something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The address of the store is not one.
    #[error("{0}")]
    Address(String),
    /// Another server serves from this file.
    #[error("{0}")]
    Served(String),
    /// Another event stands at that sequence number already, or the game is gone.
    #[error("the log of {game} does not end at {after}")]
    Conflict { game: String, after: i64 },
    /// Somebody else is called so already.
    #[error("{0} is taken")]
    Taken(String),
    /// More writes are waiting than the store takes.
    #[error("the store is busy")]
    Busy,
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// The database said no.
    #[error("the database: {0}")]
    Database(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut => Self::Busy,
            sqlx::Error::PoolClosed => Self::Closed,
            other => Self::Database(other.to_string()),
        }
    }
}
