//! `cargo xtask queue-test`: long work on one machine and spread over workers, with the real program and a real NATS
//! server. The same bytes must come out: with any number of workers, and while workers, the NATS server and the
//! submitter are killed with -9. Then what spreading costs for jobs of ten seconds.

use crate::client::{TestServer, below, program};
use crate::nats::NatsServer;
use anyhow::{Context, Result, bail, ensure};
use numerics::SplitMix64;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// Kinds of work to run
    #[arg(long, value_delimiter = ',', default_values_t = KINDS.map(str::to_owned))]
    kinds: Vec<String>,
    /// Numbers of workers to compare
    #[arg(long, value_delimiter = ',', default_value = "1,2,4")]
    workers: Vec<usize>,
    /// How often a worker is killed, and how often the NATS server; every fifth time the submitter too
    #[arg(long, default_value_t = 20)]
    kills: u32,
    /// Jobs of about ten seconds with which the overhead is measured; 0 leaves it out
    #[arg(long, default_value_t = 6)]
    long_jobs: u64,
    /// The program to test instead of a fresh build
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How long a run may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(900);

/// Kills of each sort during one run; the next run is of another kind.
const KILLS_A_RUN: u32 = 4;

/// The kinds of long work that are compared.
const KINDS: [&str; 8] = ["arena", "selfplay", "count", "fitness", "regret", "leaves", "trees", "lab"];

/// A small run of Homeguard's lab: three encoders of a few epochs.
const LAB: &str = r#"{"experiment_name": "t", "eliminator_known": [10], "eliminator_iters": 3, "perc_bad": [25],
"max_epochs": 2, "batch_size": 10, "embedding_dim": 16, "hidden_sizes": [16]}"#;

/// Everything the test runs.
struct Hall {
    program: PathBuf,
    folder: PathBuf,
    nats: NatsServer,
    server: String,
    store: String,
    workers: Vec<Child>,
    started: usize,
}

pub fn run(args: Args, root: &Path) -> Result<()> {
    crate::machine::provide(root, &[crate::machine::Need::Nats])?;
    let program = program(args.program.clone(), root)?;
    let folder = std::env::temp_dir().join(format!("parlour-queue-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    for kind in &args.kinds {
        ensure!(KINDS.contains(&kind.as_str()), "no kind {kind}: {}", KINDS.join(", "));
    }
    let result = test(&args, program, &folder, root);
    let _ = std::fs::remove_dir_all(&folder);
    let report = result?;
    println!("{}", if args.json { report.to_string() } else { format!("{report:#}") });
    ensure!(report["same"] == json!(true), "spread work gave other results than local work");
    Ok(())
}

fn test(args: &Args, program: PathBuf, folder: &Path, root: &Path) -> Result<Value> {
    let store = format!("sqlite:{}", folder.join("parlour.db").display());
    let site = TestServer::new(program.clone(), store.clone(), root, 1)?;
    let _serving = site.start()?;
    tokio::runtime::Runtime::new()?.block_on(site.ready())?;
    let server = format!("http://{}", site.address);
    let nats = NatsServer::start(folder)?;
    let folder = folder.to_owned();
    let mut hall = Hall { program, folder, nats, server, store, workers: Vec::new(), started: 0 };
    hall.write_corpus()?;
    std::fs::write(hall.folder.join("lab.json"), LAB)?;
    let mut local = Vec::new();
    for kind in &args.kinds {
        let begun = Instant::now();
        local.push(hall.local(kind)?);
        if !args.json {
            eprintln!("{kind} by one process: {:.1} s", begun.elapsed().as_secs_f64());
        }
    }
    let mut same = true;
    let mut spread = Vec::new();
    for &workers in &args.workers {
        hall.employ(workers)?;
        for (kind, expected) in args.kinds.iter().zip(&local) {
            let hash = hall.spread(kind)?;
            same &= hash == *expected;
            if !args.json {
                eprintln!(
                    "{kind} with {workers} workers: {}",
                    if hash == *expected { "the same" } else { "DIFFERENT" }
                );
            }
            spread.push(json!({"kind": kind, "workers": workers, "hash": hash, "same": hash == *expected}));
        }
    }
    let killed = if args.kills > 0 { Some(hall.killed(args, &local)?) } else { None };
    same &= killed.as_ref().is_none_or(|killed| killed["different"] == json!(0));
    let overhead = if args.long_jobs > 0 { Some(hall.overhead(args)?) } else { None };
    hall.employ(0)?;
    let hashes: Value = args.kinds.iter().zip(&local).map(|(kind, hash)| (kind.to_string(), json!(hash))).collect();
    Ok(json!({"same": same, "local": hashes, "spread": spread, "killed": killed, "overhead": overhead}))
}

impl Hall {
    /// A corpus of made-up words: sentences of up to eighteen words of twenty thousand, common ones more often.
    fn write_corpus(&self) -> Result<()> {
        let mut random = SplitMix64::new(0xc0de);
        let mut text = String::new();
        for _ in 0..60_000 {
            for _ in 0..4 + below(&mut random, 15) {
                let (a, b) = (below(&mut random, 20_000), below(&mut random, 20_000));
                text += &format!("w{} ", a.min(b));
            }
            text += "\n";
        }
        Ok(std::fs::write(self.folder.join("corpus.txt"), text)?)
    }

    /// The command of one kind of work; its result is a file.
    fn command(&self, kind: &str, out: &Path) -> Command {
        let mut command = Command::new(&self.program);
        match kind {
            "arena" => command
                .args(["arena", "gomoku", "--p1", "net", "--p2", "pattern", "--nodes", "1000", "--games", "24"])
                .args(["--seed", "7", "--json", "--results"])
                .arg(out),
            "selfplay" => command
                .args(["gomoku", "selfplay", "--games", "96", "--nodes", "800", "--chunk", "4", "--seed", "7", "--out"])
                .arg(out),
            "fitness" => command
                .args(["scrabble", "evolve", "--lexicon", "en", "--population", "24", "--games", "8", "--rounds", "2"])
                .args(["--spread", "--generations", "2", "--chunk", "2", "--seed", "7", "--run"])
                .arg(out)
                .arg("--out")
                .arg(self.folder.join("fitness.weights")),
            "regret" => command
                .args(["scrabble", "evolve", "--lexicon", "en", "--population", "24", "--regret", "60"])
                .args(["--generations", "3", "--chunk", "3", "--seed", "7", "--run"])
                .arg(out)
                .arg("--out")
                .arg(self.folder.join("regret.weights")),
            "leaves" => command
                .args([
                    "scrabble",
                    "leaves",
                    "--lexicon",
                    "en",
                    "--turns",
                    "6000,12000",
                    "--chunk",
                    "20",
                    "--seed",
                    "7",
                ])
                .arg("--out")
                .arg(out),
            "trees" => command.args(["homeguard", "trees"]).arg(out).args(["16", "3", "300", "0", "--seed", "7"]),
            "lab" => command
                .args(["homeguard", "lab", "--quick", "--num-splits", "3", "--seed", "7", "--config-filename"])
                .arg(self.folder.join("lab.json"))
                .arg("--out")
                .arg(out),
            _ => command
                .args(["semantics", "count", "--min-count", "2", "--window", "4", "--by-distance", "--shards", "1"])
                .arg(self.folder.join("corpus.txt"))
                .arg("--out")
                .arg(out),
        };
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Where the work of a kind puts its results; nothing is there yet.
    fn out(&self, kind: &str) -> Result<PathBuf> {
        let out = self.folder.join(format!("{kind}.out"));
        if out.is_dir() {
            std::fs::remove_dir_all(&out)?;
        } else if out.exists() {
            std::fs::remove_file(&out)?;
        }
        Ok(out)
    }

    /// The hash of what the work gives on this machine alone.
    fn local(&self, kind: &str) -> Result<String> {
        let out = self.out(kind)?;
        finish(self.command(kind, &out).spawn()?)?;
        hash_of(kind, &out)
    }

    fn to_queue<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.args(["--queue", &self.nats.url(), "--store", &self.store])
    }

    /// The hash of what the work gives when workers do it.
    fn spread(&self, kind: &str) -> Result<String> {
        let out = self.out(kind)?;
        finish(self.to_queue(&mut self.command(kind, &out)).spawn()?)?;
        hash_of(kind, &out)
    }

    /// Has exactly so many workers, all of them new.
    fn employ(&mut self, workers: usize) -> Result<()> {
        for mut worker in self.workers.drain(..) {
            worker.kill()?;
            worker.wait()?;
        }
        for _ in 0..workers {
            let worker = self.worker()?;
            self.workers.push(worker);
        }
        Ok(())
    }

    fn worker(&mut self) -> Result<Child> {
        self.started += 1;
        let child = Command::new(&self.program)
            .args(["worker", "--queue", &self.nats.url(), "--server", &self.server, "--threads", "1", "--name"])
            .arg(format!("worker-{}", self.started))
            .arg("--cache")
            .arg(self.folder.join("cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(child)
    }

    /// Runs the kinds of work in turn while workers, the NATS server and the submitter are killed, until all kills are
    /// spent and the work is done.
    fn killed(&mut self, args: &Args, local: &[String]) -> Result<Value> {
        self.employ(2)?;
        let mut random = SplitMix64::new(0x5eed);
        let (mut kills, mut submitters, mut runs, mut different) = (0, 0, 0, 0);
        let begun = Instant::now();
        while kills < args.kills {
            let kind = runs % args.kinds.len();
            let out = self.out(&args.kinds[kind])?;
            let mut submitter = self.to_queue(&mut self.command(&args.kinds[kind], &out)).spawn()?;
            let started = Instant::now();
            let until = args.kills.min(kills + KILLS_A_RUN);
            while submitter.try_wait()?.is_none() {
                std::thread::sleep(Duration::from_millis(300 + below(&mut random, 900)));
                if kills >= until {
                    ensure!(started.elapsed() < PATIENCE, "{} does not end", args.kinds[kind]);
                    continue;
                }
                let one = below(&mut random, self.workers.len() as u64) as usize;
                self.workers[one].kill()?;
                self.workers[one].wait()?;
                std::thread::sleep(Duration::from_millis(below(&mut random, 700)));
                self.nats.kill()?;
                std::thread::sleep(Duration::from_millis(below(&mut random, 500)));
                self.nats.restart()?;
                self.workers[one] = self.worker()?;
                kills += 1;
                if kills % 5 == 0 && submitter.try_wait()?.is_none() {
                    submitter.kill()?;
                    submitter.wait()?;
                    submitters += 1;
                    submitter = self.to_queue(&mut self.command(&args.kinds[kind], &out)).spawn()?;
                }
                if !args.json {
                    eprintln!("kill {kills} during {}", args.kinds[kind]);
                }
            }
            finish(submitter)?;
            runs += 1;
            different += u32::from(hash_of(&args.kinds[kind], &out)? != local[kind]);
        }
        Ok(json!({
            "worker_kills": kills,
            "nats_kills": kills,
            "submitter_kills": submitters,
            "runs": runs,
            "different": different,
            "seconds": begun.elapsed().as_secs(),
        }))
    }

    /// What spreading costs: the same self-play by this process and by one worker, in jobs of about ten seconds. Twice:
    /// by the clock against a local run, which on a busy machine says little, and as the time in which the worker
    /// neither computed nor waited for a core, from the start of the command to its end.
    fn overhead(&mut self, args: &Args) -> Result<Value> {
        self.employ(1)?;
        let timed = |command: &mut Command| -> Result<f64> {
            let begun = Instant::now();
            finish(command.spawn()?)?;
            Ok(begun.elapsed().as_secs_f64())
        };
        const SAMPLE: u64 = 60;
        let sample = timed(&mut self.long_games(SAMPLE, SAMPLE)?)?;
        let chunk = ((10.0 * SAMPLE as f64 / sample) as u64).max(1);
        let (mut alone, mut spread, mut busy) = (0.0, 0.0, 0.0);
        for _ in 0..2 {
            alone += timed(&mut self.long_games(args.long_jobs * chunk, chunk)?)?;
            let mut command = self.long_games(args.long_jobs * chunk, chunk)?;
            let before = busy_seconds(self.workers[0].id())?;
            spread += timed(self.to_queue(&mut command))?;
            busy += busy_seconds(self.workers[0].id())? - before;
        }
        Ok(json!({
            "jobs": 2 * args.long_jobs,
            "seconds_a_job": alone / (2 * args.long_jobs) as f64,
            "local_seconds": alone,
            "spread_seconds": spread,
            "overhead_by_the_clock": spread / alone - 1.0,
            "worker_busy_seconds": busy,
            "overhead": spread / busy - 1.0,
        }))
    }

    fn long_games(&self, games: u64, chunk: u64) -> Result<Command> {
        let out = self.out("long")?;
        let mut command = Command::new(&self.program);
        command
            .args(["gomoku", "selfplay", "--nodes", "800", "--seed", "11"])
            .args(["--games", &games.to_string(), "--chunk", &chunk.to_string(), "--out"])
            .arg(out)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        Ok(command)
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        let _ = self.employ(0);
    }
}

/// How long the threads of a process have computed or waited for a core, together; it has one that computes.
fn busy_seconds(process: u32) -> Result<f64> {
    let mut nanoseconds = 0u64;
    for thread in std::fs::read_dir(format!("/proc/{process}/task"))? {
        let text = std::fs::read_to_string(thread?.path().join("schedstat"))?;
        nanoseconds += text.split_whitespace().take(2).filter_map(|number| number.parse::<u64>().ok()).sum::<u64>();
    }
    Ok(nanoseconds as f64 / 1e9)
}

/// Waits for a command that must succeed.
fn finish(child: Child) -> Result<()> {
    let answer = child.wait_with_output()?;
    if !answer.status.success() {
        bail!("the program ended with {}: {}", answer.status, String::from_utf8_lossy(&answer.stderr).trim());
    }
    Ok(())
}

/// The hash of what a kind of work wrote: all its files, by their names.
fn hash_of(kind: &str, out: &Path) -> Result<String> {
    let beside = |ending: &str| PathBuf::from(format!("{}{ending}", out.display()));
    let files = match kind {
        "trees" => {
            let endings = ["", ".treeLAInds.iwonformat", ".treeScores.iwonformat", ".treeMinmaxes.iwonformat"];
            endings.map(beside).to_vec()
        }
        "lab" => ["results.json", "maps.txt", "embeds_bad.txt", "summary.txt"].map(|name| out.join(name)).to_vec(),
        _ => vec![out.to_owned()],
    };
    let answer = Command::new("sh")
        .args(["-c", "set -e; cat -- \"$@\" | sha256sum", "sh"])
        .args(&files)
        .output()
        .context("sha256sum cannot be started")?;
    ensure!(
        answer.status.success() && files.iter().all(|file| file.is_file()),
        "{} was not written: {}",
        out.display(),
        String::from_utf8_lossy(&answer.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&answer.stdout).split(' ').next().unwrap_or_default().to_owned())
}
