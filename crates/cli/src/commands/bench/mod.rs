//! `parlour bench`: how fast the engines are, with a signature that changes exactly when behaviour changes.

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
    /// Gomoku search: nodes per second and signature
    Gomoku(gomoku::Args),
    /// Homeguard trees and evolution: nodes and evaluations per second
    Homeguard(homeguard::Args),
    /// Word-graph build, move generation and simulation
    Scrabble(scrabble::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Gomoku(args) => gomoku::run(args),
        Command::Homeguard(args) => homeguard::run(args),
        Command::Scrabble(args) => scrabble::run(args),
    }
}
