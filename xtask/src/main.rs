//! Development tasks: tests, tidy, golden files, data packs, stress tests. `cargo xtask --help` lists them.

#[cfg(feature = "stress")]
mod abuse_test;
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
    /// Audit dependencies: licences, sources, checksums, bans, and advisories where their databases answer
    Audit,
    /// Accept golden files that tests wrote as *.new
    Golden,
    /// Kill the server repeatedly during play; no acknowledged action may be lost or doubled
    #[cfg(feature = "stress")]
    KillTest(kill_test::Args),
    /// Kill or pause two servers on one PostgreSQL in turn during play; no acknowledged action may be lost or doubled
    #[cfg(feature = "stress")]
    ClusterTest(cluster_test::Args),
    /// Measure what honest players notice of one abuser of each kind
    #[cfg(feature = "stress")]
    AbuseTest(abuse_test::Args),
    /// Measure the latency of acknowledgements with many players
    #[cfg(feature = "stress")]
    LoadTest(load_test::Args),
    /// Distribute work over workers that are killed, compare it with local work, measure the overhead
    #[cfg(feature = "stress")]
    QueueTest(queue_test::Args),
    /// Fuzz every parser and protocol; keep inputs with new outcomes in fixtures/fuzz
    #[cfg(feature = "fuzz")]
    Fuzz(fuzz::Args),
    /// Build the archive for tournament managers: a Gomocup brain
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
        Task::AbuseTest(args) => abuse_test::run(args, &root()),
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
