//! `parlour semantics eval pairs`.

use super::{Without, read};
use crate::commands::semantics::PackArgs;
use semantics::Assoc;
use semantics::eval::pairs;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics eval pairs wordsim353-cs.tsv --lang cs")]
pub struct Args {
    /// Word, word and score, tab-separated
    file: PathBuf,
    #[command(flatten)]
    without: Without,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let list = pairs::read(&read(&args.file)?).map_err(|e| anyhow::anyhow!("{}: {e}", args.file.display()))?;
    let language = packs.open()?;
    let report = pairs::evaluate(&Assoc::new(&language), &list, args.without.checked()?);
    if packs.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        let s = report.spearman;
        println!(
            "{} pairs, {} covered, Spearman: vectors {:.3}, all {:.3}",
            report.pairs, report.covered, s.vectors, s.all
        );
    }
    Ok(())
}
