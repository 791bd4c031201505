//! `parlour gomoku`: play, analyse, solve, learn.

mod analyse;
mod check_forbidden;
mod compare;
mod convert;
mod eval;
mod lab;
pub mod nets;
mod openings;
mod perft;
mod play;
mod position;
pub mod protocol;
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
    /// Judge a position: best moves, win probability, likely moves
    Analyse(analyse::Args),
    /// Compare renju's forbidden points with a slow independent check
    CheckForbidden(check_forbidden::Args),
    /// Play two settings of the engine against each other: constants, nets
    Compare(compare::Args),
    /// Turn a game from one file form into another: psq, SGF, plain
    Convert(convert::Args),
    /// Measure a net on games it did not learn from: a deep search's moves, the games' results
    Eval(eval::Args),
    /// The study's networks and searches: its tables and plots, beside its figures
    Lab(lab::Args),
    /// Make balanced openings
    Openings(openings::Args),
    /// Count move sequences and positions
    Perft(perft::Args),
    /// Play in the terminal
    Play(play::Args),
    /// Draw a position as SVG or PNG
    Picture(convert::PictureArgs),
    /// Speak the Gomocup protocol on standard input and output
    Protocol(protocol::Args),
    /// Record games of the engine against itself
    Selfplay(selfplay::Args),
    /// Look for a forced win
    Solve(solve::Args),
    /// Learn from self-play, generation by generation
    Train(train::Args),
    /// Tune the search's constants by matches
    Tune(tune::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Analyse(args) => analyse::run(args),
        Command::CheckForbidden(args) => check_forbidden::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Openings(args) => openings::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Play(args) => play::run(args),
        Command::Picture(args) => convert::picture(args),
        Command::Protocol(args) => protocol::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Train(args) => train::run(args),
        Command::Tune(args) => tune::run(args),
    }
}
