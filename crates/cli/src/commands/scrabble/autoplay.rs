//! `parlour scrabble autoplay`

use super::players::{Kit, Thinking};
use anyhow::Result;
use game::Seed;
use lab::scrabble::autoplay::{Record, play_pair};
use scrabble::LeaveModel;

#[derive(clap::Args)]
pub struct Args {
    /// First player: greedy, weighted, leaves (static without endgame search), static, strong
    #[arg(long, default_value = "static")]
    p1: String,
    /// Second player
    #[arg(long, default_value = "greedy")]
    p2: String,
    /// Games, played in pairs with the same tiles and seats changed
    #[arg(long, default_value_t = 1000)]
    games: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Leave values to use instead of the shipped ones
    #[arg(long)]
    leaves: Option<std::path::PathBuf>,
    #[command(flatten)]
    thinking: Thinking,
    /// Say how it stands after every so many pairs
    #[arg(long)]
    progress: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut kit = Kit::load(&args.lexicon)?;
    if let Some(path) = &args.leaves {
        kit.leaves = LeaveModel::from_bytes(&std::fs::read(path)?, kit.dictionary.alphabet().len())?;
    }
    let mut first = kit.player(&args.p1, args.thinking)?;
    let mut second = kit.player(&args.p2, args.thinking)?;
    let mut record = Record::default();
    let started = std::time::Instant::now();
    let pairs = args.games.div_ceil(2);
    for pair in 0..pairs {
        record.add(&play_pair(&kit.dictionary, &kit.layout, first.as_mut(), second.as_mut(), Seed(args.seed), pair));
        if args.progress.is_some_and(|every| (pair + 1) % every.max(1) == 0) {
            let left = started.elapsed().as_secs_f64() / (pair + 1) as f64 * (pairs - pair - 1) as f64;
            eprintln!(
                "{} games: {:.1}%, {:+.1} a game, {left:.0} s left",
                record.games,
                record.win_rate() * 100.0,
                record.mean_spread()
            );
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let [low, high] = record.interval();
    if args.json {
        let answer = serde_json::json!({
            "games": record.games, "p1_wins": record.wins as f64 + record.draws as f64 / 2.0,
            "p1_win_rate": record.win_rate(), "interval95": [low, high], "mean_spread": record.mean_spread(),
            "games_per_s": record.games as f64 / seconds,
        });
        println!("{answer}");
    } else {
        println!(
            "{} beats {} in {:.1}% of {} games (95%: {:.1}–{:.1}), mean spread {:+.1}, {:.1} games/s",
            args.p1,
            args.p2,
            record.win_rate() * 100.0,
            record.games,
            low * 100.0,
            high * 100.0,
            record.mean_spread(),
            record.games as f64 / seconds
        );
    }
    Ok(())
}
