//! Tables: the task that owns one, its state, what of it leaves the server, and the registry of those in memory.
//!
//! Read `actor` first: it holds the way of a move.

mod actor;
mod audience;
mod bots;
mod command;
mod disclosure;
mod name_cache;
mod prefetch;
mod registry;
mod remote_presence;
mod replication;
mod seating;
mod state;
mod summary;
mod takeback;

pub use command::{Caller, Subscriber, TableCommand};
pub use disclosure::{Surroundings, exported};
pub use name_cache::NameCache;
pub use registry::{Replayed, TableRegistry, TableSpec, replay, to_json, wake_sleeping};
pub use seating::level_of;
pub use state::Occupant;
#[cfg(test)]
pub use summary::StoredSeat;
pub use summary::{StoredSummary, table_summary};
