//! `parlour gomoku eval`: measures policy and value of a net on games that it was not trained on.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use gomoku::rules::Rule;
use lab::gomoku::prediction_eval::{PredictionPlan, run as predict};

use super::train::check_sizes;
use super::weights;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku eval --rule renju --games 200")]
pub struct Args {
    /// Net; by default the shipped one for the rule
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board sizes in points, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// Number of games
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// Nodes per move of these games
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Nodes of the deep search that gives the reference move
    #[arg(long, default_value_t = 20_000)]
    deep: u64,
    /// Share of the positions that are searched deeply, 0 to 1
    #[arg(long, default_value_t = 0.2)]
    share: f32,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the games
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
    let plan =
        PredictionPlan { rule, sizes, games, nodes: args.nodes.max(50), deep: deep.max(50), share, threads, seed };
    let found = predict(&plan, &net)?;
    if args.json {
        println!("{}", serde_json::to_string(&found)?);
        return Ok(());
    }
    for (what, hits) in [("all positions", found.all), ("no forced move", found.open)] {
        let (first, five) = (100.0 * hits.first, 100.0 * hits.five);
        println!("{what}: {} searched, top-1 {first:.1} %, top-5 {five:.1} %", hits.positions);
    }
    let value = found.value;
    println!(
        "results of {} positions: log-loss {:.4}, by patterns {:.4}, by a constant {:.4}",
        value.positions, value.net, value.patterns, value.constant
    );
    Ok(())
}
