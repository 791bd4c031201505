//! `parlour semantics`: questions about words, and measures of the answers.

mod bench;
mod corpus;
pub(super) mod data;
mod eval;
mod senses;

use anyhow::{Context, bail};
use clap::Subcommand;
use semantics::{Assoc, ClueScorer, Language, Relation, WordId};
use std::path::PathBuf;

/// Where the packs are and which language is meant.
#[derive(clap::Args)]
pub struct Source {
    /// Language: en, cs, pl, sk
    #[arg(long, default_value = "en", global = true)]
    lang: String,
    /// Folder with the data packs (default: `data` beside the program or above it)
    #[arg(long, global = true)]
    data: Option<PathBuf>,
    /// Answer as JSON
    #[arg(long, global = true)]
    json: bool,
}

impl Source {
    fn open(&self) -> anyhow::Result<Language> {
        let data = data::find(self.data.as_deref())?;
        Ok(Language::open(&data, &self.lang)?)
    }
}

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// Words nearest to a word, or to several together
    Similar {
        /// The words; a word with a leading `-` (after `--`) counts against
        #[arg(required = true)]
        words: Vec<String>,
        /// How many
        #[arg(short, default_value_t = 10)]
        n: usize,
    },
    /// How alike two words are
    Compare { a: String, b: String },
    /// What links a clue and a word
    Explain { clue: String, word: String },
    /// Answers to a crossword clue
    Clue {
        text: String,
        /// Letters of the answer
        #[arg(long)]
        length: usize,
        /// How many
        #[arg(short, default_value_t = 10)]
        n: usize,
    },
    /// Measure against human data
    Eval(eval::Args),
    /// Measure how quickly packs open and questions are answered
    Bench,
    /// Turn a text into a corpus: one sentence a line, base forms, no function or rare words
    Prepare(corpus::PrepareArgs),
    /// Count which words of a corpus stand together, with bounded memory
    Count(corpus::CountArgs),
    /// Ask a matrix written by `count`
    Counts(corpus::CountsArgs),
    /// Make two words of each homonym of a corpus, to learn vectors by meaning
    Split(senses::SplitArgs),
    /// Learn word vectors from a corpus
    Train(corpus::TrainArgs),
}

pub fn run(args: Args) -> anyhow::Result<()> {
    match args.question {
        Question::Similar { ref words, n } => similar(&args.source, words, n),
        Question::Compare { ref a, ref b } => compare(&args.source, a, b),
        Question::Explain { ref clue, ref word } => explain(&args.source, clue, word),
        Question::Clue { ref text, length, n } => clue(&args.source, text, length, n),
        Question::Eval(ref eval) => eval::run(eval, &args.source),
        Question::Bench => bench::run(&args.source),
        Question::Prepare(ref a) => corpus::run_prepare(a, &args.source),
        Question::Count(ref a) => corpus::run_count(a, &args.source),
        Question::Counts(ref a) => corpus::run_counts(a, &args.source),
        Question::Split(ref a) => senses::run_split(a, &args.source),
        Question::Train(ref a) => corpus::run_train(a, &args.source),
    }
}

fn similar(source: &Source, words: &[String], n: usize) -> anyhow::Result<()> {
    let language = source.open()?;
    let mut sum = vec![0f32; language.vectors().dim()];
    let mut own: Vec<WordId> = Vec::new();
    for word in words {
        let (text, sign) = word.strip_prefix('-').map_or((word.as_str(), 1.0), |w| (w, -1.0));
        let vector = language.vector(text).with_context(|| format!("`{text}` is too short for a vector"))?;
        sum.iter_mut().zip(&vector).for_each(|(s, x)| *s += sign * x);
        own.extend(language.find_form(text));
    }
    let query = language.vectors().query(&sum);
    let found = language.vectors().nearest(&query, n, |w| !own.contains(&w) && language.zipf(w) > 1.5);
    let rows: Vec<_> =
        found.iter().map(|&(w, score)| serde_json::json!({"word": language.words().text(w), "score": score})).collect();
    if source.json {
        println!("{}", serde_json::to_string(&rows)?);
    } else {
        found.iter().for_each(|&(w, score)| println!("{score:.3}  {}", language.words().text(w)));
    }
    Ok(())
}

fn compare(source: &Source, a: &str, b: &str) -> anyhow::Result<()> {
    let language = source.open()?;
    let model = Assoc::new(&language);
    let (pa, pb) = (model.profile(a), model.profile(b));
    let cosine = language.similarity(a, b);
    let links: Vec<Relation> = match (pa.id, pb.id) {
        (Some(x), Some(y)) => language.relations().between(x, y),
        _ => Vec::new(),
    };
    let forward = model.probability(&pa, &pb);
    let backward = model.probability(&pb, &pa);
    if source.json {
        println!(
            "{}",
            serde_json::json!({"a": a, "b": b, "cosine": cosine, "association": {"a_b": forward, "b_a": backward},
                "likeness": semantics::eval::pairs::likeness(&model, &pa, &pb, &[]), "links": links})
        );
        return Ok(());
    }
    match cosine {
        Some(c) => println!("cosine            {c:.3}"),
        None => println!("cosine            unknown (a word too short for a vector)"),
    }
    println!("{a} → {b}  {forward:.3}\n{b} → {a}  {backward:.3}");
    links.iter().for_each(|l| println!("“{a}” {} “{b}”", l.phrase()));
    Ok(())
}

fn explain(source: &Source, clue: &str, word: &str) -> anyhow::Result<()> {
    let language = source.open()?;
    let model = Assoc::new(&language);
    let (c, w) = (model.profile(clue), model.profile(word));
    let reasons = model.explain(&c, &w);
    if source.json {
        println!(
            "{}",
            serde_json::json!({"clue": clue, "word": word, "probability": model.probability(&c, &w), "reasons": reasons})
        );
        return Ok(());
    }
    println!("{clue} → {word}: {:.3}", model.probability(&c, &w));
    reasons.iter().for_each(|r| println!("{:+.2}  {}", r.weight, r.text));
    if reasons.is_empty() {
        println!("nothing links them that we know of");
    }
    Ok(())
}

fn clue(source: &Source, text: &str, length: usize, n: usize) -> anyhow::Result<()> {
    let language = source.open()?;
    let scorer = ClueScorer::new(&language);
    if scorer.words_of_length(length).is_empty() {
        bail!("the vocabulary has no word of {length} letters");
    }
    let ranked = scorer.rank(text, length);
    let top = ranked.first().map_or(0.0, |r| r.1);
    let total: f32 = ranked.iter().map(|r| (r.1 - top).exp()).sum();
    let rows: Vec<(&str, f32)> =
        ranked.iter().take(n).map(|&(w, s)| (language.words().text(w), (s - top).exp() / total)).collect();
    if source.json {
        let rows: Vec<_> = rows.iter().map(|(w, p)| serde_json::json!({"word": w, "score": p})).collect();
        println!("{}", serde_json::to_string(&rows)?);
    } else {
        rows.iter().for_each(|(w, p)| println!("{p:.3}  {w}"));
    }
    Ok(())
}
