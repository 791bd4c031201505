//! `parlour semantics prepare|count|counts|train`: models from the user's own text.

use super::Source;
use crate::commands::queue::QueueArgs;
use anyhow::{Context, bail};
use semantics::WordId;
use semantics::corpus::count::{CountMatrix, CountSettings, Together, count};
use semantics::corpus::prepare::{PrepareSettings, prepare};
use semantics::corpus::train::{Loss, Model, TrainSettings, Trainer, split_lines};
use semantics::corpus::vocabulary::Vocabulary;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct PrepareArgs {
    /// The text; paragraphs end at blank lines
    text: PathBuf,
    /// The prepared corpus: one sentence a line
    #[arg(long)]
    out: PathBuf,
    /// Drop words that occur less often
    #[arg(long, default_value_t = 5)]
    min_count: u64,
    /// Drop sentences that are left with fewer words
    #[arg(long, default_value_t = 2)]
    min_words: usize,
    /// Keep inflected forms
    #[arg(long)]
    keep_forms: bool,
    /// Keep function words
    #[arg(long)]
    keep_stop_words: bool,
}

#[derive(clap::Args)]
pub struct CountArgs {
    /// The prepared corpus: one sentence a line
    corpus: PathBuf,
    /// The matrix
    #[arg(long)]
    out: PathBuf,
    /// Memory to use, in MB
    #[arg(long, default_value_t = 512)]
    memory: usize,
    /// Count within so many words instead of within sentences
    #[arg(long)]
    window: Option<usize>,
    /// Let near neighbours weigh more: 1/distance
    #[arg(long, requires = "window")]
    by_distance: bool,
    /// Leave out words that occur less often
    #[arg(long, default_value_t = 5)]
    min_count: u64,
    /// Leave out pairs with a smaller weight
    #[arg(long, default_value_t = 0.0)]
    least: f32,
    /// Count in shards of so many MB of text, each a job of the queue; without it the corpus is counted as one piece
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=256))]
    shards: Option<u64>,
    /// Shards at once, if they are counted by this process
    #[arg(long, default_value_t = 1, requires = "shards")]
    threads: usize,
    #[command(flatten)]
    queue: QueueArgs,
}

#[derive(clap::Args)]
pub struct CountsArgs {
    /// A matrix written by `count`
    matrix: PathBuf,
    word: String,
    /// Only this other word
    other: Option<String>,
    /// Sort by: together, ratio, pmi, npmi, chi2
    #[arg(long, default_value = "npmi")]
    by: String,
    /// How many
    #[arg(short, default_value_t = 20)]
    n: usize,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ModelKind {
    Skipgram,
    Cbow,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LossKind {
    Ns,
    Hs,
}

#[derive(clap::Args)]
pub struct TrainArgs {
    /// The prepared corpus: one sentence a line
    corpus: PathBuf,
    /// The model: a fastText file, or text vectors if the name ends in `.vec`
    #[arg(long)]
    out: PathBuf,
    #[arg(long, value_enum, default_value = "skipgram")]
    model: ModelKind,
    /// Negative sampling or hierarchical softmax
    #[arg(long, value_enum, default_value = "ns")]
    loss: LossKind,
    #[arg(long, default_value_t = 100)]
    dim: usize,
    #[arg(long, default_value_t = 5)]
    window: usize,
    #[arg(long, default_value_t = 5)]
    epochs: usize,
    #[arg(long, default_value_t = 5)]
    negatives: usize,
    #[arg(long, default_value_t = 5)]
    min_count: u64,
    /// Buckets of n-grams; 0: no n-grams
    #[arg(long, default_value_t = 200_000)]
    buckets: usize,
    #[arg(long, default_value_t = 3)]
    min_ngram: usize,
    #[arg(long, default_value_t = 6)]
    max_ngram: usize,
    #[arg(long, default_value_t = 0.05)]
    rate: f32,
    #[arg(long, default_value_t = 1e-4)]
    sampling: f64,
    #[arg(long, default_value_t = 2)]
    threads: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Save the state beside the model after so many seconds, and go on from it if it is there
    #[arg(long)]
    save_every: Option<u64>,
}

/// Says now and then how far a long work is, if a person is watching.
struct Watch {
    started: Instant,
    said: Instant,
    shown: bool,
}

impl Watch {
    fn new(json: bool) -> Watch {
        let now = Instant::now();
        Watch { started: now, said: now, shown: !json && std::io::stderr().is_terminal() }
    }

    fn say(&mut self, done: u64, all: u64, unit: &str, more: &str) {
        if !self.shown || self.said.elapsed() < Duration::from_millis(500) || done == 0 {
            return;
        }
        self.said = Instant::now();
        let seconds = self.started.elapsed().as_secs_f64();
        let left = seconds * (all.saturating_sub(done)) as f64 / done as f64;
        eprint!(
            "\r{:5.1}%  {:.0} {unit}/s  {left:.0} s left{more}   ",
            100.0 * done as f64 / all.max(1) as f64,
            done as f64 / seconds
        );
    }

    fn end(&self) -> f64 {
        if self.shown {
            eprintln!();
        }
        self.started.elapsed().as_secs_f64()
    }
}

pub(super) fn must_differ(from: &Path, to: &Path) -> anyhow::Result<()> {
    if from == to {
        bail!("{}: --out must be another file", to.display());
    }
    Ok(())
}

pub fn run_prepare(args: &PrepareArgs, source: &Source) -> anyhow::Result<()> {
    must_differ(&args.text, &args.out)?;
    let language = source.open()?;
    let settings = PrepareSettings {
        lemmatise: !args.keep_forms,
        drop_stop_words: !args.keep_stop_words,
        min_count: args.min_count,
        min_words: args.min_words,
        memory: 1 << 30,
    };
    let size = std::fs::metadata(&args.text).with_context(|| args.text.display().to_string())?.len();
    let mut watch = Watch::new(source.json);
    let done = prepare(&language, &args.text, &settings, &args.out, &mut |n| watch.say(n, size, "bytes", ""))?;
    let seconds = watch.end();
    if source.json {
        println!("{}", serde_json::json!({"prepared": done, "seconds": seconds}));
    } else {
        println!("{} sentences, {} words, {} different, {seconds:.1} s", done.sentences, done.words, done.different);
    }
    Ok(())
}

pub fn run_count(args: &CountArgs, source: &Source) -> anyhow::Result<()> {
    must_differ(&args.corpus, &args.out)?;
    if args.shards.is_none() && !args.queue.is_local() {
        bail!("--queue {} needs --shards: one piece is counted by this process", args.queue.queue);
    }
    let scratch = args.out.with_extension("scratch.tmp");
    std::fs::create_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
    let settings = CountSettings {
        memory: args.memory.saturating_mul(1_000_000),
        together: match args.window {
            Some(words) => Together::Window { words, by_distance: args.by_distance },
            None => Together::Sentence,
        },
        min_count: args.min_count,
        least: args.least,
        scratch: scratch.clone(),
    };
    let mut watch = Watch::new(source.json);
    let counted = match args.shards {
        None => count(&args.corpus, &settings, &args.out, &mut |n, all| watch.say(n, all, "sentences", ""))
            .map_err(anyhow::Error::from),
        Some(megabytes) => args.queue.open(args.threads).and_then(|queue| {
            let mut say = |n, all| watch.say(n, all, "shards", "");
            let bytes = megabytes * 1_000_000;
            Ok(lab::corpus_counting::count(queue.submitter(), &args.corpus, &settings, bytes, &args.out, &mut say)?)
        }),
    };
    let seconds = watch.end();
    std::fs::remove_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
    let counted = counted?;
    if source.json {
        println!("{}", serde_json::json!({"counted": counted, "seconds": seconds}));
    } else {
        println!(
            "{} words, {} sentences, {} entries, {} runs on disk, {seconds:.1} s",
            counted.words, counted.sentences, counted.entries, counted.runs
        );
    }
    Ok(())
}

pub fn run_counts(args: &CountsArgs, source: &Source) -> anyhow::Result<()> {
    let matrix = CountMatrix::open(&args.matrix)?;
    let find = |word: &str| -> anyhow::Result<WordId> {
        matrix.words().id(word).with_context(|| format!("`{word}` is not in the matrix"))
    };
    let word = find(&args.word)?;
    let mut rows: Vec<_> = match &args.other {
        Some(other) => {
            let other = find(other)?;
            vec![(other, matrix.measures(word, other))]
        }
        None => matrix.row(word).collect(),
    };
    let key = |m: &semantics::cooccurrence::Measures| {
        Some(match args.by.as_str() {
            "together" => m.together,
            "ratio" => m.ratio,
            "pmi" => m.pmi,
            "npmi" => m.npmi,
            "chi2" => m.chi2,
            _ => return None,
        })
    };
    if rows.first().is_some_and(|r| key(&r.1).is_none()) {
        bail!("--by {}: expected together, ratio, pmi, npmi or chi2", args.by);
    }
    rows.sort_by(|a, b| key(&b.1).unwrap_or(0.0).total_cmp(&key(&a.1).unwrap_or(0.0)).then(a.0.cmp(&b.0)));
    for (other, m) in rows.iter().take(args.n) {
        let text = matrix.words().text(*other);
        if source.json {
            println!(
                "{}",
                serde_json::json!({"word": text, "together": m.together, "ratio": m.ratio, "pmi": m.pmi,
                    "ppmi": m.ppmi, "npmi": m.npmi, "chi2": m.chi2})
            );
        } else {
            println!(
                "{text:20} together {:.2}  ratio {:.3}  PMI {:.2}  NPMI {:.3}  χ² {:.1}",
                m.together, m.ratio, m.pmi, m.npmi, m.chi2
            );
        }
    }
    Ok(())
}

pub fn run_train(args: &TrainArgs, source: &Source) -> anyhow::Result<()> {
    must_differ(&args.corpus, &args.out)?;
    let settings = TrainSettings {
        dim: args.dim,
        window: args.window,
        epochs: args.epochs,
        min_count: args.min_count,
        model: match args.model {
            ModelKind::Skipgram => Model::SkipGram,
            ModelKind::Cbow => Model::Cbow,
        },
        loss: match args.loss {
            LossKind::Ns => Loss::Negative(args.negatives),
            LossKind::Hs => Loss::Hierarchical,
        },
        buckets: args.buckets,
        ngrams: (args.min_ngram, args.max_ngram),
        rate: args.rate,
        sampling: args.sampling,
        threads: args.threads,
        seed: args.seed,
    };
    let text = std::fs::read_to_string(&args.corpus).with_context(|| args.corpus.display().to_string())?;
    let vocabulary = Vocabulary::of_file(&args.corpus, args.min_count, usize::MAX)?;
    let mut trainer = Trainer::new(vocabulary, settings)?;
    let state = args.out.with_extension("state");
    if args.save_every.is_some() && state.exists() {
        trainer.resume(&state)?;
    }
    // parts small enough that progress can be shown and the state saved between them
    let parts = split_lines(&text, (text.len() / (8 << 20)).max(1));
    let all = parts.len() as u64 * args.epochs as u64;
    let mut watch = Watch::new(source.json);
    let (mut saved, mut losses, before) = (Instant::now(), Vec::new(), trainer.progress().1);
    while trainer.rounds() < all {
        let loss = trainer.round(parts[(trainer.rounds() % parts.len() as u64) as usize]);
        losses.push(loss);
        let (total, read) = trainer.progress();
        watch.say(read - before, total - before, "words", &format!(", loss {loss:.4}"));
        if args.save_every.is_some_and(|s| saved.elapsed() >= Duration::from_secs(s)) {
            trainer.save(&state)?;
            saved = Instant::now();
        }
    }
    let seconds = watch.end();
    // over the whole training, as fastText shows it
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
    if source.json {
        println!(
            "{}",
            serde_json::json!({"words": words, "loss": loss, "seconds": seconds, "words_per_s": per_second})
        );
    } else {
        println!("{words} words, loss {loss:.4}, {seconds:.1} s, {per_second:.0} words/s");
    }
    Ok(())
}
