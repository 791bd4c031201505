//! `parlour`: the only binary. Each sub-command has one file under `commands/`.

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
#[expect(clippy::large_enum_variant, reason = "the program parses one command and runs it")]
enum Command {
    /// Play matches between players, with Elo and intervals
    Arena(commands::arena::Args),
    /// Back up a store to one file while servers run
    #[cfg(feature = "server")]
    Backup(commands::backup::BackupArgs),
    /// Measure the speed of the engines, with a signature of their behaviour
    Bench(commands::bench::Args),
    /// Codenames: generate clues, play, evaluate players
    Codenames(commands::codenames::Args),
    /// Print shell completions
    Completions(commands::completions::Args),
    /// Crosswords: solve puzzles, look up clues, convert files
    Crossword(commands::crossword::Args),
    /// Check this installation and report problems
    #[cfg(feature = "server")]
    Doctor(commands::doctor::Args),
    /// Gomoku: play, analyse, solve, train
    Gomoku(commands::gomoku::Args),
    /// Homeguard: play, and generate maps to your preference
    Homeguard(commands::homeguard::Args),
    /// Inspect, cancel and requeue the runs of the queue
    #[cfg(feature = "queue")]
    Jobs(commands::jobs::Args),
    /// Build, check and query lexicons (word graphs)
    Lexicon(commands::lexicon::Args),
    /// List and verify the learned parameters in the data folder
    Models(commands::models::Args),
    /// Play any game in the terminal
    Play(commands::play::Args),
    /// Restore a backup into a store
    #[cfg(feature = "server")]
    Restore(commands::backup::RestoreArgs),
    /// Scrabble: rank moves, solve endgames, play, train
    Scrabble(commands::scrabble::Args),
    /// Word meaning: neighbours, associations, clues, evaluation
    Semantics(commands::semantics::Args),
    /// Serve the page and the API
    #[cfg(feature = "server")]
    Serve(commands::serve::Args),
    /// Print version, commit and games
    Version(commands::version::Args),
    /// Run jobs from a queue: arena matches, self-play, counting
    #[cfg(feature = "queue")]
    Worker(commands::worker::Args),
}

/// Exit code of a process that writes to a closed pipe: 128 + SIGPIPE, as shells report it.
const BROKEN_PIPE: i32 = 141;

fn main() -> std::process::ExitCode {
    end_quietly_on_broken_pipe();
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => std::process::exit(BROKEN_PIPE),
        Err(error) => {
            eprintln!("Error: {error:?}");
            std::process::ExitCode::FAILURE
        }
    }
}

/// `println!` panics when the reader of a pipe is gone (`parlour … | head`). That ends the program without a message.
/// SIGPIPE stays ignored: a Gomocup brain that crashes must not end the match.
fn end_quietly_on_broken_pipe() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload_as_str().unwrap_or_default();
        if text.starts_with("failed printing to std") && text.contains("Broken pipe") {
            std::process::exit(BROKEN_PIPE);
        }
        usual(panic);
    }));
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_one = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(is_one))
}

fn run() -> anyhow::Result<()> {
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
        Command::Models(args) => commands::models::run(args),
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
