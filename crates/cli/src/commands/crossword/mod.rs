//! `parlour crossword`: its sub-commands, one file each, and their dispatch.

mod clue;
mod convert;
mod eval;
mod fill;
mod fit;
mod import_clues;
mod lab;
mod make;
mod originality;
mod print;
mod puzzle_files;
mod recall;
mod solve;
mod solved_clues;
mod sources;
mod tune;
mod word_sources;

use anyhow::{Context, Result};
use clap::Subcommand;
use sources::{SolverSources, open_database};
use std::path::Path;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve a puzzle from its clues
    #[command(after_help = "Example: parlour crossword solve puzzle.puz --fix '14A=?A??E'")]
    Solve(solve::Args),
    /// List the most probable answers to one clue
    #[command(after_help = "Example: parlour crossword clue 'Citrus fruit' --pattern '?E???'")]
    Clue(clue::Args),
    /// Build a clue database from pairs of answer and clue
    #[command(after_help = "Example: parlour crossword import-clues old/*.puz pairs.tsv --out clues.db")]
    ImportClues(import_clues::Args),
    /// Convert a puzzle to another file format
    #[command(after_help = "Example: parlour crossword convert puzzle.jpz puzzle.ipuz")]
    Convert(convert::Args),
    /// Print a puzzle to SVG or PDF
    #[command(after_help = "Example: parlour crossword print puzzle.ipuz puzzle.pdf --solution")]
    Print(print::Args),
    /// Measure the solver on puzzles with known solutions
    #[command(after_help = "Example: parlour crossword eval puzzles/ --time 10 --json")]
    Eval(eval::Args),
    /// Compute the tables of Gdowski 2019 for given puzzles
    #[command(after_help = "Example: parlour crossword lab easy.crossword hard.crossword")]
    Lab(lab::Args),
    /// Make a puzzle: grid, words and clues
    #[command(after_help = "Example: parlour crossword make --lang cs --size 11 --seed 7 --out puzzle.ipuz")]
    Make(make::Args),
    /// Fill a grid with words, or name the cells that make it impossible
    #[command(after_help = "Example: parlour crossword fill grid.txt --wordlist words.txt --min-score 40")]
    Fill(fill::Args),
    /// Check that clue collections and association lexicons share no pair with evaluation data
    #[command(after_help = "Example: parlour crossword originality ../evaluation")]
    Originality(originality::Args),
    /// Fit the evidence weights on puzzles with known solutions
    #[command(after_help = "Example: parlour crossword fit puzzles.jsonl.gz --except-sample 100 --clues 1500")]
    Fit(fit::Args),
    /// Measure how often each kind of evidence finds the answers of clues
    #[command(after_help = "Example: parlour crossword recall pairs.tsv --lang pl --clues 800")]
    Recall(recall::Args),
    /// Tune a calibration by solving puzzles with known solutions
    #[command(
        after_help = "Example: parlour crossword tune puzzles.jsonl.gz --calibration c.json --limit 20 --out d.json"
    )]
    Tune(tune::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Solve(args) => solve::run(args),
        Command::Clue(args) => clue::run(args),
        Command::ImportClues(args) => import_clues::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Print(args) => print::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Make(args) => make::run(args),
        Command::Fill(args) => fill::run(args),
        Command::Originality(args) => originality::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Recall(args) => recall::run(args),
        Command::Tune(args) => tune::run(args),
    }
}

/// Writes a file atomically: to a temporary name, then by a rename.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let fresh = path.with_added_extension("tmp");
    std::fs::write(&fresh, bytes).with_context(|| fresh.display().to_string())?;
    std::fs::rename(&fresh, path).with_context(|| path.display().to_string())
}
