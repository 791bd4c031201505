//! The configuration of a server and its limits.

use ipnet::IpNet;
use std::net::IpAddr;
use std::time::Duration;
use store::SecretHash;

/// The configuration of a server; `ServerConfig::local` fits one machine.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Where people reach the server, without a slash at the end, e.g. `http://192.168.1.5:8080`.
    pub public_url: String,
    /// Whether links work only on this machine.
    pub local_only: bool,
    /// Processors for bots and heavy services.
    pub thinkers: usize,
    /// The hash of the operator's token; without one nobody may read the metrics of another machine.
    pub operator: Option<SecretHash>,
    /// Trusted proxies in front of the server: their `X-Forwarded-For` names the caller.
    pub proxies: Vec<IpNet>,
    pub limits: ServerLimits,
    pub retention: Retention,
}

/// How much the server accepts before it answers 429 or 503. Addresses are IPv4 addresses or IPv6 networks (/64).
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// Tables in memory.
    pub live_tables: usize,
    pub sockets: usize,
    /// Sockets of one address.
    pub sockets_per_address: usize,
    /// Connections that carry requests; sockets are counted by themselves.
    pub connections: u32,
    /// Connections of one address; proxies are not counted.
    pub connections_per_address: usize,
    /// Time to send the head of a request, and to keep a connection open without one.
    pub head_within: Duration,
    /// Time to send the body of a request.
    pub body_within: Duration,
    /// Time for a caller to read what is sent to it; the server cuts off a caller that reads nothing for so long.
    pub send_within: Duration,
    /// Requests being answered at once.
    pub in_flight: usize,
    /// Requests of one address being answered at once.
    pub in_flight_per_address: usize,
    /// Heavy services waiting.
    pub waiting_services: usize,
    /// Prefetched answers in memory (first decisions of bots, answers of services); 0 turns prefetching off.
    pub prefetched: usize,
    /// Light services being answered at once.
    pub light_services: usize,
    /// Requests per second of one caller (a guest, a seat token, or an address without either).
    pub per_caller: Rate,
    /// Requests per second from one address, whatever cookies and tokens they carry.
    pub per_address: Rate,
    /// New tables and guests from one address.
    pub creation: Rate,
    /// Tables of one guest that are not over.
    pub open_tables_per_guest: i64,
    /// Tables of one guest in the store, and the bytes of their settings and logs.
    pub stored_tables_per_guest: i64,
    pub stored_bytes_per_guest: i64,
    /// Password attempts from one address, and for one account name.
    pub passwords: Rate,
    /// Messages per second on one socket.
    pub per_socket: Rate,
    /// Bytes of an ordinary request body.
    pub body: usize,
    /// Bytes of a request to a service (puzzle files, game records).
    pub service_body: usize,
    /// Bytes of a socket message.
    pub message: usize,
}

/// A rate with a burst.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub per_second: u32,
    pub burst: u32,
}

/// How long tables stay in the store and in memory.
#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// A running game in which nothing happens for so long is closed without a result.
    pub abandon_after: Duration,
    /// A table that waits for players for so long is deleted.
    pub waiting_for: Duration,
    /// A finished game is deleted after so long; `None` keeps it for ever.
    pub finished_for: Option<Duration>,
    /// A table that nobody watches leaves the memory after so long; its log stays in the store.
    pub idle_in_memory: Duration,
    /// A clock that runs out later than this does not keep its table in memory.
    pub near_deadline: Duration,
    /// How often the rules above are applied.
    pub sweep_every: Duration,
}

const DAY: Duration = Duration::from_secs(86_400);

impl ServerConfig {
    /// For one machine, reachable at `public_url`.
    pub fn local(public_url: impl Into<String>) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            public_url: public_url.into().trim_end_matches('/').to_owned(),
            local_only: true,
            thinkers: cores.saturating_sub(1).max(1),
            operator: None,
            proxies: Vec::new(),
            limits: ServerLimits::default(),
            retention: Retention::default(),
        }
    }

    /// Whether this is a proxy in front of the server.
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        self.proxies.iter().any(|network| network.contains(&address))
    }
}

/// Files that are open besides connections and sockets: store, data files, log, and a reserve.
const OTHER_FILES: u64 = 256;

impl ServerLimits {
    /// Lowers the limits of connections and sockets to what the operating system lets the process open: the server
    /// refuses new ones early instead of failing in the middle of a move.
    pub fn fit_to_files(&mut self, files: u64) {
        let each = usize::try_from(files.saturating_sub(OTHER_FILES) / 2).unwrap_or(usize::MAX).max(16);
        self.sockets = self.sockets.min(each);
        self.connections = self.connections.min(u32::try_from(each).unwrap_or(u32::MAX));
        self.sockets_per_address = self.sockets_per_address.min(self.sockets / 2);
        self.connections_per_address = self.connections_per_address.min(self.connections as usize / 2);
    }
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            live_tables: 10_000,
            sockets: 4_000,
            sockets_per_address: 2_000,
            connections: 4_000,
            connections_per_address: 256,
            head_within: Duration::from_secs(10),
            body_within: Duration::from_secs(30),
            send_within: Duration::from_secs(10),
            in_flight: 512,
            in_flight_per_address: 128,
            waiting_services: 32,
            prefetched: 512,
            light_services: 16,
            per_caller: Rate { per_second: 50, burst: 200 },
            per_address: Rate { per_second: 1_000, burst: 2_000 },
            creation: Rate { per_second: 10, burst: 400 },
            open_tables_per_guest: 500,
            stored_tables_per_guest: 20_000,
            stored_bytes_per_guest: 256 << 20,
            passwords: Rate { per_second: 1, burst: 20 },
            per_socket: Rate { per_second: 30, burst: 60 },
            body: 256 << 10,
            service_body: 8 << 20,
            message: 64 << 10,
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            abandon_after: 7 * DAY,
            waiting_for: DAY,
            finished_for: Some(365 * DAY),
            idle_in_memory: Duration::from_secs(300),
            near_deadline: Duration::from_secs(60),
            sweep_every: Duration::from_secs(600),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_fit_to_the_files_a_process_may_open() {
        let mut limits = ServerLimits::default();
        limits.fit_to_files(1 << 20);
        assert_eq!((limits.sockets, limits.connections), (4_000, 4_000), "enough for the defaults");
        limits.fit_to_files(1_024);
        assert_eq!((limits.sockets, limits.connections), (384, 384));
        assert_eq!((limits.sockets_per_address, limits.connections_per_address), (192, 192));
    }
}
