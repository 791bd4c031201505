//! The queue of many machines: NATS JetStream.
//!
//! Three streams. `PARLOUR_JOBS` is a work queue: a job stays until a worker acknowledges it, and is redelivered when its
//! lease expires. `PARLOUR_RESULTS` holds results until the submitter has stored them. `PARLOUR_RUNS` holds the state of
//! each run: open, ended or cancelled.
//!
//! Delivery is at least once: a job may be delivered twice (a restarted server 2.9 redelivers acknowledged ones), a result
//! may arrive twice, a message may be lost while a server is killed. Therefore a worker looks for a result before it
//! starts, the first result of a job counts, and the submitter publishes missing jobs again.

mod artifact_cache;
mod queue;
mod result_reader;
mod wire;
pub mod worker;

pub use queue::NatsQueue;
pub use wire::{describe, examples};

use crate::{Hash, QueueError};
use async_nats::jetstream::{self, stream};
use std::future::Future;
use std::time::{Duration, Instant};

/// Lease of a job: without a heartbeat it is redelivered after this time.
const LEASE: Duration = Duration::from_secs(10);
/// Interval of heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(3);
/// Bytes of a result per message. The server's limit is 1 MB.
const PART: usize = 512 << 10;
/// Largest serialised job in bytes.
const LARGEST_JOB: usize = 900 << 10;
/// Request timeout, after which a request is repeated.
const REQUEST: Duration = Duration::from_secs(3);
/// Maximum outage of the server before a submitter fails.
const PATIENCE: Duration = Duration::from_secs(120);
const DAY: Duration = Duration::from_secs(86_400);

/// A NATS connection with its streams.
#[derive(Clone)]
pub(crate) struct Connection {
    pub client: async_nats::Client,
    pub context: jetstream::Context,
    pub jobs: stream::Stream,
    pub results: stream::Stream,
    pub runs: stream::Stream,
}

impl Connection {
    /// Connects and creates missing streams.
    pub(crate) async fn open(address: &str, name: &str) -> Result<Self, QueueError> {
        let shown = without_secrets(address);
        let options = async_nats::ConnectOptions::new()
            .name(name)
            .request_timeout(Some(REQUEST))
            .reconnect_delay_callback(|_| Duration::from_millis(100));
        let client = options
            .connect(address)
            .await
            .map_err(|error| QueueError::Unreachable(format!("no NATS server answers at {shown}: {error}")))?;
        let mut context = jetstream::new(client.clone());
        context.set_timeout(REQUEST);
        let make = |config: stream::Config| {
            let context = &context;
            async move {
                context.get_or_create_stream(config.clone()).await.map_err(|error| {
                    QueueError::Unreachable(format!(
                        "the NATS server at {shown} cannot hold {}: {error} (is it started with --jetstream?)",
                        config.name,
                        shown = without_secrets(address),
                    ))
                })
            }
        };
        let jobs = make(stream::Config {
            name: "PARLOUR_JOBS".into(),
            subjects: vec!["parlour.jobs.>".into()],
            retention: stream::RetentionPolicy::WorkQueue,
            max_age: 7 * DAY,
            ..stream::Config::default()
        })
        .await?;
        let results = make(stream::Config {
            name: "PARLOUR_RESULTS".into(),
            subjects: vec!["parlour.results.>".into()],
            max_age: 7 * DAY,
            ..stream::Config::default()
        })
        .await?;
        let runs = make(stream::Config {
            name: "PARLOUR_RUNS".into(),
            subjects: vec!["parlour.runs.*".into()],
            max_messages_per_subject: 1,
            max_age: 30 * DAY,
            ..stream::Config::default()
        })
        .await?;
        Ok(Self { client, context, jobs, results, runs })
    }

    /// Publishes to a stream and waits for the acknowledgement.
    pub(crate) async fn publish(&self, subject: String, payload: Vec<u8>) -> Result<(), QueueError> {
        retry("the NATS server", || {
            let (subject, payload) = (subject.clone(), payload.clone());
            async move {
                let sent = self.context.publish(subject, payload.into()).await.map_err(|error| error.to_string())?;
                sent.await.map(|_| ()).map_err(|error| error.to_string())
            }
        })
        .await
    }

    /// The last message of a subject, if there is one.
    pub(crate) async fn last(stream: &stream::Stream, subject: &str) -> Result<Option<Vec<u8>>, QueueError> {
        retry("the NATS server", || async move {
            match stream.get_last_raw_message_by_subject(subject).await {
                Ok(message) => Ok(Some(message.payload.to_vec())),
                Err(error) if error.kind() == stream::LastRawMessageErrorKind::NoMessageFound => Ok(None),
                Err(error) => Err(error.to_string()),
            }
        })
        .await
    }
}

/// Retries until the attempt succeeds or [`PATIENCE`] has passed.
async fn retry<T, F: Future<Output = Result<T, String>>>(
    who: &str,
    mut attempt: impl FnMut() -> F,
) -> Result<T, QueueError> {
    let begun = Instant::now();
    loop {
        match attempt().await {
            Ok(value) => return Ok(value),
            Err(error) if begun.elapsed() > PATIENCE => {
                let seconds = PATIENCE.as_secs();
                return Err(QueueError::Unreachable(format!("{who} has not answered for {seconds} s: {error}")));
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}

/// The token of a program in subjects. Only workers of the same program subscribe to it.
pub(crate) fn program_token(program: &str) -> String {
    Hash::of(program.as_bytes()).short()
}

pub(crate) fn job_subject(program: &str, run: &str, number: usize) -> String {
    format!("parlour.jobs.{}.{run}.{number}", program_token(program))
}

pub(crate) fn result_subject(run: &str, number: usize) -> String {
    format!("parlour.results.{run}.{number}")
}

pub(crate) fn run_subject(run: &str) -> String {
    format!("parlour.runs.{run}")
}

/// An address without its password, for messages and the store.
pub fn without_secrets(address: &str) -> String {
    match address.split_once("://") {
        Some((scheme, rest)) => match rest.rsplit_once('@') {
            Some((_, host)) => format!("{scheme}://{host}"),
            None => address.to_owned(),
        },
        None => address.rsplit_once('@').map_or(address, |(_, host)| host).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        assert_eq!(without_secrets("nats://me:secret@host:4222"), "nats://host:4222");
        assert_eq!(without_secrets("nats://host:4222"), "nats://host:4222");
        assert_eq!(without_secrets("token@host"), "host");
    }

    #[test]
    fn programs_do_not_share_subjects() {
        let (a, b) = (job_subject("parlour 1", "r", 0), job_subject("parlour 2", "r", 0));
        assert_ne!(a, b);
        assert!(a.split('.').count() == 5 && a.ends_with(".r.0"), "{a}");
    }
}
