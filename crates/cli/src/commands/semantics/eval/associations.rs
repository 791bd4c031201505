//! `parlour semantics eval associations`.

use super::read;
use crate::commands::semantics::PackArgs;
use semantics::Assoc;
use semantics::eval::associations;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics eval associations usf.tsv.gz --limit 500")]
pub struct Args {
    /// Cue, response and count, tab-separated; may be gzipped
    file: PathBuf,
    /// Largest number of cues (approximate)
    #[arg(long, default_value_t = 1000)]
    limit: usize,
    /// Leave the hand-written association lexicon out
    #[arg(long)]
    without_lexicon: bool,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let cues = associations::read(&read(&args.file)?).map_err(|e| anyhow::anyhow!("{}: {e}", args.file.display()))?;
    let mut language = packs.open()?;
    if args.without_lexicon {
        language.filter_hand(|_| false);
    }
    let report = associations::evaluate(Assoc::new(&language), &cues, args.limit);
    if packs.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        let m = report.mrr;
        println!(
            "{} cues, {} responses, MRR: vectors {:.3}, all {:.3} ({:.2} times)",
            report.cues,
            report.responses,
            m.vectors,
            m.all,
            m.all / m.vectors
        );
    }
    Ok(())
}
