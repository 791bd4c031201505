//! `parlour semantics train`: word vectors from a corpus.

use super::PackArgs;
use super::output::must_differ;
use super::progress::ProgressLine;
use anyhow::Context;
use semantics::corpus::train::{EmbeddingAlgorithm, EmbeddingTrainer, Loss, TrainSettings, split_lines};
use semantics::corpus::vocabulary::CorpusVocabulary;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Bytes of text per training round; progress is shown and the state saved between rounds.
const ROUND_BYTES: usize = 8 << 20;

#[derive(Clone, Copy, clap::ValueEnum)]
enum ModelArg {
    Skipgram,
    Cbow,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LossArg {
    Ns,
    Hs,
}

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics train book.corpus --out book.bin --threads 2")]
pub struct Args {
    /// The corpus: one sentence a line
    corpus: PathBuf,
    /// The model to write: a fastText file, or text vectors if the name ends in `.vec`
    #[arg(long)]
    out: PathBuf,
    /// EmbeddingAlgorithm
    #[arg(long, value_enum, default_value = "skipgram")]
    model: ModelArg,
    /// Loss: negative sampling or hierarchical softmax
    #[arg(long, value_enum, default_value = "ns")]
    loss: LossArg,
    /// Dimensions of a vector
    #[arg(long, default_value_t = 100)]
    dim: usize,
    /// Largest distance of a context word, in words
    #[arg(long, default_value_t = 5)]
    window: usize,
    /// Passes over the corpus
    #[arg(long, default_value_t = 5)]
    epochs: usize,
    /// Negative samples per word
    #[arg(long, default_value_t = 5)]
    negatives: usize,
    /// Drop words with fewer occurrences
    #[arg(long, default_value_t = 5)]
    min_count: u64,
    /// Hash buckets of character n-grams; 0 for no n-grams
    #[arg(long, default_value_t = 200_000)]
    buckets: usize,
    /// Shortest character n-gram, in letters
    #[arg(long, default_value_t = 3)]
    min_ngram: usize,
    /// Longest character n-gram, in letters
    #[arg(long, default_value_t = 6)]
    max_ngram: usize,
    /// Initial learning rate
    #[arg(long, default_value_t = 0.05)]
    rate: f32,
    /// Subsampling threshold of frequent words
    #[arg(long, default_value_t = 1e-4)]
    sampling: f64,
    /// Threads; one thread gives the same bytes for the same seed
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Save the state beside the model every so many seconds; resumes if the state exists (default: never)
    #[arg(long)]
    save_every: Option<u64>,
}

impl Args {
    fn settings(&self) -> TrainSettings {
        TrainSettings {
            dim: self.dim,
            window: self.window,
            epochs: self.epochs,
            min_count: self.min_count,
            model: match self.model {
                ModelArg::Skipgram => EmbeddingAlgorithm::SkipGram,
                ModelArg::Cbow => EmbeddingAlgorithm::Cbow,
            },
            loss: match self.loss {
                LossArg::Ns => Loss::Negative(self.negatives),
                LossArg::Hs => Loss::Hierarchical,
            },
            buckets: self.buckets,
            ngrams: (self.min_ngram, self.max_ngram),
            rate: self.rate,
            sampling: self.sampling,
            threads: self.threads,
            seed: self.seed,
        }
    }
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    must_differ(&args.corpus, &args.out)?;
    let settings = args.settings();
    let text = std::fs::read_to_string(&args.corpus).with_context(|| args.corpus.display().to_string())?;
    let vocabulary = CorpusVocabulary::of_file(&args.corpus, args.min_count, usize::MAX)?;
    let mut trainer = EmbeddingTrainer::new(vocabulary, settings)?;
    let state = args.out.with_extension("state");
    if args.save_every.is_some() && state.exists() {
        trainer.resume(&state)?;
    }
    let parts = split_lines(&text, (text.len() / ROUND_BYTES).max(1));
    let all = parts.len() as u64 * args.epochs as u64;
    let mut progress = ProgressLine::new(packs.json);
    let (mut saved, mut losses, before) = (Instant::now(), Vec::new(), trainer.progress().1);
    while trainer.rounds() < all {
        let loss = trainer.round(parts[(trainer.rounds() % parts.len() as u64) as usize]);
        losses.push(loss);
        let (total, read) = trainer.progress();
        progress.update(read - before, total - before, "words", &format!(", loss {loss:.4}"));
        if args.save_every.is_some_and(|s| saved.elapsed() >= Duration::from_secs(s)) {
            trainer.save(&state)?;
            saved = Instant::now();
        }
    }
    let seconds = progress.finish();
    // the mean over the whole training, as fastText reports it
    let loss = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    let words = trainer.vocabulary().words.len();
    let per_second = (trainer.progress().1 - before) as f64 / seconds;
    let model = trainer.finish();
    let bytes = if args.out.extension().is_some_and(|e| e == "vec") {
        semantics::files::write_text(&model.into_vectors())
    } else {
        model.write()
    };
    let part = args.out.with_extension("tmp");
    std::fs::write(&part, bytes).with_context(|| part.display().to_string())?;
    std::fs::rename(&part, &args.out).with_context(|| args.out.display().to_string())?;
    if state.exists() && args.save_every.is_some() {
        std::fs::remove_file(&state).with_context(|| state.display().to_string())?;
    }
    if packs.json {
        println!(
            "{}",
            serde_json::json!({"words": words, "loss": loss, "seconds": seconds, "words_per_s": per_second})
        );
    } else {
        println!("{words} words, loss {loss:.4}, {seconds:.1} s, {per_second:.0} words/s");
    }
    Ok(())
}
