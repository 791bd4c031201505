//! `parlour`: the only binary. Every room of the house has one sub-command, in one file under `commands/`.

mod commands;
mod picture;

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
    /// Play matches between players, with Elo and intervals
    Arena(commands::arena::Args),
    /// Write everything a store holds into one file, while servers go on
    #[cfg(feature = "server")]
    Backup(commands::backup::BackupArgs),
    /// Measure how fast the engines are
    Bench(commands::bench::Args),
    /// Codenames: give and take clues, measure players
    Codenames(commands::codenames::Args),
    /// Print completions for a shell
    Completions(commands::completions::Args),
    /// Crosswords: solve from the clues, look up clues, convert files
    Crossword(commands::crossword::Args),
    /// Look whether this installation can serve, and say what is wrong
    #[cfg(feature = "server")]
    Doctor(commands::doctor::Args),
    /// Gomoku: play, analyse, solve, learn
    Gomoku(commands::gomoku::Args),
    /// Homeguard: play, and maps made to your taste
    Homeguard(commands::homeguard::Args),
    /// Look at the runs of the queue, cancel them, let them be tried again
    #[cfg(feature = "queue")]
    Jobs(commands::jobs::Args),
    /// Build, check and question word graphs
    Lexicon(commands::lexicon::Args),
    /// Play any game in the terminal
    Play(commands::play::Args),
    /// Put a backup into a store
    #[cfg(feature = "server")]
    Restore(commands::backup::RestoreArgs),
    /// Scrabble: rank moves, prove endgames, play and learn
    Scrabble(commands::scrabble::Args),
    /// Word meaning: neighbours, associations, clues, and how good they are
    Semantics(commands::semantics::Args),
    /// Open the house to browsers and programs
    #[cfg(feature = "server")]
    Serve(commands::serve::Args),
    /// Print version, commit and the games on board
    Version(commands::version::Args),
    /// Take jobs from a queue and do them: arena matches, self-play, counting
    #[cfg(feature = "queue")]
    Worker(commands::worker::Args),
}

fn main() -> anyhow::Result<()> {
    // Tournament managers know brains by their file's name and pass no arguments.
    if std::env::args().next().is_some_and(|program| commands::gomoku::protocol::is_brain_name(&program)) {
        return commands::gomoku::protocol::run_as_brain();
    }
    match Cli::parse().command {
        Command::Arena(args) => commands::arena::run(args),
        #[cfg(feature = "server")]
        Command::Backup(args) => commands::backup::backup(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Codenames(args) => commands::codenames::run(args),
        Command::Completions(args) => commands::completions::run::<Cli>(args),
        Command::Crossword(args) => commands::crossword::run(args),
        #[cfg(feature = "server")]
        Command::Doctor(args) => commands::doctor::run(args),
        Command::Gomoku(args) => commands::gomoku::run(args),
        Command::Homeguard(args) => commands::homeguard::run(args),
        #[cfg(feature = "queue")]
        Command::Jobs(args) => commands::jobs::run(args),
        Command::Lexicon(args) => commands::lexicon::run(args),
        Command::Play(args) => commands::play::run(args),
        #[cfg(feature = "server")]
        Command::Restore(args) => commands::backup::restore(args),
        Command::Scrabble(args) => commands::scrabble::run(args),
        Command::Semantics(args) => commands::semantics::run(args),
        #[cfg(feature = "server")]
        Command::Serve(args) => commands::serve::run(args),
        Command::Version(args) => commands::version::run(args),
        #[cfg(feature = "queue")]
        Command::Worker(args) => commands::worker::run(args),
    }
}
