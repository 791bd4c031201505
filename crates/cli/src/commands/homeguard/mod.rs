//! `parlour homeguard`: play, make maps to one's taste, measure them, make trees, reproduce the study.

mod eval;
mod files;
mod generate;
mod lab;
mod measure;
mod oracle;
mod play;
mod pool;
mod profile;
mod rate;
mod train;
mod trees;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Play in the terminal, or watch two computers
    Play(play::Args),
    /// Propose maps for a profile
    Generate(generate::Args),
    /// Rate a map: -2 (never again) to 2 (more like this)
    Rate(rate::Args),
    /// Show, share, join or reset a taste profile
    Profile(profile::Args),
    /// Measure a map: tree statistics and the study's five measures
    Measure(measure::Args),
    /// Make playthrough trees: PATH MAPS ITERATIONS BRANCHES DROPOUT
    Trees(trees::Args),
    /// Train the study's encoder on trees
    Train(train::Args),
    /// The study's experiments: embeddings, elimination, figures, tables
    Lab(lab::Args),
    /// Judge the parts that learn
    Eval(eval::Args),
    /// Compare the damage table with slow geometry on random maps
    Oracle(oracle::Args),
    /// Measure a fresh set of prepared maps into a file
    Pool(pool::Args),
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Play(args) => play::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Rate(args) => rate::run(args),
        Command::Profile(args) => profile::run(args),
        Command::Measure(args) => measure::run(args),
        Command::Trees(args) => trees::run(args),
        Command::Train(args) => train::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Oracle(args) => oracle::run(args),
        Command::Pool(args) => pool::run(args),
    }
}
