//! Reads the results of a run from their stream, from the beginning again whenever the server was away.

use super::Line;
use super::wire::{Part, read};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use futures_util::StreamExt;
use std::time::Duration;
use tokio::sync::mpsc;

/// How long one question for results waits for an answer.
const WAIT: Duration = Duration::from_secs(2);
/// Messages of one question.
const BATCH: usize = 32;

/// Sends every part of every result of a run, some of them more than once, until nobody listens.
pub(super) async fn read_results(line: Line, run: String, parts: mpsc::Sender<Part>) {
    let mut consumer: Option<PullConsumer> = None;
    while !parts.is_closed() {
        let open = match consumer.take() {
            Some(open) => open,
            None => match begin(&line, &run).await {
                Ok(open) => open,
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                    continue;
                }
            },
        };
        match tokio::time::timeout(2 * WAIT, read_some(&open, &parts)).await {
            Ok(Ok(0)) => {
                // Nothing came: either there is nothing, or the server has forgotten who asks.
                if open.get_info().await.is_ok() {
                    consumer = Some(open);
                }
            }
            Ok(Ok(_)) => consumer = Some(open),
            Ok(Err(_)) | Err(_) => {}
        }
    }
}

async fn begin(line: &Line, run: &str) -> Result<PullConsumer, async_nats::Error> {
    let config = pull::Config {
        deliver_policy: DeliverPolicy::All,
        ack_policy: AckPolicy::None,
        filter_subject: format!("parlour.results.{run}.>"),
        inactive_threshold: Duration::from_secs(60),
        ..pull::Config::default()
    };
    Ok(line.results.create_consumer(config).await?)
}

/// Asks once; how many messages came.
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
