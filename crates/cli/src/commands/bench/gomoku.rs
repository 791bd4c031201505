//! `parlour bench gomoku`: nodes per second of processor time, one thread, and a signature.

use anyhow::Result;
use gomoku::engine::{Evaluation, bench};

use super::cpu;

#[derive(clap::Args)]
pub struct Args {
    /// Nodes searched in each of the eight positions
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
    let signature = format!("{:016x}", work.signature);
    if args.json {
        println!(
            "{}",
            serde_json::json!({
                "nodes_per_s": rate,
                "net_nodes_per_s": null,
                "signature": signature,
                "nodes": work.nodes,
                "solver_nodes": work.solver_nodes,
                "cpu_s": seconds,
            })
        );
    } else {
        println!("{} nodes ({} of forced-win searches besides) in {seconds:.2} s of processor time", work.nodes, work.solver_nodes);
        println!("{rate} nodes/s, signature {signature}");
    }
    Ok(())
}
