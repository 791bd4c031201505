//! `parlour scrabble lab`: the figures of Dvořák 2006 beside ours.

use super::player_kit::{PlayerKit, SearchBudget};
use anyhow::Result;
use game::Seed;
use lab::scrabble::autoplay::{MatchRecord, play_pair};
use scrabble::engine::MoveSort;
use scrabble::eval;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    #[arg(long, default_value = "cs")]
    lexicon: String,
    /// Games of the match, in pairs
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let kit = PlayerKit::load(&args.lexicon)?;
    let thinking = SearchBudget { ms: 0, iterations: Some(1) };
    let mut greedy = kit.player("greedy", thinking)?;
    let mut against_greedy = |name: &str| -> Result<(MatchRecord, f64)> {
        let mut player = kit.player(name, thinking)?;
        let mut record = MatchRecord::default();
        let started = Instant::now();
        for pair in 0..args.games.div_ceil(2) {
            record.add(&play_pair(
                &kit.language.dictionary,
                &kit.layout,
                player.as_mut(),
                greedy.as_mut(),
                Seed(args.seed),
                pair,
            ));
        }
        Ok((record, record.games as f64 / started.elapsed().as_secs_f64()))
    };
    let (faithful, per_second) = against_greedy("dvorak")?;
    let (learned, _) = against_greedy("weighted")?;
    let clock = Instant::now();
    let all = eval::all_moves(&kit.one_ply(MoveSort::Score), args.games.min(200), args.seed, &|| {
        clock.elapsed().as_secs_f64()
    });
    let mean = all.moves as f64 / all.generations.max(1) as f64;
    let mean_end = all.moves_bag_empty as f64 / all.generations_bag_empty.max(1) as f64;
    if args.json {
        let summary = |record: &MatchRecord| {
            let [low, high] = record.interval();
            serde_json::json!({ "games": record.games, "win_rate": record.win_rate(), "interval95": [low, high] })
        };
        let answer = serde_json::json!({
            "lexicon": args.lexicon, "study_functions": summary(&faithful), "learned_letters": summary(&learned),
            "moves_per_turn": mean, "moves_per_turn_bag_empty": mean_end, "games_per_s": per_second,
            "study": { "weighted_win_rate": 0.63, "moves_per_turn": 238, "moves_per_turn_bag_empty": 76, "games_per_s": 3.17 },
        });
        println!("{answer}");
    } else {
        println!("{:<52} {:>8} {:>8}", "", "thesis", "ours");
        for (record, name) in [
            (&faithful, "weighted beats greedy, Dvořák's functions"),
            (&learned, "weighted beats greedy, learned letter values"),
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
