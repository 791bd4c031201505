//! `cargo xtask abuse-test`: one abuser of each kind beside honest players, one server per kind.
//!
//! Honest players move at tables of their own over HTTP and measure the time until the acknowledgement, which the
//! server sends after the commit. One more honest person plays a beginner bot and measures how soon it answers, and
//! calls a heavy service and measures how soon it is answered. The report has a line per kind of abuse and a line
//! without any: compare lines of one run, since times depend on the machine.

use crate::client::{Client, TestServer, program, quantile};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// Number of honest players
    #[arg(long, default_value_t = 50)]
    players: usize,
    /// Seconds of abuse of each kind
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Time between two moves of an honest player, in milliseconds
    #[arg(long, default_value_t = 500)]
    think_ms: u64,
    /// Only these kinds of abuse, by name; all if not given
    #[arg(long, value_name = "KIND")]
    only: Vec<String>,
    /// The program to test instead of a fresh build
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What the abuser does until the end, once for each of its parallel tasks.
type Abuse = fn(Arc<Scene>) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// A kind of abuse: its name, how many tasks do it at once, and what each does.
const KINDS: [(&str, usize, Abuse); 8] = [
    ("none", 0, |_| Box::pin(async {})),
    ("tables with long clocks", 8, |scene| Box::pin(tables(scene))),
    ("exports of user data", 60, |scene| Box::pin(exports(scene))),
    ("clues of 7 MB", 4, |scene| Box::pin(clues(scene))),
    ("long analyses", 40, |scene| Box::pin(analyses(scene))),
    ("analyses that nobody waits for", 40, |scene| Box::pin(abandoned_analyses(scene))),
    ("games of bots", 8, |scene| Box::pin(bot_games(scene))),
    ("made-up tokens", 16, |scene| Box::pin(made_up_tokens(scene))),
];

/// One server with its abuser.
struct Scene {
    address: String,
    abuser: Client,
    done: AtomicBool,
    sent: AtomicU64,
    refused: AtomicU64,
}

impl Scene {
    fn goes_on(&self) -> bool {
        !self.done.load(Ordering::Relaxed)
    }

    /// Sends a request of the abuser and counts how it was answered.
    async fn send(&self, client: &Client, path: &str, body: Option<&Value>) {
        self.sent.fetch_add(1, Ordering::Relaxed);
        let answer = match body {
            Some(body) => client.post(path, body).await,
            None => client.get(path).await,
        };
        if answer.is_ok_and(|answer| answer.status >= 400) {
            self.refused.fetch_add(1, Ordering::Relaxed);
            // An abuser that is refused at once would measure the client's processor only.
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

async fn tables(scene: Arc<Scene>) {
    let request = json!({ "game": "gomoku", "seats": [{ "kind": "me" }, { "kind": "me" }],
        "clock": { "per_game_ms": 604_800_000_u64 } });
    while scene.goes_on() {
        scene.send(&scene.abuser, "/api/v1/tables", Some(&request)).await;
    }
}

async fn exports(scene: Arc<Scene>) {
    while scene.goes_on() {
        scene.send(&scene.abuser, "/api/v1/me/data", None).await;
    }
}

async fn clues(scene: Arc<Scene>) {
    let request = json!({ "clue": "feline ".repeat(1_000_000), "pattern": "???", "lang": "en" });
    while scene.goes_on() {
        scene.send(&scene.abuser, "/api/v1/crossword/clue", Some(&request)).await;
    }
}

/// A position to think about for a minute.
fn analysis() -> Value {
    json!({ "stones": "h8 i9 h9 j10", "ms": 60_000 })
}

async fn analyses(scene: Arc<Scene>) {
    while scene.goes_on() {
        scene.send(&scene.abuser, "/api/v1/gomoku/analyse_position", Some(&analysis())).await;
    }
}

async fn abandoned_analyses(scene: Arc<Scene>) {
    while scene.goes_on() {
        let request = analysis();
        let call = scene.send(&scene.abuser, "/api/v1/gomoku/analyse_position", Some(&request));
        let _ = tokio::time::timeout(Duration::from_millis(200), call).await;
    }
}

async fn bot_games(scene: Arc<Scene>) {
    let bot = json!({ "kind": "bot", "level": "master" });
    let request = json!({ "game": "gomoku", "seats": [bot, bot] });
    while scene.goes_on() {
        scene.send(&scene.abuser, "/api/v1/tables", Some(&request)).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn made_up_tokens(scene: Arc<Scene>) {
    let mut random = numerics::SplitMix64::new(1);
    while scene.goes_on() {
        let mut liar = Client::new(&scene.address);
        liar.token = Some((0..4).map(|_| format!("{:016x}", random.next_u64())).collect());
        for _ in 0..50 {
            scene.send(&liar, "/api/v1/games", None).await;
        }
    }
}

pub fn run(args: Args, root: &Path) -> Result<()> {
    let program = program(args.program.clone(), root)?;
    let chosen = |kind: &str| args.only.is_empty() || args.only.iter().any(|only| only == kind);
    let runtime = tokio::runtime::Runtime::new()?;
    let mut lines = Vec::new();
    for (kind, tasks, abuse) in KINDS.into_iter().filter(|(kind, ..)| *kind == "none" || chosen(kind)) {
        let folder = std::env::temp_dir().join(format!("parlour-abuse-test-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let store = format!("sqlite:{}", folder.join("games.db").display());
        let site = TestServer::new(program.clone(), store, root, 1)?;
        let line = runtime.block_on(measure(&args, &site, kind, (tasks, abuse)));
        let _ = std::fs::remove_dir_all(&folder);
        let line = line.with_context(|| format!("with {kind}"))?;
        if !args.json {
            print(&line);
        }
        lines.push(line);
    }
    if lines.len() < 2 {
        bail!("--only: no such kind; kinds are {}", KINDS.map(|(kind, ..)| kind).join(", "));
    }
    if args.json {
        println!("{}", json!({ "players": args.players, "seconds": args.seconds, "lines": lines }));
    }
    Ok(())
}

fn print(line: &Value) {
    println!(
        "{:32} moves {:>6}  p50 {:>6.1} ms  p99 {:>7.1} ms | bot max {:>7.1} ms | service max {:>7.1} ms | {:>5} MB | \
         abuse sent {:>6}, refused {:>6} | honest errors {}",
        line["abuse"].as_str().unwrap_or_default(),
        line["moves"],
        line["p50_ms"].as_f64().unwrap_or_default(),
        line["p99_ms"].as_f64().unwrap_or_default(),
        line["bot_max_ms"].as_f64().unwrap_or_default(),
        line["service_max_ms"].as_f64().unwrap_or_default(),
        line["peak_memory_mb"],
        line["sent"],
        line["refused"],
        line["errors"],
    );
}

/// What the honest measured.
#[derive(Default)]
struct Measured {
    moves: Mutex<Vec<Duration>>,
    bots: Mutex<Vec<Duration>>,
    services: Mutex<Vec<Duration>>,
    errors: AtomicU64,
}

impl Measured {
    fn note(&self, times: &Mutex<Vec<Duration>>, result: Result<Duration>) {
        match result {
            Ok(took) => times.lock().expect("no panic while held").push(took),
            Err(_) => {
                self.errors.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

async fn measure(args: &Args, site: &TestServer, kind: &str, (tasks, abuse): (usize, Abuse)) -> Result<Value> {
    let server = site.start()?;
    site.ready().await?;
    let mut abuser = Client::new(&site.address);
    abuser.sign_in().await?;
    let scene = Arc::new(Scene {
        address: site.address.clone(),
        abuser,
        done: AtomicBool::new(false),
        sent: AtomicU64::new(0),
        refused: AtomicU64::new(0),
    });
    let measured = Arc::new(Measured::default());
    let mut honest = Vec::new();
    for number in 0..args.players {
        let mut client = Client::new(&site.address);
        client.sign_in().await?;
        let pace = Duration::from_millis(args.think_ms);
        honest.push(tokio::spawn(player(client, number as u64, pace, Arc::clone(&scene), Arc::clone(&measured))));
    }
    let mut person = Client::new(&site.address);
    person.sign_in().await?;
    honest.push(tokio::spawn(person_and_bot(person, Arc::clone(&scene), Arc::clone(&measured))));
    let abusers: Vec<_> = (0..tasks).map(|_| tokio::spawn(abuse(Arc::clone(&scene)))).collect();
    tokio::time::sleep(Duration::from_secs(args.seconds)).await;
    scene.done.store(true, Ordering::Relaxed);
    for task in honest {
        task.await?;
    }
    abusers.iter().for_each(tokio::task::JoinHandle::abort);
    let mut moves = std::mem::take(&mut *measured.moves.lock().expect("no panic while held"));
    let mut bots = std::mem::take(&mut *measured.bots.lock().expect("no panic while held"));
    let mut services = std::mem::take(&mut *measured.services.lock().expect("no panic while held"));
    let quantile = |times: &mut [Duration], q: f64| if times.is_empty() { 0.0 } else { quantile(times, q) };
    Ok(json!({
        "abuse": kind,
        "moves": moves.len(),
        "p50_ms": quantile(&mut moves, 0.5),
        "p99_ms": quantile(&mut moves, 0.99),
        "bot_max_ms": quantile(&mut bots, 1.0),
        "service_max_ms": quantile(&mut services, 1.0),
        "peak_memory_mb": server.peak_memory()?,
        "sent": scene.sent.load(Ordering::Relaxed),
        "refused": scene.refused.load(Ordering::Relaxed),
        "errors": measured.errors.load(Ordering::Relaxed),
    }))
}

/// A fresh table of Gomoku: its id.
async fn table(client: &Client, seats: Value) -> Result<String> {
    let made = client.post("/api/v1/tables", &json!({ "game": "gomoku", "seats": seats })).await?;
    let id = made.body["table"]["id"].as_str().map(str::to_owned);
    id.with_context(|| format!("no table: {} {}", made.status, made.body))
}

/// Plays the first legal points of an empty board on both seats, one game after the other.
async fn player(client: Client, number: u64, pace: Duration, scene: Arc<Scene>, measured: Arc<Measured>) {
    let mut random = numerics::SplitMix64::new(number);
    while scene.goes_on() {
        let Ok(id) = table(&client, json!([{ "kind": "me" }, { "kind": "me" }])).await else {
            measured.errors.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(pace).await;
            continue;
        };
        for ply in 0..40_u8 {
            if !scene.goes_on() {
                return;
            }
            tokio::time::sleep(pace / 2 + pace.mul_f64(random.next_u64() as f64 / u64::MAX as f64)).await;
            // Every second column and every third row: nobody makes five in a row.
            let text = format!("{}{}", char::from(b'a' + 2 * (ply % 7)), 1 + 3 * (ply / 7 % 5));
            let text = if ply < 35 { text } else { format!("{}15", char::from(b'b' + 2 * (ply - 35))) };
            let begun = Instant::now();
            let answer = client.post(&format!("/api/v1/tables/{id}/actions"), &json!({ "text": text })).await;
            measured.note(
                &measured.moves,
                match answer {
                    Ok(answer) if answer.status == 200 => Ok(begun.elapsed()),
                    Ok(answer) => Err(anyhow::anyhow!("{} {}", answer.status, answer.body)),
                    Err(error) => Err(error),
                },
            );
        }
    }
}

/// Plays a beginner bot and calls a heavy service in turn.
async fn person_and_bot(client: Client, scene: Arc<Scene>, measured: Arc<Measured>) {
    while scene.goes_on() {
        measured.note(&measured.bots, bot_answer(&client).await);
        let begun = Instant::now();
        let request = json!({ "stones": "h8 i9 h9 j10", "ms": 50 });
        let answer = client.post("/api/v1/gomoku/analyse_position", &request).await;
        let answered = match answer {
            Ok(answer) if answer.status == 200 => Ok(begun.elapsed()),
            Ok(answer) => Err(anyhow::anyhow!("{} {}", answer.status, answer.body)),
            Err(error) => Err(error),
        };
        measured.note(&measured.services, answered);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// How soon a beginner bot answers the first move.
async fn bot_answer(client: &Client) -> Result<Duration> {
    let id = table(client, json!([{ "kind": "me" }, { "kind": "bot", "level": "beginner" }])).await?;
    let answer = client.post(&format!("/api/v1/tables/{id}/actions"), &json!({ "text": "h8" })).await?;
    if answer.status != 200 {
        bail!("{} {}", answer.status, answer.body);
    }
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        let seen = client.get(&format!("/api/v1/tables/{id}")).await?;
        if seen.body["ply"] == json!(2) {
            client.post(&format!("/api/v1/tables/{id}/resign"), &json!({})).await?;
            return Ok(begun.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    bail!("the bot did not answer within 30 s")
}
