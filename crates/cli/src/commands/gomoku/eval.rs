//! `parlour gomoku eval`: what a net foretells of games that it did not learn from.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use gomoku::rules::Rule;
use lab::gomoku::foretelling::{Plan, run as foretold};

use super::train::check_sizes;
use super::weights;

#[derive(clap::Args)]
pub struct Args {
    /// The net; the shipped one for the rule if not given
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board sizes, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// Games played for the purpose
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// Nodes for a move of these games
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Nodes of the deep search
    #[arg(long, default_value_t = 20_000)]
    deep: u64,
    /// Share of the positions that are searched deeply
    #[arg(long, default_value_t = 0.2)]
    share: f32,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    check_sizes(&args.sizes)?;
    let found = args.net.or_else(|| weights::find(args.rule));
    let path = found.with_context(|| format!("no net for {}: name one with --net FILE", args.rule))?;
    let net = Arc::new(weights::load(&path)?);
    let Args { rule, sizes, games, deep, share, threads, seed, .. } = args;
    let plan = Plan { rule, sizes, games, nodes: args.nodes.max(50), deep: deep.max(50), share, threads, seed };
    let found = foretold(&plan, &net)?;
    if args.json {
        println!("{}", serde_json::to_string(&found)?);
        return Ok(());
    }
    for (what, hits) in [("all positions", found.all), ("nothing forced", found.open)] {
        let (first, five) = (100.0 * hits.first, 100.0 * hits.five);
        println!("{what}: {} searched, move first {first:.1} %, among five {five:.1} %", hits.positions);
    }
    let value = found.value;
    println!(
        "results of {} positions: log-loss {:.4}, by patterns {:.4}, by a constant {:.4}",
        value.positions, value.net, value.patterns, value.constant
    );
    Ok(())
}
