//! `cargo xtask load-test`: many WebSocket players at once, bots thinking beside them, and a flood on top.
//!
//! Every player sits at a two-seat table with a socket of its own, waits a random while when it is its turn, acts, and
//! measures the time until the acknowledgement, which the server sends after the commit. In the last third of the
//! time a flood of requests tries to push the players aside; it must be told 429 or 503 with `Retry-After`. With
//! `--hostile` the flood is made of requests that mean harm.

use crate::client::{Client, TestServer, program, quantile};
use crate::hostile;
use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

#[derive(clap::Args)]
pub struct Args {
    /// How many WebSocket players
    #[arg(long, default_value_t = 300)]
    players: usize,
    /// How many further sockets only look on, two at a table of their own
    #[arg(long, default_value_t = 0)]
    idle: usize,
    /// For how long, in seconds
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// How long a player thinks about an action on average, in milliseconds
    #[arg(long, default_value_t = 1_000)]
    think_ms: u64,
    /// How many tables on which only bots play, to keep the thinkers busy
    #[arg(long, default_value_t = 4)]
    bot_tables: usize,
    /// Instead of the flood, send hostile requests of every kind again and again from another address
    #[arg(long)]
    hostile: bool,
    /// The program to test instead of a fresh build
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// An acknowledgement that takes longer is an error.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many connections the flood uses.
const FLOOD: usize = 8;

#[derive(Default)]
struct Shared {
    calm: Mutex<Vec<Duration>>,
    flooded: Mutex<Vec<Duration>>,
    measuring: AtomicBool,
    flooding: AtomicBool,
    done: AtomicBool,
    errors: AtomicU64,
    onlookers_lost: AtomicU64,
    failures: Mutex<Vec<String>>,
    flood: Mutex<Flood>,
}

#[derive(Default)]
struct Flood {
    answered: u64,
    refused: u64,
    without_retry_after: u64,
    other: u64,
    slowest: Duration,
}

pub fn run(args: Args, root: &Path) -> Result<()> {
    let program = program(args.program.clone(), root)?;
    let folder = std::env::temp_dir().join(format!("parlour-load-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let site = TestServer::new(program, format!("sqlite:{}", folder.join("games.db").display()), root, 1)?;
    let result = tokio::runtime::Runtime::new()?.block_on(test(&args, &site));
    let _ = std::fs::remove_dir_all(&folder);
    let report = result?;
    if args.json {
        println!("{report}");
    } else {
        println!("{report:#}");
    }
    Ok(())
}

async fn test(args: &Args, site: &TestServer) -> Result<Value> {
    let server = site.start()?;
    site.ready().await?;
    let shared = Arc::new(Shared::default());
    let mut guest = Client::new(&site.address);
    guest.sign_in().await?;
    start_bots(&guest, args.bot_tables).await?;
    let players = seat_players(args, site, &guest, &shared).await?;
    let after_start = server.peak_memory()?;
    let onlookers = seat_onlookers(args, site, &guest, &shared).await?;
    let idle = onlookers.len() as u64;
    // The first second is not measured.
    tokio::time::sleep(Duration::from_secs(1)).await;
    shared.measuring.store(true, Ordering::Relaxed);
    let cpu_before = server.cpu_seconds()?;
    let third = Duration::from_secs(args.seconds) / 3;
    tokio::time::sleep(2 * third).await;
    let calm_cpu = server.cpu_seconds()? - cpu_before;
    shared.flooding.store(true, Ordering::Relaxed);
    let crowd = if args.hostile { 0 } else { FLOOD };
    let floods: Vec<_> =
        (0..crowd).map(|_| tokio::spawn(flood(Client::new(&site.address), Arc::clone(&shared)))).collect();
    let calm_again = Arc::new(AtomicBool::new(false));
    let raging = args.hostile.then(|| {
        let (guest, address, calm_again) = (guest.clone(), site.address.clone(), Arc::clone(&calm_again));
        tokio::spawn(async move { hostile::rage(&guest, address.parse()?, calm_again).await })
    });
    tokio::time::sleep(third).await;
    shared.done.store(true, Ordering::Relaxed);
    calm_again.store(true, Ordering::Relaxed);
    let harm = match raging {
        None => Value::Null,
        Some(raging) => raging.await??.report(),
    };
    for task in floods.into_iter().chain(players) {
        task.await?;
    }
    for onlooker in onlookers {
        onlooker.await?;
    }
    let mut calm = std::mem::take(&mut *shared.calm.lock().expect("no panic while held"));
    let mut flooded = std::mem::take(&mut *shared.flooded.lock().expect("no panic while held"));
    let flood = shared.flood.lock().expect("no panic while held");
    let moves = calm.len() + flooded.len();
    Ok(json!({
        "players": args.players,
        "p99_ms": quantile(&mut calm, 0.99),
        "errors": shared.errors.load(Ordering::Relaxed),
        "p50_ms": quantile(&mut calm, 0.5),
        "max_ms": quantile(&mut calm, 1.0),
        "moves": moves,
        "seconds": args.seconds,
        "idle_sockets": idle - shared.onlookers_lost.load(Ordering::Relaxed),
        "server_memory_mb": { "without_sockets": after_start, "peak": server.peak_memory()? },
        "server_cpu_ms_per_move": (calm_cpu * 1e6 / calm.len().max(1) as f64).round() / 1e3,
        "flood": {
            "p99_ms_of_players": quantile(&mut flooded, 0.99),
            "answered": flood.answered,
            "refused": flood.refused,
            "refused_without_retry_after": flood.without_retry_after,
            "other_answers": flood.other,
            "slowest_ms": flood.slowest.as_secs_f64() * 1e3,
        },
        "hostile": harm,
        "failures": *shared.failures.lock().expect("no panic while held"),
    }))
}

/// Seats the players, two at a table.
async fn seat_players(
    args: &Args,
    site: &TestServer,
    guest: &Client,
    shared: &Arc<Shared>,
) -> Result<Vec<tokio::task::JoinHandle<()>>> {
    let mut players = Vec::new();
    for pair in 0..args.players.div_ceil(2) {
        let (id, tokens) = two_seats(guest).await?;
        for (seat, token) in tokens.into_iter().enumerate() {
            if players.len() < args.players {
                let player = Player {
                    address: site.address.clone(),
                    id: id.clone(),
                    token,
                    random: numerics::SplitMix64::new((pair * 2 + seat) as u64),
                    think_ms: args.think_ms,
                    shared: Arc::clone(shared),
                };
                players.push(tokio::spawn(player.play()));
            }
        }
    }
    Ok(players)
}

/// Opens the sockets that only look on, two at a table.
async fn seat_onlookers(
    args: &Args,
    site: &TestServer,
    guest: &Client,
    shared: &Arc<Shared>,
) -> Result<Vec<tokio::task::JoinHandle<()>>> {
    let mut onlookers = Vec::new();
    for _ in 0..args.idle.div_ceil(2) {
        let (id, tokens) = two_seats(guest).await?;
        for token in tokens.into_iter().take(args.idle - onlookers.len()) {
            let socket = connect(&site.address, &id, &token).await?;
            onlookers.push(tokio::spawn(look_on(socket, Arc::clone(shared))));
        }
    }
    Ok(onlookers)
}

async fn patiently(client: &Client, path: &str, body: &Value) -> Result<Value> {
    loop {
        let answer = client.post(path, body).await?;
        match answer.status {
            200 | 201 => return Ok(answer.body),
            429 | 503 => tokio::time::sleep(Duration::from_millis(200)).await,
            status => bail!("{path} answered {status} {}", answer.body),
        }
    }
}

/// A fresh table of which both seats are ours: its id and the secrets of the seats.
async fn two_seats(guest: &Client) -> Result<(String, [String; 2])> {
    let wish = json!({ "game": "gomoku", "seats": [{ "kind": "me" }, { "kind": "me" }] });
    let made = patiently(guest, "/api/v1/tables", &wish).await?;
    let text = |value: &Value| value.as_str().map(str::to_owned).context("a table has an id and its seats secrets");
    let tokens = &made["seat_tokens"];
    Ok((text(&made["table"]["id"])?, [text(&tokens[0]["token"])?, text(&tokens[1]["token"])?]))
}

async fn connect(address: &str, table: &str, token: &str) -> Result<Socket> {
    let mut request = format!("ws://{address}/api/v1/tables/{table}/socket").into_client_request()?;
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
    Ok(tokio_tungstenite::connect_async(request).await?.0)
}

/// Reads what comes until the test is done.
async fn look_on(mut socket: Socket, shared: Arc<Shared>) {
    while !shared.done.load(Ordering::Relaxed) {
        if next(&mut socket, Duration::from_millis(500)).await.is_err() {
            shared.onlookers_lost.fetch_add(1, Ordering::Relaxed);
            return;
        }
    }
}

async fn start_bots(guest: &Client, tables: usize) -> Result<()> {
    let games = guest.get("/api/v1/games").await?.body;
    let levels = games.as_array().and_then(|games| games.iter().find(|game| game["id"] == "gomoku"));
    let level = levels.context("gomoku is not on board")?["default_level"].clone();
    for _ in 0..tables {
        let bot = json!({ "kind": "bot", "level": level });
        patiently(guest, "/api/v1/tables", &json!({ "game": "gomoku", "seats": [bot, bot] })).await?;
    }
    Ok(())
}

/// What a player needs of a table.
#[derive(Deserialize)]
struct Seen {
    state: String,
    viewer: Option<u8>,
    ply: u32,
    to_act: Vec<u8>,
    #[serde(default)]
    legal: Vec<Legal>,
    rematch: Option<Rematch>,
}

#[derive(Deserialize)]
struct Legal {
    action: Value,
}

#[derive(Deserialize)]
struct Rematch {
    id: String,
}

#[derive(Deserialize)]
struct Said {
    table: Option<Seen>,
    ack: Option<Value>,
    nack: Option<Value>,
}

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

struct Player {
    address: String,
    id: String,
    token: String,
    random: numerics::SplitMix64,
    think_ms: u64,
    shared: Arc<Shared>,
}

impl Player {
    async fn play(mut self) {
        while !self.shared.done.load(Ordering::Relaxed) {
            if let Err(error) = self.one_table().await {
                self.shared.errors.fetch_add(1, Ordering::Relaxed);
                self.shared.failures.lock().expect("no panic while held").push(format!("{error:#}"));
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
    }

    /// Plays until the game is over and the next table is known, or the test is.
    async fn one_table(&mut self) -> Result<()> {
        let mut socket = connect(&self.address, &self.id, &self.token).await?;
        let mut newest: Option<Seen> = None;
        while !self.shared.done.load(Ordering::Relaxed) {
            let Some(said) = next(&mut socket, Duration::from_millis(500)).await? else { continue };
            newest = said.table.or(newest);
            let Some(seen) = &newest else { continue };
            if let Some(rematch) = &seen.rematch {
                self.id = rematch.id.clone();
                return Ok(());
            }
            if seen.state == "over" && seen.viewer == Some(0) {
                let mut client = Client::new(&self.address);
                client.token = Some(self.token.clone());
                client.post(&format!("/api/v1/tables/{}/rematch", self.id), &json!({})).await?;
            }
            let my_turn = seen.viewer.is_some_and(|seat| seen.to_act.contains(&seat)) && !seen.legal.is_empty();
            if my_turn {
                let wait = self.think_ms / 2 + self.below(self.think_ms);
                tokio::time::sleep(Duration::from_millis(wait)).await;
                let Some(seen) = newest.take() else { continue };
                newest = self.act(&mut socket, &seen).await?;
            }
        }
        Ok(())
    }

    /// Acts and waits for the acknowledgement; the newest table seen meanwhile.
    async fn act(&mut self, socket: &mut Socket, seen: &Seen) -> Result<Option<Seen>> {
        let choice = self.below(seen.legal.len() as u64) as usize;
        let act = json!({ "action": { "action": seen.legal[choice].action, "expect_ply": seen.ply, "id": "x" } });
        let begun = Instant::now();
        socket.send(Message::text(act.to_string())).await?;
        let mut newest = None;
        loop {
            let Some(said) = next(socket, PATIENCE).await? else { bail!("no acknowledgement within {PATIENCE:?}") };
            newest = said.table.or(newest);
            if said.ack.is_some() {
                break;
            }
            if let Some(nack) = said.nack {
                bail!("refused: {nack}");
            }
        }
        if self.shared.measuring.load(Ordering::Relaxed) {
            let flooding = self.shared.flooding.load(Ordering::Relaxed);
            let times = if flooding { &self.shared.flooded } else { &self.shared.calm };
            times.lock().expect("no panic while held").push(begun.elapsed());
        }
        Ok(newest)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.random.next_u64() % limit.max(1)
    }
}

/// The next text on the socket, or nothing for so long.
async fn next(socket: &mut Socket, patience: Duration) -> Result<Option<Said>> {
    let deadline = tokio::time::Instant::now() + patience;
    loop {
        match tokio::time::timeout_at(deadline, socket.next()).await {
            Err(_) => return Ok(None),
            Ok(Some(Ok(Message::Text(text)))) => return Ok(Some(serde_json::from_str(&text)?)),
            Ok(Some(Ok(Message::Close(frame)))) => bail!("the socket was closed: {frame:?}"),
            Ok(Some(Ok(_))) => {}
            Ok(Some(Err(error))) => bail!("the socket failed: {error}"),
            Ok(None) => bail!("the socket ended"),
        }
    }
}

/// Asks as fast as it can, without caring for what it is told.
async fn flood(client: Client, shared: Arc<Shared>) {
    while !shared.done.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let answer = client.get("/api/v1/games").await;
        let mut flood = shared.flood.lock().expect("no panic while held");
        flood.slowest = flood.slowest.max(begun.elapsed());
        match answer {
            Ok(answer) if answer.status == 200 => flood.answered += 1,
            Ok(answer) if answer.status == 429 || answer.status == 503 => {
                flood.refused += 1;
                flood.without_retry_after += u64::from(!answer.headers.contains_key("retry-after"));
            }
            _ => flood.other += 1,
        }
    }
}
