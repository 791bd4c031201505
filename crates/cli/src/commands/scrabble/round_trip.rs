//! `parlour scrabble round-trip`: read GCG records and write them back.

use anyhow::{Context, Result, bail};
use scrabble::formats::gcg::Gcg;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// GCG files
    files: Vec<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    for file in &args.files {
        let bytes = std::fs::read(file)?;
        let gcg = Gcg::parse(&bytes).with_context(|| format!("{}", file.display()))?;
        let text = String::from_utf8(bytes.clone()).unwrap_or_else(|_| bytes.iter().map(|&b| b as char).collect());
        let normal = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        if gcg.write() != normal {
            bail!("{}: differs after a round trip", file.display());
        }
        println!("{}: {} lines, unchanged", file.display(), gcg.lines.len());
    }
    Ok(())
}
