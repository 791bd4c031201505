//! `parlour crossword make`: makes puzzles from the clue collections, the vocabulary and word lists of the user.

use super::word_sources::WordSources;
use anyhow::{Context, Result};
use crossword::engine::maker::{ConstructionRequest, Symmetry, ThemeEntry, make, read_template};
use crossword::formats::PuzzleFormat;
use crossword::rules::Puzzle;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Language: en, cs or pl
    #[arg(long, default_value = "en")]
    lang: String,
    /// Cells a side, 5 to 21
    #[arg(long, default_value_t = 9)]
    size: usize,
    /// Grid to fill instead of a drawn one: rows of . (open), # (block) and given letters
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    grid: Option<PathBuf>,
    /// Word with a fixed place, e.g. PIANO@1A; may be repeated
    #[arg(long, value_name = "WORD@1A", value_parser = ThemeEntry::parse)]
    theme: Vec<ThemeEntry>,
    /// Word list of the user, lines of WORD;SCORE with scores 0 (banned) to 100; may be repeated
    #[arg(long, value_name = "FILE")]
    wordlist: Vec<PathBuf>,
    /// Lowest score of a word, 0 to 100
    #[arg(long, default_value_t = 0.0)]
    min_score: f32,
    /// Symmetry of the blocks
    #[arg(long, value_enum, default_value_t = SymmetryName::Rotational)]
    symmetry: SymmetryName,
    /// 1 easy, 2 medium, 3 hard
    #[arg(long, default_value_t = 2)]
    difficulty: u8,
    /// Random seed; the same seed makes the same puzzle
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Make this many puzzles with consecutive seeds and print a summary; writes no file
    #[arg(long, value_name = "N", conflicts_with = "out")]
    trials: Option<u64>,
    /// Title; the size if absent
    #[arg(long, default_value = "")]
    title: String,
    /// Author
    #[arg(long, default_value = "Parlour")]
    author: String,
    /// File to write (.ipuz, .puz, .jpz, .xd, .exolve); standard output as ipuz if absent
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Data folder; the nearest `data` if absent
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print one JSON object about the puzzle
    #[arg(long)]
    json: bool,
}

/// Names of the symmetries.
#[derive(Clone, Copy, clap::ValueEnum)]
enum SymmetryName {
    /// Half-turn symmetry
    Rotational,
    /// Left and right are mirrored
    Mirror,
    /// No symmetry
    None,
}

pub fn run(args: Args) -> Result<()> {
    let begun = Instant::now();
    let sources = WordSources::open(args.data.as_deref(), &args.lang, &args.wordlist)?;
    let grid = match &args.grid {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            Some(read_template(&text).with_context(|| path.display().to_string())?)
        }
        None => None,
    };
    let size = grid.as_ref().map_or(args.size, crossword::rules::PuzzleGrid::width);
    let request = ConstructionRequest {
        size,
        difficulty: args.difficulty,
        seed: args.seed,
        title: if args.title.is_empty() { format!("{size} × {size}") } else { args.title.clone() },
        author: args.author.clone(),
        symmetry: match args.symmetry {
            SymmetryName::Rotational => Symmetry::Rotational,
            SymmetryName::Mirror => Symmetry::Mirror,
            SymmetryName::None => Symmetry::None,
        },
        min_score: args.min_score,
        grid,
        theme: args.theme.clone(),
    };
    if let Some(trials) = args.trials {
        return summary(&request, &sources, trials);
    }
    let puzzle = make(&request, &sources.clues, &sources.words, sources.language.as_ref())?;
    if let Some(path) = &args.out {
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        let format = PuzzleFormat::from_extension(&ending).unwrap_or(PuzzleFormat::Ipuz);
        super::write(path, &format.write(&puzzle)?)?;
    }
    if args.json {
        let (words, from_collection) = counts(&puzzle, &sources);
        let answers: Vec<String> = puzzle.entries.iter().filter_map(|entry| puzzle.answer(entry)).collect();
        let seconds = begun.elapsed().as_secs_f64();
        println!("{}", json!({"words": words, "from_book": from_collection, "answers": answers, "seconds": seconds}));
    } else if args.out.is_none() {
        println!("{}", crossword::formats::ipuz::write(&puzzle)?);
    }
    Ok(())
}

/// Number of words, and of words from the clue collection.
fn counts(puzzle: &Puzzle, sources: &WordSources) -> (usize, usize) {
    let known: std::collections::HashSet<&str> = sources.clues.answers().collect();
    let answers: Vec<String> = puzzle.entries.iter().filter_map(|entry| puzzle.answer(entry)).collect();
    (answers.len(), answers.iter().filter(|answer| known.contains(answer.as_str())).count())
}

/// Makes puzzles with consecutive seeds and prints how many succeed.
fn summary(request: &ConstructionRequest, sources: &WordSources, trials: u64) -> Result<()> {
    let (mut made, mut words, mut from_collection, mut unclued, mut seconds) = (0u64, 0, 0, 0, 0.0);
    for seed in request.seed..request.seed + trials {
        let begun = Instant::now();
        let request = ConstructionRequest { seed, ..request.clone() };
        if let Ok(puzzle) = make(&request, &sources.clues, &sources.words, sources.language.as_ref()) {
            let (all, known) = counts(&puzzle, sources);
            made += 1;
            words += all;
            from_collection += known;
            unclued += puzzle.entries.iter().filter(|entry| entry.clue.is_empty()).count();
        }
        seconds += begun.elapsed().as_secs_f64();
    }
    println!(
        "{}",
        json!({
            "size": request.size, "trials": trials, "made": made, "words": words,
            "from_collection": from_collection, "without_clue": unclued, "seconds": seconds,
        })
    );
    Ok(())
}
