//! Metrics queries for operators.

use crate::store::{Backend, Store, read};
use crate::{GameState, StoreError, postgres, sqlite};

/// Number of tables of a game in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableCount {
    pub game: String,
    pub state: GameState,
    pub tables: i64,
}

/// Number of jobs of a run by state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JobCounts {
    pub queued: i64,
    pub running: i64,
    pub done: i64,
    /// Dead or cancelled.
    pub given_up: i64,
    /// Completed share of the run, 0 to 1.
    pub share: f64,
}

impl Store {
    /// Numbers of unfinished tables by game and state.
    pub async fn open_tables(&self) -> Result<Vec<TableCount>, StoreError> {
        read!(self, metrics_statements, open_tables())
    }

    /// Number of jobs of a run by state.
    pub async fn job_counts(&self, run: &str) -> Result<JobCounts, StoreError> {
        read!(self, metrics_statements, job_counts(run))
    }
}
