//! `parlour gomoku tune`: the search's constants, tuned by matches; resumable.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use gomoku::rules::{MAX_SIZE, MIN_SIZE};
use lab::gomoku::tune::{Plan, run as tune};

#[derive(clap::Args)]
pub struct Args {
    /// File of the run's state; one that exists is continued
    #[arg(long, default_value = "runs/gomoku-tuning.tsv")]
    state: PathBuf,
    /// By what both sides judge: `pattern` or `net=FILE`
    #[arg(long, default_value = "pattern")]
    judge: String,
    /// freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// Board sizes, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// Pairs of games in all
    #[arg(long, default_value_t = 10_000)]
    pairs: usize,
    /// Nodes for a move
    #[arg(long, default_value_t = 4000)]
    nodes: u64,
    /// Pairs played at the same time; with one, the same seed gives the same constants
    #[arg(long, default_value_t = 2)]
    threads: usize,
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
    let plan = Plan {
        state: args.state,
        rule: args.rule.parse()?,
        evaluation: super::weights::named(&args.judge)?,
        sizes: args.sizes,
        pairs: args.pairs,
        nodes: args.nodes.max(50),
        threads: args.threads,
        seed: args.seed,
    };
    println!("{}", tune(&plan, &|line| eprintln!("{line}"))?);
    Ok(())
}
