//! Options, execution and report shared by all matches.

use std::path::PathBuf;

use anyhow::{Context, Result};
use arena::{MatchPlan, Results, Sprt, Summary};
use jobs::Work;
use lab::queued_match::{QueuedMatch, run};
use serde::Serialize;

use crate::commands::queue::QueueArgs;

/// Options of every match.
#[derive(clap::Args)]
pub struct MatchArgs {
    /// Number of games, in pairs with sides exchanged
    #[arg(long, default_value_t = 200)]
    games: u64,
    /// Number of parallel games with the local queue
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Game pairs per job of the queue
    #[arg(long, value_name = "PAIRS", default_value_t = 1)]
    chunk: u64,
    #[command(flatten)]
    pub queue: QueueArgs,
    /// Stop when an SPRT decides between two Elo differences, e.g. 0,10
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Results file; an interrupted match resumes from it
    #[arg(long)]
    results: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Plays a match and prints its summary. `files` are those that the work reads; `records` is a folder and a file
/// extension.
pub fn play<P: Serialize>(
    work: &dyn Work,
    params: &P,
    files: Vec<PathBuf>,
    records: Option<(PathBuf, &'static str)>,
    args: &MatchArgs,
    title: String,
) -> Result<()> {
    let sprt = args.sprt.as_deref().map(read_sprt).transpose()?;
    let plan =
        MatchPlan { pairs: args.games.div_ceil(2), workers: args.workers, sprt, file: args.results.clone(), title };
    let begun = std::time::Instant::now();
    let pairs = plan.pairs;
    let mut on_pair = |results: &Results| {
        let done = results.pairs.len() as u64;
        if !args.json && (done.is_multiple_of(5) || done == pairs) {
            let summary = Summary::of(results, sprt);
            let left = begun.elapsed().as_secs_f64() / done as f64 * (pairs - done) as f64;
            eprintln!("{} of {} games, score {:.3}, about {left:.0} s left", 2 * done, 2 * pairs, summary.p1_score);
        }
    };
    let queued = QueuedMatch { work, params: postcard::to_stdvec(params)?, files, chunk: args.chunk, records };
    let queue = args.queue.open(args.workers)?;
    let results = run(queue.submitter(), &queued, &plan, &mut on_pair)?;
    let summary = Summary::of(&results, sprt);
    if args.json {
        println!("{}", serde_json::to_string(&summary)?);
        return Ok(());
    }
    let [low, high] = summary.interval95;
    println!(
        "{} games: {} won, {} drawn, {} lost, score {:.3}",
        summary.games, summary.wins, summary.draws, summary.losses, summary.p1_score
    );
    println!("Elo {:+.0} (95 %: {low:+.0} to {high:+.0})", summary.elo);
    println!("{} time losses, {} illegal moves, {} crashes", summary.time_losses, summary.illegal, summary.crashes);
    if let Some(test) = summary.sprt {
        println!("SPRT {} to {} Elo: llr {:.2}, {:?}", test.test.elo0, test.test.elo1, test.llr, test.verdict);
    }
    for fault in results.pairs.values().flat_map(|pair| &pair.games).filter_map(|game| game.fault.as_ref()).take(5) {
        println!("fault of {:?}: {}", fault.by, fault.note);
    }
    Ok(())
}

fn read_sprt(text: &str) -> Result<Sprt> {
    let (elo0, elo1) = text.split_once(',').context("--sprt takes two numbers: elo0,elo1")?;
    Ok(Sprt::new(elo0.trim().parse().context("elo0")?, elo1.trim().parse().context("elo1")?))
}
