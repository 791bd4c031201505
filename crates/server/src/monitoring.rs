//! Monitoring: metrics of the server for the operator, sampled every ten seconds and kept for an hour.

use crate::app_state::{AppState, until_stopping};
use crate::time;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use store::jobs::RunState;
use store::{GameState, StoreError};
use utoipa::ToSchema;

/// How often a sample is taken.
const SAMPLE_EVERY: Duration = Duration::from_secs(10);
/// How many samples are kept: an hour.
const SAMPLES: usize = 360;
/// How many runs of the queue are shown.
const RUNS: u32 = 20;

/// Counters between two samples.
#[derive(Default)]
pub struct Counters {
    requests: AtomicU64,
    refused: AtomicU64,
    commits: AtomicU64,
    commit_micros: AtomicU64,
    slowest_micros: AtomicU64,
    samples: Mutex<VecDeque<MetricsSample>>,
}

impl Counters {
    /// A request was answered with this status.
    pub fn answered(&self, status: u16) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        if matches!(status, 429 | 503) {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A change of a table was committed.
    pub fn committed(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.commit_micros.fetch_add(micros, Ordering::Relaxed);
        self.slowest_micros.fetch_max(micros, Ordering::Relaxed);
    }

    fn keep(&self, sample: MetricsSample) {
        let mut samples = self.samples.lock().expect("no panic while held");
        if samples.len() >= SAMPLES {
            samples.pop_front();
        }
        samples.push_back(sample);
    }

    /// The samples of the last hour, the oldest first.
    pub fn samples(&self) -> Vec<MetricsSample> {
        self.samples.lock().expect("no panic while held").iter().cloned().collect()
    }
}

/// The state of the server at one moment, and the rates since the sample before.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MetricsSample {
    pub at_ms: i64,
    /// Tables in this server's memory.
    pub live_tables: usize,
    /// Tables of the store that wait for players, and that are being played.
    pub waiting_tables: i64,
    pub running_tables: i64,
    pub sockets: usize,
    /// Bots thinking and heavy services working, and how many of each wait for a thread.
    pub thinking: usize,
    pub waiting_bots: usize,
    pub waiting_services: usize,
    /// Jobs of running runs that wait, and that are being done.
    pub queued_jobs: i64,
    pub running_jobs: i64,
    pub requests_per_second: f64,
    /// Requests refused for being too many (429, 503), per second.
    pub refused_per_second: f64,
    /// Committed changes of tables per second, how long they took on average and at the most.
    pub commits_per_second: f64,
    pub commit_ms: f64,
    pub slowest_commit_ms: f64,
    /// How long the store took to answer `SELECT 1`.
    pub store_ms: f64,
    /// Memory and processor time of the server's process.
    pub memory_bytes: u64,
    pub cpu_seconds: f64,
}

/// Tables of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameTables {
    pub game: String,
    pub waiting: i64,
    pub running: i64,
}

/// A run of the job queue and its progress.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunLine {
    pub id: String,
    pub title: String,
    pub kind: String,
    /// `running`, `done`, `failed` or `cancelled`.
    pub state: String,
    pub queued: i64,
    pub running: i64,
    pub done: i64,
    pub given_up: i64,
    /// From 0 to 1.
    pub share: f64,
    pub created_ms: i64,
    pub updated_ms: i64,
}

/// What the operator's page shows.
#[derive(Debug, Serialize, ToSchema)]
pub struct Operations {
    pub version: String,
    pub started_ms: i64,
    pub thinkers: usize,
    pub tables: Vec<GameTables>,
    /// The runs that changed last.
    pub runs: Vec<RunLine>,
    pub now: MetricsSample,
    /// The last hour, a sample every ten seconds, the oldest first.
    pub samples: Vec<MetricsSample>,
}

/// The counters when the last sample was taken.
struct CounterValues {
    at: Instant,
    requests: u64,
    refused: u64,
    commits: u64,
    commit_micros: u64,
}

/// Takes a sample every few seconds, until the server stops.
pub async fn run(app: Arc<AppState>) {
    let mut stopping = app.stopping.subscribe();
    let mut before = count(&app.counters);
    loop {
        tokio::select! {
            () = until_stopping(&mut stopping) => return,
            () = tokio::time::sleep(SAMPLE_EVERY) => {}
        }
        let now = count(&app.counters);
        match sample(&app, &before, &now).await {
            Ok(sample) => {
                export(&sample);
                app.counters.slowest_micros.store(0, Ordering::Relaxed);
                app.counters.keep(sample);
            }
            Err(error) => tracing::warn!(%error, "no sample was taken"),
        }
        before = now;
    }
}

fn count(counters: &Counters) -> CounterValues {
    let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    CounterValues {
        at: Instant::now(),
        requests: get(&counters.requests),
        refused: get(&counters.refused),
        commits: get(&counters.commits),
        commit_micros: get(&counters.commit_micros),
    }
}

async fn sample(app: &AppState, before: &CounterValues, now: &CounterValues) -> Result<MetricsSample, StoreError> {
    let begun = Instant::now();
    app.store.ping().await?;
    let store_ms = begun.elapsed().as_secs_f64() * 1e3;
    let tables = app.store.open_tables().await?;
    let in_state = |state| tables.iter().filter(|line| line.state == state).map(|line| line.tables).sum();
    let (mut queued_jobs, mut running_jobs) = (0, 0);
    for run in app.store.runs(RUNS).await?.iter().filter(|run| run.state == RunState::Running) {
        let tally = app.store.job_counts(&run.id).await?;
        queued_jobs += tally.queued;
        running_jobs += tally.running;
    }
    let pool = app.pool.load();
    let seconds = now.at.duration_since(before.at).as_secs_f64().max(1e-3);
    let rate = |now: u64, before: u64| (now - before) as f64 / seconds;
    let commits = now.commits - before.commits;
    let process = Process::now();
    Ok(MetricsSample {
        at_ms: time::now_ms(),
        live_tables: app.tables.live(),
        waiting_tables: in_state(GameState::Waiting),
        running_tables: in_state(GameState::Running),
        sockets: app.sockets.load(Ordering::Relaxed),
        thinking: pool.working,
        waiting_bots: pool.waiting_bots,
        waiting_services: pool.waiting_services,
        queued_jobs,
        running_jobs,
        requests_per_second: rate(now.requests, before.requests),
        refused_per_second: rate(now.refused, before.refused),
        commits_per_second: rate(now.commits, before.commits),
        commit_ms: if commits == 0 {
            0.0
        } else {
            (now.commit_micros - before.commit_micros) as f64 / commits as f64 / 1e3
        },
        slowest_commit_ms: app.counters.slowest_micros.load(Ordering::Relaxed) as f64 / 1e3,
        store_ms,
        memory_bytes: process.memory_bytes,
        cpu_seconds: process.cpu_seconds,
    })
}

/// Everything the operator's page shows.
pub async fn report(app: &AppState) -> Result<Operations, StoreError> {
    let now = count(&app.counters);
    let sample = sample(app, &now, &now).await?;
    let mut tables: Vec<GameTables> = Vec::new();
    for line in app.store.open_tables().await? {
        if tables.last().is_none_or(|last| last.game != line.game) {
            tables.push(GameTables { game: line.game, waiting: 0, running: 0 });
        }
        if let Some(last) = tables.last_mut() {
            *(if line.state == GameState::Waiting { &mut last.waiting } else { &mut last.running }) = line.tables;
        }
    }
    let mut runs = Vec::new();
    for run in app.store.runs(RUNS).await? {
        let jobs = app.store.job_counts(&run.id).await?;
        runs.push(RunLine {
            id: run.id,
            title: run.title,
            kind: run.kind,
            state: run.state.as_str().to_owned(),
            queued: jobs.queued,
            running: jobs.running,
            done: jobs.done,
            given_up: jobs.given_up,
            share: jobs.share,
            created_ms: run.created_ms,
            updated_ms: run.updated_ms,
        });
    }
    Ok(Operations {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_ms: app.started_ms,
        thinkers: app.config.thinkers,
        tables,
        runs,
        now: sample,
        samples: app.counters.samples(),
    })
}

/// Sets the gauges that nothing else keeps current.
pub async fn gauges(app: &AppState) -> Result<(), StoreError> {
    let now = count(&app.counters);
    export(&sample(app, &now, &now).await?);
    for game in app.catalog.games() {
        for state in [GameState::Waiting, GameState::Running] {
            let (game, state) = (game.info().id, state.as_str());
            metrics::gauge!("parlour_tables", "game" => game, "state" => state).set(0.0);
        }
    }
    for line in app.store.open_tables().await? {
        metrics::gauge!("parlour_tables", "game" => line.game, "state" => line.state.as_str()).set(line.tables as f64);
    }
    Ok(())
}

fn export(sample: &MetricsSample) {
    metrics::gauge!("parlour_thinkers_working").set(sample.thinking as f64);
    metrics::gauge!("parlour_thinkers_waiting", "kind" => "bot").set(sample.waiting_bots as f64);
    metrics::gauge!("parlour_thinkers_waiting", "kind" => "service").set(sample.waiting_services as f64);
    metrics::gauge!("parlour_jobs", "state" => "queued").set(sample.queued_jobs as f64);
    metrics::gauge!("parlour_jobs", "state" => "running").set(sample.running_jobs as f64);
    metrics::gauge!("parlour_store_seconds").set(sample.store_ms / 1e3);
    metrics::gauge!("parlour_memory_bytes").set(sample.memory_bytes as f64);
    metrics::gauge!("parlour_cpu_seconds").set(sample.cpu_seconds);
}

/// Memory and processor time of this process, where the operating system tells.
#[derive(Default)]
struct Process {
    memory_bytes: u64,
    cpu_seconds: f64,
}

impl Process {
    fn now() -> Self {
        let read = |file: &str| std::fs::read_to_string(format!("/proc/self/{file}")).unwrap_or_default();
        let status = read("status");
        let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        // after the name in brackets: the fields from the third on; 14 and 15 are ticks in and for the process
        let stat = read("stat");
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields.get(at - 3).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        Self {
            memory_bytes: kilobytes.and_then(|text| text.trim().parse::<u64>().ok()).unwrap_or(0) * 1024,
            // Linux counts a hundred ticks a second in this file on every machine
            cpu_seconds: (ticks(14) + ticks(15)) / 100.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(at_ms: i64) -> MetricsSample {
        MetricsSample {
            at_ms,
            live_tables: 0,
            waiting_tables: 0,
            running_tables: 0,
            sockets: 0,
            thinking: 0,
            waiting_bots: 0,
            waiting_services: 0,
            queued_jobs: 0,
            running_jobs: 0,
            requests_per_second: 0.0,
            refused_per_second: 0.0,
            commits_per_second: 0.0,
            commit_ms: 0.0,
            slowest_commit_ms: 0.0,
            store_ms: 0.0,
            memory_bytes: 0,
            cpu_seconds: 0.0,
        }
    }

    #[test]
    fn an_hour_is_kept_and_no_more() {
        let counters = Counters::default();
        (0..SAMPLES as i64 + 5).for_each(|number| counters.keep(at(number)));
        let kept = counters.samples();
        assert_eq!((kept.len(), kept[0].at_ms), (SAMPLES, 5));
    }

    #[test]
    fn memory_of_the_process_is_read() {
        let process = Process::now();
        assert!(process.memory_bytes > 1 << 20, "a megabyte at least");
    }
}
