//! What all parts of a server share.

use crate::config::ServerConfig;
use crate::monitoring::Counters;
use crate::pool::WorkerPool;
use crate::prefetch_cache::PrefetchCache;
use crate::table::{NameCache, TableRegistry};
use catalog::{BotDecision, Catalog};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use store::{ServerRegistration, Store};
use tokio::sync::watch;

/// What all parts of a server share.
pub struct AppState {
    pub config: ServerConfig,
    pub catalog: Catalog,
    pub store: Store,
    /// This server's registration at the store, and the servers beside it.
    pub serving: ServerRegistration,
    pub pool: WorkerPool,
    pub names: NameCache,
    pub tables: TableRegistry,
    /// What is counted for the operator.
    pub counters: Counters,
    pub started_ms: i64,
    /// Becomes true when the server stops.
    pub stopping: watch::Sender<bool>,
    pub sockets: AtomicUsize,
    /// Bots that keep their caches between moves.
    pub cached_bots: AtomicUsize,
    /// First decisions of bots at tables that wait for players.
    pub decisions: Arc<PrefetchCache<BotDecision>>,
    /// Answers to service requests that are likely to follow.
    pub answers: Arc<PrefetchCache<Value>>,
}

impl AppState {
    pub fn new(config: ServerConfig, catalog: Catalog, store: Store, serving: ServerRegistration) -> Self {
        Self {
            pool: WorkerPool::new(config.thinkers, config.limits.waiting_services),
            decisions: Arc::new(PrefetchCache::new("bot", config.limits.prefetched)),
            answers: Arc::new(PrefetchCache::new("service", config.limits.prefetched)),
            config,
            catalog,
            store,
            serving,
            names: NameCache::default(),
            tables: TableRegistry::default(),
            counters: Counters::default(),
            started_ms: crate::time::now_ms(),
            stopping: watch::channel(false).0,
            sockets: AtomicUsize::new(0),
            cached_bots: AtomicUsize::new(0),
        }
    }
}

/// Waits until the server stops.
pub async fn until_stopping(stopping: &mut watch::Receiver<bool>) {
    // The sender lives as long as the server; without it the server has stopped.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
