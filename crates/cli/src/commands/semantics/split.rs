//! `parlour semantics split`: homonyms as two words each, before training.

use super::PackArgs;
use super::output::must_differ;
use super::sense_args::{SenseArgs, is_function_word, vector};
use semantics::Language;
use semantics::corpus::senses::{Homonym, split};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics split book.corpus --out book.senses")]
pub struct Args {
    #[command(flatten)]
    senses: SenseArgs,
    /// The corpus to write, with `word#1` and `word#2` instead of homonyms
    #[arg(long)]
    out: PathBuf,
}

/// The words nearest to each cluster of contexts.
fn signs(language: &Language, homonym: &Homonym) -> [Vec<String>; 2] {
    homonym.kinds.each_ref().map(|kind| {
        let query = language.vectors().query(kind);
        let near = language.vectors().nearest(&query, 5, |word| language.zipf(word) > 2.5);
        near.iter().map(|(word, _)| language.words().text(*word).to_owned()).collect()
    })
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    must_differ(&args.senses.corpus, &args.out)?;
    let language = packs.open()?;
    let done = split(
        &args.senses.corpus,
        &args.out,
        &args.senses.settings(),
        |word| vector(&language, word),
        |word| is_function_word(&language, word),
    )?;
    if packs.json {
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
        println!("{} words examined, {} split", done.examined, done.homonyms.len());
    }
    Ok(())
}
