//! `parlour lexicon list`: words by the probability of their tiles, for study.

use super::LexiconArgs;
use crate::commands::scrabble::lexicons;
use anyhow::Result;

#[derive(clap::Args)]
pub struct Args {
    /// Letters of the words
    #[arg(long, default_value_t = 7)]
    length: usize,
    /// Number of words
    #[arg(long, default_value_t = 100)]
    limit: usize,
    /// Words skipped before the first
    #[arg(long, default_value_t = 0)]
    offset: usize,
    #[command(flatten)]
    lexicon: LexiconArgs,
}

pub fn run(args: Args) -> Result<()> {
    let lexicon = lexicons::open(&args.lexicon.lexicon)?;
    let list = lexicon.by_probability(args.length);
    let shown = list.iter().enumerate().skip(args.offset).take(args.limit);
    let entry =
        |(i, (word, ways)): (usize, &(Vec<lexicon::Tile>, f64))| (i + 1, lexicon.alphabet().decode(word), *ways);
    if args.lexicon.json {
        let json = |(rank, word, ways): (usize, String, f64)| serde_json::json!({ "rank": rank, "word": word, "combinations": ways });
        println!("{}", serde_json::Value::from(shown.map(entry).map(json).collect::<Vec<_>>()));
    } else {
        for (rank, word, ways) in shown.map(entry) {
            println!("{rank:>6} {word:<16} {ways:.0}");
        }
    }
    Ok(())
}
