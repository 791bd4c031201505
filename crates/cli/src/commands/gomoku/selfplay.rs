//! `parlour gomoku selfplay`: records self-play games for training.

use super::train::check_sizes;
use crate::commands::queue::QueueArgs;
use anyhow::{Context, Result};
use gomoku::rules::Rule;
use lab::gomoku::selfplay_work::{SelfPlay, run as play};
use lab::gomoku::train::{beginner, write_whole};
use lab::gomoku::training_games::TrainingGame;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku selfplay --games 500 --out games.bin")]
pub struct Args {
    /// Output file: size, rule, result and every move with its score
    #[arg(long)]
    out: PathBuf,
    /// Number of games
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Pattern weights of a training run (gen-NNN/patterns.bin); initial weights if not given
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board sizes in points, taken in turn
    #[arg(long, value_delimiter = ',', default_value = "15,20,15")]
    sizes: Vec<u8>,
    /// Nodes per move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Probability, per move, of labelling an off-trajectory position
    #[arg(long, alias = "aside", default_value_t = 0.0)]
    off_trajectory: f32,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games per job of the queue
    #[arg(long, value_name = "GAMES", default_value_t = 10)]
    chunk: u64,
    /// Number of threads of the local queue
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
            write_whole(&made, &lab::gomoku::fit_patterns::to_bytes(&beginner()))?;
            &made
        }
    };
    let asked = SelfPlay {
        rule: args.rule.to_string(),
        sizes: args.sizes,
        nodes: args.nodes.max(50),
        margin: if args.weights.is_none() { 2000 } else { 200 },
        exploration: 0.03,
        off_trajectory: args.off_trajectory.clamp(0.0, 1.0),
        policy_games: 0.0,
        seed: args.seed,
    };
    let queue = args.queue.open(args.threads)?;
    let begun = Instant::now();
    let (mut all, mut done, mut said) = (Vec::new(), 0, 0);
    play(queue.submitter(), &asked, weights, args.games, 0, args.chunk, &mut |records| {
        all.extend_from_slice(records);
        done += TrainingGame::games(&TrainingGame::read_all(records)) as u64;
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
