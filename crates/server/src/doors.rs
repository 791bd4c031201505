//! Connections: how many, how slow they may be, and how they end when the server stops.

use crate::config::Limits;
use crate::house::until_stopping;
use axum::Router;
use axum::extract::connect_info::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

/// Pause after an `accept` that failed (no file handles left, for instance), so that the loop does not spin.
const AFTER_A_FAILURE: Duration = Duration::from_millis(100);

/// Serves `router` on `listener` until `stopping`, then lets requests that are being answered end.
///
/// A caller that has not sent the whole head of a request in time is cut off, and so is a connection that is kept open
/// without a request; connections beyond the limit wait in the system's queue.
pub async fn open(listener: TcpListener, router: Router, limits: Limits, mut stopping: watch::Receiver<bool>) {
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
                let conversation = converse(stream, address, router.clone(), limits.head_within, stopping.clone());
                tokio::spawn(async move {
                    conversation.await;
                    drop(place);
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
async fn converse(
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    head_within: Duration,
    mut stopping: watch::Receiver<bool>,
) {
    // Moves are small and must not wait for more to be sent; a stream that refuses is slower, not wrong.
    let _ = stream.set_nodelay(true);
    let routes = TowerToHyperService::new(router);
    let answer = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        routes.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_within)
        .serve_connection(TokioIo::new(stream), answer)
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
