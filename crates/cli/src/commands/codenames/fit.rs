//! `parlour codenames fit`.

use super::data::Source;
use super::eval::turns;
use crate::commands::semantics::data;
use anyhow::{Context, Result};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Turns: `.cnwa`, or JSON lines with hint, board, guesses, targets
    file: PathBuf,
    /// In how many parts the boards are split; each is measured by weights fitted on the others
    #[arg(long, default_value_t = 2)]
    folds: usize,
    /// Strength of the penalty on large weights
    #[arg(long, default_value_t = 0.2)]
    l2: f32,
    /// Further files of turns that take part in every fit
    #[arg(long)]
    also: Vec<PathBuf>,
    /// Write weights fitted on everything to this file
    #[arg(long)]
    write: Option<PathBuf>,
    #[command(flatten)]
    source: Source,
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
