//! The state of runs in the store, with a blocking interface.

#[cfg(feature = "nats")]
use crate::Hash;
use crate::reorder_buffer::ReorderBuffer;
use crate::{Batch, QueueError};
use std::future::Future;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
#[cfg(feature = "nats")]
use std::{io::Read, path::Path};
use store::jobs::{JobState, JobUpdate, NewRun, RunState};
use store::{Store, StoreError};

/// Largest stored result in bytes.
const LARGEST_RESULT: usize = 256 << 20;
/// Largest file that workers fetch, in bytes.
#[cfg(feature = "nats")]
pub(crate) const LARGEST_FILE: u64 = 1 << 30;
/// Bytes of a file per row.
#[cfg(feature = "nats")]
const PART: usize = 1 << 20;

/// A store with its own event loop. Clones share both.
#[derive(Clone)]
pub struct JobStore {
    store: Store,
    runtime: Arc<tokio::runtime::Runtime>,
}

fn failed(error: StoreError) -> QueueError {
    QueueError::Store(error.to_string())
}

pub(crate) fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_millis() as i64)
}

impl JobStore {
    /// Opens a store by its address.
    pub fn open(address: &str) -> Result<Self, QueueError> {
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

    /// Blocks on a future in the event loop.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    pub(crate) fn open_run(&self, batch: &Batch, queue: &str) -> Result<Vec<(usize, Vec<u8>)>, QueueError> {
        self.wait(open_run(&self.store, batch, queue))
    }

    pub(crate) fn record_start(
        &self,
        batch: &Batch,
        number: usize,
        worker: &str,
        attempts: u32,
    ) -> Result<(), QueueError> {
        let update =
            JobUpdate { state: JobState::Running, worker: worker.to_owned(), attempts, ..JobUpdate::default() };
        self.wait(update_jobs(&self.store, batch, vec![(number, update)]))
    }

    pub(crate) fn record_result(&self, batch: &Batch, number: usize, bytes: &[u8]) -> Result<(), QueueError> {
        self.wait(put_result(&self.store, batch, number, bytes))
    }

    pub(crate) fn record_progress(
        &self,
        batch: &Batch,
        shares: impl Iterator<Item = (usize, f64)>,
        order: &ReorderBuffer,
    ) -> Result<(), QueueError> {
        let updates = shares
            .filter(|&(number, share)| share > 0.0 && !order.knows(number))
            .map(|(number, share)| {
                let worker = "this process".to_owned();
                (number, JobUpdate { state: JobState::Running, worker, share, attempts: 1, ..JobUpdate::default() })
            })
            .collect();
        self.wait(update_jobs(&self.store, batch, updates))
    }

    pub(crate) fn is_cancelled(&self, batch: &Batch) -> Result<bool, QueueError> {
        self.wait(is_cancelled(&self.store, batch))
    }

    pub(crate) fn close_run(&self, batch: &Batch, result: &Result<(), QueueError>) -> Result<(), QueueError> {
        self.wait(close_run(&self.store, batch, result))
    }
}

/// Creates or resumes a run and returns its stored results. A failed job is an error that says how to requeue it.
pub(crate) async fn open_run(store: &Store, batch: &Batch, queue: &str) -> Result<Vec<(usize, Vec<u8>)>, QueueError> {
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
        let why = format!("{}; `parlour jobs retry {id}` requeues it", dead.why);
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

/// Updates the states of jobs.
pub(crate) async fn update_jobs(store: &Store, batch: &Batch, jobs: Vec<(usize, JobUpdate)>) -> Result<(), QueueError> {
    if jobs.is_empty() {
        return Ok(());
    }
    let jobs = jobs.into_iter().map(|(number, update)| (number as i64, update)).collect();
    store.update_jobs(&batch.run_id(), jobs, now_ms()).await.map_err(failed)
}

/// Stores the result of a job. The first result counts; it is durable on return.
pub(crate) async fn put_result(store: &Store, batch: &Batch, number: usize, bytes: &[u8]) -> Result<(), QueueError> {
    if bytes.len() > LARGEST_RESULT {
        let text = format!("a result of {} bytes exceeds the store's limit of 256 MiB; use smaller jobs", bytes.len());
        return Err(QueueError::Store(text));
    }
    let id = batch.jobs[number].id().to_string();
    store.put_result(&batch.run_id(), number as i64, &id, bytes.to_vec(), now_ms()).await.map_err(failed)
}

pub(crate) async fn is_cancelled(store: &Store, batch: &Batch) -> Result<bool, QueueError> {
    let run = store.run(&batch.run_id()).await.map_err(failed)?;
    Ok(run.is_some_and(|run| run.state == RunState::Cancelled))
}

/// Records how a run ended. Results and files of a successful run are deleted.
pub(crate) async fn close_run(store: &Store, batch: &Batch, result: &Result<(), QueueError>) -> Result<(), QueueError> {
    let run = batch.run_id();
    let state = match result {
        Ok(()) => RunState::Done,
        Err(QueueError::Cancelled(_)) => RunState::Cancelled,
        Err(QueueError::Dead { number, why, .. }) => {
            let update = JobUpdate { state: JobState::Dead, why: why.clone(), ..JobUpdate::default() };
            update_jobs(store, batch, vec![(*number, update)]).await?;
            RunState::Failed
        }
        // The run resumes when the command is repeated.
        Err(_) => return Ok(()),
    };
    store.end_run(&run, state, now_ms()).await.map_err(failed)
}

/// Uploads a file to the store, from where servers send it to workers. An existing file is kept.
#[cfg(feature = "nats")]
pub(crate) async fn put_file(store: &Store, hash: &Hash, path: &Path) -> Result<(), QueueError> {
    let name = hash.to_string();
    if store.artifact(&name).await.map_err(failed)?.is_some() {
        return Ok(());
    }
    let cannot = |error: std::io::Error| QueueError::File(format!("{}: {error}", path.display()));
    let size = std::fs::metadata(path).map_err(cannot)?.len();
    if size > LARGEST_FILE {
        let text = format!("{}: {size} bytes exceed {LARGEST_FILE}, the limit for a job's file", path.display());
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
