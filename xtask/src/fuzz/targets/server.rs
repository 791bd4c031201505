//! A whole server over real connections on loopback: requests with any method, address and body, and messages of sockets.

use super::super::FuzzFn;
use super::{FuzzTarget, text, texts};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use server::{Rate, Server, ServerConfig};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// A server of the real games whose limits nobody here reaches, with one table, and its first guest.
struct TestServer {
    runtime: Runtime,
    _server: Server,
    address: String,
    cookie: String,
    table: String,
}

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(15);

impl TestServer {
    fn open() -> Self {
        let runtime = Runtime::new().expect("an event loop");
        let file = std::env::temp_dir().join(format!("parlour-fuzz-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&file);
        let server = runtime.block_on(async {
            let store = store::Store::open(&format!("sqlite:{}", file.display())).await.expect("a store");
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            let mut config = ServerConfig::local("http://127.0.0.1");
            let free = Rate { per_second: 1_000_000, burst: 1_000_000 };
            let limits = &mut config.limits;
            (limits.per_caller, limits.per_address, limits.creation) = (free, free, free);
            (limits.passwords, limits.per_socket) = (free, free);
            let catalog = catalog::Catalog::load(Some(&crate::root().join("data")));
            Server::start(config, catalog, store, listener).await.expect("a server")
        });
        let address = server.address().to_string();
        let mut host = Self { runtime, _server: server, address, cookie: String::new(), table: String::new() };
        let (_, head, _) = host.ask("POST", "/api/v1/guest", b"{}");
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        host.cookie = cookie.and_then(|line| line.split(';').next()).unwrap_or_default().to_owned();
        let request = br#"{"game":"gomoku","seats":[{"kind":"me"},{"kind":"bot","level":"beginner"}]}"#;
        let (_, _, body) = host.ask("POST", "/api/v1/tables", request);
        let made: Value = serde_json::from_slice(&body).unwrap_or_default();
        let id = made["id"].as_str().or_else(|| made["table"]["id"].as_str());
        host.table = id.expect("a table is made").to_owned();
        host
    }

    /// One request: status, head, body.
    fn ask(&self, method: &str, path: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
        let answer = (|| -> std::io::Result<Vec<u8>> {
            let mut line = TcpStream::connect(&self.address)?;
            line.set_read_timeout(Some(TIMEOUT))?;
            let head = format!(
                "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncookie: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                self.address, self.cookie, body.len()
            );
            line.write_all(head.as_bytes())?;
            line.write_all(body)?;
            let mut answer = Vec::new();
            line.read_to_end(&mut answer)?;
            Ok(answer)
        })()
        .unwrap_or_default();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(answer.len(), |at| at + 4);
        let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        (status, head, answer[end..].to_vec())
    }
}

/// Requests: a line with method and address, then the body. `TABLE` stands for the table that is there.
pub fn requests() -> FuzzTarget {
    FuzzTarget {
        name: "server.requests",
        about: "methods, addresses and bodies of the API, over real connections",
        seeds: || {
            texts(&[
                "POST /api/v1/tables\n{\"game\":\"gomoku\",\"seats\":[{\"kind\":\"me\"},{\"kind\":\"me\"}]}",
                "POST /api/v1/tables/TABLE/actions\n{\"text\":\"H8\"}",
                "POST /api/v1/tables/TABLE/actions\n{\"action\":{\"stone\":[7,7]},\"expect_ply\":0}",
                "POST /api/v1/tables/TABLE/undo\n{\"keep\":0}",
                "GET /api/v1/tables/TABLE?ply=1\n",
                "GET /api/v1/tables?game=gomoku&state=running\n",
                "POST /api/v1/guest/name\n{\"name\":\"Ann\"}",
                "POST /api/v1/accounts\n{\"name\":\"ann\",\"password\":\"correct horse\"}",
                "POST /api/v1/gomoku/analyse\n{\"stones\":\"H8 I9\",\"nodes\":10}",
                "GET /api/v1/games\n",
                "GET /api/openapi.json\n",
                "DELETE /api/v1/tables/TABLE\n",
                "GET /api/v1/artifacts/00\n",
                "GET /../../etc/passwd\n",
            ])
        },
        reader: || {
            let host = TestServer::open();
            Box::new(move |bytes| {
                let at = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
                let line = text(&bytes[..at]).replace("TABLE", &host.table);
                let (method, path) = line.split_once(' ').unwrap_or(("GET", &line));
                let plain = |word: &str| word.chars().filter(|letter| !letter.is_control()).collect::<String>();
                let body = bytes.get(at + 1..).unwrap_or_default();
                let (status, _, answer) = host.ask(&plain(method), &plain(path), body);
                assert!(status < 500 || status == 503, "{status} for {line}: {}", text(&answer));
                let code = serde_json::from_slice::<Value>(&answer).unwrap_or_default();
                format!("{status} {}", code["error"]["code"].as_str().unwrap_or(""))
            })
        },
    }
}

/// Messages of a socket, one a line; then a ping, whose answer shows that the server is still there.
pub fn socket() -> FuzzTarget {
    FuzzTarget {
        name: "server.socket",
        about: "messages of sockets, over a real connection",
        seeds: || {
            texts(&[
                "{\"hello\":{\"seq\":0}}",
                "{\"hello\":{}}\n{\"action\":{\"text\":\"H8\",\"id\":\"a\"}}",
                "{\"action\":{\"action\":{\"stone\":[7,7]},\"expect_ply\":0}}",
                "{\"presence\":{\"cell\":[1,2]}}",
                "{\"ping\":7}",
            ])
        },
        reader,
    }
}

fn reader() -> FuzzFn {
    let host = TestServer::open();
    let mut open = None;
    Box::new(move |bytes| {
        let lines: Vec<String> = text(bytes).lines().take(20).map(str::to_owned).collect();
        let url = format!("ws://{}/api/v1/tables/{}/socket", host.address, host.table);
        host.runtime.block_on(async {
            let mut socket = match open.take() {
                Some(socket) => socket,
                None => {
                    let mut request = url.into_client_request().expect("a good address");
                    let cookie = host.cookie.parse().expect("a cookie is a header");
                    request.headers_mut().insert("cookie", cookie);
                    match tokio_tungstenite::connect_async(request).await {
                        Ok((socket, _)) => socket,
                        Err(error) => panic!("the socket does not open: {error}"),
                    }
                }
            };
            for line in lines {
                if socket.send(Message::text(line)).await.is_err() {
                    return "closed".to_owned();
                }
            }
            if socket.send(Message::text("{\"ping\":4711}")).await.is_err() {
                return "closed".to_owned();
            }
            let mut outcome = String::new();
            loop {
                match tokio::time::timeout(TIMEOUT, socket.next()).await {
                    Err(_) => panic!("no answer to a ping"),
                    Ok(None | Some(Err(_) | Ok(Message::Close(_)))) => return format!("{outcome}; closed"),
                    Ok(Some(Ok(message))) => {
                        let value: Value = serde_json::from_str(message.to_text().unwrap_or("")).unwrap_or_default();
                        if value["pong"] == 4711 {
                            open = Some(socket);
                            return outcome;
                        }
                        let kind = value.as_object().and_then(|map| map.keys().next().cloned()).unwrap_or_default();
                        let code = value["nack"]["error"]["code"].as_str().unwrap_or("");
                        outcome = format!("{kind} {code}");
                    }
                }
            }
        })
    })
}
