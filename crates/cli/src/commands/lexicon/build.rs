//! `parlour lexicon build`: make a lexicon file from a word list.

use crate::commands::scrabble::lexicons;
use anyhow::{Context, Result};
use lexicon::LexiconBuilder;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Word list in UTF-8, one word a line; case does not matter
    file: PathBuf,
    /// Tiles: en, cs, pl, sk or a tile file; by default counts and values are proposed from the list
    #[arg(long)]
    tiles: Option<String>,
    /// Output file; in data/lexicon the language is offered at tables
    #[arg(long)]
    out: PathBuf,
    /// Longest word in letters; 8 makes the light variant
    #[arg(long)]
    max_length: Option<usize>,
    /// Name of a proposed language; a plain word such as `hu` is also its code
    #[arg(long, default_value = "Own")]
    name: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let started = Instant::now();
    let bytes = std::fs::read(&args.file).with_context(|| format!("{}", args.file.display()))?;
    let text = String::from_utf8(bytes)
        .map_err(|e| anyhow::anyhow!("{}: not UTF-8 at byte {}", args.file.display(), e.utf8_error().valid_up_to()))?;
    let alphabet = match &args.tiles {
        Some(tiles) => lexicons::tiles(tiles)?,
        None => lexicon::propose_tiles(&text, &args.name, &code(&args.name))?,
    };
    let mut builder = LexiconBuilder::new(alphabet);
    if let Some(letters) = args.max_length {
        builder = builder.max_length(letters);
    }
    builder.add_text(&text);
    let report = builder.report().clone();
    let lexicon = builder.build()?;
    let bytes = lexicon.save(&args.out)?;
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        let answer = serde_json::json!({
            "words": lexicon.word_count(), "nodes": lexicon.node_count(), "bytes": bytes, "seconds": seconds,
            "left_out": { "without_tile": report.without_tile, "wrong_length": report.wrong_length },
        });
        println!("{answer}");
    } else {
        println!("{} words, {} nodes, {bytes} bytes in {seconds:.2} s", lexicon.word_count(), lexicon.node_count());
        if report.without_tile > 0 {
            let some = report.first_without_tile.join(", ");
            println!("{} lines have letters without a tile and were left out: {some} …", report.without_tile);
        }
        if report.wrong_length > 0 {
            println!("{} words are too short or too long and were left out", report.wrong_length);
        }
        if args.tiles.is_none() {
            println!("proposed tiles:\n{}", lexicon.alphabet().to_text());
        }
    }
    Ok(())
}

/// The code of a proposed language: its name in lower case where that is a plain word, otherwise `own`.
fn code(name: &str) -> String {
    let plain = !name.is_empty() && name.len() <= 24 && name.bytes().all(|b| b.is_ascii_alphanumeric());
    if plain { name.to_lowercase() } else { "own".into() }
}
