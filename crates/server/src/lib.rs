//! The server: HTTP and WebSocket doors to the tables, the OpenAPI document, the embedded page.
//!
//! Entry points, in reading order:
//! - [`Server::start`]: wires everything and opens the doors.
//! - `table`: the room in memory folded from its log ([`store`]), the task that owns it, what it shows to whom.
//! - `doors`: connections. `counts`: how many each address has. `http`: routes, identity, limits, sockets, services.
//! - `peers`: other servers on the same database. `pool`: where bots think. `ahead`: what is thought before it is asked for. `janitor`: what is kept for how long. `clock`: time at the table.
//! - `operations`: how the house runs, for whoever runs it. `log`: what is never logged.
//!
//! Invariants: an action is answered after its commit; everything that leaves a table is made by `table::present`
//! from views; no handler blocks the event loop; whatever is bounded answers 429 or 503 with `Retry-After` when full.

mod ahead;
pub mod api;
mod clock;
mod config;
mod counts;
mod doors;
mod error;
mod house;
mod http;
mod ids;
mod janitor;
mod log;
mod operations;
mod peers;
mod pool;
mod ratings;
mod record;
mod table;
mod time;

pub use config::{Config, Keeping, Limits, Rate};
pub use http::openapi::document as openapi_document;
pub use http::page::is_built as page_is_built;
pub use log::log_filter;

use crate::counts::Counts;
use crate::house::House;
use crate::http::{App, Guard, Guests};
use catalog::Catalog;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::Store;
use tokio::net::TcpListener;

/// How long open connections have to end when the server stops.
const LAST_ORDERS: Duration = Duration::from_secs(3);

/// A running server.
pub struct Server {
    house: Arc<House>,
    address: SocketAddr,
    doors: tokio::task::JoinHandle<()>,
}

impl Server {
    /// Opens the doors on `listener`; tables that go on by themselves are set up in the background.
    pub async fn start(config: Config, catalog: Catalog, store: Store, listener: TcpListener) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let openapi = openapi_document(&catalog).to_string().into();
        let (serving, news) = store.serve(time::now_ms).await.map_err(std::io::Error::other)?;
        let house = Arc::new(House::new(config, catalog, store, serving));
        let limits = house.config.limits;
        let (guard, guests) = (Arc::new(Guard::new(&limits)), Arc::new(Guests::default()));
        let app = App {
            house: Arc::clone(&house),
            guests: Arc::clone(&guests),
            guard: Arc::clone(&guard),
            openapi,
            sockets: Counts::new(limits.sockets_per_address),
            light: Arc::new(tokio::sync::Semaphore::new(limits.light_services)),
            signing: Arc::new(tokio::sync::Semaphore::new(2)),
            exports: Arc::default(),
            metrics: recorder(),
        };
        let router = http::router(app);
        let doors = tokio::spawn(doors::open(listener, router, Arc::clone(&house)));
        tokio::spawn(janitor::run(Arc::clone(&house), guard));
        tokio::spawn(operations::run(Arc::clone(&house)));
        peers::start(&house, guests, news);
        Ok(Self { house, address, doors })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many tables are in memory.
    pub fn live_tables(&self) -> usize {
        self.house.hub.live()
    }

    /// Applies the rules of keeping as if it were `ahead` later, for tests.
    pub async fn sweep_after(&self, ahead: Duration) -> Result<(), store::StoreError> {
        janitor::sweep(&self.house, time::now_ms() + ahead.as_millis() as i64).await
    }

    /// Stops: no new requests, sockets are told, what was accepted is committed, tables are handed over to the other
    /// servers, the store is closed.
    pub async fn stop(self) {
        self.house.stopping.send_replace(true);
        let mut doors = self.doors;
        if tokio::time::timeout(LAST_ORDERS, &mut doors).await.is_err() {
            doors.abort();
        }
        let told = async {
            while self.house.sockets.load(Ordering::Relaxed) > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = tokio::time::timeout(LAST_ORDERS, told).await;
        self.house.hub.stop().await;
        if let Some(peers) = self.house.serving.peers() {
            peers.leave().await;
        }
        self.house.pool.close();
        self.house.store.close().await;
    }
}

/// The recorder of this process's figures; one for all servers in it.
fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER
        .get_or_init(|| {
            let recorder = PrometheusBuilder::new().build_recorder();
            let handle = recorder.handle();
            // Somebody who embeds the server may have a recorder already; then that one is fed and ours stays empty.
            let _ = metrics::set_global_recorder(recorder);
            handle
        })
        .clone()
}
