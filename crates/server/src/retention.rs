//! Retention: closes abandoned tables, removes tables that nobody joined and old finished games.

use crate::app_state::{AppState, until_stopping};
use crate::http::Admission;
use crate::table::TableCommand;
use crate::time;
use std::sync::Arc;
use std::time::Duration;
use store::{GameState, StoreError};

/// The lease of the one server that sweeps for all; no table has this id.
const SWEEP_LEASE: &str = "server:retention";
/// How long other servers may take to announce who is connected to a table.
const PRESENCE_WAIT: Duration = Duration::from_secs(1);

/// Applies the retention rules periodically, until the server stops.
pub async fn run(app: Arc<AppState>, admission: Arc<Admission>) {
    let mut stopping = app.stopping.subscribe();
    loop {
        tokio::select! {
            () = until_stopping(&mut stopping) => return,
            () = tokio::time::sleep(app.config.retention.sweep_every) => {
                admission.sweep();
                if let Err(error) = sweep(&app, time::now_ms()).await {
                    tracing::warn!(%error, "the retention rules were not applied");
                }
            }
        }
    }
}

/// Applies the retention rules as of `now`.
pub async fn sweep(app: &Arc<AppState>, now: i64) -> Result<(), StoreError> {
    let rules = app.config.retention;
    let before = |age: Duration| now.saturating_sub(age.as_millis() as i64);
    let peers = app.serving.peers();
    let lease = match peers {
        None => None,
        Some(peers) => match peers.claim(SWEEP_LEASE).await {
            None => return Ok(()),
            lease => lease,
        },
    };
    let idle = app.store.idle(GameState::Running, before(rules.abandon_after)).await?;
    if peers.is_some() && !idle.is_empty() {
        // A table that is loaded requests the presence of the other servers; their answers take a moment.
        for id in &idle {
            let _ = app.tables.table(app, id).await;
        }
        tokio::time::sleep(PRESENCE_WAIT).await;
    }
    for id in idle {
        match app.tables.request(app, &id, |reply| TableCommand::Abandon { reply }).await {
            Ok(closed) => tracing::info!(table = id, closed, "an idle table was checked"),
            Err(error) => tracing::warn!(table = id, error = error.detail.message, "an idle table was not closed"),
        }
    }
    app.store.delete_idle(GameState::Waiting, before(rules.waiting_for)).await?;
    if let Some(age) = rules.finished_for {
        app.store.delete_idle(GameState::Over, before(age)).await?;
    }
    drop(lease);
    Ok(())
}
