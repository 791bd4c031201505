//! `parlour bench`: speed of the engines, with a signature that changes exactly when behaviour changes.

pub(in crate::commands) mod cpu;
mod gomoku;
mod homeguard;
mod scrabble;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Measure Gomoku search: nodes per second
    Gomoku(gomoku::Args),
    /// Measure Homeguard trees and MAP-Elites: nodes and evaluations per second
    Homeguard(homeguard::Args),
    /// Measure Scrabble: lexicon build, move generation, simulation
    Scrabble(scrabble::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Gomoku(args) => gomoku::run(args),
        Command::Homeguard(args) => homeguard::run(args),
        Command::Scrabble(args) => scrabble::run(args),
    }
}
