//! Connections: how many, how slow they may be, and how they end when the server stops.

use crate::config::Config;
use crate::counts::Counts;
use crate::house::{House, until_stopping};
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
const AFTER_A_FAILURE: Duration = Duration::from_millis(100);

/// What an address is told that has too many connections.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\
                          Content-Type: application/json\r\nContent-Length: 96\r\n\r\n\
                          {\"error\":{\"code\":\"limits.connections\",\"message\":\"too many connections from your address\"}}     \n";

/// Serves `router` on `listener` until the house stops, then lets requests that are being answered end.
///
/// A caller that has not sent the whole head of a request in time is cut off, and so is a connection that is kept open
/// without a request. An address with too many connections is told so; connections beyond the limit of all wait in
/// the system's queue.
pub async fn open(listener: TcpListener, router: Router, house: Arc<House>) {
    let limits = house.config.limits;
    let mut stopping = house.stopping.subscribe();
    let by_address = Counts::new(limits.connections_per_address);
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
                let proxy = house.config.is_proxy(address.ip().to_canonical());
                let counted = by_address.one_more(address.ip());
                if counted.is_none() && !proxy {
                    metrics::counter!("parlour_refused_total", "why" => "connections").increment(1);
                    // Whoever does not take even this at once goes without.
                    let _ = stream.try_write(TOO_MANY);
                    continue;
                }
                let conversation = converse(stream, address, router.clone(), Arc::clone(&house));
                tokio::spawn(async move {
                    conversation.await;
                    drop((place, counted));
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(AFTER_A_FAILURE).await;
            }
        }
    }
    drop(listener);
    // All places are free when the last conversation has ended.
    let _ = places.acquire_many(limits.connections).await;
}

/// Answers what comes over one connection.
async fn converse(stream: TcpStream, address: SocketAddr, router: Router, house: Arc<House>) {
    let mut stopping = house.stopping.subscribe();
    let head_within = house.config.limits.head_within;
    // Moves are small and must not wait for more to be sent; a stream that refuses is slower, not wrong.
    let _ = stream.set_nodelay(true);
    // Whoever takes nothing of what is sent would keep the answer in memory for as long as it likes.
    let mut patient = TimeoutStream::new(stream);
    patient.set_write_timeout(Some(house.config.limits.send_within));
    let routes = TowerToHyperService::new(router);
    let answer = service_fn(move |mut request: Request<Incoming>| {
        let caller = SocketAddr::new(caller(address.ip(), request.headers(), &house.config), address.port());
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
    // What goes wrong with one connection (reset, half a request, too slow) is that caller's affair.
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Who calls: the other end of the connection, or whom a proxy of ours names. Each proxy adds whom it heard to the end
/// of the list, so that the last one that is no proxy of ours is true and everything before it is hearsay.
fn caller(peer: IpAddr, headers: &HeaderMap, config: &Config) -> IpAddr {
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
    fn only_proxies_of_ours_are_believed_and_only_as_far_as_they_know() {
        let mut config = Config::local("http://localhost");
        config.proxies = vec!["10.1.0.0/16".parse().expect("a network")];
        let ask = |peer: &str, lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append("x-forwarded-for", line.parse().expect("a header"));
            }
            caller(peer.parse().expect("an address"), &headers, &config).to_string()
        };
        assert_eq!(ask("192.0.2.7", &["198.51.100.1"]), "192.0.2.7", "a stranger says what it likes");
        assert_eq!(ask("10.1.0.2", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(ask("10.1.0.2", &["203.0.113.9, 198.51.100.1"]), "198.51.100.1", "what the stranger added");
        assert_eq!(ask("10.1.0.2", &["198.51.100.1", "10.1.9.9"]), "198.51.100.1", "two proxies");
        assert_eq!(ask("10.1.0.2", &["nonsense"]), "10.1.0.2");
        assert_eq!(ask("10.1.0.2", &[]), "10.1.0.2");
        assert_eq!(ask("::ffff:10.1.0.2", &["2001:db8::1"]), "2001:db8::1");
    }

    #[test]
    fn what_a_crowd_is_told_is_a_whole_answer() {
        let text = std::str::from_utf8(TOO_MANY).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.contains(&format!("Content-Length: {}", body.len())), "{}", body.len());
        serde_json::from_str::<serde_json::Value>(body).expect("JSON");
    }
}
