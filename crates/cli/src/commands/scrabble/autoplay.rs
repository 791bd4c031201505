//! `parlour scrabble autoplay`

use super::lexicons;
use anyhow::{Result, bail};
use game::Seed;
use lab::scrabble::autoplay::{Record, play_pair};
use scrabble::players::{Player, Quick, Style};
use scrabble::{Dictionary, Layout, LeaveModel};

#[derive(clap::Args)]
pub struct Args {
    /// First player: greedy, static
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
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn player<'a>(
    name: &str,
    dictionary: &'a Dictionary,
    layout: &'a Layout,
    leaves: &'a LeaveModel,
) -> Result<Box<dyn Player + 'a>> {
    let quick = |style| Quick { dictionary, layout, leaves, style };
    Ok(match name {
        "greedy" => Box::new(quick(Style::Greedy)),
        "static" => Box::new(quick(Style::Static)),
        other => bail!("no player called {other:?}: greedy, static"),
    })
}

pub fn run(args: Args) -> Result<()> {
    let dictionary = lexicons::dictionary(&args.lexicon)?;
    let layout = Layout::named("standard").expect("the standard board is shipped");
    let leaves = match &args.leaves {
        Some(path) => LeaveModel::from_bytes(&std::fs::read(path)?, dictionary.alphabet().len())?,
        None => lexicons::leaves(&dictionary)?,
    };
    let mut first = player(&args.p1, &dictionary, &layout, &leaves)?;
    let mut second = player(&args.p2, &dictionary, &layout, &leaves)?;
    let mut record = Record::default();
    let started = std::time::Instant::now();
    for pair in 0..args.games.div_ceil(2) {
        record.add(&play_pair(&dictionary, &layout, first.as_mut(), second.as_mut(), Seed(args.seed), pair));
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
