//! `parlour gomoku lab`: the study's networks, searches and tables, resumable.

use std::path::PathBuf;

use ::lab::gomoku::study::{Plan, run as experiments};
use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    /// Folder of the run; a folder that exists is continued
    #[arg(long, default_value = "runs/gomoku-lab")]
    out: PathBuf,
    /// 60,000 positions of 2,500 games, one pass
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// 200,000 positions of 16,500 games, one pass, longer matches
    #[arg(long, required_unless_present = "quick")]
    full: bool,
    /// Games and trainings at the same time
    #[arg(long, default_value_t = 2)]
    threads: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the results as one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let quick = Plan {
        command: "parlour gomoku lab --quick".into(),
        folder: args.out,
        games: 5_000,
        empty_games: 2_500,
        positions: 60_000,
        passes: 1,
        test_positions: 2_000,
        match_games: 40,
        sampled_games: 4,
        search_games: 8,
        threads: args.threads.max(1),
        seed: args.seed,
    };
    let plan = if args.full {
        Plan {
            command: "parlour gomoku lab --full".into(),
            games: 16_500,
            empty_games: 8_000,
            positions: 80_000,
            test_positions: 4_000,
            match_games: 60,
            search_games: 12,
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
