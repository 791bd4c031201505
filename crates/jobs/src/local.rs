//! The queue of one machine: threads of this process.

#[cfg(feature = "store")]
use crate::Keep;
use crate::order::InOrder;
use crate::run::{ATTEMPTS, run_once};
use crate::{Batch, Control, Flow, Job, Listener, Progress, Queue, QueueError, Registry, WorkError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often progress is told and a cancellation is looked for.
const LOOK: Duration = Duration::from_millis(500);

/// Threads of this process; with a store an interrupted run goes on from the results that are there.
pub struct Local {
    registry: Registry,
    threads: usize,
    #[cfg(feature = "store")]
    keep: Option<Keep>,
}

/// What a thread reports.
enum Report {
    Began(usize),
    Ended(usize, Result<Vec<u8>, WorkError>),
    Again(usize, u32, String),
}

impl Local {
    /// A queue of so many threads that forgets everything when it is done.
    pub fn new(registry: Registry, threads: usize) -> Self {
        Self {
            registry,
            threads: threads.max(1),
            #[cfg(feature = "store")]
            keep: None,
        }
    }

    /// The same queue with its state in a store.
    #[cfg(feature = "store")]
    #[must_use]
    pub fn kept(self, keep: Keep) -> Self {
        Self { keep: Some(keep), ..self }
    }

    /// Does one job, again if it fails and may succeed.
    /// Answers whether it has a result.
    fn attempt(
        &self,
        number: usize,
        job: &Job,
        files: &[PathBuf],
        control: &Control,
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

impl Queue for Local {
    fn run(&self, batch: &Batch, listener: &mut dyn Listener) -> Result<(), QueueError> {
        let files = batch.jobs.iter().map(|job| files_of(batch, job)).collect::<Result<Vec<_>, _>>()?;
        let mut order = InOrder::default();
        batch.had.iter().for_each(|&number| order.skip(number));
        #[cfg(feature = "store")]
        if let Some(keep) = &self.keep {
            for (number, bytes) in keep.open(batch, "local")? {
                order.put(number, bytes);
            }
        }
        let missing: Vec<usize> = (0..batch.jobs.len()).filter(|&number| !order.knows(number)).collect();
        let controls: Vec<Control> = batch.jobs.iter().map(|_| Control::new()).collect();
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
                            // No other thread begins another job either.
                            next.store(missing.len(), Ordering::Relaxed);
                        }
                    }
                });
            }
            drop(sender);
            let result = self.collect(batch, &mut order, &reports, &controls, listener);
            controls.iter().for_each(Control::cancel);
            result
        });
        #[cfg(feature = "store")]
        if let Some(keep) = &self.keep {
            keep.close(batch, &result)?;
        }
        result
    }
}

impl Local {
    /// Takes what the threads report until everything is handed over.
    fn collect(
        &self,
        batch: &Batch,
        order: &mut InOrder,
        reports: &std::sync::mpsc::Receiver<Report>,
        controls: &[Control],
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
                    if let Some(keep) = &self.keep {
                        keep.began(batch, _number, "this process", 1)?;
                    }
                }
                Ok(Report::Again(number, tried, why)) => {
                    listener.note(&format!("job {number} failed and is tried again ({tried} of {ATTEMPTS}): {why}"));
                }
                Ok(Report::Ended(number, Ok(bytes))) => {
                    #[cfg(feature = "store")]
                    if let Some(keep) = &self.keep {
                        keep.ended(batch, number, &bytes)?;
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
                    if let Some(keep) = &self.keep {
                        keep.shares(batch, controls.iter().map(Control::share).enumerate(), order)?;
                        if keep.is_cancelled(batch)? {
                            return Err(QueueError::Cancelled(batch.run_id()));
                        }
                    }
                }
                // Every thread has ended, yet something is missing: it was cancelled.
                Err(RecvTimeoutError::Disconnected) => return Err(QueueError::Cancelled(batch.run_id())),
            }
        }
    }
}

fn progress(order: &InOrder, all: usize, controls: &[Control]) -> Progress {
    let begun = controls.iter().enumerate().filter(|(number, _)| !order.knows(*number));
    let jobs = order.done() as f64 + begun.map(|(_, control)| control.share()).sum::<f64>();
    Progress { done: order.done(), all, jobs }
}

/// Where the files of a job are.
pub(crate) fn files_of(batch: &Batch, job: &Job) -> Result<Vec<PathBuf>, QueueError> {
    let find = |hash: &crate::Hash| {
        let unknown = || QueueError::File(format!("a job of {} names file {hash}, which is not here", batch.title));
        batch.path(hash).map(PathBuf::from).ok_or_else(unknown)
    };
    job.artifacts.iter().map(find).collect()
}
