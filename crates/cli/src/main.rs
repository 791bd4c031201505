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
    /// Build, check and question word graphs
    Lexicon(commands::lexicon::Args),
    /// Print version, commit and the games on board
    Version(commands::version::Args),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Lexicon(args) => commands::lexicon::run(args),
        Command::Version(args) => commands::version::run(args),
    }
}
