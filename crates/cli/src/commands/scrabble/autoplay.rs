//! `parlour scrabble autoplay`: paired games between two players.

use super::player_kit::{PlayerKit, SearchBudget};
use anyhow::{Context, Result};
use game::Seed;
use lab::scrabble::autoplay::{MatchResults, play_pair};
use scrabble::LeaveModel;
use scrabble::players::PhaseWeights;

#[derive(clap::Args)]
pub struct Args {
    /// First player: greedy, dvorak (Dvořák's weighted player), weighted (the same with learned letter values), leaves
    /// (score and leave), static, strong, or external:COMMAND for a process that speaks UCGI
    #[arg(long, default_value = "static")]
    p1: String,
    /// Second player
    #[arg(long, default_value = "greedy")]
    p2: String,
    /// Games, played in pairs: the same bag order twice with seats swapped
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Leave values instead of the shipped ones
    #[arg(long)]
    leaves: Option<std::path::PathBuf>,
    /// Weights of `weighted` and `dvorak` instead of the shipped ones
    #[arg(long)]
    weights: Option<std::path::PathBuf>,
    #[command(flatten)]
    budget: SearchBudget,
    /// Print interim results after this many pairs
    #[arg(long)]
    progress: Option<u64>,
    /// Results file, written after every pair; resumes if it exists
    #[arg(long)]
    results: Option<std::path::PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut kit = PlayerKit::load(&args.lexicon)?;
    if let Some(path) = &args.leaves {
        kit.language.leaves = LeaveModel::from_bytes(&std::fs::read(path)?, kit.language.dictionary.alphabet().len())?;
    }
    if let Some(path) = &args.weights {
        let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
        let weights = PhaseWeights::parse(&text).map_err(anyhow::Error::msg)?;
        kit.language.dvorak_weights = weights.clone();
        kit.language.weights = weights;
    }
    let mut first = kit.player(&args.p1, args.budget)?;
    let mut second = kit.player(&args.p2, args.budget)?;
    let title = format!("{} against {}, {}, seed {}, {}", args.p1, args.p2, args.lexicon, args.seed, args.budget);
    let mut results = match &args.results {
        Some(path) if path.exists() => {
            let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
            MatchResults::parse(&text, &title)
                .map_err(anyhow::Error::msg)
                .with_context(|| format!("{}", path.display()))?
        }
        _ => MatchResults::new(title),
    };
    let started = std::time::Instant::now();
    let todo: Vec<u64> = (0..args.games.div_ceil(2)).filter(|pair| !results.pairs.contains_key(pair)).collect();
    for (done, &pair) in (1..).zip(&todo) {
        let seed = Seed(args.seed);
        let record = play_pair(&kit.language.dictionary, &kit.layout, first.as_mut(), second.as_mut(), seed, pair);
        results.pairs.insert(pair, record);
        if let Some(path) = &args.results {
            super::atomic_file::write(path, results.to_text().as_bytes())?;
        }
        if args.progress.is_some_and(|every| done % every.max(1) == 0) {
            let left = started.elapsed().as_secs_f64() / done as f64 * (todo.len() as u64 - done) as f64;
            let total = results.total();
            eprintln!(
                "{} games: {:.1}%, {:+.1} a game, {left:.0} s left",
                total.games,
                total.win_rate() * 100.0,
                total.mean_spread()
            );
        }
    }
    let games_per_s = 2.0 * todo.len() as f64 / started.elapsed().as_secs_f64();
    let record = results.total();
    let [low, high] = record.interval();
    if args.json {
        let answer = serde_json::json!({
            "games": record.games, "p1_wins": record.wins as f64 + record.draws as f64 / 2.0,
            "p1_win_rate": record.win_rate(), "interval95": [low, high], "mean_spread": record.mean_spread(),
            "games_per_s": games_per_s,
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
            games_per_s
        );
    }
    Ok(())
}
