//! Every statement of the queue's tables, once; compiled for each database (`super::Db`).

use super::Db;
use crate::StoreError;
use crate::jobs::{JobRow, JobState, JobUpdate, JobWrite, NewRun, RunRow, RunState};
use sqlx::{Database, Row};

type Connection = <Db as Database>::Connection;
type DbRow = <Db as Database>::Row;
type Answer<T> = Result<T, StoreError>;

/// Carries out one write inside the caller's transaction.
pub(crate) async fn write(connection: &mut Connection, write: &JobWrite) -> Answer<()> {
    match write {
        JobWrite::Open(run) => open(connection, run).await,
        JobWrite::Update { run, jobs, at_ms } => {
            for (number, update) in jobs {
                self::update(connection, run, *number, update, *at_ms).await?;
            }
            Ok(())
        }
        JobWrite::Result { run, number, job, bytes, at_ms } => {
            let sql = "INSERT INTO results (job_id, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            sqlx::query(sql).bind(job).bind(bytes.as_slice()).execute(&mut *connection).await?;
            let sql = "UPDATE jobs SET state = 'done', share = 1, updated_ms = $1 WHERE run_id = $2 AND number = $3";
            sqlx::query(sql).bind(at_ms).bind(run).bind(number).execute(&mut *connection).await?;
            touch(connection, run, *at_ms).await
        }
        JobWrite::End { run, state, at_ms } => end(connection, run, *state, *at_ms).await,
        JobWrite::Retry { run, at_ms } => {
            let sql = "UPDATE jobs SET state = 'queued', share = 0, attempts = 0, worker = '', why = '', \
                       updated_ms = $1 WHERE run_id = $2 AND state IN ('dead', 'cancelled')";
            sqlx::query(sql).bind(at_ms).bind(run).execute(&mut *connection).await?;
            set_state(connection, run, RunState::Running, *at_ms).await
        }
        JobWrite::Forget { run } => {
            let sql = "DELETE FROM results WHERE job_id IN (SELECT id FROM jobs WHERE run_id = $1)";
            sqlx::query(sql).bind(run).execute(&mut *connection).await?;
            sqlx::query("DELETE FROM runs WHERE id = $1").bind(run).execute(&mut *connection).await?;
            sweep_files(connection).await
        }
        JobWrite::Part { hash, part, bytes } => {
            let sql = "INSERT INTO artifact_parts (hash, part, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
            sqlx::query(sql).bind(hash).bind(part).bind(bytes.as_slice()).execute(connection).await?;
            Ok(())
        }
        JobWrite::Artifact { hash, size, at_ms } => {
            let sql = "INSERT INTO artifacts (hash, size, created_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
            sqlx::query(sql).bind(hash).bind(size).bind(at_ms).execute(connection).await?;
            Ok(())
        }
    }
}

/// Writes a run down, or takes up one that is there: what is done stays done, what was cancelled is queued again.
async fn open(connection: &mut Connection, run: &NewRun) -> Answer<()> {
    let sql = "INSERT INTO runs (id, title, kind, program, queue, state, created_ms, updated_ms) \
               VALUES ($1, $2, $3, $4, $5, 'running', $6, $6) \
               ON CONFLICT (id) DO UPDATE SET state = 'running', queue = excluded.queue, \
               updated_ms = excluded.updated_ms";
    sqlx::query(sql)
        .bind(&run.id)
        .bind(&run.title)
        .bind(&run.kind)
        .bind(&run.program)
        .bind(&run.queue)
        .bind(run.at_ms)
        .execute(&mut *connection)
        .await?;
    let sql = "INSERT INTO jobs (run_id, number, id, state, share, attempts, worker, why, updated_ms) \
               VALUES ($1, $2, $3, 'queued', 0, 0, '', '', $4) \
               ON CONFLICT (run_id, number) DO UPDATE SET state = 'queued', share = 0, worker = '', \
               updated_ms = excluded.updated_ms \
               WHERE NOT EXISTS (SELECT 1 FROM results WHERE results.job_id = jobs.id)";
    for (number, id) in run.jobs.iter().enumerate() {
        sqlx::query(sql).bind(&run.id).bind(number as i64).bind(id).bind(run.at_ms).execute(&mut *connection).await?;
    }
    for hash in &run.files {
        let sql = "INSERT INTO run_files (run_id, hash) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        sqlx::query(sql).bind(&run.id).bind(hash).execute(&mut *connection).await?;
    }
    Ok(())
}

async fn touch(connection: &mut Connection, run: &str, at_ms: i64) -> Answer<()> {
    let sql = "UPDATE runs SET updated_ms = $1 WHERE id = $2";
    sqlx::query(sql).bind(at_ms).bind(run).execute(connection).await?;
    Ok(())
}

/// A job that is done stays done, whatever comes late.
async fn update(connection: &mut Connection, run: &str, number: i64, update: &JobUpdate, at_ms: i64) -> Answer<()> {
    let sql = "UPDATE jobs SET state = $1, share = $2, attempts = $3, worker = $4, why = $5, updated_ms = $6 \
               WHERE run_id = $7 AND number = $8 AND state <> 'done'";
    sqlx::query(sql)
        .bind(update.state.as_str())
        .bind(update.share)
        .bind(i64::from(update.attempts))
        .bind(&update.worker)
        .bind(&update.why)
        .bind(at_ms)
        .bind(run)
        .bind(number)
        .execute(connection)
        .await?;
    Ok(())
}

async fn set_state(connection: &mut Connection, run: &str, state: RunState, at_ms: i64) -> Answer<()> {
    let sql = "UPDATE runs SET state = $1, updated_ms = $2 WHERE id = $3";
    sqlx::query(sql).bind(state.as_str()).bind(at_ms).bind(run).execute(connection).await?;
    Ok(())
}

/// Ends a run. Jobs that have not ended are cancelled; after a good end nobody needs the results any more.
async fn end(connection: &mut Connection, run: &str, state: RunState, at_ms: i64) -> Answer<()> {
    set_state(connection, run, state, at_ms).await?;
    let sql = "UPDATE jobs SET state = 'cancelled', updated_ms = $1 \
               WHERE run_id = $2 AND state IN ('queued', 'running')";
    sqlx::query(sql).bind(at_ms).bind(run).execute(&mut *connection).await?;
    if state == RunState::Done {
        let sql = "DELETE FROM results WHERE job_id IN (SELECT id FROM jobs WHERE run_id = $1) AND job_id NOT IN \
                   (SELECT jobs.id FROM jobs JOIN runs ON runs.id = jobs.run_id WHERE runs.state <> 'done')";
        sqlx::query(sql).bind(run).execute(&mut *connection).await?;
    }
    sweep_files(connection).await
}

/// Removes files that no running run names.
async fn sweep_files(connection: &mut Connection) -> Answer<()> {
    for table in ["artifacts", "artifact_parts"] {
        let sql = sqlx::AssertSqlSafe(format!(
            "DELETE FROM {table} WHERE hash NOT IN \
             (SELECT hash FROM run_files JOIN runs ON runs.id = run_files.run_id WHERE runs.state = 'running')"
        ));
        sqlx::query(sql).execute(&mut *connection).await?;
    }
    Ok(())
}

const RUN_COLUMNS: &str = "id, title, kind, program, queue, state, created_ms, updated_ms";

fn run_row(row: &DbRow) -> Result<RunRow, sqlx::Error> {
    Ok(RunRow {
        id: row.try_get(0)?,
        title: row.try_get(1)?,
        kind: row.try_get(2)?,
        program: row.try_get(3)?,
        queue: row.try_get(4)?,
        state: RunState::parse(row.try_get(5)?),
        created_ms: row.try_get(6)?,
        updated_ms: row.try_get(7)?,
    })
}

pub(crate) async fn run(connection: &mut Connection, id: &str) -> Answer<Option<RunRow>> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {RUN_COLUMNS} FROM runs WHERE id = $1"));
    let row = sqlx::query(sql).bind(id).fetch_optional(connection).await?;
    Ok(row.as_ref().map(run_row).transpose()?)
}

pub(crate) async fn runs(connection: &mut Connection, limit: u32) -> Answer<Vec<RunRow>> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {RUN_COLUMNS} FROM runs ORDER BY updated_ms DESC, id LIMIT $1"));
    let rows = sqlx::query(sql).bind(i64::from(limit)).fetch_all(connection).await?;
    Ok(rows.iter().map(run_row).collect::<Result<_, _>>()?)
}

pub(crate) async fn run_jobs(connection: &mut Connection, run: &str) -> Answer<Vec<JobRow>> {
    let sql = "SELECT number, id, state, share, attempts, worker, why, updated_ms FROM jobs WHERE run_id = $1 \
               ORDER BY number";
    let rows = sqlx::query(sql).bind(run).fetch_all(connection).await?;
    let job = |row: &DbRow| {
        Ok(JobRow {
            number: row.try_get(0)?,
            id: row.try_get(1)?,
            state: JobState::parse(row.try_get(2)?),
            share: row.try_get(3)?,
            attempts: row.try_get::<i64, _>(4)? as u32,
            worker: row.try_get(5)?,
            why: row.try_get(6)?,
            updated_ms: row.try_get(7)?,
        })
    };
    Ok(rows.iter().map(job).collect::<Result<_, sqlx::Error>>()?)
}

pub(crate) async fn result(connection: &mut Connection, job: &str) -> Answer<Option<Vec<u8>>> {
    let sql = "SELECT bytes FROM results WHERE job_id = $1";
    let row = sqlx::query(sql).bind(job).fetch_optional(connection).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// The size of a whole file that a running run names.
pub(crate) async fn artifact(connection: &mut Connection, hash: &str) -> Answer<Option<i64>> {
    let sql = "SELECT size FROM artifacts WHERE hash = $1 AND hash IN \
               (SELECT hash FROM run_files JOIN runs ON runs.id = run_files.run_id WHERE runs.state = 'running')";
    let row = sqlx::query(sql).bind(hash).fetch_optional(connection).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

pub(crate) async fn artifact_part(connection: &mut Connection, hash: &str, part: i64) -> Answer<Option<Vec<u8>>> {
    let sql = "SELECT bytes FROM artifact_parts WHERE hash = $1 AND part = $2";
    let row = sqlx::query(sql).bind(hash).bind(part).fetch_optional(connection).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}
