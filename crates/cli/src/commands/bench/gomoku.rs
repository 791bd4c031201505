//! `parlour bench gomoku`: nodes per second of processor time, one thread, and a signature.

use anyhow::Result;
use gomoku::engine::{Evaluation, bench};
use gomoku::rules::Rule;

use super::cpu;
use crate::commands::gomoku::weights;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour bench gomoku --json")]
pub struct Args {
    /// Search nodes in each of the eight positions
    #[arg(long, default_value_t = 300_000)]
    nodes: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    // tables are built before the clock starts
    bench::run(&Evaluation::Pattern, 100);
    let start = cpu::thread_seconds();
    let work = bench::run(&Evaluation::Pattern, args.nodes);
    let seconds = cpu::thread_seconds() - start;
    let rate = (work.nodes as f64 / seconds).round() as u64;
    let net_rate = net_rate(args.nodes / 4)?;
    let signature = format!("{:016x}", work.signature);
    if args.json {
        println!(
            "{}",
            serde_json::json!({
                "nodes_per_s": rate,
                "net_nodes_per_s": net_rate,
                "signature": signature,
                "nodes": work.nodes,
                "solver_nodes": work.solver_nodes,
                "cpu_s": seconds,
            })
        );
    } else {
        println!(
            "{} nodes ({} of forced-win searches besides) in {seconds:.2} s of processor time",
            work.nodes, work.solver_nodes
        );
        println!("{rate} nodes/s, signature {signature}");
        if let Some(rate) = net_rate {
            println!("{rate} nodes/s with the net");
        }
    }
    Ok(())
}

/// Nodes per second with the shipped net, if there is one.
fn net_rate(nodes: u64) -> Result<Option<u64>> {
    let evaluation = weights::evaluation(Rule::Freestyle)?;
    if matches!(evaluation, Evaluation::Pattern) {
        return Ok(None);
    }
    bench::run(&evaluation, 100);
    let start = cpu::thread_seconds();
    let work = bench::run(&evaluation, nodes);
    Ok(Some((work.nodes as f64 / (cpu::thread_seconds() - start)).round() as u64))
}
