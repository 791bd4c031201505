//! `parlour semantics eval`: measures against human data.

mod associations;
mod clues;
mod pairs;
mod senses;
mod separation;
mod without;

use super::PackArgs;
use anyhow::Context;
use clap::Subcommand;
use std::io::Read;
use std::path::Path;
use without::Without;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    measure: Measure,
}

#[derive(Subcommand)]
enum Measure {
    /// Rank the answers to the clues of a puzzle (FILE.crossword with FILE.solution beside it)
    Clues(clues::Args),
    /// Correlate with human similarity (word, word, score; tab-separated)
    Pairs(pairs::Args),
    /// Separate related pairs (word, word; tab-separated) from random ones
    Separation(separation::Args),
    /// Find homonyms made by joining two words of a corpus
    Senses(senses::Args),
    /// Rank the commonest human response to each cue (cue, response, count; tab-separated)
    Associations(associations::Args),
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

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    match &args.measure {
        Measure::Clues(args) => clues::run(args, packs),
        Measure::Pairs(args) => pairs::run(args, packs),
        Measure::Separation(args) => separation::run(args, packs),
        Measure::Senses(args) => senses::run(args, packs),
        Measure::Associations(args) => associations::run(args, packs),
    }
}
