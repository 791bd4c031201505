//! `parlour crossword import-clues`

use super::puzzle_files;
use anyhow::{Context, Result};
use crossword::engine::clue_database::ClueDatabaseBuilder;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// TSV or CSV (answer, clue), JSON lines of puzzles, or puzzle files with solutions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The clue database file to write
    #[arg(long, value_name = "DB")]
    out: PathBuf,
    /// Exclude the puzzles of JSON lines files that `eval --sample N --seed S` tests on
    #[arg(long, value_name = "N", default_value_t = 0)]
    except_sample: usize,
    /// Exclude the first N of the remaining puzzles too, for fitting
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let started = Instant::now();
    let mut builder = ClueDatabaseBuilder::default();
    let mut refused = 0usize;
    let mut asked = Vec::new();
    for path in &args.files {
        refused += add(&mut builder, path, &args, &mut asked).with_context(|| path.display().to_string())?;
    }
    let pairs = builder.pairs();
    let bytes = builder.finish();
    super::write(&args.out, &bytes)?;
    let seconds = started.elapsed().as_secs_f64();
    let lookup = lookup_ms(&args.out, &asked)?;
    if args.json {
        let bytes = bytes.len();
        println!(
            "{}",
            json!({"pairs": pairs, "bytes": bytes, "seconds": seconds, "left_out": refused, "lookup_ms": lookup})
        );
    } else {
        println!(
            "{pairs} pairs in {} bytes, {refused} lines rejected, {seconds:.1} s; {lookup:.2} ms per lookup",
            bytes.len()
        );
    }
    Ok(())
}

/// Number of clues for the lookup benchmark.
const ASKED: usize = 200;

/// Mean lookup time per clue in the written database, in milliseconds.
fn lookup_ms(path: &Path, asked: &[(String, usize)]) -> Result<f64> {
    let database = super::open_database(path)?;
    let started = Instant::now();
    for (clue, length) in asked {
        std::hint::black_box(database.recall(clue, *length, 1000));
    }
    Ok(started.elapsed().as_secs_f64() * 1000.0 / asked.len().max(1) as f64)
}

/// Adds a file's pairs and keeps some of them for the lookup benchmark; returns the number of rejected pairs.
fn add(builder: &mut ClueDatabaseBuilder, path: &Path, args: &Args, asked: &mut Vec<(String, usize)>) -> Result<usize> {
    let mut refused = 0;
    let mut take = |builder: &mut ClueDatabaseBuilder, answer: &str, clue: &str| -> Result<()> {
        refused += usize::from(!builder.add(answer, clue)?);
        if asked.len() < ASKED {
            asked.push((clue.to_owned(), answer.chars().count()));
        }
        Ok(())
    };
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let plain = name.trim_end_matches(".gz");
    if puzzle_files::is_lines(path) {
        let text = String::from_utf8(puzzle_files::bytes(path)?).context("not UTF-8")?;
        let except = puzzle_files::sample(puzzle_files::lines(&text).count(), args.except_sample, args.seed);
        let mut skipped = 0;
        for (number, line) in puzzle_files::lines(&text).enumerate() {
            let puzzle = puzzle_files::puzzle(line?)?;
            if except.contains(&number) {
                continue;
            }
            if skipped < args.skip {
                skipped += 1;
                continue;
            }
            for entry in &puzzle.entries {
                take(builder, &puzzle.answer(entry).unwrap_or_default(), &entry.clue)?;
            }
        }
    } else if plain.ends_with(".tsv") || plain.ends_with(".txt") || plain.ends_with(".csv") {
        let text = String::from_utf8_lossy(&puzzle_files::bytes(path)?).into_owned();
        let divider = if plain.ends_with(".csv") { ',' } else { '\t' };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (answer, clue) = line.split_once(divider).unwrap_or((line, ""));
            take(builder, answer.trim_matches('"'), clue.trim().trim_matches('"'))?;
        }
    } else {
        for puzzle in puzzle_files::read(path)? {
            for entry in &puzzle.entries {
                take(builder, &puzzle.answer(entry).unwrap_or_default(), &entry.clue)?;
            }
        }
    }
    Ok(refused)
}
