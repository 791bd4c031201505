//! `parlour scrabble`: play, analyse, prove, simulate, learn.

mod analyse;
mod autoplay;
mod best;
mod endgame;
mod evolve;
mod lab;
mod learn;
pub mod lexicons;
mod play;
pub mod players;
mod sim;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Play against the computer in the terminal
    Play(play::Args),
    /// Report on recorded games: a GCG file or a folder of them
    Analyse(analyse::Args),
    /// Rank the plays of a position
    Best(best::Args),
    /// Solve a position with an empty bag
    Endgame(endgame::Args),
    /// Simulate the best-looking moves of a position
    Sim(sim::Args),
    /// Let two computer players play many games
    Autoplay(autoplay::Args),
    /// Learn what tiles are worth keeping
    Leaves(learn::Args),
    /// Learn what turns do to the turns after them
    Outlook(evolve::Outlook),
    /// Learn the chance to win from lead and tiles unseen
    Chances(evolve::Chances),
    /// Evolve the weighted player against greedy
    Evolve(evolve::Args),
    /// Print the study's figures beside ours
    Lab(lab::Args),
    /// Compare move generation with trying everything
    Oracle(lab::Oracle),
    /// Read GCG files and write them back, to see that nothing is lost
    RoundTrip(analyse::RoundTrip),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Play(args) => play::run(args),
        Command::Analyse(args) => analyse::run(args),
        Command::Best(args) => best::run(args),
        Command::Endgame(args) => endgame::run(args),
        Command::Sim(args) => sim::run(args),
        Command::Autoplay(args) => autoplay::run(args),
        Command::Leaves(args) => learn::run(args),
        Command::Outlook(args) => evolve::learn_outlook(args),
        Command::Chances(args) => evolve::learn_chances(args),
        Command::Evolve(args) => evolve::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Oracle(args) => lab::oracle(args),
        Command::RoundTrip(args) => analyse::round_trip(args),
    }
}
