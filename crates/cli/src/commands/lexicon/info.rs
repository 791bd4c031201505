//! `parlour lexicon info`: what a lexicon holds.

use super::LexiconArgs;
use crate::commands::scrabble::lexicons;
use anyhow::Result;

pub fn run(args: LexiconArgs) -> Result<()> {
    let lexicon = lexicons::open(&args.lexicon)?;
    let alphabet = lexicon.alphabet();
    if args.json {
        let letter = |l: &lexicon::Letter| serde_json::json!({ "letter": l.text, "count": l.count, "value": l.value });
        let answer = serde_json::json!({
            "language": alphabet.name(), "code": alphabet.code(), "words": lexicon.word_count(),
            "nodes": lexicon.node_count(), "node_bits": lexicon.node_bits(), "longest": lexicon.longest_word(),
            "blanks": alphabet.blanks(), "letters": alphabet.letters().iter().map(letter).collect::<Vec<_>>(),
        });
        println!("{answer}");
    } else {
        println!("{} ({})", alphabet.name(), alphabet.code());
        println!("{} words, the longest of {} letters", lexicon.word_count(), lexicon.longest_word());
        println!("{} nodes of {} bits", lexicon.node_count(), lexicon.node_bits());
        print!("{} tiles: ? {}×0", alphabet.tiles(), alphabet.blanks());
        for l in alphabet.letters() {
            print!("  {} {}×{}", l.text, l.count, l.value);
        }
        println!();
    }
    Ok(())
}
