//! `parlour gomoku openings`: generates balanced random openings.

use anyhow::Result;
use gomoku::engine::{Config, Engine};
use gomoku::rules::Rule;
use lab::gomoku::openings::{OpeningStyle, balanced};
use numerics::SplitMix64;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku openings --rule renju --count 20 --seed 7")]
pub struct Args {
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// Board size in points
    #[arg(long, default_value_t = 15)]
    size: u8,
    /// Number of openings
    #[arg(long, default_value_t = 10)]
    count: usize,
    /// Minimum number of stones
    #[arg(long, default_value_t = 3)]
    min: usize,
    /// Maximum number of stones
    #[arg(long, default_value_t = 7)]
    max: usize,
    /// Strict balance: 50,000 nodes and at most 40 points unless --nodes and --margin say otherwise
    #[arg(long)]
    balanced: bool,
    /// Nodes of the search that evaluates the balance [default: 20000]
    #[arg(long)]
    nodes: Option<u64>,
    /// Largest advantage of either side, in points (200 points are one unit of log-odds) [default: 120]
    #[arg(long)]
    margin: Option<i32>,
    /// Seed of the random stones
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON array of arrays of names instead of Gomocup lines (offsets from the centre)
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let rule: Rule = args.rule.parse()?;
    anyhow::ensure!(1 <= args.min && args.min <= args.max && args.max <= 20, "--min and --max: 1 ≤ min ≤ max ≤ 20");
    let mut engine = Engine::new(Config { table_mb: 16, ..Config::new(rule, args.size) })?;
    let (nodes, margin) = if args.balanced { (50_000, 40) } else { (20_000, 120) };
    let style = OpeningStyle {
        stones: (args.min, args.max),
        nodes: args.nodes.unwrap_or(nodes),
        margin: args.margin.unwrap_or(margin),
    };
    let mut rng = SplitMix64::new(args.seed);
    let mut all = Vec::new();
    while all.len() < args.count {
        engine.clear();
        let points = balanced(&mut engine, &style, &mut rng);
        if all.contains(&points) {
            continue;
        }
        if !args.json {
            let middle = i32::from(args.size / 2);
            let offsets: Vec<String> =
                points.iter().map(|p| format!("{},{}", i32::from(p.x) - middle, i32::from(p.y) - middle)).collect();
            println!("{}", offsets.join(", "));
        }
        all.push(points);
    }
    if args.json {
        let names: Vec<_> = all.iter().map(|points| super::position::names(points, args.size)).collect();
        println!("{}", serde_json::json!(names));
    }
    Ok(())
}
