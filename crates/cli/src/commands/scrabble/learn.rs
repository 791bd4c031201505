//! `parlour scrabble leaves`

use super::lexicons;
use anyhow::{Context, Result};
use game::Seed;
use lab::scrabble::leaves::generation;
use scrabble::{Layout, LeaveModel};
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Turns of each generation, from the first to the last
    #[arg(long, value_delimiter = ',', default_values_t = [20_000u64, 60_000, 200_000])]
    turns: Vec<u64>,
    /// Go on from these values
    #[arg(long)]
    from: Option<PathBuf>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the values, after every generation
    #[arg(long)]
    out: PathBuf,
}

pub fn run(args: Args) -> Result<()> {
    let dictionary = lexicons::dictionary(&args.lexicon)?;
    let layout = Layout::named("standard").expect("the standard board is shipped");
    let letters = dictionary.alphabet().len();
    let mut model = match &args.from {
        Some(path) => LeaveModel::from_bytes(&std::fs::read(path)?, letters)?,
        None => LeaveModel::zero(letters),
    };
    for (number, &turns) in args.turns.iter().enumerate() {
        let started = Instant::now();
        let mut shown = 0;
        let seed = Seed(args.seed.wrapping_mul(1000).wrapping_add(number as u64));
        let evidence = generation(&dictionary, &layout, &model, seed, turns, |done| {
            if done >= shown {
                shown = done + 20_000;
                let left = started.elapsed().as_secs_f64() / done.max(1) as f64 * (turns - done) as f64;
                eprintln!("generation {}: {done} of {turns} turns, {left:.0} s left", number + 1);
            }
            true
        });
        model = evidence.model();
        let part = args.out.with_extension("part");
        std::fs::write(&part, model.to_bytes()).with_context(|| format!("{}", part.display()))?;
        std::fs::rename(&part, &args.out)?;
        let alphabet = dictionary.alphabet();
        let show = |t: u8| format!("{} {:+.1}", alphabet.text(t), model.value(&[t]) as f64 / 1000.0);
        let shown: Vec<String> = (0..=letters as u8).map(show).collect();
        eprintln!("generation {} done in {:.0} s: {}", number + 1, started.elapsed().as_secs_f64(), shown.join(", "));
    }
    Ok(())
}
