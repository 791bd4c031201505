//! `parlour homeguard eval`: how good the taste model is, with simulated players.

use std::path::PathBuf;

use anyhow::Result;
use homeguard::rules::Size;
use homeguard::taste::eval::CHECKPOINTS;

use super::files::load_pool;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Lift of proposed maps over random ones, for simulated players with known taste
    Taste(TasteArgs),
}

#[derive(clap::Args)]
struct TasteArgs {
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Sessions per player
    #[arg(long, default_value_t = 4)]
    sessions: usize,
    /// Data folder
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    match args.what {
        What::Taste(args) => taste(args),
    }
}

fn taste(args: TasteArgs) -> Result<()> {
    let pool = load_pool(args.data.as_deref(), Size::DEFAULT)?;
    let begun = std::time::Instant::now();
    let sessions = args.sessions.max(2);
    let total = sessions * homeguard::taste::simulated::PLAYERS.len();
    let quiet = args.json;
    let result = ::lab::homeguard::taste::judge(&pool, args.seed, sessions, |done| {
        if !quiet {
            let left = begun.elapsed().as_secs_f64() / done as f64 * (total - done) as f64;
            eprint!("\r{done} of {total} sessions, about {left:.0} s left   ");
        }
    });
    let players = &result.players;
    let mean = |value: &dyn Fn(&::lab::homeguard::taste::PlayerResult) -> f64| {
        players.iter().map(value).sum::<f64>() / players.len() as f64
    };
    let median = |at: usize| {
        let mut lifts: Vec<f64> = players.iter().map(|p| p.lift[at]).collect();
        lifts.sort_by(f64::total_cmp);
        (lifts[(lifts.len() - 1) / 2] + lifts[lifts.len() / 2]) / 2.0
    };
    let above = players.iter().filter(|p| p.at_20.low() > 0.0).count();
    let elimination = mean(&|p| p.elimination);
    if args.json {
        let by_ratings = |value: &dyn Fn(usize) -> f64| -> serde_json::Value {
            CHECKPOINTS
                .iter()
                .enumerate()
                .map(|(i, n)| (n.to_string(), serde_json::json!(value(i))))
                .collect::<serde_json::Map<_, _>>()
                .into()
        };
        let each: Vec<serde_json::Value> = players
            .iter()
            .map(|p| {
                serde_json::json!({
                    "name": p.name, "lift": by_ratings(&|i| p.lift[i]),
                    "interval95_at_20": [p.at_20.low(), p.at_20.high()], "elimination_lift": p.elimination,
                })
            })
            .collect();
        let answer = serde_json::json!({
            "players": players.len(),
            "lift": by_ratings(&|i| mean(&|p| p.lift[i])),
            "median_lift": by_ratings(&median),
            "above_zero": above,
            "elimination_lift": elimination,
            "diversity": result.diversity,
            "sessions": sessions,
            "each": each,
        });
        println!("{answer}");
        return Ok(());
    }
    eprintln!();
    println!("{:12} {:>6} {:>6} {:>6} {:>6}  {:>16} {:>12}", "player", 5, 10, 20, 40, "95 % at 20", "elimination");
    for p in players {
        let [a, b, c, d] = p.lift;
        println!(
            "{:12} {a:6.2} {b:6.2} {c:6.2} {d:6.2}  {:7.2} to {:5.2} {:12.2}",
            p.name,
            p.at_20.low(),
            p.at_20.high(),
            p.elimination
        );
    }
    println!(
        "mean lift after 20 ratings {:.2}, median {:.2}; elimination {elimination:.2}",
        mean(&|p| p.lift[2]),
        median(2)
    );
    println!("above zero: {above} of {}; diversity {:.2}", players.len(), result.diversity);
    Ok(())
}
