//! `parlour scrabble leaves`: learn leave values by self-play.

use super::atomic_file::write;
use super::lexicons;
use crate::commands::queue::QueueArgs;
use anyhow::{Context, Result};
use game::Seed;
use lab::scrabble::language_files::Sources;
use lab::scrabble::leaves::LeaveTraining;
use scrabble::LeaveModel;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Turns of each generation
    #[arg(long, value_delimiter = ',', default_values_t = [20_000u64, 60_000, 200_000])]
    turns: Vec<u64>,
    /// Start from these values
    #[arg(long)]
    from: Option<PathBuf>,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file, written after every generation
    #[arg(long)]
    out: PathBuf,
    /// Games per queue job
    #[arg(long, value_name = "GAMES", default_value_t = 100)]
    chunk: u64,
    /// Concurrent jobs when this process does the work
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    queue: QueueArgs,
}

pub fn run(args: Args) -> Result<()> {
    let dictionary = lexicons::dictionary(&args.lexicon)?;
    let letters = dictionary.alphabet().len();
    let mut model = match &args.from {
        Some(path) => {
            let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
            LeaveModel::from_bytes(&bytes, letters).with_context(|| path.display().to_string())?
        }
        None => LeaveModel::zero(letters),
    };
    let queue = args.queue.open(args.threads)?;
    let before = args.out.with_added_extension("before");
    for (number, &turns) in args.turns.iter().enumerate() {
        let started = Instant::now();
        let mut shown = 0;
        let seed = Seed(args.seed.wrapping_mul(1000).wrapping_add(number as u64));
        write(&before, &model.to_bytes())?;
        let lexicon = lexicons::path(&args.lexicon)?;
        let sources = Sources { lexicon, leaves: Some(before.clone()), positional: None };
        let generation = LeaveTraining { sources: &sources, letters, seed, turns, chunk: args.chunk };
        let evidence = generation.run(queue.submitter(), |done| {
            if done >= shown {
                shown = done + 20_000;
                let left = started.elapsed().as_secs_f64() / done.max(1) as f64 * turns.saturating_sub(done) as f64;
                eprintln!("generation {}: {done} of {turns} turns, {left:.0} s left", number + 1);
            }
        })?;
        model = evidence.model();
        write(&args.out, &model.to_bytes())?;
        let alphabet = dictionary.alphabet();
        let show = |t: u8| format!("{} {:+.1}", alphabet.text(t), model.value(&[t]) as f64 / 1000.0);
        let shown: Vec<String> = (0..=letters as u8).map(show).collect();
        eprintln!("generation {} done in {:.0} s: {}", number + 1, started.elapsed().as_secs_f64(), shown.join(", "));
    }
    if before.exists() {
        std::fs::remove_file(&before).with_context(|| before.display().to_string())?;
    }
    Ok(())
}
