//! `parlour crossword eval`

use super::{Sources, puzzles};
use anyhow::{Context, Result, bail};
use crossword::puzzle::Puzzle;
use crossword::solver::{Knowledge, Solution, solve};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// Puzzles with solutions: files, folders of files, or JSON lines (also gzipped)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// At most so many puzzles
    #[arg(long)]
    limit: Option<usize>,
    /// Only the puzzles of JSON lines files whose number (from 0) is listed in this file, one a line
    #[arg(long, value_name = "FILE")]
    only: Option<PathBuf>,
    /// Most seconds per puzzle
    #[arg(long, default_value_t = 10.0)]
    time: f64,
    #[command(flatten)]
    sources: Sources,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Ranks at which recall is counted.
const RANKS: [usize; 4] = [1, 10, 100, 1000];
/// Bins of stated chance.
const BINS: usize = 10;

#[derive(Default)]
struct Counts {
    puzzles: usize,
    words: usize,
    words_right: usize,
    letters: usize,
    letters_right: usize,
    perfect: usize,
    recalled: [usize; RANKS.len()],
    seconds: f64,
    word_bins: [(usize, f64, usize); BINS],
    letter_bins: [(usize, f64, usize); BINS],
}

pub fn run(args: Args) -> Result<()> {
    let only: Option<Vec<usize>> = match &args.only {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            Some(text.split_whitespace().filter_map(|word| word.parse().ok()).collect())
        }
        None => None,
    };
    let mut all = Vec::new();
    for path in &args.paths {
        for file in files(path)? {
            let puzzles = puzzles::read(&file)?;
            let listed = only.as_ref().filter(|_| puzzles::is_lines(&file));
            all.extend(
                puzzles
                    .into_iter()
                    .enumerate()
                    .filter(|(at, _)| listed.is_none_or(|only| only.contains(at)))
                    .map(|(_, puzzle)| puzzle),
            );
        }
    }
    if let Some(limit) = args.limit {
        all.truncate(limit);
    }
    if let Some(puzzle) = all.iter().find(|puzzle| !puzzle.has_solution()) {
        bail!("{:?} has no solution to compare with", puzzle.meta.title);
    }
    let opened = args.sources.open()?;
    let scorer = semantics::ClueScorer::new(&opened.language);
    let knowledge = Knowledge::new(&scorer, opened.memory.as_ref(), &opened.lists);
    let mut counts = Counts::default();
    for puzzle in all {
        one(&puzzle, &knowledge, args.time, &mut counts)?;
        if !args.json {
            eprint!("\r{} puzzles, {} of {} words", counts.puzzles, counts.words_right, counts.words);
        }
    }
    print(&counts, args.json);
    Ok(())
}

fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(path)
        .with_context(|| path.display().to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| {
            file.extension()
                .is_some_and(|end| crossword::formats::Format::from_extension(&end.to_string_lossy()).is_some())
        })
        .collect();
    files.sort();
    Ok(files)
}

fn one(puzzle: &Puzzle, knowledge: &Knowledge<'_>, time: f64, counts: &mut Counts) -> Result<()> {
    let mut empty = puzzle.clone();
    empty.grid.cells_mut().iter_mut().filter(|cell| !cell.given).for_each(|cell| cell.fill = None);
    let started = Instant::now();
    let solution = solve(&empty, knowledge, Duration::from_secs_f64(time))?;
    counts.seconds += started.elapsed().as_secs_f64();
    counts.puzzles += 1;
    compare(puzzle, &solution, counts);
    let calibration = knowledge
        .calibrations()
        .iter()
        .find(|c| c.name == solution.calibration)
        .context("the calibration is one of ours")?;
    for entry in &puzzle.entries {
        let answer = puzzle.answer(entry).unwrap_or_default();
        let gathered = knowledge.gather(&entry.clue, entry.cells.len());
        let Some((_, evidence)) = gathered.candidates.iter().find(|(word, _)| *word == answer) else { continue };
        let own = calibration.score(evidence);
        let rank = 1 + gathered.candidates.iter().filter(|(_, other)| calibration.score(other) > own).count();
        for (count, limit) in counts.recalled.iter_mut().zip(RANKS) {
            *count += usize::from(rank <= limit);
        }
    }
    Ok(())
}

fn compare(puzzle: &Puzzle, solution: &Solution, counts: &mut Counts) {
    let mut right = 0;
    for (entry, belief) in puzzle.entries.iter().zip(&solution.entries) {
        let is_right = puzzle.answer(entry).is_some_and(|answer| answer == belief.answer);
        right += usize::from(is_right);
        bin(&mut counts.word_bins, belief.probability, is_right);
    }
    counts.words += puzzle.entries.len();
    counts.words_right += right;
    counts.perfect += usize::from(right == puzzle.entries.len());
    for (cell, belief) in puzzle.grid.cells().iter().zip(&solution.cells) {
        if let (Some(want), Some(belief)) = (&cell.solution, belief) {
            let is_right = want.starts_with(belief.letter);
            counts.letters += 1;
            counts.letters_right += usize::from(is_right);
            bin(&mut counts.letter_bins, belief.probability, is_right);
        }
    }
}

fn bin(bins: &mut [(usize, f64, usize); BINS], chance: f64, right: bool) {
    let bin = &mut bins[((chance * BINS as f64) as usize).min(BINS - 1)];
    bin.0 += 1;
    bin.1 += chance;
    bin.2 += usize::from(right);
}

/// Expected calibration error: mean distance between stated chance and share that is right.
fn calibration_error(bins: &[(usize, f64, usize); BINS]) -> f64 {
    let total: usize = bins.iter().map(|bin| bin.0).sum();
    bins.iter().map(|&(_, stated, right)| (stated - right as f64).abs()).sum::<f64>() / total.max(1) as f64
}

fn print(counts: &Counts, as_json: bool) {
    let share = |part: usize| part as f64 / counts.words.max(1) as f64;
    let recall: serde_json::Map<_, _> =
        RANKS.iter().zip(counts.recalled).map(|(rank, count)| (rank.to_string(), json!(share(count)))).collect();
    let bins = |bins: &[(usize, f64, usize); BINS]| -> Vec<_> {
        bins.iter().filter(|bin| bin.0 > 0).map(|&(count, stated, right)| json!({"count": count, "stated": stated / count as f64, "right": right as f64 / count as f64})).collect()
    };
    let report = json!({
        "puzzles": counts.puzzles,
        "words": counts.words,
        "words_right": counts.words_right,
        "letters": counts.letters,
        "letters_right": counts.letters_right,
        "perfect": counts.perfect,
        "seconds": counts.seconds,
        "recall": recall,
        "calibration": {
            "word_error": calibration_error(&counts.word_bins),
            "letter_error": calibration_error(&counts.letter_bins),
            "words": bins(&counts.word_bins),
            "letters": bins(&counts.letter_bins),
        },
    });
    if as_json {
        println!("{report}");
    } else {
        eprintln!();
        println!("{report:#}");
    }
}
