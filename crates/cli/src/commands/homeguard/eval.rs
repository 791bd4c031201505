//! `parlour homeguard eval`: measures the preference model with simulated raters.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use ::lab::homeguard::preference::{AT_20, PreferenceResult, RaterResult, Sessions, judge};
use ::lab::homeguard::trials::{TrialPlan, run_trials};
use anyhow::{Result, bail};
use homeguard::engine::generator::{EmbeddingLibrary, GeneratorParams, GeneratorState};
use homeguard::engine::preference::{MapPool, RatedFeatures};
use homeguard::eval::population::{Group, Half, population};
use homeguard::eval::sessions::CHECKPOINTS;
use homeguard::eval::trials::TrialMethod;
use homeguard::rules::{Map, Size};

use super::generate::PREPARED;
use super::map_files::{load_encoder, load_pool};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Measure the lift of proposed maps over random maps with simulated raters
    #[command(alias = "taste")]
    Preference(PreferenceArgs),
}

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard eval preference --raters held-out --seed 1 --json")]
struct PreferenceArgs {
    /// Raters: fixed (the sixteen of version 0.1), design or held-out (a population in seven groups)
    #[arg(long, default_value = "fixed")]
    raters: String,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Sessions per rater [default: 6 for fixed, 1 for design and held-out]
    #[arg(long)]
    sessions: Option<usize>,
    /// With fixed raters: number of these sessions that go to 40 ratings and also propose after 5, 10 and 40
    #[arg(long, default_value_t = 2)]
    full_sessions: usize,
    /// Data folder
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    match args.what {
        What::Preference(args) => preference(args),
    }
}

fn preference(args: PreferenceArgs) -> Result<()> {
    let pool = load_pool(args.data.as_deref(), Size::DEFAULT)?;
    match args.raters.as_str() {
        "fixed" => fixed_raters(&args, &pool),
        "design" => blind_trials(&args, &pool, Half::Design),
        "held-out" => blind_trials(&args, &pool, Half::HeldOut),
        other => bail!("--raters {other}: use fixed, design or held-out"),
    }
}

fn blind_trials(args: &PreferenceArgs, pool: &MapPool, half: Half) -> Result<()> {
    let plan = TrialPlan { half, sessions: args.sessions.unwrap_or(1).max(1), seed: args.seed };
    let total = plan.sessions * population(half).len();
    let encoder = load_encoder(None, args.data.as_deref())?;
    let library = Mutex::new(EmbeddingLibrary::new(pool, encoder, PREPARED));
    let thesis = |rated: &[RatedFeatures], count: usize, seed: u64| -> Vec<Map> {
        let params = GeneratorParams { seed, ..GeneratorParams::default() };
        let mut library = library.lock().unwrap_or_else(PoisonError::into_inner);
        let maps = library.generate(rated, &params, count, &mut GeneratorState::default());
        maps.into_iter().map(|generated| generated.map).collect()
    };
    let (begun, quiet) = (std::time::Instant::now(), args.json);
    let summary = run_trials(pool, &thesis, plan, |done| {
        if !quiet {
            let left = begun.elapsed().as_secs_f64() / done as f64 * (total - done) as f64;
            eprint!("\r{done} of {total} sessions, about {left:.0} s left   ");
        }
    });
    if args.json {
        println!("{}", summary.to_json());
        return Ok(());
    }
    eprintln!();
    println!("{:10} {:>6} {:>16} {:>6}", "group", "model", "95 %", "knn");
    for group in Group::ALL {
        let own = summary.mean(TrialMethod::Model, Some(group));
        let knn = summary.mean(TrialMethod::NearestNeighbours, Some(group)).mean;
        println!("{:10} {:6.2} {:7.2} to {:5.2} {knn:6.2}", group.name(), own.mean, own.low(), own.high());
    }
    let all = |method| summary.mean(method, None).mean;
    println!(
        "{} raters: mean lift {:.2}, median {:.2}; knn {:.2}, ridge {:.2}, thesis {:.2}, random {:.2}",
        summary.raters(),
        all(TrialMethod::Model),
        summary.median(),
        all(TrialMethod::NearestNeighbours),
        all(TrialMethod::Ridge),
        all(TrialMethod::Thesis),
        all(TrialMethod::Random),
    );
    println!(
        "changed preference, ten ratings later: {:.2}; diversity of maps 21 to 30: {:.2} of random; repeats: {}",
        summary.changing().mean,
        summary.diversity(),
        summary.repeats()
    );
    Ok(())
}

fn fixed_raters(args: &PreferenceArgs, pool: &MapPool) -> Result<()> {
    let begun = std::time::Instant::now();
    let all = args.sessions.unwrap_or(6).max(2);
    let sessions = Sessions { all, full: args.full_sessions.clamp(1, all) };
    let total = all * homeguard::eval::raters::PLAYERS.len();
    let quiet = args.json;
    let result = judge(pool, args.seed, sessions, |done| {
        if !quiet {
            let left = begun.elapsed().as_secs_f64() / done as f64 * (total - done) as f64;
            eprint!("\r{done} of {total} sessions, about {left:.0} s left   ");
        }
    });
    if args.json {
        println!("{}", as_json(&result, sessions));
    } else {
        eprintln!();
        print_table(&result);
    }
    Ok(())
}

fn mean(players: &[RaterResult], value: &dyn Fn(&RaterResult) -> f64) -> f64 {
    players.iter().map(value).sum::<f64>() / players.len() as f64
}

fn median(players: &[RaterResult], at: usize) -> f64 {
    numerics::median(&players.iter().map(|p| p.lift[at]).collect::<Vec<_>>())
}

fn above_zero(players: &[RaterResult]) -> usize {
    players.iter().filter(|p| p.at_20.low() > 0.0).count()
}

fn as_json(result: &PreferenceResult, sessions: Sessions) -> serde_json::Value {
    let by_ratings = |value: &dyn Fn(usize) -> f64| -> serde_json::Value {
        CHECKPOINTS
            .iter()
            .enumerate()
            .map(|(i, n)| (n.to_string(), serde_json::json!(value(i))))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let players = &result.players;
    let each: Vec<serde_json::Value> = players
        .iter()
        .map(|p| {
            serde_json::json!({
                "name": p.name,
                "lift": by_ratings(&|i| p.lift[i]),
                "interval95_at_20": [p.at_20.low(), p.at_20.high()],
                "elimination_lift": by_ratings(&|i| p.elimination[i]),
            })
        })
        .collect();
    serde_json::json!({
        "players": players.len(),
        "lift": by_ratings(&|i| mean(players, &|p| p.lift[i])),
        "median_lift": by_ratings(&|i| median(players, i)),
        "above_zero": above_zero(players),
        "elimination_lift": mean(players, &|p| p.elimination[AT_20]),
        "elimination_lift_by_ratings": by_ratings(&|i| mean(players, &|p| p.elimination[i])),
        "over_elimination": [result.over_elimination.mean, result.over_elimination.low(), result.over_elimination.high()],
        "diversity": result.diversity.session,
        "diversity_of_a_players_sessions": result.diversity.player,
        "sessions": sessions.all,
        "full_sessions": sessions.full,
        "each": each,
    })
}

fn print_table(result: &PreferenceResult) {
    let players = &result.players;
    println!("{:12} {:>6} {:>6} {:>6} {:>6}  {:>16} {:>12}", "player", 5, 10, 20, 40, "95 % at 20", "elimination");
    for p in players {
        let [a, b, c, d] = p.lift;
        println!(
            "{:12} {a:6.2} {b:6.2} {c:6.2} {d:6.2}  {:7.2} to {:5.2} {:12.2}",
            p.name,
            p.at_20.low(),
            p.at_20.high(),
            p.elimination[AT_20]
        );
    }
    println!(
        "mean lift after 20 ratings {:.2}, median {:.2}; elimination {:.2}, difference {:.2} ± {:.2} over players",
        mean(players, &|p| p.lift[AT_20]),
        median(players, AT_20),
        mean(players, &|p| p.elimination[AT_20]),
        result.over_elimination.mean,
        result.over_elimination.half,
    );
    println!(
        "above zero: {} of {}; diversity {:.2} (all sessions of a player together {:.2})",
        above_zero(players),
        players.len(),
        result.diversity.session,
        result.diversity.player
    );
}
