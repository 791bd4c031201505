//! `parlour arena`: matches between players with Elo, intervals and SPRT.

mod gomoku;
mod homeguard;
mod report;
mod tournament;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Play a Gomoku match between built-in players and Gomocup brains
    Gomoku(gomoku::Args),
    /// Play a Homeguard match between two levels on random maps
    Homeguard(homeguard::Args),
    /// Play a Gomoku tournament of many players from a TOML file
    Tournament(tournament::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Gomoku(args) => gomoku::run(args),
        Command::Homeguard(args) => homeguard::run(args),
        Command::Tournament(args) => tournament::run(args),
    }
}
