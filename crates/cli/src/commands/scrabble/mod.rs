//! `parlour scrabble`: play, analyse, solve, simulate, learn. One file per sub-command.

mod analyse;
mod atomic_file;
mod autoplay;
mod best;
mod endgame;
mod evolve;
mod external;
mod infer;
mod lab;
mod leaves;
pub mod lexicons;
mod oracle;
mod play;
pub mod player_kit;
mod position_args;
mod positional;
mod preendgame;
mod protocol;
mod round_trip;
mod sim;
mod win_model;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Play against the computer in the terminal
    #[command(after_help = "Example: parlour scrabble play --lexicon cs --level casual --file game.json")]
    Play(play::Args),
    /// Report on recorded games: a GCG file or a folder of them
    #[command(after_help = "Example: parlour scrabble analyse games/ --lexicon en --out reports/")]
    Analyse(analyse::Args),
    /// Rank the moves of a position
    #[command(after_help = "Example: parlour scrabble best --cgp \"$(cat position.cgp)\" --rack AEINRST --n 10")]
    Best(best::Args),
    /// Solve a position with an empty bag
    #[command(after_help = "Example: parlour scrabble endgame --cgp \"$(cat position.cgp)\" --seconds 10")]
    Endgame(endgame::Args),
    /// Solve a position with one to four tiles in the bag
    #[command(
        after_help = "Example: parlour scrabble preendgame --cgp \"$(cat position.cgp)\" --seconds 60 --threads 2"
    )]
    Preendgame(preendgame::Args),
    /// Simulate the best candidates of a position
    #[command(after_help = "Example: parlour scrabble sim --cgp \"$(cat position.cgp)\" --iterations 5000 --threads 2")]
    Sim(sim::Args),
    /// Infer the opponent's leave from its last play
    #[command(after_help = "Example: parlour scrabble infer --cgp \"$(cat before.cgp)\" --play \"8D WINDY\" --n 20")]
    Infer(infer::Args),
    /// Play many games between two players, which may be external engines that speak UCGI
    #[command(
        alias = "referee",
        after_help = "Example: parlour scrabble autoplay --p1 static --p2 greedy --games 1000 --json\n\
                      Example: parlour scrabble autoplay --p1 strong --p2 \"external:./engine ucgi\" --ms 500 --games 100"
    )]
    Autoplay(autoplay::Args),
    /// Speak UCGI on standard input and output, for referees and front ends
    #[command(after_help = "Example: parlour scrabble protocol --lexicon en")]
    Protocol(protocol::Args),
    /// Learn leave values by self-play
    #[command(after_help = "Example: parlour scrabble leaves --lexicon hu.lex --out hu.leaves --threads 2")]
    Leaves(leaves::Args),
    /// Learn the weights of the positional model by simulation
    #[command(
        alias = "outlook",
        after_help = "Example: parlour scrabble positional --lexicon en --positions 1500 --out en.outlook"
    )]
    Positional(positional::Args),
    /// Learn the chance to win from lead and unseen tiles
    #[command(
        alias = "chances",
        after_help = "Example: parlour scrabble win-model --lexicon en --games 2000 --out en.winprob"
    )]
    WinModel(win_model::Args),
    /// Evolve the weights of the weighted player (Dvořák 2006, section 6.4)
    #[command(after_help = "Example: parlour scrabble evolve --lexicon cs --regret 1000 --run cs.run --out cs.weights")]
    Evolve(evolve::Args),
    /// Print the figures of Dvořák 2006 beside ours
    #[command(after_help = "Example: parlour scrabble lab --lexicon cs --games 1000")]
    Lab(lab::Args),
    /// Compare move generation with an exhaustive generator
    #[command(after_help = "Example: parlour scrabble oracle --lexicons en,cs --positions 1000")]
    Oracle(oracle::Args),
    /// Read GCG files, write them back and report any difference
    #[command(after_help = "Example: parlour scrabble round-trip games/*.gcg")]
    RoundTrip(round_trip::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Play(args) => play::run(args),
        Command::Analyse(args) => analyse::run(args),
        Command::Best(args) => best::run(args),
        Command::Endgame(args) => endgame::run(args),
        Command::Preendgame(args) => preendgame::run(args),
        Command::Sim(args) => sim::run(args),
        Command::Infer(args) => infer::run(args),
        Command::Autoplay(args) => autoplay::run(args),
        Command::Protocol(args) => protocol::run(args),
        Command::Leaves(args) => leaves::run(args),
        Command::Positional(args) => positional::run(args),
        Command::WinModel(args) => win_model::run(args),
        Command::Evolve(args) => evolve::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Oracle(args) => oracle::run(args),
        Command::RoundTrip(args) => round_trip::run(args),
    }
}
