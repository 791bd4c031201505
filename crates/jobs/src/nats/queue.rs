//! The submitter's side: publishes jobs, takes results into the store, hands them over in order.

use super::reader::read_results;
use super::wire::{Call, Ending, Joiner, Offer, Part, Refusal, Sign, read, write};
use super::{LARGEST_JOB, Line, insist, job_subject, program_token, run_subject, without_secrets};
use crate::keep::{self, Keep};
use crate::local::files_of;
use crate::order::InOrder;
use crate::{Batch, Flow, Listener, Progress, Queue, QueueError};
use futures_util::{StreamExt, TryStreamExt};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use store::jobs::{JobState, JobUpdate};
use tokio::sync::mpsc;

/// How long a server that does not answer at the beginning is asked again.
const CONNECT: Duration = Duration::from_secs(15);
/// How often progress is told, the store updated and a cancellation looked for.
const TICK: Duration = Duration::from_secs(1);
/// How often workers of other versions are asked to show themselves.
const CALL: Duration = Duration::from_secs(5);
/// After so long without a result it is checked that the missing jobs are still in the queue.
const SILENCE: Duration = Duration::from_secs(10);

/// A NATS server and the store that keeps results.
pub struct Nats {
    address: String,
    keep: Keep,
}

impl Nats {
    /// A queue at `nats://…`; nothing is connected yet.
    pub fn new(address: impl Into<String>, keep: Keep) -> Self {
        Self { address: address.into(), keep }
    }

    /// Tells the workers that a run is not wanted any more, and removes its jobs and results.
    pub fn cancel(&self, run: &str) -> Result<(), QueueError> {
        self.keep.wait(async {
            let line = Line::open(&self.address, "parlour jobs").await?;
            end(&line, run, "cancelled").await
        })
    }
}

impl Queue for Nats {
    fn run(&self, batch: &Batch, listener: &mut dyn Listener) -> Result<(), QueueError> {
        self.keep.wait(async {
            let result = self.drive(batch, listener).await;
            keep::close(self.keep.store(), batch, &result).await?;
            result
        })
    }
}

/// A run while it is driven.
struct Drive<'a> {
    batch: &'a Batch,
    run: String,
    line: Line,
    order: InOrder,
    joiner: Joiner,
    /// What workers have last said of jobs that are being done.
    signs: BTreeMap<usize, (Sign, Instant)>,
    /// Signs that are not in the store yet.
    fresh: BTreeSet<usize>,
    refused: BTreeSet<String>,
    /// When a result came last.
    heard: Instant,
    /// Whether a worker has been heard of.
    company: bool,
    said_alone: bool,
}

impl Nats {
    /// Connects; a server that is just being started again is waited for, a wrong address not for ever.
    async fn connect(&self, name: &str, listener: &mut dyn Listener) -> Result<Line, QueueError> {
        let begun = Instant::now();
        let mut said = false;
        loop {
            match Line::open(&self.address, name).await {
                Ok(line) => return Ok(line),
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
        let store = self.keep.store();
        let run = batch.run_id();
        let line = self.connect(&format!("parlour {}", batch.title), listener).await?;
        let have = keep::open(store, batch, &without_secrets(&self.address)).await?;
        for (hash, path) in batch.files() {
            keep::put_file(store, hash, path).await?;
        }
        let mut drive = Drive {
            batch,
            run: run.clone(),
            line: line.clone(),
            order: InOrder::default(),
            joiner: Joiner::default(),
            signs: BTreeMap::new(),
            fresh: BTreeSet::new(),
            refused: BTreeSet::new(),
            heard: Instant::now(),
            company: false,
            said_alone: false,
        };
        batch.had.iter().for_each(|&number| drive.order.skip(number));
        for (number, bytes) in have {
            drive.order.put(number, bytes);
        }
        line.publish(run_subject(&run), b"open".to_vec()).await?;
        let (sender, parts) = mpsc::channel(64);
        let reader = tokio::spawn(read_results(line.clone(), run.clone(), sender));
        let result = self.collect(&mut drive, parts, listener).await;
        reader.abort();
        match &result {
            Ok(()) => end(&line, &run, "ended").await?,
            Err(QueueError::Cancelled(_) | QueueError::Dead { .. }) => end(&line, &run, "cancelled").await?,
            // Whatever else went wrong: workers go on, and the command given again collects what they did.
            Err(_) => {}
        }
        result
    }

    async fn collect(
        &self,
        drive: &mut Drive<'_>,
        mut parts: mpsc::Receiver<Part>,
        listener: &mut dyn Listener,
    ) -> Result<(), QueueError> {
        let away = |error: async_nats::SubscribeError| QueueError::Unreachable(error.to_string());
        let mut signs = drive.line.client.subscribe(format!("parlour.signs.{}", drive.run)).await.map_err(away)?;
        let mut refusals = drive.line.client.subscribe(format!("parlour.refused.{}", drive.run)).await.map_err(away)?;
        if drive.hand_over(listener) {
            return Ok(());
        }
        drive.publish_missing().await?;
        drive.call().await;
        let mut tick = tokio::time::interval(TICK);
        let mut called = Instant::now();
        loop {
            tokio::select! {
                part = parts.recv() => {
                    let Some(part) = part else {
                        return Err(QueueError::Unreachable("the reader of results ended".to_owned()));
                    };
                    if let Some((number, ending)) = drive.joiner.take(part)
                        && self.take(drive, number, ending).await?
                        && drive.hand_over(listener)
                    {
                        return Ok(());
                    }
                }
                Some(message) = signs.next() => drive.sign(&message.payload),
                Some(message) = refusals.next() => drive.refusal(&message.payload, listener),
                _ = tick.tick() => {
                    listener.progress(drive.progress());
                    self.write_signs(drive).await?;
                    if keep::is_cancelled(self.keep.store(), drive.batch).await? {
                        return Err(QueueError::Cancelled(drive.run.clone()));
                    }
                    if called.elapsed() >= CALL {
                        called = Instant::now();
                        drive.call().await;
                    }
                    if drive.heard.elapsed() >= SILENCE {
                        drive.heard = Instant::now();
                        drive.say_if_alone(listener);
                        // A killed server may remember an older word of this run, on which workers drop its jobs.
                        drive.line.publish(run_subject(&drive.run), b"open".to_vec()).await?;
                        drive.publish_missing().await?;
                    }
                }
            }
        }
    }

    /// Takes an ending; whether it was a result that was not here yet.
    async fn take(&self, drive: &mut Drive<'_>, number: usize, ending: Ending) -> Result<bool, QueueError> {
        if number >= drive.batch.jobs.len() || drive.order.knows(number) {
            return Ok(false);
        }
        match ending {
            Ending::Dead(why) => Err(QueueError::Dead { run: drive.run.clone(), number, why }),
            Ending::Done(bytes) => {
                keep::ended(self.keep.store(), drive.batch, number, &bytes).await?;
                drive.order.put(number, bytes);
                drive.signs.remove(&number);
                drive.heard = Instant::now();
                Ok(true)
            }
        }
    }

    async fn write_signs(&self, drive: &mut Drive<'_>) -> Result<(), QueueError> {
        let update = |sign: &Sign| JobUpdate {
            state: JobState::Running,
            share: sign.share,
            attempts: sign.attempt,
            worker: sign.worker.clone(),
            why: String::new(),
        };
        let updates = std::mem::take(&mut drive.fresh)
            .into_iter()
            .filter_map(|number| drive.signs.get(&number).map(|(sign, _)| (number, update(sign))))
            .collect();
        keep::note(self.keep.store(), drive.batch, updates).await
    }
}

impl Drive<'_> {
    /// Hands over what is next; whether the run is finished.
    fn hand_over(&mut self, listener: &mut dyn Listener) -> bool {
        while let Some((number, bytes)) = self.order.pop() {
            if listener.result(number, bytes) == Flow::Stop {
                return true;
            }
        }
        self.order.is_through(self.batch.jobs.len())
    }

    /// Publishes the jobs that have no result and are not in the queue.
    async fn publish_missing(&self) -> Result<(), QueueError> {
        let Some(program) = self.batch.jobs.first().map(|job| job.program.clone()) else { return Ok(()) };
        let waiting = self.waiting(&program).await?;
        for (number, job) in self.batch.jobs.iter().enumerate() {
            let subject = job_subject(&program, &self.run, number);
            if self.order.knows(number) || waiting.contains(&subject) {
                continue;
            }
            let offer = write(&Offer { run: self.run.clone(), number, job: job.clone() });
            if offer.len() > LARGEST_JOB {
                let text = format!("a job of {} bytes is too large; what it needs belongs into a file", offer.len());
                return Err(QueueError::Unreachable(text));
            }
            self.line.publish(subject, offer).await?;
        }
        Ok(())
    }

    /// The subjects of the run's jobs that are in the queue, given out or not.
    async fn waiting(&self, program: &str) -> Result<BTreeSet<String>, QueueError> {
        let filter = format!("parlour.jobs.{}.{}.>", program_token(program), self.run);
        let (jobs, filter) = (&self.line.jobs, filter.as_str());
        insist("the NATS server", || async move {
            let subjects = jobs.info_with_subjects(filter).await.map_err(|error| error.to_string())?;
            let subjects: Vec<(String, usize)> = subjects.try_collect().await.map_err(|error| error.to_string())?;
            Ok(subjects.into_iter().map(|(subject, _)| subject).collect())
        })
        .await
    }

    /// Asks workers of other versions to say so. Nobody needs to hear it, so it is not insisted on.
    async fn call(&self) {
        let Some(job) = self.batch.jobs.first() else { return };
        let (run, title) = (self.run.clone(), self.batch.title.clone());
        let call = write(&Call { run, title, program: job.program.clone() });
        let _ = self.line.client.publish("parlour.call", call.into()).await;
    }

    fn sign(&mut self, payload: &[u8]) {
        let Some(sign) = read::<Sign>(payload) else { return };
        self.company = true;
        if !self.order.knows(sign.number) && sign.number < self.batch.jobs.len() {
            self.fresh.insert(sign.number);
            self.signs.insert(sign.number, (sign, Instant::now()));
        }
    }

    /// Says once that no worker has been heard of.
    fn say_if_alone(&mut self, listener: &mut dyn Listener) {
        if !self.company && !std::mem::replace(&mut self.said_alone, true) {
            listener.note("no worker has taken a job yet: start some with `parlour worker --queue … --server …`");
        }
    }

    fn refusal(&mut self, payload: &[u8], listener: &mut dyn Listener) {
        let Some(refusal) = read::<Refusal>(payload) else { return };
        if self.refused.insert(refusal.worker.clone()) {
            let program = self.batch.jobs.first().map(|job| job.program.as_str()).unwrap_or_default();
            listener.note(&format!(
                "worker {} is {}; this run needs {program}: it gets no jobs until it is the same program",
                refusal.worker, refusal.program
            ));
        }
    }

    fn progress(&mut self) -> Progress {
        self.signs.retain(|_, (_, at)| at.elapsed() < 3 * super::LEASE);
        let shares: f64 = self.signs.values().map(|(sign, _)| sign.share).sum();
        let done = self.order.done();
        Progress { done, all: self.batch.jobs.len(), jobs: done as f64 + shares }
    }
}

/// Says that a run is over and removes what is left of it.
async fn end(line: &Line, run: &str, word: &str) -> Result<(), QueueError> {
    line.publish(run_subject(run), word.as_bytes().to_vec()).await?;
    for (stream, filter) in
        [(&line.jobs, format!("parlour.jobs.*.{run}.>")), (&line.results, format!("parlour.results.{run}.>"))]
    {
        let filter = filter.as_str();
        insist("the NATS server", || async move {
            stream.purge().filter(filter).await.map(|_| ()).map_err(|error| error.to_string())
        })
        .await?;
    }
    Ok(())
}
