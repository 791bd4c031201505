//! `parlour semantics eval senses`.

use crate::commands::semantics::PackArgs;
use crate::commands::semantics::sense_args::{SenseArgs, is_function_word, vector};
use anyhow::Context;
use semantics::eval::senses;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics eval senses book.corpus --pairs 200")]
pub struct Args {
    #[command(flatten)]
    senses: SenseArgs,
    /// Number of homonyms to make, of two words each
    #[arg(long, default_value_t = 200)]
    pairs: usize,
    /// Keep the corpora with joined and with split words in this folder
    #[arg(long)]
    keep: Option<PathBuf>,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let language = packs.open()?;
    let folder = args.keep.clone().unwrap_or_else(|| args.senses.corpus.with_extension("senses.tmp"));
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let report = senses::evaluate(
        &args.senses.corpus,
        &folder,
        args.pairs,
        &args.senses.settings(),
        |word| vector(&language, word),
        |word| is_function_word(&language, word),
    );
    if args.keep.is_none() {
        std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    let report = report?;
    if packs.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!(
            "{} made-up homonyms: {:.0}% split, {:.1}% of their contexts right (chance {:.1}%); of {} other words {:.1}% \
             split",
            report.pairs,
            100.0 * report.found,
            100.0 * report.right,
            100.0 * report.chance,
            report.others,
            100.0 * report.others_split
        );
    }
    Ok(())
}
