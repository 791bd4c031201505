//! `parlour semantics eval`: measures against human data.

use super::Source;
use anyhow::{Context, bail};
use clap::Subcommand;
use semantics::assoc::features::NAMES;
use semantics::clue::ClueWeights;
use semantics::eval::{associations, clues, pairs, separation};
use semantics::{Assoc, ClueScorer};
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    measure: Measure,
}

#[derive(Subcommand)]
enum Measure {
    /// Rank of the answers to the clues of a puzzle (FILE.crossword with FILE.solution beside it)
    Clues {
        file: PathBuf,
        /// Show each clue
        #[arg(long)]
        each: bool,
    },
    /// Rank correlation with human similarity (word, word, score; tab-separated)
    Pairs {
        file: PathBuf,
        #[command(flatten)]
        without: Without,
    },
    /// How well pairs that belong together (word, word; tab-separated) stand out from random ones
    Separation {
        file: PathBuf,
        /// Seed of the random pairs
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        without: Without,
    },
    /// How well homonyms are found: pairs of words of a corpus are joined and must come apart again
    Senses(super::senses::EvalArgs),
    /// Rank of the commonest human response to each cue (cue, response, count; tab-separated)
    Associations {
        file: PathBuf,
        /// Test at most about this many cues
        #[arg(long, default_value_t = 1000)]
        limit: usize,
        /// Leave the hand-written association lexicon out
        #[arg(long)]
        without_lexicon: bool,
    },
}

/// What to leave out, to see what it adds.
#[derive(clap::Args)]
struct Without {
    /// Leave these features of the association model out (comma-separated)
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
}

impl Without {
    fn checked(&self) -> anyhow::Result<&[String]> {
        match self.without.iter().find(|name| !NAMES.contains(&name.as_str())) {
            Some(name) => bail!("--without {name}: no such feature; there are {}", NAMES.join(", ")),
            None => Ok(&self.without),
        }
    }
}

/// Reads a text file, gzipped or not.
fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return String::from_utf8(bytes).with_context(|| format!("{}: not UTF-8", path.display()));
    }
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&bytes[..])
        .read_to_string(&mut text)
        .with_context(|| path.display().to_string())?;
    Ok(text)
}

pub fn run(args: &Args, source: &Source) -> anyhow::Result<()> {
    match &args.measure {
        Measure::Clues { file, each } => {
            let solution = file.with_extension("solution");
            let puzzle = clues::read_puzzle(&read(file)?, &read(&solution)?)
                .map_err(|e| anyhow::anyhow!("{}: {e}", file.display()))?;
            let language = source.open()?;
            let weights = ClueWeights::shipped();
            let scorer = ClueScorer::with(&language, &weights);
            let (report, ranks) = clues::evaluate(&scorer, &weights.ordered(), &puzzle);
            if *each {
                for (c, r) in puzzle.iter().zip(&ranks) {
                    eprintln!("{r:.3}  {:12}  {}", c.answer, c.clue);
                }
            }
            if source.json {
                println!("{}", serde_json::to_string(&report)?);
            } else {
                let m = report.mrr;
                println!(
                    "{} clues, MRR: vectors {:.3}, glosses {:.3}, all {:.3}",
                    report.clues, m.vectors, m.glosses, m.all
                );
            }
        }
        Measure::Pairs { file, without } => {
            let list = pairs::read(&read(file)?).map_err(|e| anyhow::anyhow!("{}: {e}", file.display()))?;
            let language = source.open()?;
            let report = pairs::evaluate(&Assoc::new(&language), &list, without.checked()?);
            if source.json {
                println!("{}", serde_json::to_string(&report)?);
            } else {
                let s = report.spearman;
                println!(
                    "{} pairs, {} covered, Spearman: vectors {:.3}, all {:.3}",
                    report.pairs, report.covered, s.vectors, s.all
                );
            }
        }
        Measure::Separation { file, seed, without } => {
            let list = separation::read(&read(file)?).map_err(|e| anyhow::anyhow!("{}: {e}", file.display()))?;
            let language = source.open()?;
            let report = separation::evaluate(&Assoc::new(&language), &list, *seed, without.checked()?);
            if source.json {
                println!("{}", serde_json::to_string(&report)?);
            } else {
                println!(
                    "{} pairs, {} covered, against {} random: AUC vectors {:.3}, all {:.3}",
                    report.pairs, report.covered, report.random, report.auc.vectors, report.auc.all
                );
                report.worst.iter().for_each(|w| println!("weak: {w}"));
            }
        }
        Measure::Senses(args) => super::senses::run_eval(args, source)?,
        Measure::Associations { file, limit, without_lexicon } => {
            let cues = associations::read(&read(file)?).map_err(|e| anyhow::anyhow!("{}: {e}", file.display()))?;
            let mut language = source.open()?;
            if *without_lexicon {
                language.filter_hand(|_| false);
            }
            let report = associations::evaluate(Assoc::new(&language), &cues, *limit);
            if source.json {
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
        }
    }
    Ok(())
}
