//! The queue of many machines: NATS JetStream.
//!
//! Three plain streams. `PARLOUR_JOBS` is a work queue: a job stays until a worker has acknowledged it, and is given to
//! another when its lease runs out. `PARLOUR_RESULTS` holds what workers answer until the submitter has it in its store.
//! `PARLOUR_RUNS` holds one word per run: open, ended or cancelled.
//!
//! Nothing is counted on that NATS does not promise: a job may be given out twice (a restarted server 2.9 does so with
//! acknowledged ones), a result may come twice, a message may be lost while a server is killed. So a worker looks for a
//! result before it begins, the first result of a job counts, and the submitter asks again for what is missing.

mod files;
mod queue;
mod reader;
mod wire;
pub mod worker;

pub use queue::Nats;
pub use wire::{describe, examples};

use crate::{Hash, QueueError};
use async_nats::jetstream::{self, stream};
use std::future::Future;
use std::time::{Duration, Instant};

/// How long a worker holds a job without a sign of life.
const LEASE: Duration = Duration::from_secs(10);
/// How often a worker gives a sign of life.
const HEARTBEAT: Duration = Duration::from_secs(3);
/// Bytes of a result in one message; a server takes a megabyte.
const PART: usize = 512 << 10;
/// The largest description of a job.
const LARGEST_JOB: usize = 900 << 10;
/// How long a request may take before it is repeated.
const REQUEST: Duration = Duration::from_secs(3);
/// How long a server may be away before a submitter gives up.
const PATIENCE: Duration = Duration::from_secs(120);
const DAY: Duration = Duration::from_secs(86_400);

/// A connection and the streams.
#[derive(Clone)]
pub(crate) struct Line {
    pub client: async_nats::Client,
    pub context: jetstream::Context,
    pub jobs: stream::Stream,
    pub results: stream::Stream,
    pub runs: stream::Stream,
}

impl Line {
    /// Connects and makes the streams where they are missing.
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

    /// Publishes to a stream and waits until the server has it.
    pub(crate) async fn publish(&self, subject: String, payload: Vec<u8>) -> Result<(), QueueError> {
        insist("the NATS server", || {
            let (subject, payload) = (subject.clone(), payload.clone());
            async move {
                let sent = self.context.publish(subject, payload.into()).await.map_err(|error| error.to_string())?;
                sent.await.map(|_| ()).map_err(|error| error.to_string())
            }
        })
        .await
    }

    /// The last message on a subject of a stream, if there is one.
    pub(crate) async fn last(stream: &stream::Stream, subject: &str) -> Result<Option<Vec<u8>>, QueueError> {
        insist("the NATS server", || async move {
            match stream.get_last_raw_message_by_subject(subject).await {
                Ok(message) => Ok(Some(message.payload.to_vec())),
                Err(error) if error.kind() == stream::LastRawMessageErrorKind::NoMessageFound => Ok(None),
                Err(error) => Err(error.to_string()),
            }
        })
        .await
    }
}

/// Tries until it works, or the other side has been away too long.
async fn insist<T, F: Future<Output = Result<T, String>>>(
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

/// The part of a subject that stands for a program: only its own workers listen to it.
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

/// An address as it may be shown and kept: without a password.
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
