//! `parlour gomoku analyse`: evaluates a position with the engine.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use gomoku::engine::{Config, Engine, SearchInfo, SearchLimits};

use super::position::{PositionArgs, names};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku analyse --stones h8i9h9h10 --ms 2000 --lines 3")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Search time in milliseconds; 1000 if neither --ms nor --nodes is given
    #[arg(long)]
    ms: Option<u64>,
    /// Search nodes (reproducible with one thread)
    #[arg(long)]
    nodes: Option<u64>,
    /// Largest search depth in plies
    #[arg(long)]
    depth: Option<u32>,
    /// Number of best moves to report (multi-PV)
    #[arg(long, alias = "lines", default_value_t = 1)]
    multipv: usize,
    /// Number of search threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Transposition table in MiB
    #[arg(long, default_value_t = 128)]
    hash: usize,
    /// Print a JSON line for every finished iteration: depth, multipv, win, mate, pv, nodes, nps
    #[arg(long, conflicts_with = "json")]
    stream: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Number of policy moves that are printed.
const POLICY_SHOWN: usize = 10;

pub fn run(args: Args) -> Result<()> {
    let given = args.position.read()?;
    let evaluation = super::weights::evaluation(given.rule)?;
    let config = Config {
        table_mb: 128,
        threads: args.threads,
        ..Config::new(given.rule, given.size).with_evaluation(evaluation)
    };
    let mut engine = Engine::new(config)?;
    let limits = SearchLimits {
        nodes: args.nodes,
        turn: match (args.ms, args.nodes) {
            (Some(ms), _) => Some(Duration::from_millis(ms)),
            (None, None) if args.depth.is_none() => Some(Duration::from_secs(1)),
            _ => None,
        },
        multi_pv: args.multipv,
        depth: args.depth,
        value_forced: true,
        ..SearchLimits::default()
    };
    let policy = engine.policy(&given.stones, given.mover)?;
    let stop = AtomicBool::new(false);
    let mut on_info = |info: &SearchInfo<'_>| {
        if args.stream {
            stream_line(info, given.size);
        }
    };
    let report = engine.search(&given.stones, given.mover, &limits, &stop, &mut on_info)?;
    if args.stream {
        return Ok(());
    }
    let best = &report.lines[0];
    let shown = policy.iter().take(POLICY_SHOWN);
    if args.json {
        let lines: Vec<_> = report
            .lines
            .iter()
            .map(|l| {
                serde_json::json!({
                    "score": l.score.0,
                    "win_probability": l.win_probability,
                    "forced_in": l.score.forced_in(),
                    "depth": l.depth,
                    "pv": names(&l.moves, given.size),
                })
            })
            .collect();
        let policy: Vec<_> = shown
            .map(|(p, probability)| serde_json::json!({ "move": p.name(given.size).to_string(), "probability": probability }))
            .collect();
        println!(
            "{}",
            serde_json::json!({
                "move": report.best.name(given.size).to_string(),
                "win_probability": best.win_probability,
                "depth": report.depth,
                "nodes": report.nodes,
                "pv": names(&best.moves, given.size),
                "policy": policy,
                "lines": lines,
                "solver_nodes": report.solver_nodes,
                "ms": report.elapsed.as_millis() as u64,
            })
        );
        return Ok(());
    }
    for line in &report.lines {
        let moves = names(&line.moves, given.size).join(" ");
        println!("{:5.1}%  depth {:2}  {moves}", 100.0 * line.win_probability, line.depth);
    }
    let likely: Vec<String> = shown.map(|(p, w)| format!("{} {:.0}%", p.name(given.size), 100.0 * w)).collect();
    println!("policy: {}", likely.join(", "));
    println!("{} nodes, {} ms", report.nodes, report.elapsed.as_millis());
    Ok(())
}

/// Prints a finished iteration as a JSON line. A closed pipe ends the program quietly with the next print.
fn stream_line(info: &SearchInfo<'_>, size: u8) {
    let line = info.line;
    let seconds = info.elapsed.as_secs_f64().max(1e-3);
    println!(
        "{}",
        serde_json::json!({
            "depth": line.depth,
            "multipv": info.index + 1,
            "win": line.win_probability,
            "mate": line.score.forced_in(),
            "pv": names(&line.moves, size),
            "nodes": info.nodes,
            "nps": (info.nodes as f64 / seconds) as u64,
        })
    );
}
