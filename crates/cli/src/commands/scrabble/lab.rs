//! `parlour scrabble lab` and `parlour scrabble oracle`: the study's figures beside ours, and the full-size check.

use super::players::{Kit, Thinking};
use anyhow::{Result, bail};
use game::Seed;
use lab::scrabble::autoplay::{Record, play_pair};
use lexicon::{LexiconBuilder, Tile};
use rand::RngExt;
use scrabble::eval::{self, oracle};
use scrabble::players::Style;
use scrabble::{Dictionary, Layout};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    #[arg(long, default_value = "cs")]
    lexicon: String,
    /// Games of the match, in pairs
    #[arg(long, default_value_t = 1000)]
    games: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let kit = Kit::load(&args.lexicon)?;
    let thinking = Thinking { ms: 0, tries: Some(1) };
    let mut greedy = kit.player("greedy", thinking)?;
    let mut against_greedy = |name: &str| -> Result<(Record, f64)> {
        let mut player = kit.player(name, thinking)?;
        let mut record = Record::default();
        let started = Instant::now();
        for pair in 0..args.games.div_ceil(2) {
            record.add(&play_pair(
                &kit.dictionary,
                &kit.layout,
                player.as_mut(),
                greedy.as_mut(),
                Seed(args.seed),
                pair,
            ));
        }
        Ok((record, record.games as f64 / started.elapsed().as_secs_f64()))
    };
    let (faithful, per_second) = against_greedy("study")?;
    let (learned, _) = against_greedy("weighted")?;
    let clock = Instant::now();
    let all =
        eval::all_moves(&kit.quick(Style::Greedy), args.games.min(200), args.seed, &|| clock.elapsed().as_secs_f64());
    let mean = all.moves as f64 / all.generations.max(1) as f64;
    let mean_end = all.moves_bag_empty as f64 / all.generations_bag_empty.max(1) as f64;
    if args.json {
        let told = |record: &Record| {
            let [low, high] = record.interval();
            serde_json::json!({ "games": record.games, "win_rate": record.win_rate(), "interval95": [low, high] })
        };
        let answer = serde_json::json!({
            "lexicon": args.lexicon, "study_functions": told(&faithful), "learned_letters": told(&learned),
            "moves_per_turn": mean, "moves_per_turn_bag_empty": mean_end, "games_per_s": per_second,
            "study": { "weighted_win_rate": 0.63, "moves_per_turn": 238, "moves_per_turn_bag_empty": 76, "games_per_s": 3.17 },
        });
        println!("{answer}");
    } else {
        println!("{:<52} {:>8} {:>8}", "", "study", "here");
        for (record, name) in [
            (&faithful, "weighted beats greedy, the study's functions"),
            (&learned, "weighted beats greedy, learned worth of letters"),
        ] {
            let [low, high] = record.interval().map(|share| share * 100.0);
            let rate = record.win_rate() * 100.0;
            println!("{name:<52} {:>8} {rate:>7.1}%  ({} games, 95%: {low:.1}–{high:.1})", "63%", record.games);
        }
        println!("{:<52} {:>8} {:>8.0}", "legal moves a turn", 238, mean);
        println!("{:<52} {:>8} {:>8.0}", "legal moves a turn, bag empty", 76, mean_end);
        println!("{:<52} {:>8} {:>8.1}", "games a second", 3.17, per_second);
    }
    Ok(())
}

#[derive(clap::Args)]
pub struct Oracle {
    /// Languages to check
    #[arg(long, value_delimiter = ',', default_values_t = ["en".to_owned(), "cs".to_owned(), "pl".to_owned(), "sk".to_owned()])]
    lexicons: Vec<String>,
    /// Positions in each
    #[arg(long, default_value_t = 25_000)]
    positions: u64,
    /// Words drawn from each lexicon for a batch of games
    #[arg(long, default_value_t = 250)]
    words: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Compares the generator with trying everything, on random positions over words drawn from the shipped lexicons.
pub fn oracle(args: Oracle) -> Result<()> {
    let layout = Layout::named("standard").expect("the standard board is shipped");
    for name in &args.lexicons {
        let source = super::lexicons::open(name)?;
        let all: Vec<Vec<Tile>> = source.words().collect();
        let short: Vec<&Vec<Tile>> = all.iter().filter(|w| w.len() <= 3).collect();
        let (mut seen, mut batch) = (0, 0);
        while seen < args.positions {
            let mut rng = Seed(args.seed).rng(batch);
            batch += 1;
            let mut builder = LexiconBuilder::new(source.alphabet().clone());
            for i in 0..args.words {
                // short words make boards grow together
                let word = if i % 3 == 0 && !short.is_empty() {
                    short[rng.random_range(0..short.len())]
                } else {
                    &all[rng.random_range(0..all.len())]
                };
                builder.add(word);
            }
            let dictionary = Dictionary::new(builder.build()?)?;
            let words: Vec<Vec<Tile>> = dictionary.lexicon().words().collect();
            for _ in 0..8 {
                match oracle::random_game(&dictionary, &words, &layout, &mut rng, 16) {
                    Ok(positions) => seen += positions,
                    Err(difference) => bail!("{name}, batch {batch}: {difference}"),
                }
            }
        }
        println!("{name}: {seen} positions, all plays and the best play the same");
    }
    Ok(())
}
