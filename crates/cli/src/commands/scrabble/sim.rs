//! `parlour scrabble sim`: simulate the best candidates of a position.

use super::position_args::{CommandPosition, PositionArgs};
use anyhow::{Result, bail};
use scrabble::engine::MoveSort;
use scrabble::engine::simulation::{Allocation, CandidateMove, SimulationBudget, SimulationResult, simulate};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Number of candidates
    #[arg(long, default_value_t = 15)]
    candidates: usize,
    /// Rollouts per candidate; without --iterations and --ms, 1000
    #[arg(long, alias = "tries")]
    iterations: Option<u64>,
    /// Time limit in milliseconds
    #[arg(long)]
    ms: Option<u64>,
    /// Plies after the candidate, 1 to 10; default 2, or the rest of the game with 12 tiles or fewer in the bag
    #[arg(long)]
    plies: Option<usize>,
    /// Use the opponent's rack of the position, which may be partial, in every rollout
    #[arg(long)]
    known_rack: bool,
    /// Allocate rollouts by best-arm identification: candidates that fall behind are pruned
    #[arg(long)]
    best_arm: bool,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; without --ms the result does not depend on them
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    if args.plies.is_some_and(|plies| !(1..=10).contains(&plies)) {
        bail!("--plies takes 1 to 10");
    }
    let position = args.position.load()?;
    let opponent = if args.known_rack { position.cgp.racks[1].clone() } else { Vec::new() };
    if args.known_rack && opponent.is_empty() {
        bail!("--known-rack needs the opponent's rack in the position");
    }
    let known = position.known(&opponent);
    if known.bag() == 0 {
        bail!("the bag is empty: `parlour scrabble endgame` solves the position");
    }
    let budget = SimulationBudget {
        candidates: args.candidates.max(1),
        iterations: args.iterations.unwrap_or(if args.ms.is_some() { u64::MAX } else { 1000 }),
        time: args.ms.map(Duration::from_millis),
        plies: args.plies,
        allocation: if args.best_arm { Allocation::BestArm } else { Allocation::Uniform },
        seed: args.seed,
        parallel: args.threads > 1,
    };
    let (player, win) = (position.kit.one_ply(MoveSort::Equity), &position.kit.language.win);
    let work = || simulate(&player, win, &known, budget, &AtomicBool::new(false));
    let result = if args.threads > 1 {
        rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?.install(work)
    } else {
        work()
    };
    if args.json {
        print_json(&position, &result)
    } else {
        print_table(&position, &result)
    }
    Ok(())
}

fn print_json(position: &CommandPosition, result: &SimulationResult) {
    let entry = |c: &CandidateMove| {
        let ply = |(i, p): (usize, &scrabble::engine::simulation::PlyStatistics)| {
            serde_json::json!({
                "ply": i + 1, "side": if i % 2 == 0 { "opponent" } else { "own" }, "iterations": p.iterations,
                "mean": p.mean, "deviation": p.deviation, "bingos": p.bingos,
            })
        };
        let simulated = c.iterations > 0;
        serde_json::json!({
            "move": position.text(&c.turn), "score": c.score, "static_equity": c.equity as f64 / 1000.0,
            "win": c.win, "win_ci": simulated.then_some(c.win_interval), "spread": c.mean,
            "spread_ci": simulated.then_some(c.mean_interval), "iterations": c.iterations, "plies": c.mean_plies,
            "estimator": if simulated { "simulated" } else { "static" }, "pruned": c.pruned,
            "per_ply": c.plies.iter().enumerate().map(ply).collect::<Vec<_>>(),
        })
    };
    let moves: Vec<_> = result.candidates.iter().map(entry).collect();
    let answer = serde_json::json!({
        "moves": moves, "stopped": result.stopped.text(), "iterations": result.iterations, "seconds": result.seconds,
    });
    println!("{answer}");
}

fn print_table(position: &CommandPosition, result: &SimulationResult) {
    println!(
        "{} rollouts in {:.2} s, stopped by {}; intervals 95%",
        result.iterations,
        result.seconds,
        result.stopped.text()
    );
    println!("{:<24} {:>5} {:>16} {:>18} {:>6}  mean score by ply", "move", "score", "win %", "spread", "n");
    for c in &result.candidates {
        let text = position.text(&c.turn);
        if c.iterations == 0 {
            println!("{text:<24} {:>5} {:>15.1}s {:>17.1}s {:>6}", c.score, c.win * 100.0, c.mean, 0);
            continue;
        }
        let half = |[low, high]: [f64; 2]| (high - low) / 2.0;
        let plies: Vec<String> = c.plies.iter().map(|p| format!("{:.1}", p.mean)).collect();
        println!(
            "{text:<24} {:>5} {:>9.1} ± {:<4.1} {:>10.1} ± {:<5.1} {:>6}  {}",
            c.score,
            c.win * 100.0,
            half(c.win_interval) * 100.0,
            c.mean,
            half(c.mean_interval),
            c.iterations,
            plies.join(" ")
        );
    }
    if result.candidates.iter().any(|c| c.iterations == 0) {
        println!("s: static estimate, not simulated");
    }
}
