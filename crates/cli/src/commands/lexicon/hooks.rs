//! `parlour lexicon hooks`: the letters that make another word before or after a word.

use super::LexiconArgs;
use crate::commands::scrabble::lexicons;
use anyhow::Result;
use lexicon::Tile;

#[derive(clap::Args)]
pub struct Args {
    /// The word or stem
    word: String,
    #[command(flatten)]
    lexicon: LexiconArgs,
}

pub fn run(args: Args) -> Result<()> {
    let lexicon = lexicons::open(&args.lexicon.lexicon)?;
    let alphabet = lexicon.alphabet();
    let word = alphabet.encode(&args.word)?;
    let hooks = lexicon.hooks(&word);
    let texts = |tiles: &[Tile]| tiles.iter().map(|&t| alphabet.text(t).to_owned()).collect::<Vec<_>>();
    let (front, back) = (texts(&hooks.front), texts(&hooks.back));
    let valid = lexicon.contains(&word);
    if args.lexicon.json {
        println!(
            "{}",
            serde_json::json!({ "word": alphabet.decode(&word), "valid": valid, "front": front, "back": back })
        );
    } else {
        let note = if valid { "" } else { " (not a word itself)" };
        println!("{}{} {}{note}", prefix(&front.concat()), alphabet.decode(&word), back.concat());
    }
    Ok(())
}

fn prefix(front: &str) -> String {
    if front.is_empty() { String::new() } else { format!("{front} ") }
}
