//! The state of runs in the store, for callers without an event loop.

#[cfg(feature = "nats")]
use crate::Hash;
use crate::order::InOrder;
use crate::{Batch, QueueError};
use std::future::Future;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
#[cfg(feature = "nats")]
use std::{io::Read, path::Path};
use store::jobs::{JobState, JobUpdate, NewRun, RunState};
use store::{Store, StoreError};

/// The largest result that is kept.
const LARGEST_RESULT: usize = 256 << 20;
/// The largest file that is handed to other machines.
#[cfg(feature = "nats")]
pub(crate) const LARGEST_FILE: u64 = 1 << 30;
/// Bytes of a file in one row.
#[cfg(feature = "nats")]
const PART: usize = 1 << 20;

/// A store with an event loop of its own; clones share both.
#[derive(Clone)]
pub struct Keep {
    store: Store,
    runtime: Arc<tokio::runtime::Runtime>,
}

fn failed(error: StoreError) -> QueueError {
    QueueError::Store(error.to_string())
}

pub(crate) fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_millis() as i64)
}

impl Keep {
    /// Opens a store by its address.
    pub fn open_store(address: &str) -> Result<Self, QueueError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| QueueError::Store(error.to_string()))?;
        let store = runtime.block_on(Store::open(address)).map_err(failed)?;
        Ok(Self { store, runtime: Arc::new(runtime) })
    }

    /// The store itself.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Waits for something that needs the event loop.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    pub(crate) fn open(&self, batch: &Batch, queue: &str) -> Result<Vec<(usize, Vec<u8>)>, QueueError> {
        self.wait(open(&self.store, batch, queue))
    }

    pub(crate) fn began(&self, batch: &Batch, number: usize, worker: &str, attempts: u32) -> Result<(), QueueError> {
        let update =
            JobUpdate { state: JobState::Running, worker: worker.to_owned(), attempts, ..JobUpdate::default() };
        self.wait(note(&self.store, batch, vec![(number, update)]))
    }

    pub(crate) fn ended(&self, batch: &Batch, number: usize, bytes: &[u8]) -> Result<(), QueueError> {
        self.wait(ended(&self.store, batch, number, bytes))
    }

    pub(crate) fn shares(
        &self,
        batch: &Batch,
        shares: impl Iterator<Item = (usize, f64)>,
        order: &InOrder,
    ) -> Result<(), QueueError> {
        let updates = shares
            .filter(|&(number, share)| share > 0.0 && !order.knows(number))
            .map(|(number, share)| {
                let worker = "this process".to_owned();
                (number, JobUpdate { state: JobState::Running, worker, share, attempts: 1, ..JobUpdate::default() })
            })
            .collect();
        self.wait(note(&self.store, batch, updates))
    }

    pub(crate) fn is_cancelled(&self, batch: &Batch) -> Result<bool, QueueError> {
        self.wait(is_cancelled(&self.store, batch))
    }

    pub(crate) fn close(&self, batch: &Batch, result: &Result<(), QueueError>) -> Result<(), QueueError> {
        self.wait(close(&self.store, batch, result))
    }
}

/// Writes a run down and answers the results that are there already. A job that was given up is an error that says how
/// to have it tried again.
pub(crate) async fn open(store: &Store, batch: &Batch, queue: &str) -> Result<Vec<(usize, Vec<u8>)>, QueueError> {
    let run = NewRun {
        id: batch.run_id(),
        title: batch.title.clone(),
        kind: batch.jobs.first().map(|job| job.kind.clone()).unwrap_or_default(),
        program: batch.jobs.first().map(|job| job.program.clone()).unwrap_or_default(),
        queue: queue.to_owned(),
        jobs: batch.jobs.iter().map(|job| job.id().to_string()).collect(),
        files: batch.files().map(|(hash, _)| hash.to_string()).collect(),
        at_ms: now_ms(),
    };
    let id = run.id.clone();
    let before = store.run_jobs(&id).await.map_err(failed)?;
    if let Some(dead) = before.iter().find(|job| job.state == JobState::Dead) {
        let why = format!("{}; `parlour jobs retry {id}` lets it be tried again", dead.why);
        return Err(QueueError::Dead { run: id, number: dead.number as usize, why });
    }
    store.open_run(run).await.map_err(failed)?;
    let mut have = Vec::new();
    for (number, job) in batch.jobs.iter().enumerate() {
        if let Some(bytes) = store.result(&job.id().to_string()).await.map_err(failed)? {
            have.push((number, bytes));
        }
    }
    Ok(have)
}

/// Writes down how some jobs are.
pub(crate) async fn note(store: &Store, batch: &Batch, jobs: Vec<(usize, JobUpdate)>) -> Result<(), QueueError> {
    if jobs.is_empty() {
        return Ok(());
    }
    let jobs = jobs.into_iter().map(|(number, update)| (number as i64, update)).collect();
    store.update_jobs(&batch.run_id(), jobs, now_ms()).await.map_err(failed)
}

/// Keeps a result, the first one of a job; it is there when this returns.
pub(crate) async fn ended(store: &Store, batch: &Batch, number: usize, bytes: &[u8]) -> Result<(), QueueError> {
    if bytes.len() > LARGEST_RESULT {
        let text = format!("a result of {} bytes is larger than the store takes; use smaller jobs", bytes.len());
        return Err(QueueError::Store(text));
    }
    let id = batch.jobs[number].id().to_string();
    store.put_result(&batch.run_id(), number as i64, &id, bytes.to_vec(), now_ms()).await.map_err(failed)
}

pub(crate) async fn is_cancelled(store: &Store, batch: &Batch) -> Result<bool, QueueError> {
    let run = store.run(&batch.run_id()).await.map_err(failed)?;
    Ok(run.is_some_and(|run| run.state == RunState::Cancelled))
}

/// Writes down how a run ended. Results and files of a run that ended well are not needed any more.
pub(crate) async fn close(store: &Store, batch: &Batch, result: &Result<(), QueueError>) -> Result<(), QueueError> {
    let run = batch.run_id();
    let state = match result {
        Ok(()) => RunState::Done,
        Err(QueueError::Cancelled(_)) => RunState::Cancelled,
        Err(QueueError::Dead { number, why, .. }) => {
            let update = JobUpdate { state: JobState::Dead, why: why.clone(), ..JobUpdate::default() };
            note(store, batch, vec![(*number, update)]).await?;
            RunState::Failed
        }
        // The run goes on when the command is given again.
        Err(_) => return Ok(()),
    };
    store.end_run(&run, state, now_ms()).await.map_err(failed)
}

/// Puts a file into the store, from where servers hand it to workers; one that is there stays.
#[cfg(feature = "nats")]
pub(crate) async fn put_file(store: &Store, hash: &Hash, path: &Path) -> Result<(), QueueError> {
    let name = hash.to_string();
    if store.artifact(&name).await.map_err(failed)?.is_some() {
        return Ok(());
    }
    let cannot = |error: std::io::Error| QueueError::File(format!("{}: {error}", path.display()));
    let size = std::fs::metadata(path).map_err(cannot)?.len();
    if size > LARGEST_FILE {
        let text =
            format!("{}: {size} bytes are more than {LARGEST_FILE}, the most a job's file may have", path.display());
        return Err(QueueError::File(text));
    }
    let mut file = std::fs::File::open(path).map_err(cannot)?;
    let (mut part, mut sent) = (0, 0);
    loop {
        let mut bytes = Vec::with_capacity(PART);
        let read = (&mut file).take(PART as u64).read_to_end(&mut bytes).map_err(cannot)?;
        if read == 0 {
            break;
        }
        store.put_artifact_part(&name, part, bytes).await.map_err(failed)?;
        (part, sent) = (part + 1, sent + read as u64);
    }
    if sent != size {
        return Err(QueueError::File(format!("{} changed while it was read", path.display())));
    }
    store.finish_artifact(&name, size as i64, now_ms()).await.map_err(failed)
}
