//! `cargo xtask cluster-test`: two servers on one throw-away PostgreSQL, ended or paused in turn while tables are played.
//!
//! A player goes to the other server when its own does not answer, and now and then without reason. `players` says how
//! lost and doubled actions are found. A move counts as made during a restart if any part of it, from the first
//! attempt to the acknowledgement, lies between the end of a server and the moment it answers again.

use crate::client::{Client, Running, TestServer, program, quantile};
use crate::players::{self, Acknowledgements, PlayerPacing, player};
use crate::postgres::Cluster;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// How many tables are played at once
    #[arg(long, default_value_t = 100)]
    tables: usize,
    /// For how long, in seconds
    #[arg(long, default_value_t = 120)]
    seconds: u64,
    /// How many seconds lie between two ends of servers
    #[arg(long, default_value_t = 5)]
    every: u64,
    /// How long a player waits before its next action, at the most, in milliseconds
    #[arg(long, default_value_t = 1_000)]
    think_ms: u64,
    /// Out of a hundred actions, how many go to another server than the one before
    #[arg(long, default_value_t = 10)]
    hops: u64,
    /// Stop servers with SIGTERM, as a rolling restart does, instead of kill -9
    #[arg(long)]
    gentle: bool,
    /// Instead of ending servers, pause them (SIGSTOP) for so many seconds; at least 5 s before the next fault
    #[arg(long, value_name = "SECONDS", conflicts_with = "gentle")]
    pause: Option<u64>,
    /// The program to test instead of a fresh build
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, root: &Path) -> Result<()> {
    if args.every == 0 || args.tables == 0 {
        bail!("--every and --tables are at least 1");
    }
    if args.pause.is_some_and(|pause| pause + 5 > args.every) {
        bail!("--pause: a server needs 5 seconds between its pause and the next fault: raise --every");
    }
    let program = program(args.program.clone(), root)?;
    let cluster = Cluster::start()?;
    let sites = [(); 2].map(|()| TestServer::new(program.clone(), cluster.url(), root, 1));
    let sites: Vec<TestServer> = sites.into_iter().collect::<Result<_>>()?;
    let report = tokio::runtime::Runtime::new()?.block_on(test(&args, &sites))?;
    players::verdict(&report, args.json)
}

async fn test(args: &Args, sites: &[TestServer]) -> Result<Value> {
    let ledger = Acknowledgements::of(args.tables);
    let mut servers: Vec<Running> = sites.iter().map(TestServer::start).collect::<Result<_>>()?;
    for site in sites {
        site.ready().await?;
    }
    let addresses: Vec<String> = sites.iter().map(|site| site.address.clone()).collect();
    let pacing = PlayerPacing { think_ms: args.think_ms, hops: args.hops };
    let players: Vec<_> = (0..args.tables)
        .map(|number| tokio::spawn(player(number, Client::of(&addresses, number), pacing, Arc::clone(&ledger))))
        .collect();
    ledger.all_acted_since(Instant::now()).await?;
    let mut restarts = Vec::new();
    let (begun, every) = (Instant::now(), Duration::from_secs(args.every));
    let end = begun + Duration::from_secs(args.seconds);
    for turn in 0.. {
        let next = begun + every * (turn + 1);
        if next > end {
            break;
        }
        tokio::time::sleep_until(next.into()).await;
        let which = turn as usize % sites.len();
        let ended = Instant::now();
        if let Some(pause) = args.pause {
            servers[which].pause()?;
            tokio::time::sleep(Duration::from_secs(pause)).await;
            servers[which].resume()?;
        } else {
            if args.gentle {
                servers[which].terminate()?;
            } else {
                servers[which].kill()?;
            }
            servers[which] = sites[which].start()?;
        }
        sites[which].ready().await?;
        restarts.push((ended, Instant::now()));
        if !args.json {
            eprintln!("fault {} of server {}: {} ms", turn + 1, which + 1, ended.elapsed().as_millis());
        }
    }
    tokio::time::sleep_until(end.into()).await;
    // Nothing may stand still when the restarts are over.
    ledger.all_acted_since(Instant::now()).await?;
    ledger.done.store(true, Ordering::Relaxed);
    for player in players {
        player.await.context("a player ended early")?;
    }
    Ok(report(args, &ledger, &restarts))
}

fn report(args: &Args, ledger: &Acknowledgements, restarts: &[(Instant, Instant)]) -> Value {
    let moves = std::mem::take(&mut *ledger.moves.lock().expect("no panic while held"));
    let during = |sent: Instant, answered: Instant| restarts.iter().any(|&(from, to)| sent < to && answered > from);
    let (in_restarts, outside): (Vec<_>, Vec<_>) =
        moves.into_iter().partition(|&(sent, answered)| during(sent, answered));
    let times = |moves: Vec<(Instant, Instant)>| -> Vec<Duration> {
        moves.into_iter().map(|(sent, answered)| answered - sent).collect()
    };
    let figures = |times: &mut [Duration]| {
        json!({
            "moves": times.len(),
            "p50_ms": quantile(times, 0.5),
            "p99_ms": quantile(times, 0.99),
            "max_ms": quantile(times, 1.0),
        })
    };
    let (mut outside, mut in_restarts) = (times(outside), times(in_restarts));
    let mut restart_times: Vec<Duration> = restarts.iter().map(|&(from, to)| to - from).collect();
    json!({
        "tables": args.tables,
        "seconds": args.seconds,
        "restarts": restarts.len(),
        "how": match (args.pause, args.gentle) {
            (Some(_), _) => "SIGSTOP",
            (None, true) => "SIGTERM",
            (None, false) => "kill -9",
        },
        "acknowledged": ledger.acknowledged.load(Ordering::Relaxed),
        "lost": ledger.lost.load(Ordering::Relaxed),
        "doubled": ledger.doubled.load(Ordering::Relaxed),
        "outside_restarts": figures(&mut outside),
        "during_restarts": figures(&mut in_restarts),
        "restart_ms": { "median": quantile(&mut restart_times, 0.5), "max": quantile(&mut restart_times, 1.0) },
        "games_finished": ledger.finished.load(Ordering::Relaxed),
        "think_ms": args.think_ms,
        "hops_percent": args.hops,
        "failures": ledger.failures(),
    })
}
