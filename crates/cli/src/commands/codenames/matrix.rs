//! `parlour codenames matrix`.

use super::language_args::{LanguageArgs, open_language_model};
use crate::commands::semantics::data;
use anyhow::{Context, Result};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames matrix --lang en")]
pub struct Args {
    #[command(flatten)]
    source: LanguageArgs,
    /// File to write (default: codenames/LANG.matrix in the data folder)
    #[arg(long)]
    out: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    let lm = open_language_model(&args.source)?;
    let out = match args.out {
        Some(path) => path,
        None => data::find(args.source.data.as_deref())?.join("codenames").join(format!("{}.matrix", args.source.lang)),
    };
    if let Some(parent) = out.parent() {
        std::fs::create_dir_all(parent).with_context(|| format!("{}", parent.display()))?;
    }
    let begun = std::time::Instant::now();
    let words = lm.boards().len();
    let matrix = lm.make_matrix(|done| {
        let left = begun.elapsed().as_secs_f64() / done.max(1) as f64 * (words - done) as f64;
        eprintln!("{} %, {left:.0} s left", 100 * done / words.max(1));
    });
    let fresh = out.with_extension("matrix.part");
    std::fs::write(&fresh, matrix.to_bytes()).with_context(|| format!("{}", fresh.display()))?;
    std::fs::rename(&fresh, &out).with_context(|| format!("{}", out.display()))?;
    println!("{}: {} clues × {} words", out.display(), lm.clue_count(), matrix.words());
    Ok(())
}
