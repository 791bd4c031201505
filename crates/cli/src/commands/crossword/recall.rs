//! `parlour crossword recall`: recall of the answers per kind of evidence.

use super::{SolverSources, solved_clues};
use ::lab::crossword::recall::{RANKS, recall};
use anyhow::{Context, Result};
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Pairs of answer and clue (.tsv), or puzzles with solutions (JSON lines, also gzipped, or puzzle files)
    path: PathBuf,
    /// Use only the puzzles that `eval --sample N --seed S` tests on
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of clues, sampled by the seed
    #[arg(long, default_value_t = 1000)]
    clues: usize,
    #[command(flatten)]
    sources: SolverSources,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let part = args.sample.map_or(solved_clues::PuzzleSelection::All, solved_clues::PuzzleSelection::Sample);
    let clues = solved_clues::read(&args.path, part, args.clues, args.seed)?;
    let opened = args.sources.open()?;
    let scorer = semantics::ClueScorer::new(&opened.language);
    let knowledge = opened.knowledge(&scorer);
    // The first calibration is for American puzzles; plain pairs count as quick clues.
    let pairs = args.path.extension().is_some_and(|ending| ending == "tsv");
    let all = knowledge.calibrations();
    let calibration = if pairs { all.last() } else { all.first() }.context("there is no calibration")?;
    let found = recall(&knowledge, calibration, &clues);
    if args.json {
        let shares = |shares: &[f64; RANKS.len()]| -> serde_json::Map<String, serde_json::Value> {
            RANKS.iter().zip(shares).map(|(rank, share)| (rank.to_string(), json!(share))).collect()
        };
        let by_kind: serde_json::Map<_, _> =
            found.by_kind.iter().map(|(kind, row)| (kind.clone(), json!(shares(row)))).collect();
        println!("{}", json!({"clues": found.clues, "listed": found.listed, "recall": by_kind}));
    } else {
        println!("{} clues, {} with an answer in some list", found.clues, found.listed);
        for (kind, row) in &found.by_kind {
            let told: Vec<String> = row.iter().map(|share| format!("{:>5.1}%", share * 100.0)).collect();
            println!("{kind:<24} {}", told.join(" "));
        }
    }
    Ok(())
}
