//! Keeps the house tidy: abandoned tables are closed, tables nobody came to and old games are removed.

use crate::house::{House, until_stopping};
use crate::http::Guard;
use crate::table::Ask;
use crate::time;
use std::sync::Arc;
use std::time::Duration;
use store::{GameState, StoreError};

/// What the server that tidies holds; no table is called so.
const BROOM: &str = "house:broom";
/// How long other servers may take to say who is at a table.
const ANSWERS_TAKE: Duration = Duration::from_secs(1);

/// Applies the rules of keeping every now and then, until the server stops.
pub async fn run(house: Arc<House>, guard: Arc<Guard>) {
    let mut stopping = house.stopping.subscribe();
    loop {
        tokio::select! {
            () = until_stopping(&mut stopping) => return,
            () = tokio::time::sleep(house.config.keeping.sweep_every) => {
                guard.sweep();
                if let Err(error) = sweep(&house, time::now_ms()).await {
                    tracing::warn!(%error, "the house was not tidied");
                }
            }
        }
    }
}

/// Applies the rules of keeping as of `now`.
pub async fn sweep(house: &Arc<House>, now: i64) -> Result<(), StoreError> {
    let keeping = house.config.keeping;
    let before = |age: Duration| now.saturating_sub(age.as_millis() as i64);
    let peers = house.serving.peers();
    let broom = match peers {
        None => None,
        // One server tidies for all.
        Some(peers) => match peers.claim(BROOM).await {
            None => return Ok(()),
            broom => broom,
        },
    };
    let idle = house.store.idle(GameState::Running, before(keeping.abandon_after)).await?;
    if peers.is_some() && !idle.is_empty() {
        // Tables ask the other servers who is there; the answers take a moment.
        for id in &idle {
            let _ = house.hub.table(house, id).await;
        }
        tokio::time::sleep(ANSWERS_TAKE).await;
    }
    for id in idle {
        match house.hub.ask(house, &id, |reply| Ask::Abandon { reply }).await {
            Ok(closed) => tracing::info!(table = id, closed, "nobody came back"),
            Err(error) => tracing::warn!(table = id, error = error.detail.message, "a table was not closed"),
        }
    }
    house.store.delete_idle(GameState::Waiting, before(keeping.waiting_for)).await?;
    if let Some(age) = keeping.finished_for {
        house.store.delete_idle(GameState::Over, before(age)).await?;
    }
    drop(broom);
    Ok(())
}
