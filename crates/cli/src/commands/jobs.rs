//! `parlour jobs`: inspect and control the runs of the queue.

use super::queue::STORE;
use anyhow::{Context, Result, bail};
use jobs::JobStore;
use jobs::nats::NatsQueue;
use serde_json::json;
use std::time::{SystemTime, UNIX_EPOCH};
use store::jobs::{JobRow, JobState, RunRow, RunState};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
    /// Store of the queue: sqlite:PATH or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS", default_value = STORE, global = true)]
    store: String,
    /// Print one JSON object a line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List the most recently changed runs
    List {
        /// Number of runs
        #[arg(short, default_value_t = 20)]
        n: u32,
    },
    /// Show one run with its jobs: progress, worker, reason of failure
    Show { run: String },
    /// Cancel a run: drop queued jobs and stop running ones
    Cancel {
        run: String,
        /// Address of the queue, if it needs a password (passwords are not stored)
        #[arg(long)]
        queue: Option<String>,
    },
    /// Requeue failed and cancelled jobs; repeat the command of the run to continue it
    Retry { run: String },
    /// Delete a run from the store, results included
    Forget { run: String },
}

pub fn run(args: Args) -> Result<()> {
    let jobs = JobStore::open(&args.store)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() as i64;
    let store = jobs.store();
    let find = |run: &str| -> Result<RunRow> {
        jobs.wait(store.run(run))?.with_context(|| format!("{}: there is no run {run}", args.store))
    };
    match &args.command {
        Command::List { n } => {
            for run in jobs.wait(store.runs(*n))? {
                let jobs = jobs.wait(store.run_jobs(&run.id))?;
                print_run(&run, &jobs, args.json);
            }
        }
        Command::Show { run } => {
            let run = find(run)?;
            let jobs = jobs.wait(store.run_jobs(&run.id))?;
            print_run(&run, &jobs, args.json);
            jobs.iter().for_each(|job| print_job(job, args.json));
        }
        Command::Cancel { run, queue } => {
            let run = find(run)?;
            if run.state == RunState::Done {
                bail!("run {} is done: there is nothing to cancel", run.id);
            }
            jobs.wait(store.end_run(&run.id, RunState::Cancelled, now))?;
            if run.queue != "local" {
                NatsQueue::new(queue.as_ref().unwrap_or(&run.queue), jobs.clone()).cancel(&run.id)?;
            }
            println!("run {} is cancelled", run.id);
        }
        Command::Retry { run } => {
            let run = find(run)?;
            if run.state == RunState::Done {
                bail!("run {} is done: there is nothing to requeue", run.id);
            }
            jobs.wait(store.retry_run(&run.id, now))?;
            println!("requeued run {}; repeat its command to continue it", run.id);
        }
        Command::Forget { run } => {
            let run = find(run)?;
            if run.state == RunState::Running {
                bail!("run {} is still running: cancel it first", run.id);
            }
            jobs.wait(store.forget_run(&run.id))?;
            println!("deleted run {}", run.id);
        }
    }
    jobs.wait(store.close());
    Ok(())
}

fn print_run(run: &RunRow, jobs: &[JobRow], as_json: bool) {
    let count = |state: JobState| jobs.iter().filter(|job| job.state == state).count();
    let (done, dead) = (count(JobState::Done), count(JobState::Dead));
    if as_json {
        println!(
            "{}",
            json!({"run": run.id, "title": run.title, "kind": run.kind, "program": run.program, "queue": run.queue,
                "state": run.state.as_str(), "jobs": jobs.len(), "done": done, "dead": dead,
                "running": count(JobState::Running), "created_ms": run.created_ms, "updated_ms": run.updated_ms})
        );
        return;
    }
    let given_up = if dead > 0 { format!(", {dead} failed") } else { String::new() };
    println!(
        "{}  {:9}  {done} of {} jobs{given_up}  {}  {}  {}",
        run.id,
        run.state.as_str(),
        jobs.len(),
        run.kind,
        run.queue,
        run.title
    );
}

fn print_job(job: &JobRow, as_json: bool) {
    if as_json {
        println!(
            "{}",
            json!({"job": job.number, "id": job.id, "state": job.state.as_str(), "share": job.share,
                "attempts": job.attempts, "worker": job.worker, "why": job.why, "updated_ms": job.updated_ms})
        );
        return;
    }
    let share = format!("{:.0}%", 100.0 * job.share);
    println!("  {:5}  {:9}  {share:>4}  {}  {}", job.number, job.state.as_str(), job.worker, job.why);
}
