//! The queue of one machine: threads of this process.

#[cfg(feature = "store")]
use crate::JobStore;
use crate::execute::{ATTEMPTS, run_once};
use crate::reorder_buffer::ReorderBuffer;
use crate::{Batch, Flow, Job, Listener, Queue, QueueError, Registry, RunProgress, TaskControl, WorkError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Interval of progress reports and cancellation checks.
const LOOK: Duration = Duration::from_millis(500);

/// Runs jobs on threads of this process. With a store, an interrupted run resumes from its stored results.
pub struct LocalQueue {
    registry: Registry,
    threads: usize,
    #[cfg(feature = "store")]
    store: Option<JobStore>,
}

/// What a thread reports.
enum Report {
    Began(usize),
    Ended(usize, Result<Vec<u8>, WorkError>),
    Again(usize, u32, String),
}

impl LocalQueue {
    /// A queue with the given number of threads and without a store.
    pub fn new(registry: Registry, threads: usize) -> Self {
        Self {
            registry,
            threads: threads.max(1),
            #[cfg(feature = "store")]
            store: None,
        }
    }

    /// The same queue with its state in a store.
    #[cfg(feature = "store")]
    #[must_use]
    pub fn with_store(self, store: JobStore) -> Self {
        Self { store: Some(store), ..self }
    }

    /// Runs one job, with retries after failures. Returns whether it succeeded.
    fn attempt(
        &self,
        number: usize,
        job: &Job,
        files: &[PathBuf],
        control: &TaskControl,
        reports: &Sender<Report>,
    ) -> bool {
        let _ = reports.send(Report::Began(number));
        let mut tried = 1;
        let result = loop {
            match run_once(&self.registry, job, files, control) {
                Err(WorkError::Failed(why)) if tried < ATTEMPTS && !control.is_cancelled() => {
                    let _ = reports.send(Report::Again(number, tried, why));
                    tried += 1;
                }
                Err(WorkError::Failed(why)) => {
                    break Err(WorkError::Failed(format!("{why} (tried {tried} times)")));
                }
                other => break other,
            }
        };
        let good = result.is_ok();
        let _ = reports.send(Report::Ended(number, result));
        good
    }
}

impl Queue for LocalQueue {
    fn run(&self, batch: &Batch, listener: &mut dyn Listener) -> Result<(), QueueError> {
        let files = batch.jobs.iter().map(|job| files_of(batch, job)).collect::<Result<Vec<_>, _>>()?;
        let mut order = ReorderBuffer::default();
        batch.already_done.iter().for_each(|&number| order.skip(number));
        #[cfg(feature = "store")]
        if let Some(store) = &self.store {
            for (number, bytes) in store.open_run(batch, "local")? {
                order.put(number, bytes);
            }
        }
        let missing: Vec<usize> = (0..batch.jobs.len()).filter(|&number| !order.knows(number)).collect();
        let controls: Vec<TaskControl> = batch.jobs.iter().map(|_| TaskControl::new()).collect();
        let next = AtomicUsize::new(0);
        let (sender, reports) = channel();
        let result = std::thread::scope(|scope| {
            for _ in 0..self.threads.min(missing.len()) {
                let (sender, next, missing, files, controls) = (sender.clone(), &next, &missing, &files, &controls);
                scope.spawn(move || {
                    while let Some(&number) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if controls[number].is_cancelled() {
                            break;
                        }
                        if !self.attempt(number, &batch.jobs[number], &files[number], &controls[number], &sender) {
                            // No thread starts another job.
                            next.store(missing.len(), Ordering::Relaxed);
                        }
                    }
                });
            }
            drop(sender);
            let result = self.collect(batch, &mut order, &reports, &controls, listener);
            controls.iter().for_each(TaskControl::cancel);
            result
        });
        #[cfg(feature = "store")]
        if let Some(store) = &self.store {
            store.close_run(batch, &result)?;
        }
        result
    }
}

impl LocalQueue {
    /// Processes the reports of the threads until every result is returned.
    fn collect(
        &self,
        batch: &Batch,
        order: &mut ReorderBuffer,
        reports: &std::sync::mpsc::Receiver<Report>,
        controls: &[TaskControl],
        listener: &mut dyn Listener,
    ) -> Result<(), QueueError> {
        let all = batch.jobs.len();
        loop {
            while let Some((number, bytes)) = order.pop() {
                if listener.result(number, bytes) == Flow::Stop {
                    return Ok(());
                }
            }
            if order.is_through(all) {
                return Ok(());
            }
            match reports.recv_timeout(LOOK) {
                Ok(Report::Began(_number)) =>
                {
                    #[cfg(feature = "store")]
                    if let Some(store) = &self.store {
                        store.record_start(batch, _number, "this process", 1)?;
                    }
                }
                Ok(Report::Again(number, tried, why)) => {
                    listener.note(&format!(
                        "job {number} failed and is retried (attempt {tried} of {ATTEMPTS} failed): {why}"
                    ));
                }
                Ok(Report::Ended(number, Ok(bytes))) => {
                    #[cfg(feature = "store")]
                    if let Some(store) = &self.store {
                        store.record_result(batch, number, &bytes)?;
                    }
                    order.put(number, bytes);
                    listener.progress(progress(order, all, controls));
                }
                Ok(Report::Ended(number, Err(error))) => {
                    let run = batch.run_id();
                    if error == WorkError::Cancelled {
                        return Err(QueueError::Cancelled(run));
                    }
                    return Err(QueueError::Dead { run, number, why: error.to_string() });
                }
                Err(RecvTimeoutError::Timeout) => {
                    listener.progress(progress(order, all, controls));
                    #[cfg(feature = "store")]
                    if let Some(store) = &self.store {
                        store.record_progress(batch, controls.iter().map(TaskControl::share).enumerate(), order)?;
                        if store.is_cancelled(batch)? {
                            return Err(QueueError::Cancelled(batch.run_id()));
                        }
                    }
                }
                // Every thread has ended but results are missing: the run was cancelled.
                Err(RecvTimeoutError::Disconnected) => return Err(QueueError::Cancelled(batch.run_id())),
            }
        }
    }
}

fn progress(order: &ReorderBuffer, all: usize, controls: &[TaskControl]) -> RunProgress {
    let begun = controls.iter().enumerate().filter(|(number, _)| !order.knows(*number));
    let jobs = order.done() as f64 + begun.map(|(_, control)| control.share()).sum::<f64>();
    RunProgress { done: order.done(), all, jobs }
}

/// Paths of a job's files.
pub(crate) fn files_of(batch: &Batch, job: &Job) -> Result<Vec<PathBuf>, QueueError> {
    let find = |hash: &crate::Hash| {
        let unknown =
            || QueueError::File(format!("a job of {} names file {hash}, which is not registered", batch.title));
        batch.path(hash).map(PathBuf::from).ok_or_else(unknown)
    };
    job.artifacts.iter().map(find).collect()
}
