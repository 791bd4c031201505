//! What every queue does.

use crate::Batch;

/// Whether to go on after a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Continue,
    /// The rest is not needed; it is cancelled.
    Stop,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Jobs that have a result.
    pub done: usize,
    pub all: usize,
    /// Jobs done, with the started shares of those that are being done.
    pub jobs: f64,
}

/// Who waits for results.
pub trait Listener {
    /// Takes the result of job `number`; called once for each job, in their order.
    fn result(&mut self, number: usize, bytes: Vec<u8>) -> Flow;

    /// Hears how far the run is, now and then.
    fn progress(&mut self, _progress: Progress) {}

    /// Hears what somebody should know: a worker that was refused, a job that is tried again.
    fn note(&mut self, _text: &str) {}
}

impl<F: FnMut(usize, Vec<u8>) -> Flow> Listener for F {
    fn result(&mut self, number: usize, bytes: Vec<u8>) -> Flow {
        self(number, bytes)
    }
}

/// Why a run did not end well.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// A job has no result and will not be tried again.
    #[error("job {number} of run {run} failed: {why}")]
    Dead { run: String, number: usize, why: String },
    /// Somebody cancelled the run.
    #[error("run {0} was cancelled")]
    Cancelled(String),
    /// A file that a job names was not made known.
    #[error("{0}")]
    File(String),
    /// The store did not keep what it was given.
    #[error("{0}")]
    Store(String),
    /// The queue cannot be reached or used.
    #[error("{0}")]
    Unreachable(String),
}

/// Runs jobs.
pub trait Queue {
    /// Runs the jobs of a batch and hands over the results in their order. Returns when all are handed over, or the
    /// listener has enough.
    fn run(&self, batch: &Batch, listener: &mut dyn Listener) -> Result<(), QueueError>;
}
