//! `parlour gomoku lab`: trains the networks of the Gomoku thesis and reproduces its tables, resumable.

use std::path::PathBuf;

use ::lab::gomoku::thesis::{ThesisPlan, run as experiments};
use anyhow::Result;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku lab --quick --out runs/thesis")]
pub struct Args {
    /// Folder of the run; an existing run resumes
    #[arg(long, default_value = "runs/gomoku-lab")]
    out: PathBuf,
    /// 60,000 positions of 5,000 games, one pass: about a quarter of an hour on two free cores
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// 80,000 positions of 16,500 games, one pass, longer matches: about half an hour on two free cores
    #[arg(long, required_unless_present = "quick")]
    full: bool,
    /// Passes over the positions; time grows in proportion
    #[arg(long, default_value_t = 1)]
    passes: usize,
    /// Number of threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Seed of games, weights and matches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the results as one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let passes = if args.passes > 1 { format!(" --passes {}", args.passes) } else { String::new() };
    let quick = ThesisPlan {
        command: format!("parlour gomoku lab --quick{passes}"),
        folder: args.out,
        games: 5_000,
        empty_games: 2_500,
        positions: 60_000,
        passes: args.passes.max(1),
        test_positions: 2_000,
        match_games: 40,
        sampled_games: 6,
        search_games: 12,
        threads: args.threads.max(1),
        seed: args.seed,
    };
    let plan = if args.full {
        ThesisPlan {
            command: format!("parlour gomoku lab --full{passes}"),
            games: 16_500,
            empty_games: 8_000,
            positions: 80_000,
            test_positions: 4_000,
            match_games: 60,
            sampled_games: 8,
            search_games: 20,
            ..quick
        }
    } else {
        quick
    };
    let json = args.json;
    let report = experiments(&plan, &|line| if json { eprintln!("{line}") } else { println!("{line}") })?;
    if json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!("{}", std::fs::read_to_string(plan.folder.join("report.md"))?);
    }
    Ok(())
}
