//! The steps of `./test`, in order, with what each step needs.

use crate::machine::{self, Need};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A step that must pass.
struct Step {
    name: &'static str,
    run: fn(&Path) -> Result<()>,
}

const STEPS: &[Step] = &[
    Step { name: "format", run: |root| cargo(root, &["fmt", "--all", "--check"]) },
    Step { name: "dependencies", run: crate::audit::check },
    Step { name: "page: install", run: |root| npm(root, &["ci", "--no-audit", "--no-fund"]) },
    Step { name: "page: format and lint", run: |root| npm(root, &["run", "lint"]) },
    Step { name: "page: types", run: |root| npm(root, &["run", "check"]) },
    Step { name: "page: unit tests", run: |root| npm(root, &["run", "test"]) },
    Step { name: "page: build", run: |root| npm(root, &["run", "build"]) },
    Step {
        name: "lints",
        run: |root| cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    },
    Step { name: "tests", run: tests },
    Step { name: "documentation", run: documentation },
    Step { name: "package lists", run: package_lists },
    Step { name: "doc tests", run: |root| cargo(root, &["test", "--quiet", "--workspace", "--doc"]) },
    // The tests of the command line have built the program.
    Step { name: "page: browser tests", run: |root| npm(root, &["run", "e2e", "--", "../target/debug/parlour"]) },
];

/// Runs every step, stops at the first failure, and prints a summary.
pub fn run(root: &Path) -> Result<()> {
    machine::provide(root, &[Need::Node, Need::Chromium, Need::Postgres, Need::Nats])?;
    let mut times = Vec::new();
    for step in STEPS {
        println!("\n== {}", step.name);
        let started = Instant::now();
        let result = (step.run)(root).with_context(|| format!("step '{}' failed", step.name));
        times.push((step.name, started.elapsed()));
        if let Err(error) = result {
            summary(&times);
            println!("steps: {} passed, 1 failed", times.len() - 1);
            return Err(error);
        }
    }
    summary(&times);
    println!("steps: {} passed, 0 failed", times.len());
    Ok(())
}

fn summary(times: &[(&str, Duration)]) {
    println!();
    for (name, time) in times {
        println!("{name:24} {:6.1} s", time.as_secs_f64());
    }
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<()> {
    execute(Command::new(env!("CARGO")).args(arguments).current_dir(root))
}

fn npm(root: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = machine::node_command(root, "npm")?;
    execute(command.args(arguments).current_dir(root.join("web")))
}

/// Every public item's documentation, with warnings (broken links) as errors.
fn documentation(root: &Path) -> Result<()> {
    let arguments = ["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"];
    execute(Command::new(env!("CARGO")).args(arguments).current_dir(root).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The files that each crate would publish: readable, and none outside its folder.
fn package_lists(root: &Path) -> Result<()> {
    let arguments = ["package", "--list", "--workspace", "--allow-dirty", "--offline"];
    let answer = Command::new(env!("CARGO")).args(arguments).current_dir(root).output().context("cargo package")?;
    if !answer.status.success() {
        bail!("cargo package --list: {}", String::from_utf8_lossy(&answer.stderr));
    }
    Ok(())
}

/// Unit, property, golden, protocol, queue and database tests; the store's also on a throw-away PostgreSQL.
fn tests(root: &Path) -> Result<()> {
    let postgres = crate::postgres::Cluster::start()?;
    let nextest = Command::new("cargo-nextest").arg("--version").output().is_ok_and(|answer| answer.status.success());
    let arguments: &[&str] = if nextest {
        &["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "fail", "--show-progress", "none"]
    } else {
        &["test", "--quiet", "--workspace", "--lib", "--bins", "--tests"]
    };
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(root).env("PARLOUR_TEST_POSTGRES", postgres.url());
    execute(&mut command)
}

fn execute(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{:?} cannot be started", command.get_program()))?;
    if !status.success() {
        bail!("{:?} ended with {status}", command.get_program());
    }
    Ok(())
}
