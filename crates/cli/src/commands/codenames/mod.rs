//! `parlour codenames`: give and take clues, measure players, fit the association model.

mod clue;
mod crossplay;
mod data;
mod eval;
mod fit;
mod lab;
mod matrix;
mod people;
mod selfplay;
mod speed;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Best clues for a board whose key is known
    Clue(clue::ClueArgs),
    /// Play a giver with a guesser of another mind, against the board
    Crossplay(crossplay::Args),
    /// Measure a player on turns of people
    Eval(eval::Args),
    /// Fit the association model to turns of people and measure it on turns it has not seen
    Fit(fit::Args),
    /// What a guesser makes of a clue
    Guess(clue::GuessArgs),
    /// The study's tables from a file of turns
    Lab(lab::Args),
    /// Compute the scores of all clues for all board words
    Matrix(matrix::Args),
    /// Which models know people best, and what first clues bring them
    People(people::Args),
    /// Whole games between two levels
    Selfplay(selfplay::Args),
    /// Time the first clue of many boards and check every clue
    Speed(speed::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Clue(args) => clue::clue(args),
        Command::Crossplay(args) => crossplay::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Guess(args) => clue::guess(args),
        Command::Lab(args) => lab::run(args),
        Command::Matrix(args) => matrix::run(args),
        Command::People(args) => people::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Speed(args) => speed::run(args),
    }
}
