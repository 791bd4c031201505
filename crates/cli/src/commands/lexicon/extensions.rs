//! `parlour lexicon extensions`: the words that continue a word at the front or the back.

use super::LexiconArgs;
use crate::commands::scrabble::lexicons;
use anyhow::Result;
use lexicon::{Pattern, Tile};

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
    let find = |pattern: String| -> Result<Vec<String>> {
        let words = lexicon.matching(&Pattern::parse(&pattern, &lexicon)?, usize::MAX);
        let longer = |w: &&Vec<Tile>| w.len() > word.len();
        Ok(words.iter().filter(longer).map(|w| alphabet.decode(w)).collect())
    };
    let text = alphabet.decode(&word);
    let (front, back) = (find(format!("*{text}"))?, find(format!("{text}*"))?);
    if args.lexicon.json {
        println!("{}", serde_json::json!({ "word": text, "front": front, "back": back }));
    } else {
        println!("front: {}", front.join(" "));
        println!("back: {}", back.join(" "));
    }
    Ok(())
}
