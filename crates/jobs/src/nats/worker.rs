//! A worker: takes jobs from the queue, does them on threads of its own, answers.

use super::files::Files;
use super::wire::{Call, Ending, Offer, Part, Refusal, Sign, cut, read, write};
use super::{HEARTBEAT, LEASE, Line, program_token, result_subject, run_subject, without_secrets};
use crate::run::{ATTEMPTS, run_once};
use crate::{Control, QueueError, Registry, WorkError};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Workers that took a job and were not heard of again before it is given up.
const LOST: u32 = 20;
/// How long one question for a job waits.
const WAIT: Duration = Duration::from_secs(5);
/// How long a job rests that failed.
const REST: Duration = Duration::from_secs(1);

/// What a worker is.
pub struct Settings {
    /// `nats://…`
    pub queue: String,
    /// `http://…`, where files come from.
    pub server: Option<String>,
    /// Jobs at once.
    pub threads: usize,
    /// The program it is; jobs of another one are not taken.
    pub program: String,
    /// What it is called in lists.
    pub name: String,
    /// Where files are kept.
    pub cache: PathBuf,
    pub registry: Registry,
}

struct Worker {
    settings: Settings,
    line: Line,
    files: Files,
    /// Jobs that are being done, by their run.
    controls: Mutex<BTreeMap<(String, usize), Control>>,
    say: Box<dyn Fn(&str) + Send + Sync>,
}

/// Works until it is stopped from outside; `say` hears what people should know.
pub async fn run(settings: Settings, say: impl Fn(&str) + Send + Sync + 'static) -> Result<(), QueueError> {
    let line = connect(&settings, &say).await;
    let files = Files::new(settings.cache.clone(), settings.server.clone());
    let slots = Arc::new(Semaphore::new(settings.threads.max(1)));
    let worker = Arc::new(Worker { settings, line, files, controls: Mutex::default(), say: Box::new(say) });
    tokio::spawn(Arc::clone(&worker).listen());
    let mut consumer: Option<PullConsumer> = None;
    loop {
        let slot = Arc::clone(&slots).acquire_owned().await.expect("nobody closes it");
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
                // Nothing came: either there is nothing, or the server has forgotten who asks.
                if open.get_info().await.is_ok() {
                    consumer = Some(open);
                }
            }
            Ok(Err(_)) | Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}

/// Connects, however long that takes: workers may be started before the server.
async fn connect(settings: &Settings, say: &(impl Fn(&str) + Send + Sync)) -> Line {
    let mut said = false;
    loop {
        match Line::open(&settings.queue, &settings.name).await {
            Ok(line) => {
                let queue = without_secrets(&settings.queue);
                say(&format!("{} ({}) takes jobs from {queue}", settings.name, settings.program));
                return line;
            }
            Err(error) => {
                if !std::mem::replace(&mut said, true) {
                    say(&format!("{error}; trying again"));
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}

/// Asks for one job.
async fn take(consumer: &PullConsumer) -> Result<Option<Message>, async_nats::Error> {
    let mut messages = consumer.batch().max_messages(1).expires(WAIT).messages().await?;
    messages.next().await.transpose()
}

impl Worker {
    /// The line on which all workers of this program take their jobs.
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
        Ok(self.line.jobs.get_or_create_consumer(&name, config).await?)
    }

    /// Hears of runs that end, and of runs for another program.
    async fn listen(self: Arc<Self>) {
        let client = &self.line.client;
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
                    let Some(call) = read::<Call>(&message.payload) else { continue };
                    if call.program == self.settings.program {
                        continue;
                    }
                    if refused.insert(call.run.clone()) {
                        (self.say)(&format!(
                            "refused: run {} ({}) needs {}; this is {}: both must be the same program",
                            call.run, call.title, call.program, self.settings.program
                        ));
                    }
                    let refusal =
                        Refusal { worker: self.settings.name.clone(), program: self.settings.program.clone() };
                    let _ = client.publish(format!("parlour.refused.{}", call.run), write(&refusal).into()).await;
                }
                else => return,
            }
        }
    }

    /// Does what a message asks for. Whatever goes wrong on the line: the job comes again when its lease has run out.
    async fn handle(&self, message: &Message) {
        let delivered = message.info().map_or(1, |info| info.delivered.max(1) as u32);
        let Some(offer) = read::<Offer>(&message.payload) else {
            (self.say)("a message in the queue is no job; it is dropped");
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        if let Err(error) = self.work(message, &offer, delivered).await {
            (self.say)(&format!("run {}, job {}: {error}", offer.run, offer.number));
        }
    }

    async fn work(&self, message: &Message, offer: &Offer, delivered: u32) -> Result<(), QueueError> {
        if self.is_settled(offer).await? {
            acknowledge(message).await;
            return Ok(());
        }
        if delivered > LOST {
            let why = format!("{LOST} workers took it and none of them was heard of again");
            return self.answer(message, offer, &Ending::Dead(why)).await;
        }
        let control = Control::new();
        let key = (offer.run.clone(), offer.number);
        self.controls().insert(key.clone(), control.clone());
        let result = self.compute(message, offer, &control, delivered).await;
        self.controls().remove(&key);
        match result {
            Ok(bytes) => self.answer(message, offer, &Ending::Done(bytes)).await,
            Err(WorkError::Cancelled) => {
                acknowledge(message).await;
                Ok(())
            }
            Err(WorkError::Failed(why)) if delivered < ATTEMPTS => {
                (self.say)(&format!(
                    "run {}, job {} failed and is tried again ({delivered} of {ATTEMPTS}): {why}",
                    offer.run, offer.number
                ));
                let _ = message.ack_with(AckKind::Nak(Some(REST))).await;
                Ok(())
            }
            Err(WorkError::Failed(why)) => {
                let why = format!("{why} (tried {delivered} times, last by {})", self.settings.name);
                self.answer(message, offer, &Ending::Dead(why)).await
            }
            Err(WorkError::Refused(why)) => {
                let why = format!("{why} (refused by {})", self.settings.name);
                self.answer(message, offer, &Ending::Dead(why)).await
            }
        }
    }

    fn controls(&self) -> std::sync::MutexGuard<'_, BTreeMap<(String, usize), Control>> {
        self.controls.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether nobody needs this job done: its run is over, or its result is there.
    async fn is_settled(&self, offer: &Offer) -> Result<bool, QueueError> {
        let word = Line::last(&self.line.runs, &run_subject(&offer.run)).await?;
        if word.is_some_and(|word| word != b"open") {
            return Ok(true);
        }
        let last = Line::last(&self.line.results, &result_subject(&offer.run, offer.number)).await?;
        Ok(last.and_then(|bytes| read::<Part>(&bytes)).is_some_and(|part| part.is_last()))
    }

    /// Does the job on a thread, with signs of life meanwhile.
    async fn compute(
        &self,
        message: &Message,
        offer: &Offer,
        control: &Control,
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
        let living = async {
            let mut beat = tokio::time::interval(HEARTBEAT);
            loop {
                beat.tick().await;
                let _ = message.ack_with(AckKind::Progress).await;
                let worker = self.settings.name.clone();
                let sign = Sign { number: offer.number, share: control.share(), worker, attempt: delivered };
                let subject = format!("parlour.signs.{}", offer.run);
                let _ = self.line.client.publish(subject, write(&sign).into()).await;
            }
        };
        tokio::select! {
            result = working => result,
            () = living => unreachable!("it never ends"),
        }
    }

    /// Publishes an ending, and acknowledges the job when it is safely there.
    async fn answer(&self, message: &Message, offer: &Offer, ending: &Ending) -> Result<(), QueueError> {
        let attempt = unique();
        for part in cut(offer.number, attempt, ending) {
            self.line.publish(result_subject(&offer.run, offer.number), write(&part)).await?;
            let _ = message.ack_with(AckKind::Progress).await;
        }
        acknowledge(message).await;
        Ok(())
    }
}

/// Acknowledges; if that gets lost, the job comes again, its result is found, and it is acknowledged then.
async fn acknowledge(message: &Message) {
    let _ = tokio::time::timeout(super::REQUEST, message.double_ack()).await;
}

/// A number that no other attempt has.
fn unique() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // Every hasher of the standard library has keys of its own, from the machine's generator.
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
