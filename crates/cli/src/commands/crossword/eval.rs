//! `parlour crossword eval`

use super::{SolverSources, puzzle_files};
use anyhow::{Context, Result, bail};
use crossword::engine::gdowski;
use crossword::engine::solver::{Evidence, Knowledge, SolvedGrid, solve_explained};
use crossword::rules::Puzzle;
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// Puzzles with solutions: files, folders of files, or JSON lines (also gzipped)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Maximum number of puzzles
    #[arg(long)]
    limit: Option<usize>,
    /// Random sample of this many puzzles of each JSON lines file
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Solving method
    #[arg(long, value_enum, default_value_t = Method::Strong)]
    method: Method,
    /// Write a reliability diagram (stated probability against share right) to this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Time limit per puzzle in seconds
    #[arg(long, default_value_t = 10.0)]
    time: f64,
    #[command(flatten)]
    sources: SolverSources,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The solving method.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Method {
    /// All evidence, belief propagation, local search
    Strong,
    /// Gdowski 2019: clue vectors, order of slots, best-first search
    #[value(alias = "study")]
    Gdowski,
}

/// Ranks at which recall is measured.
const RANKS: [usize; 4] = [1, 10, 100, 1000];
/// Bins of stated probability.
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
    by_meaning: [usize; RANKS.len()],
    by_database: [usize; RANKS.len()],
    seconds: f64,
    /// Number of puzzles per chosen calibration.
    chosen: std::collections::BTreeMap<&'static str, usize>,
    word_bins: [(usize, f64, usize); BINS],
    letter_bins: [(usize, f64, usize); BINS],
}

pub fn run(args: Args) -> Result<()> {
    let mut all = Vec::new();
    for path in &args.paths {
        for file in puzzle_files::files(path)? {
            let puzzles = puzzle_files::read(&file)?;
            let drawn = args.sample.filter(|_| puzzle_files::is_lines(&file));
            let drawn = drawn.map(|count| puzzle_files::sample(puzzles.len(), count, args.seed));
            let wanted = |at: &usize| drawn.as_ref().is_none_or(|drawn| drawn.contains(at));
            all.extend(puzzles.into_iter().enumerate().filter(|(at, _)| wanted(at)).map(|(_, puzzle)| puzzle));
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
    let knowledge = opened.knowledge(&scorer);
    let mut counts = Counts::default();
    for puzzle in all {
        match args.method {
            Method::Strong => one(&puzzle, &knowledge, args.time, &mut counts)?,
            Method::Gdowski => by_gdowski(&puzzle, &opened.language, args.time, &mut counts),
        }
        if !args.json {
            eprint!("\r{} puzzles, {} of {} words", counts.puzzles, counts.words_right, counts.words);
        }
    }
    if let Some(path) = &args.plot {
        super::write(path, plot(&counts).as_bytes())?;
    }
    print(&counts, args.json);
    Ok(())
}

fn one(puzzle: &Puzzle, knowledge: &Knowledge<'_>, time: f64, counts: &mut Counts) -> Result<()> {
    let mut empty = puzzle.clone();
    empty.grid.cells_mut().iter_mut().filter(|cell| !cell.given).for_each(|cell| cell.fill = None);
    let started = Instant::now();
    let (solution, gathered) = solve_explained(&empty, knowledge, Duration::from_secs_f64(time), &mut None)?;
    counts.seconds += started.elapsed().as_secs_f64();
    counts.puzzles += 1;
    *counts.chosen.entry(solution.calibration).or_default() += 1;
    compare(puzzle, &solution, counts);
    let calibration = knowledge
        .calibrations()
        .iter()
        .find(|c| c.name == solution.calibration)
        .context("the calibration is one of ours")?;
    for (entry, gathered) in puzzle.entries.iter().zip(&gathered) {
        let answer = puzzle.answer(entry).unwrap_or_default();
        let Some(evidence) = gathered.of(&answer) else { continue };
        let database = |evidence: &Evidence| f64::from(10.0 * evidence.exact + evidence.similarity);
        let note = |counts: &mut [usize], own: f64, of: &dyn Fn(&Evidence) -> f64| {
            let rank = 1 + gathered.candidates.iter().filter(|(_, other)| of(other) > own).count();
            counts.iter_mut().zip(RANKS).for_each(|(count, limit)| *count += usize::from(rank <= limit));
        };
        if calibration.admits(evidence) {
            let score = |other: &Evidence| if calibration.admits(other) { calibration.score(other) } else { f64::MIN };
            note(&mut counts.recalled, score(evidence), &score);
        }
        let meaning = |evidence: &Evidence| if calibration.names { evidence.american } else { evidence.meaning };
        if let Some(own) = meaning(evidence) {
            note(&mut counts.by_meaning, own.into(), &|other| meaning(other).map_or(f64::MIN, f64::from));
        }
        if database(evidence) > 0.0 {
            note(&mut counts.by_database, database(evidence), &database);
        }
    }
    Ok(())
}

/// The method of Gdowski 2019, with a time limit.
fn by_gdowski(puzzle: &Puzzle, language: &semantics::Language, time: f64, counts: &mut Counts) {
    let started = Instant::now();
    let holes = gdowski::holes(puzzle, language, gdowski::MIN_SIMILARITY);
    let stop = || started.elapsed().as_secs_f64() > time;
    let answer = gdowski::solve(&holes, puzzle.grid.cells().len(), gdowski::GdowskiLimits::default(), stop);
    counts.seconds += started.elapsed().as_secs_f64();
    counts.puzzles += 1;
    counts.words += puzzle.entries.len();
    let mut cells: Vec<Option<char>> = vec![None; puzzle.grid.cells().len()];
    let mut right = 0;
    for (number, entry) in puzzle.entries.iter().enumerate() {
        let wanted: Vec<char> = puzzle.answer(entry).unwrap_or_default().chars().collect();
        if let Some(rank) = holes[number].words.iter().position(|word| word.word == wanted) {
            counts.recalled.iter_mut().zip(RANKS).for_each(|(count, limit)| *count += usize::from(rank < limit));
        }
        if let Some(words) = &answer.words {
            let word = &holes[number].words[words[number]].word;
            right += usize::from(*word == wanted);
            entry.cells.iter().zip(word).for_each(|(&cell, &letter)| cells[cell] = Some(letter));
        }
    }
    counts.words_right += right;
    counts.perfect += usize::from(right == puzzle.entries.len());
    for (cell, letter) in puzzle.grid.cells().iter().zip(cells) {
        if let Some(want) = &cell.solution {
            counts.letters += 1;
            counts.letters_right += usize::from(letter.is_some_and(|letter| want.starts_with(letter)));
        }
    }
}

fn compare(puzzle: &Puzzle, solution: &SolvedGrid, counts: &mut Counts) {
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

/// Expected calibration error: mean distance between stated probability and share right.
fn calibration_error(bins: &[(usize, f64, usize); BINS]) -> f64 {
    let total: usize = bins.iter().map(|bin| bin.0).sum();
    bins.iter().map(|&(_, stated, right)| (stated - right as f64).abs()).sum::<f64>() / total.max(1) as f64
}

/// Reliability diagram: stated probability against share right; words filled, letters hollow.
fn plot(counts: &Counts) -> String {
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 440 440\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"440\" height=\"440\" fill=\"white\"/><rect x=\"40\" y=\"20\" width=\"380\" height=\"380\" fill=\"none\" stroke=\"gray\"/>\n\
         <path d=\"M40 400 L420 20\" stroke=\"gray\" stroke-dasharray=\"4\"/>\n\
         <text x=\"230\" y=\"432\" text-anchor=\"middle\">stated probability (filled: words, hollow: letters)</text>\n\
         <text x=\"14\" y=\"210\" text-anchor=\"middle\" transform=\"rotate(-90 14 210)\">share right</text>\n",
    );
    for (bins, fill) in [(&counts.word_bins, "black"), (&counts.letter_bins, "white")] {
        let total: usize = bins.iter().map(|bin| bin.0).sum();
        for &(count, stated, right) in bins.iter().filter(|bin| bin.0 > 0) {
            let (x, y) = (40.0 + 380.0 * stated / count as f64, 400.0 - 380.0 * right as f64 / count as f64);
            let radius = 3.0 + 20.0 * (count as f64 / total as f64).sqrt();
            out += &format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" fill-opacity=\"0.6\" stroke=\"black\"/>\n"
            );
        }
    }
    out + "</svg>\n"
}

fn print(counts: &Counts, as_json: bool) {
    let share = |part: usize| part as f64 / counts.words.max(1) as f64;
    let recall = |counts: &[usize]| -> serde_json::Map<String, serde_json::Value> {
        RANKS.iter().zip(counts).map(|(rank, &count)| (rank.to_string(), json!(share(count)))).collect()
    };
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
        "chosen": counts.chosen,
        "recall": recall(&counts.recalled),
        "recall_by_source": {"meaning": recall(&counts.by_meaning), "memory": recall(&counts.by_database)},
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
