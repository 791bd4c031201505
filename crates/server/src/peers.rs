//! Other servers on the same database: what they tell goes to the tables here, and what they leave is taken up.
//!
//! Messages may be lost; once a second the store is asked what was missed and what nobody looks after.

use crate::house::{House, until_stopping};
use crate::http::Guests;
use crate::table::Ask;
use crate::{ids, time};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{PeerEvent, Peers, StoreError};
use tokio::sync::{Notify, mpsc};

/// How often the store is asked what was missed.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How far back a look goes; covers clocks that differ between servers.
const LOOK_BACK_MS: i64 = 60_000;

/// How long a table that cannot be set up here is left to others.
const AGAIN: Duration = Duration::from_secs(60);

/// Sets up the tables that go on by themselves, and keeps in touch with other servers where there may be some.
pub fn start(house: &Arc<House>, guests: Arc<Guests>, news: mpsc::Receiver<PeerEvent>) {
    if house.serving.peers().is_none() {
        tokio::spawn(wake_all(Arc::clone(house)));
        return;
    }
    let hurry = Arc::new(Notify::new());
    tokio::spawn(look(Arc::clone(house), Arc::clone(&hurry)));
    tokio::spawn(listen(Arc::clone(house), guests, news, hurry));
}

async fn wake_all(house: Arc<House>) {
    match house.store.to_wake().await {
        Ok(tables) if tables.is_empty() => {}
        Ok(tables) => {
            tracing::info!(tables = tables.len(), "tables go on");
            house.hub.wake(&house, tables).await;
        }
        Err(error) => tracing::error!(%error, "no table goes on by itself"),
    }
}

/// Hands on what other servers tell, until the server stops.
async fn listen(house: Arc<House>, guests: Arc<Guests>, mut news: mpsc::Receiver<PeerEvent>, hurry: Arc<Notify>) {
    let mut stopping = house.stopping.subscribe();
    loop {
        let heard = tokio::select! {
            () = until_stopping(&mut stopping) => return,
            heard = news.recv() => heard,
        };
        match heard {
            None => return,
            Some(PeerEvent::Grown { game, seq }) => house.hub.tell(&game, Ask::Grown { seq }),
            Some(PeerEvent::Passing { from, game, text }) => {
                house.hub.tell(&game, Ask::Elsewhere { server: from, text })
            }
            Some(PeerEvent::Guest { id }) => {
                guests.forget(&id);
                match house.store.guest(&id).await {
                    Ok(Some(guest)) => house.names.put(&guest.id, &guest.name),
                    _ => house.names.forget(&id),
                }
            }
            Some(PeerEvent::Gone { server }) => {
                for id in house.hub.ids() {
                    house.hub.tell(&id, Ask::Gone { server: server.clone() });
                }
                hurry.notify_one();
            }
            Some(PeerEvent::Gap) => hurry.notify_one(),
        }
    }
}

/// Looks into the store now and then, until the server stops.
async fn look(house: Arc<House>, hurry: Arc<Notify>) {
    let mut stopping = house.stopping.subscribe();
    let Some(peers) = house.serving.peers() else { return };
    let mut cannot: HashMap<String, Instant> = HashMap::new();
    loop {
        cannot.retain(|_, since| since.elapsed() < AGAIN);
        match catch_up(&house, peers, &cannot).await {
            Ok(failed) => cannot.extend(failed.into_iter().map(|id| (id, Instant::now()))),
            Err(error) => tracing::warn!(%error, "the other servers' work was not looked at"),
        }
        tokio::select! {
            () = until_stopping(&mut stopping) => return,
            () = hurry.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

/// Follows what others have written and takes up what nobody looks after, except what `cannot` be; what could not.
async fn catch_up(
    house: &Arc<House>,
    peers: &Peers,
    cannot: &HashMap<String, Instant>,
) -> Result<Vec<String>, StoreError> {
    let live = house.hub.ids();
    if !live.is_empty() {
        for (id, seq) in peers.heads(&live, time::now_ms() - LOOK_BACK_MS).await? {
            house.hub.tell(&id, Ask::Grown { seq });
        }
    }
    let mut left = peers.unattended().await?;
    left.retain(|id| !cannot.contains_key(id));
    if left.is_empty() {
        return Ok(Vec::new());
    }
    // Servers begin at different places, so that each finds something nobody else takes.
    let begin = ids::random_u64() as usize % left.len();
    left.rotate_left(begin);
    Ok(house.hub.wake(house, left).await)
}
