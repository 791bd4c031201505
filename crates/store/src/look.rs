//! Counts for those who run the house.

use crate::store::{Backend, Store, read};
use crate::{GameState, StoreError, postgres, sqlite};

/// How many tables of a game are in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableTally {
    pub game: String,
    pub state: GameState,
    pub tables: i64,
}

/// How many jobs of a run stand where.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JobTally {
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
    pub async fn open_tables(&self) -> Result<Vec<TableTally>, StoreError> {
        read!(self, look_statements, open_tables())
    }

    /// How many jobs of a run stand where.
    pub async fn job_tally(&self, run: &str) -> Result<JobTally, StoreError> {
        read!(self, look_statements, job_tally(run))
    }
}
