//! `parlour codenames selfplay`.

use super::language_args::{LanguageArgs, open_language_model};
use anyhow::{Result, anyhow};
use codenames::Codenames;
use codenames::eval::selfplay;
use codenames::table::{Mode, Settings};
use std::sync::Arc;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames selfplay --first strong --second jares --games 100")]
pub struct Args {
    /// Level of the first team
    #[arg(long, default_value = "strong")]
    first: String,
    /// Level of the second team
    #[arg(long, default_value = "jares")]
    second: String,
    /// Play Duet: the two levels are partners
    #[arg(long)]
    duet: bool,
    /// Number of games
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    source: LanguageArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let lm = open_language_model(&args.source)?;
    lm.fill();
    let game = Codenames::new(vec![Arc::new(lm)]);
    let mode = if args.duet { Mode::Duet } else { Mode::Classic };
    let settings = Settings { mode, lang: args.source.lang.clone(), ..Settings::default() };
    let seeds = (0..args.games).map(|k| args.seed.wrapping_mul(1_000_003).wrapping_add(k));
    let begun = std::time::Instant::now();
    let mut done = 0;
    let report = selfplay(&game, &settings, [&args.first, &args.second], seeds, |_, _| {
        done += 1;
        if done % 10 == 0 {
            let left = begun.elapsed().as_secs_f64() / done as f64 * (args.games - done) as f64;
            eprintln!("{done} of {} games, {left:.0} s left", args.games);
        }
    });
    let report = report.map_err(|error| anyhow!(error))?;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        let [low, high] = report.interval95;
        println!("{} games, {} won: {:.3} ({low:.3} to {high:.3})", report.games, report.wins, report.share);
        println!("clues per game {:.2}, ended by an assassin {:.1} %", report.mean_clues, 100.0 * report.assassin_rate);
    }
    Ok(())
}
