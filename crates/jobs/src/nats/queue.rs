//! The submitter: publishes jobs, stores results and returns them in the order of the jobs.

use super::result_reader::read_results;
use super::wire::{Heartbeat, JobOffer, JobOutcome, Part, PartAssembler, VersionMismatch, VersionProbe, read, write};
use super::{Connection, LARGEST_JOB, job_subject, program_token, retry, run_subject, without_secrets};
use crate::job_store::{self, JobStore};
use crate::local_queue::files_of;
use crate::reorder_buffer::ReorderBuffer;
use crate::{Batch, Flow, Listener, Queue, QueueError, RunProgress};
use futures_util::{StreamExt, TryStreamExt};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use store::jobs::{JobState, JobUpdate};
use tokio::sync::mpsc;

/// Maximum time of the first connection attempts.
const CONNECT: Duration = Duration::from_secs(15);
/// Interval of progress reports, store updates and cancellation checks.
const TICK: Duration = Duration::from_secs(1);
/// Interval of version probes.
const PROBE: Duration = Duration::from_secs(5);
/// After this time without a result, missing jobs are published again if they are not in the queue.
const SILENCE: Duration = Duration::from_secs(10);

/// A queue on a NATS server, with the store that holds results.
pub struct NatsQueue {
    address: String,
    store: JobStore,
}

impl NatsQueue {
    /// A queue at `nats://…`. Connects on the first run.
    pub fn new(address: impl Into<String>, store: JobStore) -> Self {
        Self { address: address.into(), store }
    }

    /// Cancels a run: notifies the workers and removes its jobs and results.
    pub fn cancel(&self, run: &str) -> Result<(), QueueError> {
        self.store.wait(async {
            let connection = Connection::open(&self.address, "parlour jobs").await?;
            end(&connection, run, "cancelled").await
        })
    }
}

impl Queue for NatsQueue {
    fn run(&self, batch: &Batch, listener: &mut dyn Listener) -> Result<(), QueueError> {
        self.store.wait(async {
            let result = self.drive(batch, listener).await;
            job_store::close_run(self.store.store(), batch, &result).await?;
            result
        })
    }
}

/// State of a run in progress.
struct RunDriver<'a> {
    batch: &'a Batch,
    run: String,
    connection: Connection,
    order: ReorderBuffer,
    parts: PartAssembler,
    /// Last heartbeat of each running job.
    heartbeats: BTreeMap<usize, (Heartbeat, Instant)>,
    /// Jobs whose heartbeats are not in the store yet.
    unsaved: BTreeSet<usize>,
    mismatched: BTreeSet<String>,
    /// Time of the last result.
    last_result: Instant,
    /// Whether a worker has sent a heartbeat.
    worker_seen: bool,
    warned_no_worker: bool,
}

impl NatsQueue {
    /// Connects, with retries for [`CONNECT`]: the server may be restarting.
    async fn connect(&self, name: &str, listener: &mut dyn Listener) -> Result<Connection, QueueError> {
        let begun = Instant::now();
        let mut said = false;
        loop {
            match Connection::open(&self.address, name).await {
                Ok(connection) => return Ok(connection),
                Err(error) if begun.elapsed() > CONNECT => return Err(error),
                Err(error) => {
                    if !std::mem::replace(&mut said, true) {
                        listener.note(&format!("{error}; trying for {} s", CONNECT.as_secs()));
                    }
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            }
        }
    }

    async fn drive(&self, batch: &Batch, listener: &mut dyn Listener) -> Result<(), QueueError> {
        for job in &batch.jobs {
            files_of(batch, job)?;
        }
        let store = self.store.store();
        let run = batch.run_id();
        let connection = self.connect(&format!("parlour {}", batch.title), listener).await?;
        let have = job_store::open_run(store, batch, &without_secrets(&self.address)).await?;
        for (hash, path) in batch.files() {
            job_store::put_file(store, hash, path).await?;
        }
        let mut drive = RunDriver {
            batch,
            run: run.clone(),
            connection: connection.clone(),
            order: ReorderBuffer::default(),
            parts: PartAssembler::default(),
            heartbeats: BTreeMap::new(),
            unsaved: BTreeSet::new(),
            mismatched: BTreeSet::new(),
            last_result: Instant::now(),
            worker_seen: false,
            warned_no_worker: false,
        };
        batch.already_done.iter().for_each(|&number| drive.order.skip(number));
        for (number, bytes) in have {
            drive.order.put(number, bytes);
        }
        connection.publish(run_subject(&run), b"open".to_vec()).await?;
        let (sender, parts) = mpsc::channel(64);
        let reader = tokio::spawn(read_results(connection.clone(), run.clone(), sender));
        let result = self.collect(&mut drive, parts, listener).await;
        reader.abort();
        match &result {
            Ok(()) => end(&connection, &run, "ended").await?,
            Err(QueueError::Cancelled(_) | QueueError::Dead { .. }) => end(&connection, &run, "cancelled").await?,
            // After other errors workers continue; the repeated command collects their results.
            Err(_) => {}
        }
        result
    }

    async fn collect(
        &self,
        drive: &mut RunDriver<'_>,
        mut parts: mpsc::Receiver<Part>,
        listener: &mut dyn Listener,
    ) -> Result<(), QueueError> {
        let away = |error: async_nats::SubscribeError| QueueError::Unreachable(error.to_string());
        let mut heartbeats =
            drive.connection.client.subscribe(format!("parlour.signs.{}", drive.run)).await.map_err(away)?;
        let mut refusals =
            drive.connection.client.subscribe(format!("parlour.refused.{}", drive.run)).await.map_err(away)?;
        if drive.hand_over(listener) {
            return Ok(());
        }
        drive.publish_missing().await?;
        drive.probe_versions().await;
        let mut tick = tokio::time::interval(TICK);
        let mut probed = Instant::now();
        loop {
            tokio::select! {
                part = parts.recv() => {
                    let Some(part) = part else {
                        return Err(QueueError::Unreachable("the reader of results ended".to_owned()));
                    };
                    if let Some((number, ending)) = drive.parts.take(part)
                        && self.take(drive, number, ending).await?
                        && drive.hand_over(listener)
                    {
                        return Ok(());
                    }
                }
                Some(message) = heartbeats.next() => drive.heartbeat(&message.payload),
                Some(message) = refusals.next() => drive.version_mismatch(&message.payload, listener),
                _ = tick.tick() => {
                    listener.progress(drive.progress());
                    self.save_heartbeats(drive).await?;
                    if job_store::is_cancelled(self.store.store(), drive.batch).await? {
                        return Err(QueueError::Cancelled(drive.run.clone()));
                    }
                    if probed.elapsed() >= PROBE {
                        probed = Instant::now();
                        drive.probe_versions().await;
                    }
                    if drive.last_result.elapsed() >= SILENCE {
                        drive.last_result = Instant::now();
                        drive.warn_if_no_worker(listener);
                        // A killed server may hold an older state of this run, on which workers drop its jobs.
                        drive.connection.publish(run_subject(&drive.run), b"open".to_vec()).await?;
                        drive.publish_missing().await?;
                    }
                }
            }
        }
    }

    /// Takes a job's outcome. Returns whether it was a new result.
    async fn take(&self, drive: &mut RunDriver<'_>, number: usize, ending: JobOutcome) -> Result<bool, QueueError> {
        if number >= drive.batch.jobs.len() || drive.order.knows(number) {
            return Ok(false);
        }
        match ending {
            JobOutcome::Dead(why) => Err(QueueError::Dead { run: drive.run.clone(), number, why }),
            JobOutcome::Done(bytes) => {
                job_store::put_result(self.store.store(), drive.batch, number, &bytes).await?;
                drive.order.put(number, bytes);
                drive.heartbeats.remove(&number);
                drive.last_result = Instant::now();
                Ok(true)
            }
        }
    }

    async fn save_heartbeats(&self, drive: &mut RunDriver<'_>) -> Result<(), QueueError> {
        let update = |beat: &Heartbeat| JobUpdate {
            state: JobState::Running,
            share: beat.share,
            attempts: beat.attempt,
            worker: beat.worker.clone(),
            why: String::new(),
        };
        let updates = std::mem::take(&mut drive.unsaved)
            .into_iter()
            .filter_map(|number| drive.heartbeats.get(&number).map(|(beat, _)| (number, update(beat))))
            .collect();
        job_store::update_jobs(self.store.store(), drive.batch, updates).await
    }
}

impl RunDriver<'_> {
    /// Returns the next results to the listener. Returns whether the run is finished.
    fn hand_over(&mut self, listener: &mut dyn Listener) -> bool {
        while let Some((number, bytes)) = self.order.pop() {
            if listener.result(number, bytes) == Flow::Stop {
                return true;
            }
        }
        self.order.is_through(self.batch.jobs.len())
    }

    /// Publishes the jobs without a result that are not in the queue.
    async fn publish_missing(&self) -> Result<(), QueueError> {
        let Some(program) = self.batch.jobs.first().map(|job| job.program.clone()) else { return Ok(()) };
        let waiting = self.waiting(&program).await?;
        for (number, job) in self.batch.jobs.iter().enumerate() {
            let subject = job_subject(&program, &self.run, number);
            if self.order.knows(number) || waiting.contains(&subject) {
                continue;
            }
            let offer = write(&JobOffer { run: self.run.clone(), number, job: job.clone() });
            if offer.len() > LARGEST_JOB {
                let text = format!("a job of {} bytes is too large; move its data into a file", offer.len());
                return Err(QueueError::Unreachable(text));
            }
            self.connection.publish(subject, offer).await?;
        }
        Ok(())
    }

    /// The subjects of the run's jobs in the queue, delivered or not.
    async fn waiting(&self, program: &str) -> Result<BTreeSet<String>, QueueError> {
        let filter = format!("parlour.jobs.{}.{}.>", program_token(program), self.run);
        let (jobs, filter) = (&self.connection.jobs, filter.as_str());
        retry("the NATS server", || async move {
            let subjects = jobs.info_with_subjects(filter).await.map_err(|error| error.to_string())?;
            let subjects: Vec<(String, usize)> = subjects.try_collect().await.map_err(|error| error.to_string())?;
            Ok(subjects.into_iter().map(|(subject, _)| subject).collect())
        })
        .await
    }

    /// Asks workers of other versions to report. Best effort, without retries.
    async fn probe_versions(&self) {
        let Some(job) = self.batch.jobs.first() else { return };
        let (run, title) = (self.run.clone(), self.batch.title.clone());
        let probe = write(&VersionProbe { run, title, program: job.program.clone() });
        let _ = self.connection.client.publish("parlour.call", probe.into()).await;
    }

    fn heartbeat(&mut self, payload: &[u8]) {
        let Some(beat) = read::<Heartbeat>(payload) else { return };
        self.worker_seen = true;
        if !self.order.knows(beat.number) && beat.number < self.batch.jobs.len() {
            self.unsaved.insert(beat.number);
            self.heartbeats.insert(beat.number, (beat, Instant::now()));
        }
    }

    /// Warns once that no worker has sent a heartbeat.
    fn warn_if_no_worker(&mut self, listener: &mut dyn Listener) {
        if !self.worker_seen && !std::mem::replace(&mut self.warned_no_worker, true) {
            listener.note("no worker has taken a job yet: start some with `parlour worker --queue … --server …`");
        }
    }

    fn version_mismatch(&mut self, payload: &[u8], listener: &mut dyn Listener) {
        let Some(refusal) = read::<VersionMismatch>(payload) else { return };
        if self.mismatched.insert(refusal.worker.clone()) {
            let program = self.batch.jobs.first().map(|job| job.program.as_str()).unwrap_or_default();
            listener.note(&format!(
                "worker {} runs {}; this run needs {program}: the worker gets no jobs until both are equal",
                refusal.worker, refusal.program
            ));
        }
    }

    fn progress(&mut self) -> RunProgress {
        self.heartbeats.retain(|_, (_, at)| at.elapsed() < 3 * super::LEASE);
        let shares: f64 = self.heartbeats.values().map(|(beat, _)| beat.share).sum();
        let done = self.order.done();
        RunProgress { done, all: self.batch.jobs.len(), jobs: done as f64 + shares }
    }
}

/// Publishes the final state of a run and removes its jobs and results.
async fn end(connection: &Connection, run: &str, state: &str) -> Result<(), QueueError> {
    connection.publish(run_subject(run), state.as_bytes().to_vec()).await?;
    for (stream, filter) in [
        (&connection.jobs, format!("parlour.jobs.*.{run}.>")),
        (&connection.results, format!("parlour.results.{run}.>")),
    ] {
        let filter = filter.as_str();
        retry("the NATS server", || async move {
            stream.purge().filter(filter).await.map(|_| ()).map_err(|error| error.to_string())
        })
        .await?;
    }
    Ok(())
}
