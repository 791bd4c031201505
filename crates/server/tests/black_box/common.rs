//! A server on loopback with the tiny games, and clients for it.

use catalog::Catalog;
use futures_util::{SinkExt, StreamExt};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{HeaderMap, Method, Request};
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use server::{Server, ServerConfig};
use std::time::Duration;
use store::{GameRow, GameState, GuestRow, LogEntry, NewGame, SeatKind, SeatRow, Secret, Store};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How long a test waits for something that must come.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The id of a table that was written down.
pub const TABLE: &str = "thetable";

/// Who sits at a table that is written down.
pub enum Occupant<'a> {
    /// A guest by id, with the secret that acts for the seat.
    Person(&'a str, Option<&'a Secret>),
    /// A computer of a level.
    Bot(&'a str),
    Nobody,
}

/// A table that is written down, not made by chance; it has started if every seat is taken.
pub struct StoredTable<'a> {
    pub game: &'a str,
    pub settings: Value,
    pub terms: Value,
    pub seed: u64,
    pub seats: &'a [Occupant<'a>],
}

/// A server with a store in a temporary folder.
pub struct TestServer {
    pub server: Option<Server>,
    pub address: String,
    pub folder: tempfile::TempDir,
    pub config: ServerConfig,
}

impl TestServer {
    pub async fn open() -> Self {
        Self::with(|_| {}).await
    }

    /// A host that is not open yet.
    pub fn closed() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut config = ServerConfig::local("http://127.0.0.1");
        config.thinkers = 2;
        Self { server: None, address: String::new(), folder, config }
    }

    /// A host whose config was changed before it opened.
    pub async fn with(change: impl FnOnce(&mut ServerConfig)) -> Self {
        let mut host = Self::closed();
        change(&mut host.config);
        host.start(catalog::test_games::catalog()).await;
        host
    }

    pub fn store_address(&self) -> String {
        format!("sqlite:{}", self.folder.path().join("test.db").display())
    }

    /// Writes a guest into the store of a host that is not open: who has the secret is that guest.
    pub async fn store_guest(&self, id: &str, secret: &Secret) {
        let store = Store::open(&self.store_address()).await.expect("the store opens");
        let (id, name, secret_hash) = (id.to_owned(), id.to_uppercase(), secret.hash());
        store.create_guest(GuestRow { id, name, secret_hash, created_ms: 1, seen_ms: 1 }).await.expect("a new guest");
        store.close().await;
    }

    /// Writes a table into the store of a host that is not open.
    pub async fn store_table(&self, table: StoredTable<'_>) {
        let store = Store::open(&self.store_address()).await.expect("the store opens");
        let (mut seats, mut records) = (Vec::new(), Vec::new());
        for (seat, sitter) in (0..).zip(table.seats) {
            let (kind, guest_id, level, token_hash, who) = match sitter {
                Occupant::Nobody => continue,
                Occupant::Bot(level) => {
                    (SeatKind::Bot, None, Some((*level).to_owned()), None, json!({ "bot": { "level": level } }))
                }
                Occupant::Person(guest, token) => {
                    let who = json!({ "person": { "guest": guest } });
                    (SeatKind::Person, Some((*guest).to_owned()), None, token.map(Secret::hash), who)
                }
            };
            seats.push(SeatRow { seat, kind, guest_id, level, token_hash });
            records.push(json!({ "record": "seated", "seat": seat, "who": who }));
        }
        let started = seats.len() == table.seats.len();
        let size = table.seats.len() as u8;
        if started {
            records.push(json!({ "record": "started", "seats": size }));
        }
        let row = GameRow {
            id: TABLE.into(),
            game: table.game.into(),
            rules_version: 1,
            settings: table.settings.to_string(),
            seats: if started { size } else { 0 },
            seed: table.seed,
            terms: table.terms.to_string(),
            listed: true,
            state: if started { GameState::Running } else { GameState::Waiting },
            wake: false,
            head: records.len() as i64,
            summary: r#"{"seats":[],"ply":0,"to_act":[0]}"#.into(),
            created_ms: 1,
            updated_ms: 1,
        };
        let entry = |(seq, record): (i64, &Value)| LogEntry { seq, at_ms: 1, body: record.to_string() };
        let entries = (1..).zip(&records).map(entry).collect();
        store.create(NewGame { row, seats, entries }).await.expect("it is new");
        store.close().await;
    }

    pub async fn start(&mut self, catalog: Catalog) {
        let store = Store::open(&self.store_address()).await.expect("the store opens");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let server = Server::start(self.config.clone(), catalog, store, listener).await.expect("the server starts");
        self.address = server.address().to_string();
        self.server = Some(server);
    }

    pub async fn stop(&mut self) {
        self.server.take().expect("it runs").stop().await;
    }

    pub async fn restart(&mut self) {
        self.stop().await;
        self.start(catalog::test_games::catalog()).await;
    }

    pub fn server(&self) -> &Server {
        self.server.as_ref().expect("it runs")
    }

    /// A program without identity.
    pub fn stranger(&self) -> Client {
        Client::new(&self.address)
    }

    /// A guest.
    pub async fn guest(&self) -> Client {
        let mut client = self.stranger();
        let answer = client.send(Method::POST, "/api/v1/guest", Some(b"{}".to_vec()), &[]).await;
        assert_eq!(answer.status, 200);
        client.cookie = Some(answer.cookie());
        client
    }
}

/// What a server said.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.bytes)))
    }

    /// The cookie that a browser would send back.
    pub fn cookie(&self) -> String {
        self.headers["set-cookie"].to_str().expect("text").split(';').next().expect("a pair").to_owned()
    }

    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// Somebody who calls.
#[derive(Clone)]
pub struct Client {
    http: Hyper<HttpConnector, Full<Bytes>>,
    pub address: String,
    pub cookie: Option<String>,
    pub token: Option<String>,
}

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

impl Client {
    pub fn new(address: &str) -> Self {
        let http = Hyper::builder(TokioExecutor::new()).build_http();
        Self { http, address: address.to_owned(), cookie: None, token: None }
    }

    /// The same with the secret of a seat.
    pub fn holding(mut self, secret: &Secret) -> Self {
        self.token = Some(secret.reveal());
        self
    }

    /// The same as the guest with this secret.
    pub fn with_guest(mut self, secret: &Secret) -> Self {
        self.cookie = Some(format!("parlour_guest={}", secret.reveal()));
        self
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<Vec<u8>>, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().method(method).uri(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Full::new(Bytes::from(body.unwrap_or_default()))).expect("a request");
        let response = tokio::time::timeout(PATIENCE, self.http.request(request)).await;
        let response = response.expect("an answer in time").expect("an answer");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a whole answer").to_bytes().to_vec();
        Response { status: parts.status.as_u16(), headers: parts.headers, bytes }
    }

    pub async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, &format!("/api/v1{path}"), None, &[]).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Response {
        let body = body.to_string().into_bytes();
        self.send(Method::POST, &format!("/api/v1{path}"), Some(body), &[]).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Response {
        self.send(Method::PUT, &format!("/api/v1{path}"), Some(body.to_string().into_bytes()), &[]).await
    }

    pub async fn delete(&self, path: &str) -> Response {
        self.send(Method::DELETE, &format!("/api/v1{path}"), None, &[]).await
    }

    /// Makes a table and gives its id.
    pub async fn table(&self, request: Value) -> String {
        let answer = self.post("/tables", request).await;
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.bytes));
        answer.json()["table"]["id"].as_str().expect("an id").to_owned()
    }

    /// The table as this client sees it.
    pub async fn see(&self, id: &str) -> Value {
        let answer = self.get(&format!("/tables/{id}")).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
        answer.json()
    }

    /// Plays a cell of noughts.
    pub async fn cell(&self, id: &str, cell: u8) -> Response {
        self.post(&format!("/tables/{id}/actions"), json!({ "action": { "cell": cell } })).await
    }

    /// Waits until the table looks right.
    pub async fn until(&self, id: &str, right: impl Fn(&Value) -> bool) -> Value {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let table = self.see(id).await;
            if right(&table) {
                return table;
            }
            assert!(tokio::time::Instant::now() < deadline, "the table never looked right: {table}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Opens the socket of a table.
    pub async fn socket(&self, id: &str) -> Socket {
        self.try_socket(id, &[]).await.expect("a socket")
    }

    pub async fn try_socket(&self, id: &str, headers: &[(&'static str, &str)]) -> Result<Socket, u16> {
        let mut request =
            format!("ws://{}/api/v1/tables/{id}/socket", self.address).into_client_request().expect("a request");
        if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("cookie", cookie.parse().expect("a header"));
        }
        if let Some(token) = &self.token {
            request.headers_mut().insert("authorization", format!("Bearer {token}").parse().expect("a header"));
        }
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("a header"));
        }
        match tokio_tungstenite::connect_async(request).await {
            Ok((socket, _)) => Ok(socket),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("no socket: {error}"),
        }
    }
}

/// How many answers of a kind were made ahead, found or missed, by the server's own figures.
pub async fn ahead(client: &Client, kind: &str, what: &str) -> u64 {
    let text = client.send(Method::GET, "/metrics", None, &[]).await.bytes;
    let text = String::from_utf8_lossy(&text).into_owned();
    let name = format!("parlour_ahead_total{{kind=\"{kind}\",what=\"{what}\"}} ");
    text.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok()).unwrap_or(0)
}

/// Says something on a socket.
pub async fn send_message(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.expect("it can be sent");
}

/// The next text on a socket that fits; others are passed over.
pub async fn receive(socket: &mut Socket, fits: impl Fn(&Value) -> bool) -> Value {
    let wait = async {
        loop {
            match socket.next().await.expect("the socket is open").expect("a message") {
                Message::Text(text) => {
                    let value: Value = serde_json::from_str(&text).expect("JSON");
                    if fits(&value) {
                        return value;
                    }
                }
                Message::Close(frame) => panic!("closed: {frame:?}"),
                _ => {}
            }
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("the message comes in time")
}

/// Noughts: me first, then somebody else.
pub fn against(kind: &str) -> Value {
    json!({ "game": "noughts", "seats": [{ "kind": "me" }, { "kind": kind }] })
}
