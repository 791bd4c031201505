//! `parlour codenames legal`.

use super::language_args::LanguageArgs;
use crate::commands::semantics::data;
use anyhow::{Context, Result, anyhow, bail};
use codenames::eval::{legality_report, read_labelled_pairs};
use codenames::rules::{ClueLegality, Strictness};
use std::path::PathBuf;

#[derive(Clone, Copy, clap::ValueEnum)]
enum Level {
    Relaxed,
    Standard,
    Strict,
}

#[derive(clap::Args)]
#[command(after_help = "Example: parlour codenames legal --lang cs --pairs pairs.tsv --level standard --json")]
pub struct Args {
    /// Labelled pairs: clue, board word and `legal` or `illegal`, tab-separated
    #[arg(long, conflicts_with = "clue")]
    pairs: Option<PathBuf>,
    /// A single clue to check against the board words that follow
    #[arg(long, requires = "words")]
    clue: Option<String>,
    /// Board words
    words: Vec<String>,
    /// Strictness
    #[arg(long, value_enum, default_value = "standard")]
    level: Level,
    #[command(flatten)]
    source: LanguageArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let folder = data::find(args.source.data.as_deref())?;
    let language = semantics::Language::open(&folder, &args.source.lang)?;
    let strictness = match args.level {
        Level::Relaxed => Strictness::Relaxed,
        Level::Standard => Strictness::Standard,
        Level::Strict => Strictness::Strict,
    };
    let legality = ClueLegality::new(Some(&language), strictness);
    if let Some(clue) = &args.clue {
        let refusal = legality.check(clue, &args.words).err();
        match (&refusal, args.json) {
            (_, true) => println!("{}", serde_json::json!({"legal": refusal.is_none(), "refusal": refusal})),
            (Some(refusal), false) => println!("illegal: {}", refusal.message),
            (None, false) => println!("legal"),
        }
        return Ok(());
    }
    let Some(path) = &args.pairs else { bail!("name labelled --pairs, or a --clue and board words") };
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let pairs = read_labelled_pairs(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    let report = legality_report(&legality, &pairs);
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!("{} pairs", report.pairs);
        println!("false accepts   {:.1} %", 100.0 * report.false_accept);
        println!("false refusals  {:.1} %", 100.0 * report.false_refuse);
        report.wrong.iter().for_each(|pair| println!("wrong: {pair}"));
    }
    Ok(())
}
