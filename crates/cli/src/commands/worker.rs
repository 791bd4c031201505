//! `parlour worker`: run jobs from a queue.

use super::queue::program;
use anyhow::{Context, Result, ensure};
use jobs::nats::worker::{WorkerConfig, run as work};
use lab::job_submitter::{Programs, registry};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Queue: nats://HOST:PORT (nats-server with --jetstream)
    #[arg(long, value_name = "QUEUE")]
    queue: String,
    /// Server that sends files of jobs: http://HOST:PORT; jobs with files fail without it
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Number of parallel jobs (default: one per core)
    #[arg(long, value_name = "NUMBER")]
    threads: Option<usize>,
    /// Name in lists (default: host and process id)
    #[arg(long)]
    name: Option<String>,
    /// Folder of cached files (default: ~/.cache/parlour/artifacts)
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
    // Running jobs are redelivered when their leases expire.
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
