//! Other servers on the same database: delivers their messages to the tables here and takes over tables they leave.
//!
//! Messages may be lost. Once a second the server asks the store for what it missed and for tables without a lease.

use crate::app_state::{AppState, until_stopping};
use crate::http::GuestCache;
use crate::table::TableCommand;
use crate::{ids, time};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{PeerEvent, Peers, StoreError};
use tokio::sync::{Notify, mpsc};

/// How often the store is polled for what was missed.
const POLL_EVERY: Duration = Duration::from_secs(1);
/// How far back a poll looks, in milliseconds; covers clocks that differ between servers.
const LOOK_BACK_MS: i64 = 60_000;
/// How long a table that cannot be loaded here is left to other servers.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// Loads the tables that are active, and keeps in touch with other servers where the store allows several.
pub fn start(app: &Arc<AppState>, guests: Arc<GuestCache>, events: mpsc::Receiver<PeerEvent>) {
    if app.serving.peers().is_none() {
        tokio::spawn(wake_all(Arc::clone(app)));
        return;
    }
    let poll_now = Arc::new(Notify::new());
    tokio::spawn(poll(Arc::clone(app), Arc::clone(&poll_now)));
    tokio::spawn(deliver(Arc::clone(app), guests, events, poll_now));
}

async fn wake_all(app: Arc<AppState>) {
    match app.store.to_wake().await {
        Ok(tables) if tables.is_empty() => {}
        Ok(mut tables) => {
            tracing::info!(tables = tables.len(), "active tables are loaded");
            let mut stopping = app.stopping.subscribe();
            let mut pause = POLL_EVERY;
            loop {
                // Tables that find no room now find it when others sleep.
                tables = app.tables.wake(&app, tables).await;
                if tables.is_empty() {
                    return;
                }
                tokio::select! {
                    () = until_stopping(&mut stopping) => return,
                    () = tokio::time::sleep(pause) => pause = (pause * 2).min(RETRY_AFTER),
                }
            }
        }
        Err(error) => tracing::error!(%error, "active tables cannot be loaded"),
    }
}

/// Delivers what other servers report, until the server stops.
async fn deliver(
    app: Arc<AppState>,
    guests: Arc<GuestCache>,
    mut events: mpsc::Receiver<PeerEvent>,
    poll_now: Arc<Notify>,
) {
    let mut stopping = app.stopping.subscribe();
    loop {
        let event = tokio::select! {
            () = until_stopping(&mut stopping) => return,
            event = events.recv() => event,
        };
        match event {
            None => return,
            Some(PeerEvent::Grown { game, seq }) => app.tables.log_grown(&app, &game, seq),
            Some(PeerEvent::Passing { from, game, text }) => {
                app.tables.notify(&game, TableCommand::PeerMessage { server: from, text });
            }
            Some(PeerEvent::Guest { id }) => {
                guests.forget(&id);
                match app.store.guest(&id).await {
                    Ok(Some(guest)) => app.names.put(&guest.id, &guest.name),
                    _ => app.names.forget(&id),
                }
            }
            Some(PeerEvent::Gone { server }) => {
                for id in app.tables.ids() {
                    app.tables.notify(&id, TableCommand::PeerGone { server: server.clone() });
                }
                poll_now.notify_one();
            }
            Some(PeerEvent::Gap) => poll_now.notify_one(),
        }
    }
}

/// Polls the store, until the server stops.
async fn poll(app: Arc<AppState>, poll_now: Arc<Notify>) {
    let mut stopping = app.stopping.subscribe();
    let Some(peers) = app.serving.peers() else { return };
    let mut failed: HashMap<String, Instant> = HashMap::new();
    loop {
        failed.retain(|_, since| since.elapsed() < RETRY_AFTER);
        match catch_up(&app, peers, &failed).await {
            Ok(ids) => failed.extend(ids.into_iter().map(|id| (id, Instant::now()))),
            Err(error) => tracing::warn!(%error, "the store was not polled for other servers' work"),
        }
        tokio::select! {
            () = until_stopping(&mut stopping) => return,
            () = poll_now.notified() => {}
            () = tokio::time::sleep(POLL_EVERY) => {}
        }
    }
}

/// Catches up with logs that grew elsewhere and takes over tables without a lease, except those that `failed` before.
/// Returns the ids of tables that cannot be loaded.
async fn catch_up(
    app: &Arc<AppState>,
    peers: &Peers,
    failed: &HashMap<String, Instant>,
) -> Result<Vec<String>, StoreError> {
    let followed = app.tables.ids();
    if !followed.is_empty() {
        for (id, seq) in peers.heads(&followed, time::now_ms() - LOOK_BACK_MS).await? {
            app.tables.log_grown(app, &id, seq);
        }
    }
    let mut unattended = peers.unattended().await?;
    unattended.retain(|id| !failed.contains_key(id));
    if unattended.is_empty() {
        return Ok(Vec::new());
    }
    // Servers begin at different places, so that each finds tables that nobody else takes at the same moment.
    let begin = ids::random_u64() as usize % unattended.len();
    unattended.rotate_left(begin);
    Ok(app.tables.wake(app, unattended).await)
}
