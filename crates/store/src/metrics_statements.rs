//! Metrics queries; compiled for each database (`super::Db`).

use super::Db;
use crate::metrics::{JobCounts, TableCount};
use crate::{GameState, StoreError};
use sqlx::{Database, Row};

type Connection = <Db as Database>::Connection;
type DbRow = <Db as Database>::Row;
type Answer<T> = Result<T, StoreError>;

/// Numbers of unfinished tables by game and state.
pub(crate) async fn open_tables(connection: &mut Connection) -> Answer<Vec<TableCount>> {
    let sql = "SELECT game, state, COUNT(*) FROM games WHERE state IN ('waiting', 'running') \
               GROUP BY game, state ORDER BY game, state";
    let rows = sqlx::query(sql).fetch_all(connection).await?;
    let tally = |row: &DbRow| {
        let waiting = row.try_get::<String, _>(1)? == GameState::Waiting.as_str();
        let state = if waiting { GameState::Waiting } else { GameState::Running };
        Ok(TableCount { game: row.try_get(0)?, state, tables: row.try_get(2)? })
    };
    Ok(rows.iter().map(tally).collect::<Result<_, sqlx::Error>>()?)
}

/// Numbers of a run's jobs by state, and its completed share.
pub(crate) async fn job_counts(connection: &mut Connection, run: &str) -> Answer<JobCounts> {
    let sql = "SELECT state, COUNT(*), SUM(share) FROM jobs WHERE run_id = $1 GROUP BY state";
    let rows = sqlx::query(sql).bind(run).fetch_all(connection).await?;
    let mut tally = JobCounts::default();
    for row in &rows {
        let (state, jobs): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
        tally.share += row.try_get::<Option<f64>, _>(2)?.unwrap_or(0.0);
        match state.as_str() {
            "queued" => tally.queued += jobs,
            "running" => tally.running += jobs,
            "done" => tally.done += jobs,
            _ => tally.given_up += jobs,
        }
    }
    let all = tally.queued + tally.running + tally.done + tally.given_up;
    tally.share = if all == 0 { 0.0 } else { tally.share / all as f64 };
    Ok(tally)
}
