//! Kinds of work.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A kind of work. With the same task it must give the same bytes on every machine, or say in its own documentation why
/// it cannot (a match by the clock).
pub trait Work: Send + Sync {
    /// Its name in jobs, for instance `gomoku.selfplay`.
    fn kind(&self) -> &'static str;

    /// Raised whenever the form of the parameters or of the result changes, or the result itself.
    fn version(&self) -> u32;

    /// Does one job.
    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError>;
}

/// What one job asks for.
pub struct Task<'a> {
    pub params: &'a [u8],
    pub seeds: Range<u64>,
    /// The files of the job, in its order; their hashes were checked.
    pub artifacts: &'a [PathBuf],
    pub control: &'a Control,
}

/// Why a job has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// It would fail again: parameters that make no sense, a player that is not known.
    #[error("{0}")]
    Refused(String),
    /// It may succeed another time: a full disk, a file that went away.
    #[error("{0}")]
    Failed(String),
    /// Nobody wants the result any more.
    #[error("cancelled")]
    Cancelled,
}

/// The line between a job and whoever waits for it.
#[derive(Clone, Debug, Default)]
pub struct Control {
    cancelled: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
    all: Arc<AtomicU64>,
}

impl Control {
    /// A line of its own.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the work should stop; long work asks now and then.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Says how far the work is.
    pub fn progress(&self, done: u64, all: u64) {
        self.all.store(all, Ordering::Relaxed);
        self.done.store(done, Ordering::Relaxed);
    }

    /// How far the work is, from 0 to 1.
    pub fn share(&self) -> f64 {
        let (done, all) = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        if all == 0 { 0.0 } else { (done as f64 / all as f64).min(1.0) }
    }
}

/// The kinds of work a program can do.
#[derive(Clone, Default)]
pub struct Registry {
    kinds: BTreeMap<&'static str, Arc<dyn Work>>,
}

impl Registry {
    /// No kinds yet.
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

    /// The work of that kind and version, or why there is none.
    pub fn find(&self, kind: &str, version: u32) -> Result<&dyn Work, WorkError> {
        let work = self.kinds.get(kind).ok_or_else(|| {
            WorkError::Refused(format!("this program knows no work called {kind}; update it, or the one that asks"))
        })?;
        if work.version() != version {
            return Err(WorkError::Refused(format!(
                "the job wants version {version} of {kind}; this program has version {}: both must be the same",
                work.version()
            )));
        }
        Ok(work.as_ref())
    }
}
