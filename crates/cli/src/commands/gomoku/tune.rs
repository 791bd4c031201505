//! `parlour gomoku tune`: tunes search constants by matches, resumable.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use gomoku::rules::{MAX_SIZE, MIN_SIZE};
use lab::gomoku::tune::{TunePlan, run as tune};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku tune --pairs 2000 --state tuning.tsv")]
pub struct Args {
    /// State file; an existing run resumes
    #[arg(long, default_value = "runs/gomoku-tuning.tsv")]
    state: PathBuf,
    /// Evaluation of both sides: `pattern` or `net=FILE`
    #[arg(long, alias = "judge", default_value = "pattern")]
    evaluation: String,
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// Board sizes in points, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// Number of game pairs
    #[arg(long, default_value_t = 10_000)]
    pairs: usize,
    /// Nodes per move
    #[arg(long, default_value_t = 4000)]
    nodes: u64,
    /// Number of threads; one makes the run reproducible
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Seed of openings and perturbations
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(args: Args) -> Result<()> {
    ensure!(!args.sizes.is_empty(), "--sizes: at least one board size");
    for size in &args.sizes {
        ensure!((MIN_SIZE..=MAX_SIZE).contains(size), "--sizes: {size} is not {MIN_SIZE} to {MAX_SIZE}");
    }
    if let Some(folder) = args.state.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let plan = TunePlan {
        state: args.state,
        rule: args.rule.parse()?,
        evaluation: super::weights::named(&args.evaluation)?,
        sizes: args.sizes,
        pairs: args.pairs,
        nodes: args.nodes.max(50),
        threads: args.threads,
        seed: args.seed,
    };
    println!("{}", tune(&plan, &|line| eprintln!("{line}"))?);
    Ok(())
}
