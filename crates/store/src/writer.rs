//! The single writer of an SQLite store: group commit of all queued writes.
//!
//! A commit with a synchronous write-ahead log costs one disk flush, however many writes it holds. Under load, writes
//! share flushes; a single write does not wait.

use crate::accounts::AccountWrite;
use crate::jobs::JobWrite;
use crate::rows::{Append, GameState, GuestRow, NewGame};
use crate::{StoreError, sqlite};
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

/// Maximum number of queued writes. Further ones fail as busy.
const QUEUE: usize = 4096;
/// Maximum number of writes per commit.
const BATCH: usize = 256;

/// One write.
#[derive(Debug)]
pub(crate) enum Write {
    Create(Box<NewGame>),
    Append(Box<Append>),
    Guest(GuestRow),
    Rename {
        guest: String,
        name: String,
    },
    Account(Box<AccountWrite>),
    Delete {
        state: GameState,
        before_ms: i64,
    },
    /// Writes a time, to see whether writing works.
    Probe {
        at_ms: i64,
    },
    Jobs(Box<JobWrite>),
}

struct Job {
    write: Write,
    answer: oneshot::Sender<Result<(), StoreError>>,
}

/// Handle of the writer.
#[derive(Clone)]
pub(crate) struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    /// Starts the writer on a dedicated connection.
    pub(crate) fn start(connection: SqliteConnection) -> (Self, tokio::task::JoinHandle<()>) {
        let (jobs, waiting) = mpsc::channel(QUEUE);
        (Self { jobs }, tokio::spawn(run(connection, waiting)))
    }

    /// Queues a write and waits for its commit.
    pub(crate) async fn write(&self, write: Write) -> Result<(), StoreError> {
        let (answer, committed) = oneshot::channel();
        self.jobs.try_send(Job { write, answer }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Busy,
            mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
        })?;
        committed.await.map_err(|_| StoreError::Closed)?
    }
}

async fn run(mut connection: SqliteConnection, mut waiting: mpsc::Receiver<Job>) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.recv_many(&mut batch, BATCH).await > 0 {
        match commit(&mut connection, &batch).await {
            Ok(answers) => {
                for (job, answer) in batch.drain(..).zip(answers) {
                    // The caller may have given up.
                    let _ = job.answer.send(answer);
                }
            }
            Err(error) => {
                tracing::error!(%error, writes = batch.len(), "a batch of writes was not committed");
                let _ = sqlx::query("ROLLBACK").execute(&mut connection).await;
                for job in batch.drain(..) {
                    let _ = job.answer.send(Err(error.clone()));
                }
            }
        }
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the store did not close cleanly");
    }
}

/// Executes a batch in one transaction. Conflicts fail single writes; any other error fails the whole batch.
async fn commit(connection: &mut SqliteConnection, batch: &[Job]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let mut answers = Vec::with_capacity(batch.len());
    for job in batch {
        match sqlite::statements::write(connection, &job.write).await {
            Err(refused @ (StoreError::Conflict { .. } | StoreError::Taken(_))) => answers.push(Err(refused)),
            other => answers.push(Ok(other?)),
        }
    }
    sqlx::query("COMMIT").execute(&mut *connection).await?;
    Ok(answers)
}
