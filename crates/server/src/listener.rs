//! The listener: accepts connections, limits their number and slowness, and ends them when the server stops.

use crate::address_limit::AddressLimit;
use crate::app_state::{AppState, until_stopping};
use crate::config::ServerConfig;
use axum::Router;
use axum::extract::connect_info::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{HeaderMap, Request};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

/// Pause after an `accept` that failed (no file handles left, for instance), so that the loop does not spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The answer to an address with too many connections.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\
                          Content-Type: application/json\r\nContent-Length: 96\r\n\r\n\
                          {\"error\":{\"code\":\"limits.connections\",\"message\":\"too many connections from your address\"}}     \n";

/// Serves `router` on `listener` until the server stops, then lets requests that are being answered end.
///
/// The listener cuts off a caller that does not send the whole head of a request in time, and a connection that stays
/// open without a request. An address with too many connections gets 503; connections beyond the limit of all wait
/// in the operating system's queue.
pub async fn serve(listener: TcpListener, router: Router, app: Arc<AppState>) {
    let limits = app.config.limits;
    let mut stopping = app.stopping.subscribe();
    let by_address = AddressLimit::new(limits.connections_per_address);
    let places = Arc::new(Semaphore::new(limits.connections as usize));
    loop {
        let arrival = async {
            let place = Arc::clone(&places).acquire_owned().await.expect("the semaphore is never closed");
            (listener.accept().await, place)
        };
        let (arrived, place) = tokio::select! {
            arrived = arrival => arrived,
            () = until_stopping(&mut stopping) => break,
        };
        match arrived {
            Ok((stream, address)) => {
                let proxy = app.config.is_proxy(address.ip().to_canonical());
                let counted = by_address.acquire(address.ip());
                if counted.is_none() && !proxy {
                    metrics::counter!("parlour_refused_total", "why" => "connections").increment(1);
                    // A caller that does not take even this at once gets no answer.
                    let _ = stream.try_write(TOO_MANY);
                    continue;
                }
                let connection = serve_connection(stream, address, router.clone(), Arc::clone(&app));
                tokio::spawn(async move {
                    connection.await;
                    drop((place, counted));
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    // All places are free when the last connection has ended.
    let _ = places.acquire_many(limits.connections).await;
}

/// Answers the requests of one connection.
async fn serve_connection(stream: TcpStream, address: SocketAddr, router: Router, app: Arc<AppState>) {
    let mut stopping = app.stopping.subscribe();
    let head_within = app.config.limits.head_within;
    // Moves are small and must not wait for further data; a stream that refuses is slower, not wrong.
    let _ = stream.set_nodelay(true);
    // A caller that reads nothing would keep its answer in memory for as long as it likes.
    let mut patient = TimeoutStream::new(stream);
    patient.set_write_timeout(Some(app.config.limits.send_within));
    let routes = TowerToHyperService::new(router);
    let answer = service_fn(move |mut request: Request<Incoming>| {
        let caller = SocketAddr::new(caller(address.ip(), request.headers(), &app.config), address.port());
        request.extensions_mut().insert(ConnectInfo(caller));
        routes.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_within)
        .serve_connection(TokioIo::new(Box::pin(patient)), answer)
        .with_upgrades();
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = until_stopping(&mut stopping) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    // Failures of one connection (reset, half a request, too slow) concern its caller only.
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// The caller: the other end of the connection, or the address that a trusted proxy reports. Each proxy appends the
/// address it saw, so the last address that is no trusted proxy is true and everything before it is unverified.
fn caller(peer: IpAddr, headers: &HeaderMap, config: &ServerConfig) -> IpAddr {
    let peer = peer.to_canonical();
    if !config.is_proxy(peer) {
        return peer;
    }
    let lines = headers.get_all("x-forwarded-for").iter().filter_map(|line| line.to_str().ok());
    let named: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    let mut caller = peer;
    for name in named.iter().rev() {
        let Ok(address) = name.parse::<IpAddr>() else { break };
        caller = address.to_canonical();
        if !config.is_proxy(caller) {
            break;
        }
    }
    caller
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let mut config = ServerConfig::local("http://localhost");
        config.proxies = vec!["10.1.0.0/16".parse().expect("a network")];
        let ask = |peer: &str, lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("x-forwarded-for", line.parse().expect("a header"));
            }
            caller(peer.parse().expect("an address"), &headers, &config).to_string()
        };
        assert_eq!(ask("192.0.2.7", &["198.51.100.1"]), "192.0.2.7", "an untrusted peer may write anything");
        assert_eq!(ask("10.1.0.2", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(ask("10.1.0.2", &["203.0.113.9, 198.51.100.1"]), "198.51.100.1", "the caller added the first");
        assert_eq!(ask("10.1.0.2", &["198.51.100.1", "10.1.9.9"]), "198.51.100.1", "two proxies");
        assert_eq!(ask("10.1.0.2", &["nonsense"]), "10.1.0.2");
        assert_eq!(ask("10.1.0.2", &[]), "10.1.0.2");
        assert_eq!(ask("::ffff:10.1.0.2", &["2001:db8::1"]), "2001:db8::1");
    }

    #[test]
    fn the_answer_to_too_many_connections_is_a_whole_one() {
        let text = std::str::from_utf8(TOO_MANY).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.contains(&format!("Content-Length: {}", body.len())), "{}", body.len());
        serde_json::from_str::<serde_json::Value>(body).expect("JSON");
    }
}
