//! `parlour lexicon check`: read a lexicon and compare it with its word list.

use crate::commands::scrabble::lexicons;
use anyhow::{Context, Result, bail};
use lexicon::Tile;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    lexicon: String,
    /// The word list it should hold
    #[arg(long)]
    words: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let lexicon = lexicons::open(&args.lexicon)?;
    let mut words: Vec<Vec<Tile>> = lexicon.words().collect();
    let sorted = words.is_sorted();
    if words.len() as u64 != lexicon.word_count() || !sorted {
        bail!("{}: enumerates {} words, its header says {}", args.lexicon, words.len(), lexicon.word_count());
    }
    if let Some(path) = &args.words {
        let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
        let mut wanted: Vec<Vec<Tile>> =
            text.lines().filter_map(|l| lexicon.alphabet().encode(l.trim()).ok()).collect();
        wanted.retain(|w| w.len() >= 2 && w.len() <= lexicon.longest_word());
        wanted.sort();
        wanted.dedup();
        words.sort();
        if let Some(missing) = wanted.iter().find(|w| words.binary_search(w).is_err()) {
            bail!("{} is in the list but not in the lexicon", lexicon.alphabet().decode(missing));
        }
        if let Some(extra) = words.iter().find(|w| wanted.binary_search(w).is_err()) {
            bail!("{} is in the lexicon but not in the list", lexicon.alphabet().decode(extra));
        }
    }
    if args.json {
        println!("{}", serde_json::json!({ "ok": true, "words": words.len() }));
    } else {
        println!("{}: {} words, in order", args.lexicon, words.len());
    }
    Ok(())
}
