//! Sends a hostile request over a connection of its own and tells what came of it.

use super::requests::How;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// How long an end is awaited before there is none.
const PATIENCE: Duration = Duration::from_secs(60);

/// Connects from an address of this machine, so that those who mean harm have another one than those who do not.
pub async fn connect(to: SocketAddr, from: Ipv4Addr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    socket.connect(to).await
}

/// What came of it: a status, `closed`, `nack`, the code that a socket was closed with, or `nothing`.
pub async fn attack(to: SocketAddr, from: Ipv4Addr, table: &str, how: &How) -> String {
    let attacked = tokio::time::timeout(PATIENCE, send(to, from, table, how)).await;
    match attacked {
        Err(_) => "nothing".to_owned(),
        // a reset is an end like any other
        Ok(Err(_)) => "closed".to_owned(),
        Ok(Ok(received)) => received,
    }
}

async fn send(to: SocketAddr, from: Ipv4Addr, table: &str, how: &How) -> std::io::Result<String> {
    let mut stream = connect(to, from).await?;
    match how {
        How::Bytes(bytes) | How::Stall(bytes) => {
            let (mut reading, mut writing) = stream.split();
            // an answer may come, and the connection end, before everything was sent
            let (_, received) = tokio::join!(writing.write_all(bytes), status(&mut reading));
            received
        }
        How::Drip(bytes) => {
            stream.write_all(bytes).await?;
            let (mut reading, mut writing) = stream.split();
            let drip = async {
                while writing.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                std::future::pending::<()>().await
            };
            tokio::select! {
                () = drip => unreachable!("it drips for ever"),
                received = status(&mut reading) => received,
            }
        }
        How::Deaf(bytes) => {
            // what is sent fills the way back, until the server gives up; only then is the end looked for
            let _ = stream.write_all(bytes).await;
            loop {
                tokio::time::sleep(Duration::from_millis(50)).await;
                stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await?;
            }
        }
        How::Socket(bytes) => {
            let head = format!(
                "GET /api/v1/tables/{table}/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                 Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await?;
            let (mut reading, mut writing) = stream.split();
            let (_, received) = tokio::join!(writing.write_all(bytes), refusal(&mut reading));
            received
        }
    }
}

/// The status of an answer.
async fn status(stream: &mut (impl AsyncReadExt + Unpin)) -> std::io::Result<String> {
    let mut start = [0; 12];
    stream.read_exact(&mut start).await?;
    let text = String::from_utf8_lossy(&start).into_owned();
    let status = text.strip_prefix("HTTP/1.1 ").or_else(|| text.strip_prefix("HTTP/1.0 "));
    // the rest is taken, so that the server is never the one that waits
    tokio::time::timeout(Duration::from_millis(20), drain(stream)).await.ok();
    Ok(status.unwrap_or("no HTTP").to_owned())
}

async fn drain(stream: &mut (impl AsyncReadExt + Unpin)) {
    let mut rest = [0; 4096];
    while stream.read(&mut rest).await.is_ok_and(|read| read > 0) {}
}

/// Reads messages of a socket until one refuses or ends it.
async fn refusal(stream: &mut (impl AsyncReadExt + Unpin)) -> std::io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    if !head.starts_with(b"HTTP/1.1 101") {
        return Ok(String::from_utf8_lossy(&head[9..12]).into_owned());
    }
    loop {
        let (kind, short) = (stream.read_u8().await? & 0x0f, stream.read_u8().await? & 0x7f);
        let length = match short {
            126 => u64::from(stream.read_u16().await?),
            127 => stream.read_u64().await?,
            short => u64::from(short),
        };
        let mut payload = vec![0; usize::try_from(length).unwrap_or(usize::MAX).min(16 << 20)];
        stream.read_exact(&mut payload).await?;
        match kind {
            8 if payload.len() >= 2 => return Ok(u16::from_be_bytes([payload[0], payload[1]]).to_string()),
            8 => return Ok("closed".to_owned()),
            // too many are received so one by one, until the socket is closed
            1 if payload.starts_with(b"{\"nack\"") && !payload.windows(11).any(|part| part == b"limits.rate") => {
                return Ok("nack".to_owned());
            }
            _ => {}
        }
    }
}
