//! `parlour homeguard`: play, generate and measure maps, grow trees, reproduce Šindelář 2024.

mod eval;
mod generate;
mod lab;
mod map_files;
mod measure;
mod oracle;
mod play;
mod pool;
mod profile;
mod rate;
mod sindelar_params;
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
    /// Play in the terminal, or watch two levels play
    Play(play::Args),
    /// Generate maps for a profile
    Generate(generate::Args),
    /// Rate a map: -2 (never again) to 2 (more like this)
    Rate(rate::Args),
    /// Show, export, import or reset a preference profile
    Profile(profile::Args),
    /// Measure a map: tree statistics and the five metrics of the thesis
    Measure(measure::Args),
    /// Grow playthrough trees: PATH MAPS ITERATIONS BRANCHES DROPOUT
    Trees(trees::Args),
    /// Train the tree encoder
    Train(train::Args),
    /// Reproduce the elimination experiments with figures and tables
    Lab(lab::Args),
    /// Measure the preference model
    Eval(eval::Args),
    /// Check the damage table against slow geometry on random maps
    Oracle(oracle::Args),
    /// Generate and measure the precomputed maps
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
