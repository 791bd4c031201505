//! Chores of the house: set-up, tidy, data packs, load generator. `cargo xtask --help` lists them.

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {}
}
