//! `parlour semantics eval clues`.

use super::read;
use crate::commands::semantics::PackArgs;
use semantics::ClueScorer;
use semantics::clue::ClueWeights;
use semantics::eval::clues;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics eval clues easy.crossword")]
pub struct Args {
    /// The puzzle; the solution is sought beside it
    file: PathBuf,
    /// Print every clue
    #[arg(long)]
    each: bool,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let solution = args.file.with_extension("solution");
    let puzzle = clues::read_puzzle(&read(&args.file)?, &read(&solution)?)
        .map_err(|e| anyhow::anyhow!("{}: {e}", args.file.display()))?;
    let language = packs.open()?;
    let weights = ClueWeights::shipped();
    let scorer = ClueScorer::with(&language, &weights);
    let (report, ranks) = clues::evaluate(&scorer, &weights.ordered(), &puzzle);
    if args.each {
        for (c, r) in puzzle.iter().zip(&ranks) {
            eprintln!("{r:.3}  {:12}  {}", c.answer, c.clue);
        }
    }
    if packs.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        let m = report.mrr;
        println!("{} clues, MRR: vectors {:.3}, glosses {:.3}, all {:.3}", report.clues, m.vectors, m.glosses, m.all);
    }
    Ok(())
}
