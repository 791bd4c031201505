//! `parlour codenames fit`.

use super::eval::turns;
use super::language_args::LanguageArgs;
use crate::commands::semantics::data;
use anyhow::{Context, Result};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames fit turns.jsonl --folds 2")]
pub struct Args {
    /// Turns: `.cnwa`, or JSON lines with hint, board, guesses, targets
    file: PathBuf,
    /// Folds of the cross-validation; a board is in one fold only
    #[arg(long, default_value_t = 2)]
    folds: usize,
    /// LinkStrength of the penalty on large weights
    #[arg(long, default_value_t = 0.2)]
    l2: f32,
    /// Further files of turns for every fit
    #[arg(long)]
    also: Vec<PathBuf>,
    /// Write the weights fitted to all turns to this file
    #[arg(long)]
    write: Option<PathBuf>,
    #[command(flatten)]
    source: LanguageArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let main = turns(&args.file)?;
    let mut also = Vec::new();
    for file in &args.also {
        also.extend(turns(file)?);
    }
    let data = data::find(args.source.data.as_deref())?;
    let language = semantics::Language::open(&data, &args.source.lang)?;
    let (weights, report) = codenames::eval::fit(&language, &main, &also, args.folds.max(2), args.l2);
    if let Some(path) = &args.write {
        std::fs::write(path, serde_json::to_string_pretty(&weights)? + "\n")
            .with_context(|| format!("{}", path.display()))?;
    }
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!("{} turns on {} boards, {} parts", report.turns, report.boards, report.folds);
        println!("average precision, unseen turns {:.4}", report.ap_targets);
        println!("recall at k, unseen turns       {:.4}", report.recall_at_k);
        println!("average precision, own turns    {:.4}", report.ap_in_sample);
    }
    Ok(())
}
