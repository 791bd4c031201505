//! Counts for those who run the house.

use crate::store::{Backend, Store, read};
use crate::{GameState, StoreError, postgres, sqlite};

/// How many tables of a game are in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableCount {
    pub game: String,
    pub state: GameState,
    pub tables: i64,
}

/// How many jobs of a run stand where.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JobCounts {
    pub queued: i64,
    pub running: i64,
    pub done: i64,
    /// Dead or cancelled.
    pub given_up: i64,
    /// How far the run is, from 0 to 1.
    pub share: f64,
}

impl Store {
    /// Tables that are not over, by game and state.
    pub async fn open_tables(&self) -> Result<Vec<TableCount>, StoreError> {
        read!(self, metrics_statements, open_tables())
    }

    /// How many jobs of a run stand where.
    pub async fn job_counts(&self, run: &str) -> Result<JobCounts, StoreError> {
        read!(self, metrics_statements, job_counts(run))
    }
}
