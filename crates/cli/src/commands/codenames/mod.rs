//! `parlour codenames`: clues and guesses, measures of players, fitting of the association model.

mod board;
mod clue;
mod crossplay;
mod eval;
mod fit;
mod guess;
mod lab;
mod language_args;
mod legal;
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
    /// Find the best clues for a board whose key is known
    Clue(clue::Args),
    /// Play boards with a spymaster and an operative that use different models
    Crossplay(crossplay::Args),
    /// Measure an operative on human turns
    Eval(eval::Args),
    /// Fit the association model to human turns, with cross-validation by board
    Fit(fit::Args),
    /// Rank the cards of a board for a clue
    Guess(guess::Args),
    /// Print tables 5.3, 5.4, 6.1 and 6.2 of Jareš 2019 from human turns
    Lab(lab::Args),
    /// Check clues against board words, or measure the rules on labelled pairs
    Legal(legal::Args),
    /// Compute the matrix of scores of all clues for all board words
    Matrix(matrix::Args),
    /// Fit the mixture of models that predicts people, and simulate first clues for them
    People(people::Args),
    /// Play whole games between two levels
    Selfplay(selfplay::Args),
    /// Time the first clue of many boards, and check every clue independently
    Speed(speed::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Clue(args) => clue::run(args),
        Command::Crossplay(args) => crossplay::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Guess(args) => guess::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Legal(args) => legal::run(args),
        Command::Matrix(args) => matrix::run(args),
        Command::People(args) => people::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Speed(args) => speed::run(args),
    }
}
