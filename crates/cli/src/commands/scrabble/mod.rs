//! `parlour scrabble`: play, analyse, prove, simulate, learn.

mod autoplay;
mod best;
mod endgame;
mod learn;
pub mod lexicons;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Rank the plays of a position
    Best(best::Args),
    /// Solve a position with an empty bag
    Endgame(endgame::Args),
    /// Let two computer players play many games
    Autoplay(autoplay::Args),
    /// Learn what tiles are worth keeping
    Leaves(learn::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Best(args) => best::run(args),
        Command::Endgame(args) => endgame::run(args),
        Command::Autoplay(args) => autoplay::run(args),
        Command::Leaves(args) => learn::run(args),
    }
}
