//! `parlour crossword make`: makes puzzles from the clue collections and the vocabulary.

use anyhow::{Context, Result};
use crossword::engine::maker::{ClueCollection, ConstructionRequest, FillWordList, make};
use crossword::formats::ipuz;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Language: en, cs or pl
    #[arg(long, default_value = "en")]
    lang: String,
    /// Cells a side: 5 to 8, or an odd number from 9 to 21
    #[arg(long, default_value_t = 9)]
    size: usize,
    /// 1 easy, 2 medium, 3 hard
    #[arg(long, default_value_t = 2)]
    difficulty: u8,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value = "")]
    title: String,
    #[arg(long, default_value = "Parlour")]
    author: String,
    /// The ipuz file to write; standard output if absent
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Data folder; the nearest `data` if absent and clue books
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print one JSON object about the puzzle
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let begun = Instant::now();
    let folder = super::super::semantics::data::find(args.data.as_deref())?;
    let path = folder.join("clues").join(format!("{}.tsv", args.lang));
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let book =
        ClueCollection::parse(&args.lang, &text).map_err(|fault| anyhow::anyhow!("{}: {fault}", path.display()))?;
    let language = semantics::Language::open(&folder, &args.lang).ok();
    let bank = FillWordList::new(&book, language.as_ref());
    let wish = ConstructionRequest {
        size: args.size,
        difficulty: args.difficulty,
        seed: args.seed,
        title: if args.title.is_empty() { format!("{0} × {0}", args.size) } else { args.title },
        author: args.author,
    };
    let puzzle = make(&wish, &book, &bank, language.as_ref())?;
    let text = ipuz::write(&puzzle)?;
    let answers: Vec<String> = puzzle.entries.iter().filter_map(|entry| puzzle.answer(entry)).collect();
    let from_book = answers.iter().filter(|answer| book.answers().any(|known| known == *answer)).count();
    if let Some(path) = &args.out {
        super::write(path, text.as_bytes())?;
    }
    if args.json {
        let seconds = begun.elapsed().as_secs_f64();
        println!("{}", json!({"words": answers.len(), "from_book": from_book, "answers": answers, "seconds": seconds}));
    } else if args.out.is_none() {
        println!("{text}");
    }
    Ok(())
}
