//! Chores of the house: tests, tidy, golden files, data packs, load generator. `cargo xtask --help` lists them.

mod audit;
#[cfg(feature = "stress")]
mod client;
#[cfg(feature = "stress")]
mod cluster_test;
#[cfg(feature = "data")]
mod data;
mod dist;
#[cfg(feature = "fuzz")]
mod fuzz;
mod golden;
#[cfg(feature = "stress")]
mod hostile;
#[cfg(feature = "stress")]
mod kill_test;
#[cfg(feature = "stress")]
mod load_test;
mod machine;
#[cfg(feature = "stress")]
mod nats;
#[cfg(feature = "stress")]
mod players;
mod postgres;
#[cfg(feature = "stress")]
mod queue_test;
mod steps;
mod tidy;

use clap::{Parser, Subcommand};
use std::path::PathBuf;

#[derive(Parser)]
#[command(name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run everything that must pass (`./test`)
    Test,
    /// Check who uses whom and how long files are
    Tidy,
    /// Look at what others wrote: licences, sources, checksums, bans, known holes where the databases answer
    Audit,
    /// Accept fresh golden files that tests wrote beside the expected ones
    Golden,
    /// Kill the server again and again while tables are played; nothing acknowledged may be lost or doubled
    #[cfg(feature = "stress")]
    KillTest(kill_test::Args),
    /// Kill two servers on one PostgreSQL in turn while tables are played; nothing acknowledged may be lost or doubled
    #[cfg(feature = "stress")]
    ClusterTest(cluster_test::Args),
    /// Let many players act at once and measure how soon they are answered
    #[cfg(feature = "stress")]
    LoadTest(load_test::Args),
    /// Spread long work over workers that are killed with -9, compare with local work, measure what spreading costs
    #[cfg(feature = "stress")]
    QueueTest(queue_test::Args),
    /// Give every parser and protocol damaged input for a while; what is new is kept in fixtures/fuzz
    #[cfg(feature = "fuzz")]
    Fuzz(fuzz::Args),
    /// Make the archive for tournament managers: a Gomocup brain that runs elsewhere
    Dist(dist::Args),
    /// Build the data packs from the package registries
    #[cfg(feature = "data")]
    Data(data::Args),
}

/// The root of the checkout.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lives in the checkout").to_owned()
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        #[cfg(feature = "stress")]
        Task::KillTest(args) => kill_test::run(args, &root()),
        #[cfg(feature = "stress")]
        Task::ClusterTest(args) => cluster_test::run(args, &root()),
        #[cfg(feature = "stress")]
        Task::LoadTest(args) => load_test::run(args, &root()),
        #[cfg(feature = "stress")]
        Task::QueueTest(args) => queue_test::run(args, &root()),
        #[cfg(feature = "fuzz")]
        Task::Fuzz(args) => fuzz::run(args, &root()),
        Task::Test => steps::run(&root()),
        Task::Tidy => tidy::check(&root()),
        Task::Audit => audit::check(&root()),
        Task::Dist(args) => dist::run(args, &root()),
        #[cfg(feature = "data")]
        Task::Data(args) => data::run(args, &root()),
        Task::Golden => golden::accept(&root()),
    }
}
