//! `parlour gomoku selfplay`: recorded games of the engine against itself, for fitting or for counting.

use super::train::check_sizes;
use crate::commands::queue::QueueArgs;
use anyhow::{Context, Result};
use gomoku::rules::Rule;
use lab::gomoku::records::Record;
use lab::gomoku::selfplay_work::{SelfPlay, run as play};
use lab::gomoku::train::{beginner, write_whole};
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// The games: size, rule, result and every move with its score
    #[arg(long)]
    out: PathBuf,
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Weights of patterns as a training run keeps them (gen-NNN/patterns.bin); a beginner's if not given
    #[arg(long)]
    weights: Option<PathBuf>,
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board sizes, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// Nodes for a move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Chance, for every move, that a position beside the game is judged too
    #[arg(long, default_value_t = 0.0)]
    aside: f32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games in one job of the queue
    #[arg(long, value_name = "GAMES", default_value_t = 10)]
    chunk: u64,
    /// Games at once, if they are played by this process
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    queue: QueueArgs,
}

pub fn run(args: Args) -> Result<()> {
    check_sizes(&args.sizes)?;
    let made = args.out.with_added_extension("weights");
    let weights = match &args.weights {
        Some(path) => path,
        None => {
            write_whole(&made, &lab::gomoku::patterns::to_bytes(&beginner()))?;
            &made
        }
    };
    let asked = SelfPlay {
        rule: args.rule.to_string(),
        sizes: args.sizes,
        nodes: args.nodes.max(50),
        margin: if args.weights.is_none() { 2000 } else { 200 },
        stray: 0.03,
        aside: args.aside.clamp(0.0, 1.0),
        likely: 0.0,
        seed: args.seed,
    };
    let queue = args.queue.open(args.threads)?;
    let begun = Instant::now();
    let (mut all, mut done, mut said) = (Vec::new(), 0, 0);
    play(queue.submitter(), &asked, weights, args.games, 0, args.chunk, &mut |records| {
        all.extend_from_slice(records);
        done += Record::games(&Record::read_all(records)) as u64;
        if done >= said + 100 || done == args.games {
            said = done;
            let left = begun.elapsed().as_secs_f64() / done as f64 * (args.games - done) as f64;
            eprintln!("{done} of {} games, about {left:.0} s left", args.games);
        }
        Ok(())
    })?;
    write_whole(&args.out, &all).with_context(|| args.out.display().to_string())?;
    if args.weights.is_none() {
        std::fs::remove_file(&made).with_context(|| made.display().to_string())?;
    }
    println!("{done} games in {}", args.out.display());
    Ok(())
}
