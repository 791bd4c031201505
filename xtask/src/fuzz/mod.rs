//! `cargo xtask fuzz`: every parser and protocol with damaged input, for a while each.
//!
//! A target is a function from bytes to an outcome in words. Inputs that reach a new outcome are kept under
//! `fixtures/fuzz/<target>` and are where the next run starts. Each target runs in a process of its own, so that a stack
//! overflow, an abort for want of memory or an endless loop is found like a panic; what caused it is saved beside the
//! corpus.

mod corpus;
mod mutate;
mod runner;
mod targets;
mod watch;

use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::path::Path;

#[derive(clap::Args)]
pub struct Args {
    /// Targets to run, or the beginnings of their names; all if none is named
    names: Vec<String>,
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Print the names of all targets and what they read
    #[arg(long)]
    list: bool,
    /// Print one JSON object per target
    #[arg(long)]
    json: bool,
    /// Seed of the damage
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Run this one target in this process (what the command starts for each target)
    #[arg(long, hide = true)]
    inside: Option<String>,
}

/// A parser of external input.
pub struct FuzzTarget {
    pub name: &'static str,
    /// What it parses.
    pub about: &'static str,
    /// Valid inputs to start from.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Makes the function under test. A panic is a fault; its answer describes the outcome.
    pub reader: fn() -> FuzzFn,
}

/// Parses one input and describes the outcome.
pub type FuzzFn = Box<dyn FnMut(&[u8]) -> String>;

/// Result of fuzzing a target.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FuzzReport {
    pub target: String,
    pub executions: u64,
    /// Different outcomes that were seen.
    pub outcomes: usize,
    /// Inputs in the corpus at the end.
    pub corpus: usize,
    pub crashes: Vec<Crash>,
}

/// An input that crashed a target.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Crash {
    pub what: String,
    pub file: String,
}

pub fn run(args: Args, root: &Path) -> Result<()> {
    let all = targets::all();
    if args.list {
        all.iter().for_each(|target| println!("{:22} {}", target.name, target.about));
        return Ok(());
    }
    if let Some(name) = &args.inside {
        let Some(target) = all.iter().find(|target| target.name == name) else { bail!("no target called {name}") };
        return runner::run(target, &corpus::folder(root, target.name), args.seconds, args.seed);
    }
    for name in &args.names {
        ensure!(
            all.iter().any(|target| target.name.starts_with(name.as_str())),
            "no target begins with {name}; --list names them"
        );
    }
    let wanted = |target: &&FuzzTarget| {
        args.names.is_empty() || args.names.iter().any(|name| target.name.starts_with(name.as_str()))
    };
    let mut faults = 0;
    for target in all.iter().filter(wanted) {
        let report = watch::run(target.name, root, args.seconds, args.seed)?;
        faults += report.crashes.len();
        if args.json {
            println!("{}", serde_json::to_string(&report)?);
        } else {
            let FuzzReport { target, executions, outcomes, corpus, crashes } = &report;
            println!(
                "{target:22} {executions:>10} executions {outcomes:>5} outcomes {corpus:>4} kept {:>3} crashes",
                crashes.len()
            );
            crashes.iter().for_each(|crash| println!("    {}: {}", crash.file, crash.what));
        }
    }
    ensure!(faults == 0, "{faults} inputs did what none should");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_reads_its_seeds_and_its_corpus_without_a_panic() {
        let root = crate::root();
        let mut names: Vec<&str> = targets::all().iter().map(|target| target.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), targets::all().len(), "two targets have one name");
        for target in targets::all().iter().filter(|target| !target.name.starts_with("server.")) {
            let mut read = (target.reader)();
            let seeds = (target.seeds)();
            assert!(!seeds.is_empty(), "{} has no seeds", target.name);
            for seed in &seeds {
                let outcome = read(seed);
                assert!(!outcome.is_empty(), "{}", target.name);
            }
            for input in corpus::read(&corpus::folder(&root, target.name)).expect("a readable corpus") {
                read(&input);
            }
        }
    }
}
