//! `parlour semantics split` and `eval senses`: homonyms as words of their own before training.

use super::Source;
use anyhow::Context;
use semantics::corpus::senses::{Homonym, SplitSettings, split};
use semantics::eval::senses;
use semantics::{Language, WordFlags};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// The prepared corpus: one sentence a line
    corpus: PathBuf,
    /// Words that occur less often stay whole
    #[arg(long, default_value_t = SplitSettings::default().least)]
    least: u64,
    /// Places of a word that are looked at
    #[arg(long, default_value_t = SplitSettings::default().contexts)]
    contexts: usize,
    /// Words on either side that belong to a place
    #[arg(long, default_value_t = SplitSettings::default().window)]
    window: usize,
    /// The two kinds of places may be at most this alike (cosine)
    #[arg(long, default_value_t = SplitSettings::default().likeness)]
    likeness: f32,
    /// Memory to use, in MB
    #[arg(long, default_value_t = 512)]
    memory: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
pub struct SplitArgs {
    #[command(flatten)]
    how: Args,
    /// The corpus with `word#1` and `word#2` instead of homonyms
    #[arg(long)]
    out: PathBuf,
}

#[derive(clap::Args)]
pub struct EvalArgs {
    #[command(flatten)]
    how: Args,
    /// Homonyms to make, of two words each
    #[arg(long, default_value_t = 200)]
    pairs: usize,
    /// Keep the corpora with joined and with split words in this folder
    #[arg(long)]
    keep: Option<PathBuf>,
}

impl Args {
    fn settings(&self) -> SplitSettings {
        SplitSettings {
            least: self.least,
            contexts: self.contexts,
            window: self.window,
            likeness: self.likeness,
            memory: self.memory.saturating_mul(1_000_000),
            seed: self.seed,
            ..SplitSettings::default()
        }
    }
}

fn vector(language: &Language, word: &str) -> Option<Vec<f32>> {
    let id = language.find_form(word)?;
    language.vectors().has(id).then(|| language.vectors().get(id))
}

fn is_function_word(language: &Language, word: &str) -> bool {
    language.find_form(word).is_some_and(|id| language.words().flags(id).has(WordFlags::STOP))
}

/// The words nearest to each kind of surroundings.
fn signs(language: &Language, homonym: &Homonym) -> [Vec<String>; 2] {
    homonym.kinds.each_ref().map(|kind| {
        let query = language.vectors().query(kind);
        let near = language.vectors().nearest(&query, 5, |word| language.zipf(word) > 2.5);
        near.iter().map(|(word, _)| language.words().text(*word).to_owned()).collect()
    })
}

pub fn run_split(args: &SplitArgs, source: &Source) -> anyhow::Result<()> {
    super::corpus::must_differ(&args.how.corpus, &args.out)?;
    let language = source.open()?;
    let done = split(
        &args.how.corpus,
        &args.out,
        &args.how.settings(),
        |word| vector(&language, word),
        |word| is_function_word(&language, word),
    )?;
    if source.json {
        let rows: Vec<_> = done
            .homonyms
            .iter()
            .map(|homonym| {
                serde_json::json!({"word": homonym.word, "share": homonym.share, "likeness": homonym.likeness,
                    "stable": homonym.stable, "signs": signs(&language, homonym)})
            })
            .collect();
        println!("{}", serde_json::json!({"examined": done.examined, "split": rows}));
    } else {
        for homonym in &done.homonyms {
            let [one, two] = signs(&language, homonym).map(|words| words.join(", "));
            println!("{:16} {one}  |  {two} ({:.0}%)", homonym.word, 100.0 * homonym.share);
        }
        println!("{} words looked at, {} split", done.examined, done.homonyms.len());
    }
    Ok(())
}

pub fn run_eval(args: &EvalArgs, source: &Source) -> anyhow::Result<()> {
    let language = source.open()?;
    let folder = args.keep.clone().unwrap_or_else(|| args.how.corpus.with_extension("senses.tmp"));
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let report = senses::evaluate(
        &args.how.corpus,
        &folder,
        args.pairs,
        &args.how.settings(),
        |word| vector(&language, word),
        |word| is_function_word(&language, word),
    );
    if args.keep.is_none() {
        std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    let report = report?;
    if source.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!(
            "{} made-up homonyms: {:.0}% split, {:.1}% of their places right (chance {:.1}%); of {} other words {:.1}% \
             split",
            report.pairs,
            100.0 * report.found,
            100.0 * report.right,
            100.0 * report.chance,
            report.others,
            100.0 * report.others_split
        );
    }
    Ok(())
}
