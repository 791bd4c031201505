//! `parlour bench scrabble`

use super::cpu::thread_seconds;
use crate::commands::scrabble::lexicons;
use anyhow::{Context, Result};
use lexicon::{Lexicon, LexiconBuilder};
use scrabble::engine::{MoveSort, OnePlyPlayer};
use scrabble::{Dictionary, Layout, eval};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Word list to build the lexicon from; without it the shipped lexicon of --tiles is used
    #[arg(long)]
    words: Option<PathBuf>,
    /// Tiles: en, cs, pl, sk or a tile file
    #[arg(long, default_value = "en")]
    tiles: String,
    /// Games of the workload
    #[arg(long, default_value_t = 1000)]
    games: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let before = thread_seconds();
    let lexicon = match &args.words {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
            let mut builder = LexiconBuilder::new(lexicons::tiles(&args.tiles)?);
            builder.add_text(&text);
            builder.build()?
        }
        None => lexicons::open(&args.tiles)?,
    };
    let bytes = lexicon.to_bytes();
    let build_seconds = thread_seconds() - before;
    let lexicon = Lexicon::from_bytes(&bytes, "bench")?;
    let dictionary = Dictionary::new(lexicon)?;
    let layout = Layout::named("standard").context("the standard board")?;
    let leaves = lexicons::leaves(&dictionary)?;
    let player = OnePlyPlayer { dictionary: &dictionary, layout: &layout, leaves: &leaves, sort: MoveSort::Equity };
    let best = eval::best_moves(&player, args.games, args.seed, &thread_seconds);
    let all = eval::all_moves(&player, args.games, args.seed, &thread_seconds);
    let sim = eval::simulation_rate(&player, 8, args.seed, &thread_seconds);
    let best_rate = best.generations as f64 / best.seconds;
    let all_rate = all.generations as f64 / all.seconds;
    let worst = all.worst_seconds.max(all.worst_two_blanks) * 1000.0;
    let mean = all.moves as f64 / all.generations as f64;
    if args.json {
        let answer = serde_json::json!({
            "best_move_per_s": best_rate, "all_moves_per_s": all_rate, "worst_ms": worst, "build_s": build_seconds,
            "lexicon_bytes": bytes.len(), "sim_iterations_per_s": sim,
            "games_per_s": args.games as f64 / best.seconds, "generations": best.generations, "mean_moves": mean,
            "signature": format!("{:016x}", best.signature),
        });
        println!("{answer}");
    } else {
        println!("build {build_seconds:.3} s, {} bytes", bytes.len());
        println!("best move {best_rate:.0}/s ({:.0} games/s)", args.games as f64 / best.seconds);
        println!("all moves {all_rate:.0}/s, {mean:.0} a turn, worst {worst:.2} ms");
        println!("simulation {sim:.0} two-ply iterations/s");
        println!("signature {:016x} over {} turns", best.signature, best.generations);
    }
    Ok(())
}
