//! `parlour crossword fill`: fills a grid with words, or names the cells that make it impossible.

use super::word_sources::{WordSources, read_lists};
use anyhow::{Context, Result, bail};
use crossword::engine::maker::{FillOptions, FillWordList, Filler, WordTier, explain, read_template, write_words};
use crossword::rules::CellKind;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Grid: rows of . (open), # (block) and given letters
    grid: PathBuf,
    /// Word list of the user, lines of WORD;SCORE with scores 0 (banned) to 100; may be repeated
    #[arg(long, value_name = "FILE")]
    wordlist: Vec<PathBuf>,
    /// Language whose words are used too: en, cs or pl; only the word lists if absent
    #[arg(long)]
    lang: Option<String>,
    /// Lowest score of a word, 0 to 100
    #[arg(long, default_value_t = 0.0)]
    min_score: f32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Search steps of the first run; later runs get more
    #[arg(long, default_value_t = 4_000)]
    steps: usize,
    /// Data folder; the nearest `data` if absent
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    if args.lang.is_none() && args.wordlist.is_empty() {
        bail!("name a --wordlist or a --lang: there are no words to fill with");
    }
    let text = std::fs::read_to_string(&args.grid).with_context(|| args.grid.display().to_string())?;
    let mut grid = read_template(&text).with_context(|| args.grid.display().to_string())?;
    let words = match &args.lang {
        Some(lang) => WordSources::open(args.data.as_deref(), lang, &args.wordlist)?.words,
        None => FillWordList::of_user_words(&read_lists(&args.wordlist)?),
    };
    let options = FillOptions {
        seed: args.seed,
        min_score: args.min_score,
        worst_tier: WordTier::Rare,
        unlisted_may_cross: true,
        steps: args.steps,
    };
    let begun = Instant::now();
    let filled = Filler::new(&grid, &words).fill(&options);
    let seconds = begun.elapsed().as_secs_f64();
    let filled = match filled {
        Ok(filled) => filled,
        Err(failure) => bail!("{}", explain(&grid, &failure)),
    };
    write_words(&mut grid, &filled, &words);
    let row = |cells: &[crossword::rules::GridCell]| -> String {
        let mark = |cell: &crossword::rules::GridCell| match cell.kind {
            CellKind::Open => cell.solution.clone().unwrap_or_else(|| ".".to_owned()),
            _ => "#".to_owned(),
        };
        cells.iter().map(mark).collect()
    };
    let rows: Vec<String> = grid.rows().map(row).collect();
    if args.json {
        println!("{}", json!({"grid": rows, "score": filled.score, "seconds": seconds}));
    } else {
        rows.iter().for_each(|row| println!("{row}"));
    }
    Ok(())
}
