//! `parlour arena`: matches between players, with Elo, intervals and tests.

mod gomoku;
mod homeguard;
mod report;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Gomoku: players of the house and external Gomocup brains
    Gomoku(gomoku::Args),
    /// Homeguard: strengths against each other on random maps
    Homeguard(homeguard::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Gomoku(args) => gomoku::run(args),
        Command::Homeguard(args) => homeguard::run(args),
    }
}
