//! `parlour gomoku`: the sub-commands.

mod analyse;
mod average;
mod check_forbidden;
mod compare;
mod convert;
mod eval;
mod lab;
pub mod nets;
mod openings;
mod perft;
mod picture;
mod play;
mod position;
mod problems;
pub mod protocol;
mod recipe;
mod selfplay;
mod solve;
mod train;
mod tune;
pub mod weights;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Evaluate a position: best moves, win probability, policy
    Analyse(analyse::Args),
    /// Average the weights of nets of one training run
    Average(average::Args),
    /// Check the fast test of forbidden points against the slow oracle
    CheckForbidden(check_forbidden::Args),
    /// Play a match between two settings of the engine
    Compare(compare::Args),
    /// Convert a game between file formats
    Convert(convert::Args),
    /// Measure policy and value of a net on unseen games
    Eval(eval::Args),
    /// Reproduce the tables of the Gomoku thesis
    Lab(lab::Args),
    /// Generate balanced openings
    Openings(openings::Args),
    /// Count move sequences and positions
    Perft(perft::Args),
    /// Play in the terminal
    Play(play::Args),
    /// Draw a position as SVG or PNG
    Picture(picture::Args),
    /// Make problems with a proved win and a unique first move
    Problems(problems::Args),
    /// Speak the Gomocup protocol on standard input and output
    Protocol(protocol::Args),
    /// Record self-play games
    Selfplay(selfplay::Args),
    /// Search for a forced win
    Solve(solve::Args),
    /// Train patterns and nets by self-play
    Train(train::Args),
    /// Tune search constants by matches (SPSA)
    Tune(tune::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Analyse(args) => analyse::run(args),
        Command::Average(args) => average::run(args),
        Command::CheckForbidden(args) => check_forbidden::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Openings(args) => openings::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Play(args) => play::run(args),
        Command::Picture(args) => picture::run(args),
        Command::Problems(args) => problems::run(args),
        Command::Protocol(args) => protocol::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Train(args) => train::run(args),
        Command::Tune(args) => tune::run(args),
    }
}
