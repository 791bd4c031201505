//! Reading puzzles, with their solutions if known, from files and folders.

use anyhow::{Context, Result, anyhow, bail};
use crossword::formats::{self, gdowski};
use crossword::rules::{CellKind, EntryDirection, GridCell, Puzzle, PuzzleGrid, PuzzleMeta};
use flate2::read::GzDecoder;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A published puzzle as a JSON line.
#[derive(Deserialize)]
pub struct PuzzleLine {
    grid: String,
    #[serde(default)]
    title: String,
    entries: Vec<PuzzleLineEntry>,
}

#[derive(Deserialize)]
pub struct PuzzleLineEntry {
    pub row: usize,
    pub col: usize,
    pub dir: String,
    pub clue: String,
}

/// The bytes of a file, decompressed if it is gzipped.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    let raw = std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    if raw.starts_with(&[0x1f, 0x8b]) {
        let mut out = Vec::new();
        GzDecoder::new(raw.as_slice())
            .read_to_end(&mut out)
            .with_context(|| format!("{}: damaged gzip", path.display()))?;
        return Ok(out);
    }
    Ok(raw)
}

/// All puzzles in a file of any supported format (a `.crossword` file with the `.solution` beside it), or JSON lines.
pub fn read(path: &Path) -> Result<Vec<Puzzle>> {
    let bytes = bytes(path)?;
    if is_lines(path) {
        let text = String::from_utf8(bytes).with_context(|| format!("{}: not UTF-8", path.display()))?;
        return lines(&text)
            .map(|line| puzzle(line?))
            .collect::<Result<_>>()
            .with_context(|| path.display().to_string());
    }
    let mut puzzle = formats::read(&bytes).with_context(|| path.display().to_string())?;
    let solution = path.with_extension("solution");
    if path.extension().is_some_and(|end| end == "crossword") && solution.exists() {
        let text = std::fs::read_to_string(&solution).with_context(|| solution.display().to_string())?;
        gdowski::read_solution(&mut puzzle, &text).with_context(|| solution.display().to_string())?;
    }
    Ok(vec![puzzle])
}

/// The file itself, or the puzzle files of a folder in order.
pub fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(path)
        .with_context(|| path.display().to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| {
            file.extension().is_some_and(|end| formats::PuzzleFormat::from_extension(&end.to_string_lossy()).is_some())
        })
        .collect();
    files.sort();
    Ok(files)
}

/// Whether a file holds one puzzle per line.
pub fn is_lines(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    name.trim_end_matches(".gz").ends_with(".jsonl")
}

/// The puzzles of a JSON lines text.
pub fn lines(text: &str) -> impl Iterator<Item = Result<PuzzleLine>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| serde_json::from_str(line).map_err(|fault| anyhow!("line {}: {fault}", number + 1)))
}

/// A puzzle from its line.
pub fn puzzle(line: PuzzleLine) -> Result<Puzzle> {
    let rows: Vec<Vec<char>> = line.grid.split('|').map(|row| row.chars().collect()).collect();
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != width) {
        bail!("{}: the rows of the grid differ in length", line.title);
    }
    let cells = rows.into_iter().flatten().map(|c| match c {
        '.' => GridCell { kind: CellKind::Block, ..GridCell::default() },
        c => GridCell { solution: Some(c.to_uppercase().collect()), ..GridCell::default() },
    });
    let mut grid = PuzzleGrid::new(width, cells.collect()).map_err(|fault| anyhow!("{}: {fault}", line.title))?;
    let mut entries = grid.number_runs();
    for entry in &mut entries {
        let (row, col) = (entry.cells[0] / width + 1, entry.cells[0] % width + 1);
        let clue = line.entries.iter().find(|told| {
            let across = told.dir.eq_ignore_ascii_case("across");
            (told.row, told.col, across) == (row, col, entry.direction == EntryDirection::Across)
        });
        entry.clue = clue.map(|told| told.clue.clone()).unwrap_or_default();
    }
    entries.sort_by_key(|entry| entry.direction);
    let meta = PuzzleMeta { title: line.title, ..PuzzleMeta::default() };
    Ok(Puzzle { meta, grid, entries, extras: serde_json::Map::new() })
}

/// A seeded random sample of indices below `total`, in order: the test puzzles of a file.
pub fn sample(total: usize, count: usize, seed: u64) -> Vec<usize> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut left: Vec<usize> = (0..total).collect();
    let mut drawn: Vec<usize> = (0..count.min(total))
        .map(|_| {
            let at = rng.random_range(0..left.len());
            left.swap_remove(at)
        })
        .collect();
    drawn.sort_unstable();
    drawn
}
