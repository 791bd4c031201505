//! The server: HTTP and WebSocket routes to the tables, the OpenAPI document, the embedded page.
//!
//! ```
//! // The interface of a server as OpenAPI describes it, without starting one.
//! let document = server::openapi_document(&catalog::Catalog::default());
//! assert!(document["paths"]["/api/v1/tables"]["post"].is_object());
//! // A configuration for one machine; `Server::start` takes it with a catalog, a store and a listener.
//! let config = server::ServerConfig::local("http://127.0.0.1:8080");
//! assert!(config.local_only);
//! ```
//!
//! Where to read, in the order of a move's way through the server:
//! - `listener`: accepts connections. `http::middleware`: limits every request passes. `http`: routes and sockets.
//! - `table::registry`: finds the task of a table. `table::actor`: takes the move, commits it, publishes the views.
//! - `table::state`: a table in memory, folded from its log. `table::disclosure`: what leaves the server about a table.
//! - `pool`: threads for bots and heavy services. `prefetch_cache`: answers computed in idle time.
//! - `table::replication`, `peers`: several servers on one database. `retention`: what is stored for how long.
//! - `monitoring`: metrics for the operator. `log`: what is never logged.
//!
//! Invariants: an action is acknowledged after its commit. Everything that leaves the server about a table comes from
//! `table::disclosure`. No handler blocks the event loop. Every queue is bounded and answers 429 or 503 with
//! `Retry-After` when it is full.

mod address_limit;
pub mod api;
mod app_state;
mod clock;
mod config;
mod error;
mod http;
mod ids;
mod listener;
mod log;
mod log_record;
mod monitoring;
mod peers;
mod pool;
mod prefetch_cache;
mod ratings;
mod retention;
mod table;
mod time;

pub use config::{Rate, Retention, ServerConfig, ServerLimits};
pub use http::openapi::document as openapi_document;
pub use http::page::is_built as page_is_built;
pub use log::log_filter;

use crate::address_limit::AddressLimit;
use crate::app_state::AppState;
use crate::http::{Admission, GuestCache, HttpState};
use catalog::Catalog;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::Store;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// How long open connections have to end when the server stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);
/// Passwords hashed at once: each takes 19 MiB for a moment.
const PASSWORDS_AT_ONCE: usize = 2;

/// A running server.
pub struct Server {
    app: Arc<AppState>,
    address: SocketAddr,
    listener: tokio::task::JoinHandle<()>,
}

impl Server {
    /// Serves on `listener`. Tables with a bot to move or a running clock are loaded in the background.
    pub async fn start(
        config: ServerConfig,
        catalog: Catalog,
        store: Store,
        listener: TcpListener,
    ) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let openapi = openapi_document(&catalog).to_string().into();
        let (serving, peer_events) = store.serve(time::now_ms).await.map_err(std::io::Error::other)?;
        let app = Arc::new(AppState::new(config, catalog, store, serving));
        let limits = app.config.limits;
        let (admission, guests) = (Arc::new(Admission::new(&limits)), Arc::new(GuestCache::default()));
        let router = http::router(HttpState {
            app: Arc::clone(&app),
            guests: Arc::clone(&guests),
            admission: Arc::clone(&admission),
            openapi,
            sockets: AddressLimit::new(limits.sockets_per_address),
            light: Arc::new(Semaphore::new(limits.light_services)),
            passwords: Arc::new(Semaphore::new(PASSWORDS_AT_ONCE)),
            exports: Arc::default(),
            metrics: recorder(),
        });
        let listener = tokio::spawn(listener::serve(listener, router, Arc::clone(&app)));
        tokio::spawn(retention::run(Arc::clone(&app), admission));
        tokio::spawn(monitoring::run(Arc::clone(&app)));
        tokio::spawn(table::wake_sleeping(Arc::clone(&app)));
        peers::start(&app, guests, peer_events);
        Ok(Self { app, address, listener })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many tables are in memory.
    pub fn live_tables(&self) -> usize {
        self.app.tables.live()
    }

    /// How many tables left the memory while their clocks run.
    pub fn sleeping_tables(&self) -> usize {
        self.app.tables.sleeping()
    }

    /// Applies the retention rules as if it were `later`, for tests.
    pub async fn sweep_after(&self, later: Duration) -> Result<(), store::StoreError> {
        retention::sweep(&self.app, time::now_ms() + later.as_millis() as i64).await
    }

    /// Stops: accepts no new requests, closes the sockets, commits what was accepted, hands the tables over to other
    /// servers, closes the store.
    pub async fn stop(self) {
        self.app.stopping.send_replace(true);
        let mut listener = self.listener;
        if tokio::time::timeout(SHUTDOWN_GRACE, &mut listener).await.is_err() {
            listener.abort();
        }
        let sockets_closed = async {
            while self.app.sockets.load(Ordering::Relaxed) > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = tokio::time::timeout(SHUTDOWN_GRACE, sockets_closed).await;
        self.app.tables.stop().await;
        if let Some(peers) = self.app.serving.peers() {
            peers.leave().await;
        }
        self.app.pool.close();
        self.app.store.close().await;
    }
}

/// The metrics recorder of this process; all servers in it share one.
fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER
        .get_or_init(|| {
            let recorder = PrometheusBuilder::new().build_recorder();
            let handle = recorder.handle();
            // A program that embeds the server may have installed a recorder before; then ours stays empty.
            let _ = metrics::set_global_recorder(recorder);
            handle
        })
        .clone()
}
