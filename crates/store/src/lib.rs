//! Persistent state: an append-only log of events per game, guests, accounts, seats, ratings, and the runs of the queue.
//!
//! ```
//! # tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap().block_on(async {
//! use store::{GuestRow, Secret, Store};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let address = format!("sqlite:{}", folder.path().join("games.db").display());
//! let store = Store::open(&address).await.unwrap(); // sqlite:PATH or postgres://…
//! let secret = Secret::generate();
//! let guest = GuestRow {
//!     id: "g1".into(), name: "Ada".into(), secret_hash: secret.hash(), created_ms: 0, seen_ms: 0,
//! };
//! store.create_guest(guest.clone()).await.unwrap();
//! assert_eq!(store.guest_by_secret(&secret.hash()).await, Ok(Some(guest)));
//! store.close().await;
//! # });
//! ```
//!
//! The log is keyed by (game, sequence number) and is authoritative. The other columns of a game (state, summary) are an
//! index over it, written in the same transaction. A write returns after its commit. An append names the sequence number
//! it follows (optimistic concurrency): a concurrent append makes it fail with [`StoreError::Conflict`].
//!
//! Two databases, one set of statements: SQLite (embedded, one writer task that commits waiting writes together) and
//! PostgreSQL. One server uses an SQLite file; several servers may share a PostgreSQL database ([`Peers`]). Settings,
//! events and summaries are opaque texts to the store.

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
    Append, GameFilter, GameRow, GameState, GuestRow, GuestUsage, LogEntry, NewGame, Rating, SeatChange, SeatKind,
    SeatRow,
};
pub use secret::{Secret, SecretHash};
pub use store::Store;

/// Error of the store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The address of the store is invalid.
    #[error("{0}")]
    Address(String),
    /// Another server uses this file.
    #[error("{0}")]
    Served(String),
    /// The log has advanced beyond the named sequence number, or the game does not exist.
    #[error("the log of {game} does not end at {after}")]
    Conflict { game: String, after: i64 },
    /// The name is taken.
    #[error("{0} is taken")]
    Taken(String),
    /// The write queue is full.
    #[error("the store is busy")]
    Busy,
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// The database failed.
    #[error("database error: {0}")]
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
