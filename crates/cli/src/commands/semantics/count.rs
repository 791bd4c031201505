//! `parlour semantics count`: word co-occurrences of a corpus.

use super::PackArgs;
use super::output::must_differ;
use super::progress::ProgressLine;
use crate::commands::queue::QueueArgs;
use anyhow::{Context, bail};
use semantics::corpus::count::{CountSettings, PairScope, count};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics count book.corpus --out book.counts --memory 200")]
pub struct Args {
    /// The corpus: one sentence a line
    corpus: PathBuf,
    /// The matrix to write
    #[arg(long)]
    out: PathBuf,
    /// Memory limit, in MB
    #[arg(long, default_value_t = 512)]
    memory: usize,
    /// Count pairs at most this many words apart (default: pairs within a sentence)
    #[arg(long)]
    window: Option<usize>,
    /// Weight a pair by 1/distance
    #[arg(long, requires = "window")]
    by_distance: bool,
    /// Drop words with fewer occurrences
    #[arg(long, default_value_t = 5)]
    min_count: u64,
    /// Drop pairs with a smaller weight
    #[arg(long, default_value_t = 0.0)]
    least: f32,
    /// Count in shards of this many MB of text, each a job of the queue (default: one piece)
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=256))]
    shards: Option<u64>,
    /// Shards counted at once by this process
    #[arg(long, default_value_t = 1, requires = "shards")]
    threads: usize,
    #[command(flatten)]
    queue: QueueArgs,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    must_differ(&args.corpus, &args.out)?;
    if args.shards.is_none() && !args.queue.is_local() {
        bail!("--queue {} needs --shards: one piece is counted by this process", args.queue.queue);
    }
    let scratch = args.out.with_extension("scratch.tmp");
    std::fs::create_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
    let settings = CountSettings {
        memory: args.memory.saturating_mul(1_000_000),
        together: match args.window {
            Some(words) => PairScope::Window { words, by_distance: args.by_distance },
            None => PairScope::Sentence,
        },
        min_count: args.min_count,
        least: args.least,
        scratch: scratch.clone(),
    };
    let mut progress = ProgressLine::new(packs.json);
    let counted = match args.shards {
        None => count(&args.corpus, &settings, &args.out, &mut |n, all| progress.update(n, all, "sentences", ""))
            .map_err(anyhow::Error::from),
        Some(megabytes) => args.queue.open(args.threads).and_then(|queue| {
            let mut update = |n, all| progress.update(n, all, "shards", "");
            let bytes = megabytes * 1_000_000;
            Ok(lab::corpus_counting::count(queue.submitter(), &args.corpus, &settings, bytes, &args.out, &mut update)?)
        }),
    };
    let seconds = progress.finish();
    std::fs::remove_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
    let counted = counted?;
    if packs.json {
        println!("{}", serde_json::json!({"counted": counted, "seconds": seconds}));
    } else {
        println!(
            "{} words, {} sentences, {} entries, {} runs on disk, {seconds:.1} s",
            counted.words, counted.sentences, counted.entries, counted.runs
        );
    }
    Ok(())
}
