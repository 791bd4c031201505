//! `parlour worker`: does jobs of others.

use super::queue::program;
use anyhow::{Context, Result, ensure};
use jobs::nats::worker::{WorkerConfig, run as work};
use lab::job_submitter::{Programs, registry};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The queue: nats://HOST:PORT (nats-server with --jetstream)
    #[arg(long, value_name = "QUEUE")]
    queue: String,
    /// The server from which files of jobs come: http://HOST:PORT; jobs that read files fail without it
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Jobs at once; as many as the machine has cores if not given
    #[arg(long, value_name = "NUMBER")]
    threads: Option<usize>,
    /// What the worker is called in lists; host and process if not given
    #[arg(long)]
    name: Option<String>,
    /// Where fetched files are kept; ~/.cache/parlour/artifacts if not given
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    ensure!(args.queue.starts_with("nats://"), "--queue {}: use nats://HOST:PORT", args.queue);
    if let Some(server) = &args.server {
        ensure!(server.starts_with("http://"), "--server {server}: use http://HOST:PORT");
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = WorkerConfig {
        queue: args.queue,
        server: args.server,
        threads: args.threads.unwrap_or(cores),
        program: program(),
        name: args.name.unwrap_or_else(own_name),
        cache: args.cache.map_or_else(cache_folder, Ok)?,
        registry: registry(Programs::Refused),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        tokio::select! {
            ended = work(settings, |line| eprintln!("{line}")) => ended.map_err(anyhow::Error::from),
            interrupted = tokio::signal::ctrl_c() => Ok(interrupted?),
        }
    })?;
    // Jobs that are being done are given to others when their lease has run out.
    runtime.shutdown_background();
    Ok(())
}

fn own_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = host.trim();
    format!("{}-{}", if host.is_empty() { "worker" } else { host }, std::process::id())
}

fn cache_folder() -> Result<PathBuf> {
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let base = base.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    Ok(base.context("neither XDG_CACHE_HOME nor HOME is set: use --cache")?.join("parlour/artifacts"))
}
