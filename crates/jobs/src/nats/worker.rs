//! A worker: takes jobs from the queue, runs them on its threads and publishes the results.

use super::artifact_cache::ArtifactCache;
use super::wire::{Heartbeat, JobOffer, JobOutcome, Part, VersionMismatch, VersionProbe, read, split, write};
use super::{Connection, HEARTBEAT, LEASE, program_token, result_subject, run_subject, without_secrets};
use crate::execute::{ATTEMPTS, run_once};
use crate::{QueueError, Registry, TaskControl, WorkError};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Number of workers that may lose a job (crash with it) before it fails for good.
const LOST: u32 = 20;
/// Timeout of one pull request.
const WAIT: Duration = Duration::from_secs(5);
/// Delay before a failed job is redelivered.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Configuration of a worker.
pub struct WorkerConfig {
    /// `nats://…`
    pub queue: String,
    /// `http://…`, the source of files.
    pub server: Option<String>,
    /// Number of concurrent jobs.
    pub threads: usize,
    /// Program name and version. Jobs of other programs are not taken.
    pub program: String,
    /// Name in lists.
    pub name: String,
    /// Folder of cached files.
    pub cache: PathBuf,
    pub registry: Registry,
}

struct Worker {
    settings: WorkerConfig,
    connection: Connection,
    files: ArtifactCache,
    /// Running jobs, by run and number.
    controls: Mutex<BTreeMap<(String, usize), TaskControl>>,
    log: Box<dyn Fn(&str) + Send + Sync>,
}

/// Runs until the process ends. `log` takes messages for the user.
pub async fn run(settings: WorkerConfig, log: impl Fn(&str) + Send + Sync + 'static) -> Result<(), QueueError> {
    let connection = connect(&settings, &log).await;
    let files = ArtifactCache::new(settings.cache.clone(), settings.server.clone());
    let slots = Arc::new(Semaphore::new(settings.threads.max(1)));
    let worker = Arc::new(Worker { settings, connection, files, controls: Mutex::default(), log: Box::new(log) });
    tokio::spawn(Arc::clone(&worker).listen());
    let mut consumer: Option<PullConsumer> = None;
    loop {
        let slot = Arc::clone(&slots).acquire_owned().await.expect("the semaphore is never closed");
        let open = match consumer.take() {
            Some(open) => open,
            None => match worker.consumer().await {
                Ok(open) => open,
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                    continue;
                }
            },
        };
        match tokio::time::timeout(2 * WAIT, take(&open)).await {
            Ok(Ok(Some(message))) => {
                consumer = Some(open);
                let worker = Arc::clone(&worker);
                tokio::spawn(async move {
                    worker.handle(&message).await;
                    drop(slot);
                });
            }
            Ok(Ok(None)) => {
                // No message: either the queue is empty, or the server lost the consumer.
                if open.get_info().await.is_ok() {
                    consumer = Some(open);
                }
            }
            Ok(Err(_)) | Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}

/// Connects, with retries without limit: workers may be started before the server.
async fn connect(settings: &WorkerConfig, log: &(impl Fn(&str) + Send + Sync)) -> Connection {
    let mut said = false;
    loop {
        match Connection::open(&settings.queue, &settings.name).await {
            Ok(connection) => {
                let queue = without_secrets(&settings.queue);
                log(&format!("{} ({}) takes jobs from {queue}", settings.name, settings.program));
                return connection;
            }
            Err(error) => {
                if !std::mem::replace(&mut said, true) {
                    log(&format!("{error}; trying again"));
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// Pulls one job.
async fn take(consumer: &PullConsumer) -> Result<Option<Message>, async_nats::Error> {
    let mut messages = consumer.batch().max_messages(1).expires(WAIT).messages().await?;
    messages.next().await.transpose()
}

impl Worker {
    /// The durable consumer shared by all workers of this program.
    async fn consumer(&self) -> Result<PullConsumer, async_nats::Error> {
        let token = program_token(&self.settings.program);
        let name = format!("workers-{token}");
        let config = pull::Config {
            durable_name: Some(name.clone()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: LEASE,
            filter_subject: format!("parlour.jobs.{token}.>"),
            ..pull::Config::default()
        };
        Ok(self.connection.jobs.get_or_create_consumer(&name, config).await?)
    }

    /// Subscribes to ended runs and to version probes.
    async fn listen(self: Arc<Self>) {
        let client = &self.connection.client;
        let (Ok(mut runs), Ok(mut calls)) =
            (client.subscribe("parlour.runs.*").await, client.subscribe("parlour.call").await)
        else {
            return;
        };
        let mut refused = BTreeSet::new();
        loop {
            tokio::select! {
                Some(message) = runs.next() => {
                    if message.payload.as_ref() != b"open"
                        && let Some(run) = message.subject.as_str().rsplit('.').next()
                    {
                        let controls = self.controls.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        controls.iter().filter(|((of, _), _)| of == run).for_each(|(_, control)| control.cancel());
                    }
                }
                Some(message) = calls.next() => {
                    let Some(call) = read::<VersionProbe>(&message.payload) else { continue };
                    if call.program == self.settings.program {
                        continue;
                    }
                    if refused.insert(call.run.clone()) {
                        (self.log)(&format!(
                            "refused: run {} ({}) needs {}; this is {}: both must be equal",
                            call.run, call.title, call.program, self.settings.program
                        ));
                    }
                    let refusal =
                        VersionMismatch { worker: self.settings.name.clone(), program: self.settings.program.clone() };
                    let _ = client.publish(format!("parlour.refused.{}", call.run), write(&refusal).into()).await;
                }
                else => return,
            }
        }
    }

    /// Handles one job message. After a connection error the job is redelivered when its lease expires.
    async fn handle(&self, message: &Message) {
        let delivered = message.info().map_or(1, |info| info.delivered.max(1) as u32);
        let Some(offer) = read::<JobOffer>(&message.payload) else {
            (self.log)("dropped a message in the queue that is not a job");
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        if let Err(error) = self.work(message, &offer, delivered).await {
            (self.log)(&format!("run {}, job {}: {error}", offer.run, offer.number));
        }
    }

    async fn work(&self, message: &Message, offer: &JobOffer, delivered: u32) -> Result<(), QueueError> {
        if self.is_settled(offer).await? {
            acknowledge(message).await;
            return Ok(());
        }
        if delivered > LOST {
            let why = format!("{LOST} workers took it and sent no result");
            return self.answer(message, offer, &JobOutcome::Dead(why)).await;
        }
        let control = TaskControl::new();
        let key = (offer.run.clone(), offer.number);
        self.controls().insert(key.clone(), control.clone());
        let result = self.compute(message, offer, &control, delivered).await;
        self.controls().remove(&key);
        match result {
            Ok(bytes) => self.answer(message, offer, &JobOutcome::Done(bytes)).await,
            Err(WorkError::Cancelled) => {
                acknowledge(message).await;
                Ok(())
            }
            Err(WorkError::Failed(why)) if delivered < ATTEMPTS => {
                (self.log)(&format!(
                    "run {}, job {} failed and is retried (attempt {delivered} of {ATTEMPTS}): {why}",
                    offer.run, offer.number
                ));
                let _ = message.ack_with(AckKind::Nak(Some(RETRY_DELAY))).await;
                Ok(())
            }
            Err(WorkError::Failed(why)) => {
                let why = format!("{why} (tried {delivered} times, last by {})", self.settings.name);
                self.answer(message, offer, &JobOutcome::Dead(why)).await
            }
            Err(WorkError::Refused(why)) => {
                let why = format!("{why} (refused by {})", self.settings.name);
                self.answer(message, offer, &JobOutcome::Dead(why)).await
            }
        }
    }

    fn controls(&self) -> std::sync::MutexGuard<'_, BTreeMap<(String, usize), TaskControl>> {
        self.controls.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether the job is obsolete: its run is over, or its result exists.
    async fn is_settled(&self, offer: &JobOffer) -> Result<bool, QueueError> {
        let word = Connection::last(&self.connection.runs, &run_subject(&offer.run)).await?;
        if word.is_some_and(|word| word != b"open") {
            return Ok(true);
        }
        let last = Connection::last(&self.connection.results, &result_subject(&offer.run, offer.number)).await?;
        Ok(last.and_then(|bytes| read::<Part>(&bytes)).is_some_and(|part| part.is_last()))
    }

    /// Runs the job on a thread and sends heartbeats meanwhile.
    async fn compute(
        &self,
        message: &Message,
        offer: &JobOffer,
        control: &TaskControl,
        delivered: u32,
    ) -> Result<Vec<u8>, WorkError> {
        let working = async {
            let mut files = Vec::new();
            for hash in &offer.job.artifacts {
                files.push(self.files.get(hash).await.map_err(WorkError::Failed)?);
            }
            let (registry, job, control) = (self.settings.registry.clone(), offer.job.clone(), control.clone());
            let thread = tokio::task::spawn_blocking(move || run_once(&registry, &job, &files, &control));
            thread.await.unwrap_or_else(|error| Err(WorkError::Failed(error.to_string())))
        };
        let beating = async {
            let mut beat = tokio::time::interval(HEARTBEAT);
            loop {
                beat.tick().await;
                let _ = message.ack_with(AckKind::Progress).await;
                let worker = self.settings.name.clone();
                let heartbeat = Heartbeat { number: offer.number, share: control.share(), worker, attempt: delivered };
                let subject = format!("parlour.signs.{}", offer.run);
                let _ = self.connection.client.publish(subject, write(&heartbeat).into()).await;
            }
        };
        tokio::select! {
            result = working => result,
            () = beating => unreachable!("heartbeats never end"),
        }
    }

    /// Publishes an outcome and acknowledges the job once the outcome is stored.
    async fn answer(&self, message: &Message, offer: &JobOffer, outcome: &JobOutcome) -> Result<(), QueueError> {
        let attempt = unique();
        for part in split(offer.number, attempt, outcome) {
            self.connection.publish(result_subject(&offer.run, offer.number), write(&part)).await?;
            let _ = message.ack_with(AckKind::Progress).await;
        }
        acknowledge(message).await;
        Ok(())
    }
}

/// Acknowledges a job. If the acknowledgement is lost, the job is redelivered, its result found, and acknowledged then.
async fn acknowledge(message: &Message) {
    let _ = tokio::time::timeout(super::REQUEST, message.double_ack()).await;
}

/// A random number that identifies the attempt.
fn unique() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // Every hasher of the standard library has random keys.
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
