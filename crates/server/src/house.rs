//! Everything the parts of a server share.

use crate::ahead::Ahead;
use crate::config::Config;
use crate::operations::Figures;
use crate::pool::Pool;
use crate::table::{Hub, Names};
use catalog::{BotDecision, Catalog};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use store::{ServerRegistration, Store};
use tokio::sync::watch;

/// Everything the parts of a server share.
pub struct House {
    pub config: Config,
    pub catalog: Catalog,
    pub store: Store,
    /// This server's place at the store, and the servers beside it.
    pub serving: ServerRegistration,
    pub pool: Pool,
    pub names: Names,
    pub hub: Hub,
    /// What is counted for whoever runs the house.
    pub figures: Figures,
    pub started_ms: i64,
    /// Becomes true when the server stops.
    pub stopping: watch::Sender<bool>,
    pub sockets: AtomicUsize,
    /// Bots whose caches are kept between moves.
    pub kept_bots: AtomicUsize,
    /// First decisions of bots at tables that wait for players.
    pub decisions: Arc<Ahead<BotDecision>>,
    /// Answers of services that will probably be asked for.
    pub answers: Arc<Ahead<Value>>,
}

impl House {
    pub fn new(config: Config, catalog: Catalog, store: Store, serving: ServerRegistration) -> Self {
        Self {
            pool: Pool::new(config.thinkers, config.limits.waiting_services),
            decisions: Arc::new(Ahead::new("bot", config.limits.made_ahead)),
            answers: Arc::new(Ahead::new("service", config.limits.made_ahead)),
            config,
            catalog,
            store,
            serving,
            names: Names::default(),
            hub: Hub::default(),
            figures: Figures::default(),
            started_ms: crate::time::now_ms(),
            stopping: watch::channel(false).0,
            sockets: AtomicUsize::new(0),
            kept_bots: AtomicUsize::new(0),
        }
    }
}

/// Waits until the server stops.
pub async fn until_stopping(stopping: &mut watch::Receiver<bool>) {
    // The sender lives as long as the house; if it is gone, the server has stopped.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
