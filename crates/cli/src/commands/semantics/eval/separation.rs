//! `parlour semantics eval separation`.

use super::{Without, read};
use crate::commands::semantics::PackArgs;
use semantics::Assoc;
use semantics::eval::separation;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics eval separation pairs.tsv --lang pl")]
pub struct Args {
    /// Word and word, tab-separated
    file: PathBuf,
    /// Seed of the random pairs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    without: Without,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let list = separation::read(&read(&args.file)?).map_err(|e| anyhow::anyhow!("{}: {e}", args.file.display()))?;
    let language = packs.open()?;
    let report = separation::evaluate(&Assoc::new(&language), &list, args.seed, args.without.checked()?);
    if packs.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!(
            "{} pairs, {} covered, against {} random: AUC vectors {:.3}, all {:.3}",
            report.pairs, report.covered, report.random, report.auc.vectors, report.auc.all
        );
        report.worst.iter().for_each(|w| println!("weak: {w}"));
    }
    Ok(())
}
