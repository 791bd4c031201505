//! `parlour`: the only binary. Every room of the house has one sub-command, in one file under `commands/`.

mod commands;

use clap::{Parser, Subcommand};

/// A games room: play, analyse, solve and design with a computer that is a real opponent and partner.
#[derive(Parser)]
#[command(name = "parlour", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure how fast the engines are
    Bench(commands::bench::Args),
    /// Build, check and question word graphs
    Lexicon(commands::lexicon::Args),
    /// Scrabble: rank moves, prove endgames, play and learn
    Scrabble(commands::scrabble::Args),
    /// Print version, commit and the games on board
    Version(commands::version::Args),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Bench(args) => commands::bench::run(args),
        Command::Lexicon(args) => commands::lexicon::run(args),
        Command::Scrabble(args) => commands::scrabble::run(args),
        Command::Version(args) => commands::version::run(args),
    }
}
