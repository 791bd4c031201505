//! `parlour crossword solve`

use super::{SolverSources, puzzle_files};
use anyhow::{Context, Result, bail};
use crossword::engine::solver::{SolvedGrid, solve};
use crossword::rules::{CellKind, EntryDirection, Puzzle};
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// The puzzle: ipuz, .puz, JPZ, .xd, Exolve or .crossword
    file: PathBuf,
    /// Known letters, as LABEL+DIRECTION=WORD with ? for unknown ones; may be repeated
    #[arg(long, value_name = "14A=?A??E")]
    fix: Vec<String>,
    /// Time limit in seconds
    #[arg(long, default_value_t = 10.0)]
    time: f64,
    /// Keep the letters that are saved in the file
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    sources: SolverSources,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let started = Instant::now();
    let mut puzzle = puzzle_files::read(&args.file)?.into_iter().next().context("the file holds no puzzle")?;
    if !args.keep {
        for cell in puzzle.grid.cells_mut() {
            if !cell.given {
                cell.fill = None;
            }
        }
    }
    for fix in &args.fix {
        set(&mut puzzle, fix)?;
    }
    let opened = args.sources.open()?;
    let scorer = semantics::ClueScorer::new(&opened.language);
    let knowledge = opened.knowledge(&scorer);
    let solution = solve(&puzzle, &knowledge, Duration::from_secs_f64(args.time.clamp(0.0, 86_400.0)))?;
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        println!("{}", told(&puzzle, &solution, seconds));
    } else {
        show(&puzzle, &solution, seconds);
    }
    Ok(())
}

/// Writes known letters into the grid.
fn set(puzzle: &mut Puzzle, fix: &str) -> Result<()> {
    let parse = || {
        let (place, word) = fix.split_once('=')?;
        let place = place.trim().to_uppercase();
        let direction = match place.chars().last()? {
            'A' => EntryDirection::Across,
            'D' => EntryDirection::Down,
            _ => return None,
        };
        Some((place[..place.len() - 1].to_owned(), direction, word.trim().to_uppercase()))
    };
    let Some((label, direction, word)) = parse() else {
        bail!("--fix {fix}: should be a number, A or D, = and the letters with ? for unknown ones, e.g. 14A=?A??E");
    };
    let entry = puzzle.entries.iter().find(|entry| entry.direction == direction && entry.label == label);
    let Some(cells) = entry.map(|entry| entry.cells.clone()) else {
        bail!("--fix {fix}: there is no {label} {direction}")
    };
    if word.chars().count() != cells.len() {
        bail!("--fix {fix}: {label} {direction} has {} cells, not {}", cells.len(), word.chars().count());
    }
    for (cell, c) in cells.into_iter().zip(word.chars()).filter(|&(_, c)| c != '?') {
        let there = puzzle.grid.cell(cell).fill.clone();
        if there.as_deref().is_some_and(|there| there != c.to_string()) {
            bail!("--fix {fix}: {c} crosses a fixed {}", there.unwrap_or_default());
        }
        puzzle.grid.cell_mut(cell).fill = Some(c.to_string());
    }
    Ok(())
}

fn rows(puzzle: &Puzzle, solution: &SolvedGrid) -> Vec<String> {
    let cell = |at: usize| match (&solution.cells[at], puzzle.grid.cell(at).kind) {
        (Some(belief), _) => belief.letter,
        (None, CellKind::Open) => '.',
        (None, _) => '#',
    };
    let width = puzzle.grid.width();
    (0..puzzle.grid.height()).map(|row| (0..width).map(|column| cell(row * width + column)).collect()).collect()
}

fn told(puzzle: &Puzzle, solution: &SolvedGrid, seconds: f64) -> serde_json::Value {
    let words: Vec<_> = puzzle
        .entries
        .iter()
        .zip(&solution.entries)
        .map(|(entry, belief)| {
            json!({
                "number": entry.label,
                "direction": entry.direction.to_string(),
                "clue": entry.clue,
                "answer": belief.answer,
                "probability": belief.probability,
                "listed": belief.listed,
                "alternatives": belief.alternatives.iter().map(|(word, chance)| json!({"answer": word, "probability": chance})).collect::<Vec<_>>(),
            })
        })
        .collect();
    let letters: Vec<_> = solution.cells.iter().map(|cell| cell.map(|belief| belief.probability)).collect();
    json!({
        "grid": rows(puzzle, solution),
        "words": words,
        "letters": letters,
        "calibration": solution.calibration,
        "stopped": solution.stopped,
        "unmet": solution.conflicts.iter().map(|conflicts| json!({
            "number": puzzle.entries[conflicts.entry].label,
            "direction": puzzle.entries[conflicts.entry].direction.to_string(),
            "pattern": conflicts.pattern,
            "with": conflicts.with.map(|other| json!({
                "number": puzzle.entries[other].label,
                "direction": puzzle.entries[other].direction.to_string(),
            })),
        })).collect::<Vec<_>>(),
        "seconds": seconds,
    })
}

fn show(puzzle: &Puzzle, solution: &SolvedGrid, seconds: f64) {
    for row in rows(puzzle, solution) {
        println!(
            "{}",
            row.chars().map(|c| if c == '#' { "· ".to_owned() } else { format!("{c} ") }).collect::<String>()
        );
    }
    for direction in EntryDirection::ALL {
        println!("\n{direction}");
        for (entry, belief) in
            puzzle.entries.iter().zip(&solution.entries).filter(|(entry, _)| entry.direction == direction)
        {
            let other = belief.alternatives.first().map(|(word, chance)| format!("  or {word} {:.0}%", chance * 100.0));
            println!(
                "{:>4} {:<16} {:>3.0}%  {}{}",
                entry.label,
                belief.answer,
                belief.probability * 100.0,
                entry.clue,
                other.filter(|_| belief.probability < 0.8).unwrap_or_default()
            );
        }
    }
    for conflicts in &solution.conflicts {
        let name = |entry: usize| format!("{} {}", puzzle.entries[entry].label, puzzle.entries[entry].direction);
        let (here, pattern) = (name(conflicts.entry), &conflicts.pattern);
        match conflicts.with {
            None => println!("\nno known answer fits {here}, {pattern}"),
            Some(other) => println!("\nno known answers meet where {here}, {pattern}, crosses {}", name(other)),
        }
    }
    let stopped = if solution.stopped { ", stopped by the time limit" } else { "" };
    println!("\n{seconds:.1} s, calibration {}{stopped}", solution.calibration);
}
