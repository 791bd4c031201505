//! `parlour codenames matrix`.

use super::data::{Source, tongue};
use crate::commands::semantics::data;
use anyhow::{Context, Result};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Where to write it; by default where the players look for it
    #[arg(long)]
    out: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    let tongue = tongue(&args.source)?;
    let out = match args.out {
        Some(path) => path,
        None => data::find(args.source.data.as_deref())?.join("codenames").join(format!("{}.matrix", args.source.lang)),
    };
    if let Some(parent) = out.parent() {
        std::fs::create_dir_all(parent).with_context(|| format!("{}", parent.display()))?;
    }
    let begun = std::time::Instant::now();
    let words = tongue.boards().len();
    let matrix = tongue.make_matrix(|done| {
        let left = begun.elapsed().as_secs_f64() / done.max(1) as f64 * (words - done) as f64;
        eprintln!("{} %, {left:.0} s left", 100 * done / words.max(1));
    });
    let fresh = out.with_extension("matrix.part");
    std::fs::write(&fresh, matrix.to_bytes()).with_context(|| format!("{}", fresh.display()))?;
    std::fs::rename(&fresh, &out).with_context(|| format!("{}", out.display()))?;
    println!("{}: {} clues × {} words", out.display(), tongue.clue_count(), matrix.words());
    Ok(())
}
