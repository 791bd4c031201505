//! `parlour crossword print`

use super::puzzle_files;
use anyhow::{Context, Result, bail};
use crossword::formats::print::{PrintedLetters, pdf, svg};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The puzzle to read
    file: PathBuf,
    /// The file to write; .svg or .pdf
    to: PathBuf,
    /// Print the solution in the grid
    #[arg(long)]
    solution: bool,
    /// Print the letters that are saved in the file
    #[arg(long, conflicts_with = "solution")]
    letters: bool,
}

pub fn run(args: Args) -> Result<()> {
    let puzzle = puzzle_files::read(&args.file)?.into_iter().next().context("the file holds no puzzle")?;
    if args.solution && !puzzle.has_solution() {
        bail!("{}: the file does not hold the solution", args.file.display());
    }
    let letters = match (args.solution, args.letters) {
        (true, _) => PrintedLetters::Solution,
        (_, true) => PrintedLetters::Written,
        _ => PrintedLetters::Given,
    };
    let ending = args.to.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    let bytes = match ending.as_str() {
        "svg" => svg(&puzzle, letters).into_bytes(),
        "pdf" => pdf(&puzzle, letters),
        _ => bail!("{}: the ending should be svg or pdf", args.to.display()),
    };
    super::write(&args.to, &bytes)
}
