//! Reads the results of a run from their stream. After an outage it reads from the beginning again.

use super::Connection;
use super::wire::{Part, read};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use futures_util::StreamExt;
use std::time::Duration;
use tokio::sync::mpsc;

/// Timeout of one pull request.
const WAIT: Duration = Duration::from_secs(2);
/// Messages per pull request.
const BATCH: usize = 32;

/// Sends every part of every result of a run, possibly more than once, until the receiver is dropped.
pub(super) async fn read_results(connection: Connection, run: String, parts: mpsc::Sender<Part>) {
    let mut consumer: Option<PullConsumer> = None;
    while !parts.is_closed() {
        let open = match consumer.take() {
            Some(open) => open,
            None => match begin(&connection, &run).await {
                Ok(open) => open,
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                    continue;
                }
            },
        };
        match tokio::time::timeout(2 * WAIT, read_some(&open, &parts)).await {
            Ok(Ok(0)) => {
                // No message: either the stream has none, or the server lost the consumer.
                if open.get_info().await.is_ok() {
                    consumer = Some(open);
                }
            }
            Ok(Ok(_)) => consumer = Some(open),
            Ok(Err(_)) | Err(_) => {}
        }
    }
}

async fn begin(connection: &Connection, run: &str) -> Result<PullConsumer, async_nats::Error> {
    let config = pull::Config {
        deliver_policy: DeliverPolicy::All,
        ack_policy: AckPolicy::None,
        filter_subject: format!("parlour.results.{run}.>"),
        inactive_threshold: Duration::from_secs(60),
        ..pull::Config::default()
    };
    Ok(connection.results.create_consumer(config).await?)
}

/// Pulls once. Returns the number of messages.
async fn read_some(consumer: &PullConsumer, parts: &mpsc::Sender<Part>) -> Result<usize, async_nats::Error> {
    let mut messages = consumer.batch().max_messages(BATCH).expires(WAIT).messages().await?;
    let mut count = 0;
    while let Some(message) = messages.next().await {
        count += 1;
        if let Some(part) = read::<Part>(&message?.payload)
            && parts.send(part).await.is_err()
        {
            break;
        }
    }
    Ok(count)
}
