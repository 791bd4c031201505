//! `parlour semantics prepare`: from a text to a corpus.

use super::PackArgs;
use super::output::must_differ;
use super::progress::ProgressLine;
use anyhow::Context;
use semantics::corpus::prepare::{PrepareSettings, prepare};
use std::path::PathBuf;

/// Memory for the vocabulary, in bytes.
const MEMORY: usize = 1 << 30;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics prepare book.txt --out book.corpus --lang cs")]
pub struct Args {
    /// The text; paragraphs end at blank lines
    text: PathBuf,
    /// The corpus to write: one sentence a line
    #[arg(long)]
    out: PathBuf,
    /// Drop words with fewer occurrences
    #[arg(long, default_value_t = 5)]
    min_count: u64,
    /// Drop sentences with fewer remaining words
    #[arg(long, default_value_t = 2)]
    min_words: usize,
    /// Keep inflected forms
    #[arg(long)]
    keep_forms: bool,
    /// Keep function words
    #[arg(long)]
    keep_stop_words: bool,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    must_differ(&args.text, &args.out)?;
    let language = packs.open()?;
    let settings = PrepareSettings {
        lemmatise: !args.keep_forms,
        drop_stop_words: !args.keep_stop_words,
        min_count: args.min_count,
        min_words: args.min_words,
        memory: MEMORY,
    };
    let size = std::fs::metadata(&args.text).with_context(|| args.text.display().to_string())?.len();
    let mut progress = ProgressLine::new(packs.json);
    let done = prepare(&language, &args.text, &settings, &args.out, &mut |n| progress.update(n, size, "bytes", ""))?;
    let seconds = progress.finish();
    if packs.json {
        println!("{}", serde_json::json!({"prepared": done, "seconds": seconds}));
    } else {
        println!("{} sentences, {} words, {} different, {seconds:.1} s", done.sentences, done.words, done.different);
    }
    Ok(())
}
