//! Kinds of work.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A kind of work. The same task gives the same bytes on every machine; an implementation that cannot guarantee this (a
/// match by the clock) documents it.
pub trait Work: Send + Sync {
    /// Its name in jobs, for instance `gomoku.selfplay`.
    fn kind(&self) -> &'static str;

    /// Version number. It increases whenever the parameters, the result or their forms change.
    fn version(&self) -> u32;

    /// Runs one job.
    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError>;
}

/// The input of one job.
pub struct Task<'a> {
    pub params: &'a [u8],
    pub seeds: Range<u64>,
    /// Paths of the job's files in its order. Their hashes were verified.
    pub artifacts: &'a [PathBuf],
    pub control: &'a TaskControl,
}

/// Why a job failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// It would fail again: invalid parameters, an unknown player.
    #[error("{0}")]
    Refused(String),
    /// A retry may succeed: a full disk, a missing file.
    #[error("{0}")]
    Failed(String),
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// Handle of a running job: cancels it and reads its progress.
#[derive(Clone, Debug, Default)]
pub struct TaskControl {
    cancelled: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
    all: Arc<AtomicU64>,
}

impl TaskControl {
    /// A new handle.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the job was cancelled. Long work polls this.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Requests that the work stops.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Reports progress.
    pub fn progress(&self, done: u64, all: u64) {
        self.all.store(all, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    /// Completed share, 0 to 1.
    pub fn share(&self) -> f64 {
        let (done, all) = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        if all == 0 { 0.0 } else { (done as f64 / all as f64).min(1.0) }
    }
}

/// The kinds of work that a program supports.
#[derive(Clone, Default)]
pub struct Registry {
    kinds: BTreeMap<&'static str, Arc<dyn Work>>,
}

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a kind of work.
    #[must_use]
    pub fn with(mut self, work: impl Work + 'static) -> Self {
        self.kinds.insert(work.kind(), Arc::new(work));
        self
    }

    /// The names of all kinds.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.kinds.keys().copied()
    }

    /// The work of a kind and version, or a refusal.
    pub fn find(&self, kind: &str, version: u32) -> Result<&dyn Work, WorkError> {
        let work = self.kinds.get(kind).ok_or_else(|| {
            WorkError::Refused(format!(
                "this program has no work called {kind}; update it, or the program that submits the job"
            ))
        })?;
        if work.version() != version {
            return Err(WorkError::Refused(format!(
                "the job needs version {version} of {kind}; this program has version {}: both must be equal",
                work.version()
            )));
        }
        Ok(work.as_ref())
    }
}
