//! `parlour scrabble positional`: learn the weights of the positional model.

use super::atomic_file::write;
use super::player_kit::PlayerKit;
use anyhow::Result;
use game::Seed;
use lab::scrabble::positional;
use scrabble::engine::MoveSort;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Positions simulated
    #[arg(long, default_value_t = 3000)]
    positions: u64,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file (LANG.outlook)
    #[arg(long)]
    out: PathBuf,
}

pub fn run(args: Args) -> Result<()> {
    let kit = PlayerKit::load(&args.lexicon)?;
    let mut evidence = positional::PositionalEvidence::default();
    let started = Instant::now();
    let report = |evidence: &positional::PositionalEvidence| {
        let (without, with) = evidence.error(&evidence.positional());
        eprintln!("held-out positions: mean squared error {without:.2} without the model, {with:.2} with it");
    };
    let one_ply = kit.one_ply(MoveSort::Equity);
    positional::learn(&one_ply, &kit.language.win, Seed(args.seed), args.positions, &mut evidence, |evidence| {
        if evidence.positions.is_multiple_of(500) {
            let left = args.positions - evidence.positions;
            let seconds = started.elapsed().as_secs_f64() / evidence.positions as f64 * left as f64;
            eprintln!("{} of {} positions, {seconds:.0} s left", evidence.positions, args.positions);
            report(evidence);
            return write(&args.out, evidence.positional().to_text().as_bytes());
        }
        Ok(())
    })?;
    report(&evidence);
    write(&args.out, evidence.positional().to_text().as_bytes())
}
