//! Grids, theme entries and word lists that the user gives to the constructor.

use super::fill::FillFailure;
use crate::engine::clue_database::clue_text::grid_form;
use crate::rules::{CellKind, EntryDirection, GridCell, PuzzleGrid};

/// Why a grid, a theme entry or a word list cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    #[error("the grid is empty")]
    Empty,
    #[error("row {row} of the grid has {have} cells, row 1 has {want}")]
    Width { row: usize, have: usize, want: usize },
    #[error("row {row}, column {column}: {mark:?} should be a letter, . for an open cell or # for a block")]
    Mark { row: usize, column: usize, mark: char },
    #[error("the grid: {0}")]
    Grid(String),
    #[error("theme entry {0:?} should be a word, @, a number and A or D, such as PIANO@1A")]
    Theme(String),
    #[error("theme entry {word}: the grid has no {label} {direction}")]
    NoEntry { word: String, label: String, direction: EntryDirection },
    #[error("theme entry {word}: {label} {direction} has {cells} cells")]
    Length { word: String, label: String, direction: EntryDirection, cells: usize },
    #[error("theme entry {word}: its letter {letter} meets the letter {there}")]
    Clash { word: String, letter: String, there: String },
    #[error("line {line}: {score:?} should be a score from 0 to 100")]
    Score { line: usize, score: String },
}

/// A word with a fixed place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeEntry {
    pub word: String,
    pub label: String,
    pub direction: EntryDirection,
}

impl ThemeEntry {
    /// Reads `WORD@1A` or `WORD@12D`.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let parse = || {
            let (word, place) = text.split_once('@')?;
            let place = place.trim().to_uppercase();
            let direction = match place.chars().last()? {
                'A' => EntryDirection::Across,
                'D' => EntryDirection::Down,
                _ => return None,
            };
            let label = place[..place.len() - 1].to_owned();
            let word = grid_form(word);
            (!word.is_empty() && label.parse::<u32>().is_ok()).then_some(Self { word, label, direction })
        };
        parse().ok_or_else(|| TemplateError::Theme(text.to_owned()))
    }
}

/// Reads a grid: one line per row, `.` for open cells, `#` for blocks, letters for given cells.
pub fn read_template(text: &str) -> Result<PuzzleGrid, TemplateError> {
    let rows: Vec<Vec<char>> =
        text.lines().map(|line| line.trim().chars().collect()).filter(|row: &Vec<char>| !row.is_empty()).collect();
    let want = rows.first().ok_or(TemplateError::Empty)?.len();
    let mut cells = Vec::new();
    for (row, marks) in rows.iter().enumerate() {
        if marks.len() != want {
            return Err(TemplateError::Width { row: row + 1, have: marks.len(), want });
        }
        for (column, &mark) in marks.iter().enumerate() {
            let mut cell = GridCell::default();
            match mark {
                '#' => cell.kind = CellKind::Block,
                '.' => {}
                c if c.is_alphanumeric() => cell.solution = Some(c.to_uppercase().collect()),
                mark => return Err(TemplateError::Mark { row: row + 1, column: column + 1, mark }),
            }
            cells.push(cell);
        }
    }
    PuzzleGrid::new(want, cells).map_err(TemplateError::Grid)
}

/// Reads a word list: lines of `WORD;SCORE` or `WORD` (score 50); skips empty lines and lines that start with `#`.
pub fn user_words(text: &str) -> Result<Vec<(String, f32)>, TemplateError> {
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let (word, score) = line.split_once([';', '\t']).unwrap_or((line, "50"));
            let wrong = || TemplateError::Score { line: number + 1, score: score.to_owned() };
            let value: f32 = score.trim().parse().map_err(|_| wrong())?;
            if (0.0..=100.0).contains(&value) { Ok((grid_form(word), value)) } else { Err(wrong()) }
        })
        .collect()
}

/// Writes the theme entries into the solutions of the grid.
pub(super) fn place_theme(grid: &mut PuzzleGrid, theme: &[ThemeEntry]) -> Result<(), TemplateError> {
    let runs = grid.clone().number_runs();
    for entry in theme {
        let ThemeEntry { word, label, direction } = entry.clone();
        let run = runs.iter().find(|run| run.direction == direction && run.label == label);
        let Some(run) = run else { return Err(TemplateError::NoEntry { word, label, direction }) };
        if word.chars().count() != run.cells.len() {
            return Err(TemplateError::Length { word, label, direction, cells: run.cells.len() });
        }
        for (&cell, letter) in run.cells.iter().zip(word.chars().map(String::from)) {
            let solution = &mut grid.cell_mut(cell).solution;
            if let Some(there) = solution.as_ref().filter(|there| **there != letter) {
                return Err(TemplateError::Clash { word: word.clone(), letter, there: there.clone() });
            }
            *solution = Some(letter);
        }
    }
    Ok(())
}

/// A failure as a sentence that names the entries and cells.
pub fn explain(grid: &PuzzleGrid, failure: &FillFailure) -> String {
    let runs = grid.clone().number_runs();
    let name = |entry: usize| format!("{} {}", runs[entry].label, runs[entry].direction);
    let place = |cell: usize| format!("row {}, column {}", cell / grid.width() + 1, cell % grid.width() + 1);
    match *failure {
        FillFailure::Entry(entry) => {
            let letter = |&cell: &usize| grid.cell(cell).solution.clone().unwrap_or_else(|| ".".to_owned());
            let pattern: String = runs[entry].cells.iter().map(letter).collect();
            let from = place(runs[entry].cells[0]);
            format!("no word fits {} ({pattern}, from {from})", name(entry))
        }
        FillFailure::Crossing(entry, other) => {
            let shared = runs[entry].cells.iter().find(|cell| runs[other].cells.contains(cell));
            let at = shared.map(|&cell| format!(" at {}", place(cell))).unwrap_or_default();
            format!("no words for {} and {} agree{at}", name(entry), name(other))
        }
        FillFailure::Unknown => "no filling was found in the search limit; none is proved impossible".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_themes_and_word_lists_are_read() {
        let mut grid = read_template("...\n.#.\n..t\n").expect("a good grid");
        assert_eq!(grid.cell(8).solution.as_deref(), Some("T"));
        let theme = ThemeEntry::parse("cat@1a").expect("a good entry");
        place_theme(&mut grid, std::slice::from_ref(&theme)).expect("it fits");
        assert_eq!(grid.cell(1).solution.as_deref(), Some("A"));
        let clash = ThemeEntry::parse("DOG@1D").expect("a good entry");
        assert!(matches!(place_theme(&mut grid, &[clash]), Err(TemplateError::Clash { .. })));
        assert!(ThemeEntry::parse("CAT@x").is_err());
        assert!(matches!(read_template("..\n.\n"), Err(TemplateError::Width { row: 2, .. })));
        assert_eq!(user_words("cat;80\n# no\ndog\n"), Ok(vec![("CAT".into(), 80.0), ("DOG".into(), 50.0)]));
        assert!(user_words("cat;many").is_err());
    }
}
