//! `cargo xtask kill-test`: kill -9 of the server while tables are being played by bots over the real API.
//!
//! `players` says how lost and doubled actions are found.

use crate::client::{Client, TestServer, below, program};
use crate::players::{self, Acknowledgements, PlayerPacing, player};
use crate::postgres::Cluster;
use anyhow::{Result, bail};
use numerics::SplitMix64;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
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

const PACING: PlayerPacing = PlayerPacing { think_ms: 120, hops: 0 };

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
    let site = TestServer::new(program, store, root, 1)?;
    let result = tokio::runtime::Runtime::new()?.block_on(test(&args, &site));
    let _ = std::fs::remove_dir_all(&folder);
    let report = result?;
    players::verdict(&report, args.json)
}

async fn test(args: &Args, site: &TestServer) -> Result<Value> {
    let ledger = Acknowledgements::of(args.tables);
    let mut server = site.start()?;
    let first_start = site.ready().await?;
    let players: Vec<_> = (0..args.tables)
        .map(|number| tokio::spawn(player(number, Client::new(&site.address), PACING, Arc::clone(&ledger))))
        .collect();
    ledger.all_acted_since(Instant::now()).await?;
    let mut random = SplitMix64::new(0x5eed);
    let mut resume = Vec::new();
    for kill in 0..args.kills {
        tokio::time::sleep(Duration::from_millis(100 + below(&mut random, 300))).await;
        server.kill()?;
        let restarted = Instant::now();
        server = site.start()?;
        resume.push(ledger.all_acted_since(restarted).await?);
        if !args.json {
            eprintln!(
                "kill {}: all tables went on after {} ms",
                kill + 1,
                resume.last().map_or(0, Duration::as_millis)
            );
        }
    }
    ledger.done.store(true, Ordering::Relaxed);
    for player in players {
        player.await?;
    }
    resume.sort_unstable();
    let ms = |time: Option<&Duration>| time.map_or(0, Duration::as_millis) as u64;
    Ok(json!({
        "kills": args.kills,
        "acknowledged": ledger.acknowledged.load(Ordering::Relaxed),
        "lost": ledger.lost.load(Ordering::Relaxed),
        "doubled": ledger.doubled.load(Ordering::Relaxed),
        "resume_ms_max": ms(resume.last()),
        "resume_ms_median": ms(resume.get(resume.len() / 2)),
        "first_start_ms": first_start.as_millis() as u64,
        "tables": args.tables,
        "games_finished": ledger.finished.load(Ordering::Relaxed),
        "store": args.store,
        "failures": ledger.failures(),
    }))
}
