//! The interface of every queue.

use crate::Batch;

/// Whether the run continues after a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Continue,
    /// Cancels the remaining jobs.
    Stop,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunProgress {
    /// Jobs that have a result.
    pub done: usize,
    pub all: usize,
    /// Completed jobs plus the completed shares of running jobs.
    pub jobs: f64,
}

/// Receives the results of a run.
pub trait Listener {
    /// Takes the result of job `number`. Called once per job, in the order of the jobs.
    fn result(&mut self, number: usize, bytes: Vec<u8>) -> Flow;

    /// Takes the progress of the run, about once a second.
    fn progress(&mut self, _progress: RunProgress) {}

    /// Takes a message for the user: a rejected worker, a retried job.
    fn note(&mut self, _text: &str) {}
}

impl<F: FnMut(usize, Vec<u8>) -> Flow> Listener for F {
    fn result(&mut self, number: usize, bytes: Vec<u8>) -> Flow {
        self(number, bytes)
    }
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// A job failed for good: it is not retried.
    #[error("job {number} of run {run} failed: {why}")]
    Dead { run: String, number: usize, why: String },
    /// The run was cancelled.
    #[error("run {0} was cancelled")]
    Cancelled(String),
    /// A job names a file that is not registered.
    #[error("{0}")]
    File(String),
    /// The store failed.
    #[error("{0}")]
    Store(String),
    /// The queue cannot be reached.
    #[error("{0}")]
    Unreachable(String),
}

/// Runs jobs.
pub trait Queue {
    /// Runs the jobs of a batch and passes the results to the listener in the order of the jobs. Returns after the last
    /// one, or when the listener answers [`Flow::Stop`].
    fn run(&self, batch: &Batch, listener: &mut dyn Listener) -> Result<(), QueueError>;
}
