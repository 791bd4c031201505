//! `parlour crossword convert`

use super::puzzle_files;
use anyhow::{Context, Result, anyhow};
use crossword::formats::PuzzleFormat;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The puzzle to read
    from: PathBuf,
    /// The file to write; its ending says the format: ipuz, puz, jpz, xd, exolve, crossword
    to: PathBuf,
}

pub fn run(args: Args) -> Result<()> {
    let puzzle = puzzle_files::read(&args.from)?.into_iter().next().context("the file holds no puzzle")?;
    let ending = args.to.extension().map(|end| end.to_string_lossy().into_owned()).unwrap_or_default();
    let format = PuzzleFormat::from_extension(&ending).ok_or_else(|| {
        let known: Vec<_> = PuzzleFormat::ALL.iter().map(|format| format.extension()).collect();
        anyhow!("{}: the ending should be one of {}", args.to.display(), known.join(", "))
    })?;
    let bytes = format.write(&puzzle).with_context(|| args.to.display().to_string())?;
    super::write(&args.to, &bytes)
}
