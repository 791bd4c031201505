//! `cargo xtask kill-test`: kill -9 of the server while tables are being played by bots over the real API.
//!
//! Every player knows exactly which of its actions were acknowledged. Whenever it looks at its table with nothing in
//! flight, the history must hold exactly those: one missing is lost, one too many is doubled. A request that got no
//! answer is repeated with the same `expect_ply` until it gets one.

use crate::client::{Client, Random, Site, program};
use crate::postgres::Cluster;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// How often the server is killed
    #[arg(long, default_value_t = 100)]
    kills: u32,
    /// How many tables are played at once
    #[arg(long, default_value_t = 50)]
    tables: usize,
    /// sqlite or postgres (a throw-away server from Debian's packages)
    #[arg(long, default_value = "sqlite")]
    store: String,
    /// The program to test instead of a fresh build
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A table is given up for a new one after so many actions.
const LONGEST_GAME: u64 = 60;
/// How long a player waits before its next action, at the most.
const THINK_MS: u64 = 120;
/// How long the test waits for all tables to go on before it gives up.
const RESUME_PATIENCE: Duration = Duration::from_secs(30);

#[derive(Default)]
struct Shared {
    acknowledged: AtomicU64,
    lost: AtomicU64,
    doubled: AtomicU64,
    finished: AtomicU64,
    done: AtomicBool,
    /// When each player's last action was acknowledged.
    last: Mutex<Vec<Option<Instant>>>,
    failures: Mutex<Vec<String>>,
}

pub fn run(args: Args, root: &Path) -> Result<()> {
    let program = program(args.program.clone(), root)?;
    let folder = std::env::temp_dir().join(format!("parlour-kill-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let cluster = match args.store.as_str() {
        "sqlite" => None,
        "postgres" => Some(Cluster::start()?),
        other => bail!("--store {other}: sqlite or postgres"),
    };
    let store = cluster.as_ref().map_or_else(|| format!("sqlite:{}", folder.join("games.db").display()), Cluster::url);
    let site = Site::new(program, store, root, 1)?;
    let result = tokio::runtime::Runtime::new()?.block_on(test(&args, &site));
    let _ = std::fs::remove_dir_all(&folder);
    let report = result?;
    if args.json {
        println!("{report}");
    } else {
        println!("{report:#}");
    }
    if report["lost"] != json!(0) || report["doubled"] != json!(0) {
        bail!("acknowledged actions were lost or doubled");
    }
    Ok(())
}

async fn test(args: &Args, site: &Site) -> Result<Value> {
    let shared = Arc::new(Shared::default());
    shared.last.lock().expect("no panic while held").resize(args.tables, None);
    let mut server = site.start()?;
    let first_start = site.ready().await?;
    let players: Vec<_> = (0..args.tables)
        .map(|number| tokio::spawn(player(number, Client::new(&site.address), Arc::clone(&shared))))
        .collect();
    all_acted_since(&shared, Instant::now()).await?;
    let mut random = Random(0x5eed);
    let mut resume = Vec::new();
    for kill in 0..args.kills {
        tokio::time::sleep(Duration::from_millis(100 + random.below(300))).await;
        server.kill()?;
        let restarted = Instant::now();
        server = site.start()?;
        resume.push(all_acted_since(&shared, restarted).await?);
        if !args.json {
            eprintln!(
                "kill {}: all tables went on after {} ms",
                kill + 1,
                resume.last().map_or(0, Duration::as_millis)
            );
        }
    }
    shared.done.store(true, Ordering::Relaxed);
    for player in players {
        player.await?;
    }
    let failures = shared.failures.lock().expect("no panic while held").clone();
    resume.sort_unstable();
    let ms = |time: Option<&Duration>| time.map_or(0, Duration::as_millis) as u64;
    Ok(json!({
        "kills": args.kills,
        "acknowledged": shared.acknowledged.load(Ordering::Relaxed),
        "lost": shared.lost.load(Ordering::Relaxed),
        "doubled": shared.doubled.load(Ordering::Relaxed),
        "resume_ms_max": ms(resume.last()),
        "resume_ms_median": ms(resume.get(resume.len() / 2)),
        "first_start_ms": first_start.as_millis() as u64,
        "tables": args.tables,
        "games_finished": shared.finished.load(Ordering::Relaxed),
        "store": args.store,
        "failures": failures,
    }))
}

/// How long it took until every table had an action acknowledged after `moment`.
async fn all_acted_since(shared: &Shared, moment: Instant) -> Result<Duration> {
    loop {
        let slowest = {
            let last = shared.last.lock().expect("no panic while held");
            last.iter().map(|at| at.filter(|at| *at > moment)).collect::<Option<Vec<_>>>()
        };
        if slowest.is_some() {
            return Ok(moment.elapsed());
        }
        if moment.elapsed() > RESUME_PATIENCE {
            let failures = shared.failures.lock().expect("no panic while held").join("; ");
            bail!("not every table went on within {RESUME_PATIENCE:?}: {failures}");
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// An action that was acknowledged.
struct Acknowledged {
    ply: u64,
    seat: u64,
    text: String,
}

/// Plays one table after the other until told to stop. Even players act for both seats, odd ones against a bot.
async fn player(number: usize, mut client: Client, shared: Arc<Shared>) {
    let mut random = Random(number as u64 + 1);
    while client.sign_in().await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    while !shared.done.load(Ordering::Relaxed) {
        if let Err(error) = game(number, &client, &shared, &mut random).await {
            shared.failures.lock().expect("no panic while held").push(format!("player {number}: {error:#}"));
            return;
        }
    }
}

async fn game(number: usize, guest: &Client, shared: &Shared, random: &mut Random) -> Result<()> {
    let levels = until_answered(|| guest.get("/api/v1/games")).await?;
    let level = levels[0]["levels"][0]["id"].clone();
    let second =
        if number.is_multiple_of(2) { json!({ "kind": "me" }) } else { json!({ "kind": "bot", "level": level }) };
    let wish = json!({ "game": "gomoku", "seats": [{ "kind": "me" }, second] });
    let made = until_answered(|| guest.post("/api/v1/tables", &wish)).await?;
    let id = made["table"]["id"].as_str().unwrap_or_default().to_owned();
    let tokens = made["seat_tokens"].as_array().cloned().unwrap_or_default();
    let mine: Vec<u64> = tokens.iter().filter_map(|token| token["seat"].as_u64()).collect();
    let mut client = guest.clone();
    client.cookie = None;
    client.token = tokens[0]["token"].as_str().map(str::to_owned);
    let token_of =
        |seat: u64| tokens.iter().find(|token| token["seat"] == json!(seat)).and_then(|token| token["token"].as_str());
    let mut acknowledged: Vec<Acknowledged> = Vec::new();
    let path = format!("/api/v1/tables/{id}");
    let actions = format!("{path}/actions");
    loop {
        let table = until_answered(|| client.get(&path)).await?;
        compare(&table, &mine, &acknowledged, shared);
        let ply = table["ply"].as_u64().unwrap_or(0);
        if table["state"] == "over" || ply >= LONGEST_GAME {
            shared.finished.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        if shared.done.load(Ordering::Relaxed) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10 + random.below(THINK_MS))).await;
        let Some(seat) = table["to_act"][0].as_u64().filter(|seat| mine.contains(seat)) else { continue };
        client.token = token_of(seat).map(str::to_owned);
        // The list of legal actions is the mover's own.
        let table = until_answered(|| client.get(&path)).await?;
        let Some(legal) = table["legal"].as_array().filter(|legal| !legal.is_empty()) else { continue };
        let choice = &legal[random.below(legal.len() as u64) as usize];
        let act = json!({ "action": choice["action"], "seat": seat, "expect_ply": ply });
        let answer = until_answered(|| client.post(&actions, &act)).await?;
        shared.acknowledged.fetch_add(1, Ordering::Relaxed);
        shared.last.lock().expect("no panic while held")[number] = Some(Instant::now());
        acknowledged.push(Acknowledged {
            ply: answer["ply"].as_u64().unwrap_or(0),
            seat,
            text: choice["text"].as_str().unwrap_or_default().to_owned(),
        });
    }
}

/// Compares what the table says with what was acknowledged.
fn compare(table: &Value, mine: &[u64], acknowledged: &[Acknowledged], shared: &Shared) {
    let history = table["history"].as_array().cloned().unwrap_or_default();
    for known in acknowledged {
        let stands = history.iter().any(|line| {
            line["ply"] == json!(known.ply) && line["seat"] == json!(known.seat) && line["text"] == json!(known.text)
        });
        if !stands {
            shared.lost.fetch_add(1, Ordering::Relaxed);
            let text = format!("table {}: {} at ply {} is lost", table["id"], known.text, known.ply);
            shared.failures.lock().expect("no panic while held").push(text);
        }
    }
    let own = history.iter().filter(|line| line["seat"].as_u64().is_some_and(|seat| mine.contains(&seat))).count();
    let extra = own.saturating_sub(acknowledged.len()) as u64;
    if extra > 0 {
        shared.doubled.fetch_add(extra, Ordering::Relaxed);
        let text = format!("table {}: {own} actions stand, {} were acknowledged", table["id"], acknowledged.len());
        shared.failures.lock().expect("no panic while held").push(text);
    }
}

/// Repeats a request until it is answered; a dead server and "come back later" are no answers.
async fn until_answered<F, R>(request: F) -> Result<Value>
where
    F: Fn() -> R,
    R: Future<Output = Result<crate::client::Answer>>,
{
    let begun = Instant::now();
    loop {
        match request().await {
            Ok(answer) if answer.status == 200 || answer.status == 201 => return Ok(answer.body),
            Ok(answer) if answer.status != 429 && answer.status != 503 => {
                bail!("answered {} {}", answer.status, answer.body)
            }
            _ if begun.elapsed() > RESUME_PATIENCE => bail!("no answer within {RESUME_PATIENCE:?}"),
            _ => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}
