//! The view of a table: everything except the solution.

use super::action::direction_name;
use super::{HintStep, SolvingSession};
use crate::rules::{
    CellKind, CellShape, EntryDirection, Enumeration, GridCell, Puzzle, PuzzleEntry, PuzzleGrid, PuzzleMeta,
};
use serde::Serialize;
use utoipa::ToSchema;

/// One cell as solvers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CellView {
    /// `open`, `block` or `void`.
    #[schema(value_type = String)]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shade: Option<String>,
    pub given: bool,
    pub pencil: bool,
    pub wrong: bool,
    pub confirmed: bool,
    pub revealed: bool,
    pub circle: bool,
    pub bar_right: bool,
    pub bar_below: bool,
}

/// One clue as solvers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClueView {
    #[schema(value_type = String)]
    pub direction: &'static str,
    pub label: String,
    pub clue: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enumeration: Option<String>,
    pub cells: Vec<usize>,
}

/// A hint that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HintView {
    pub entry: usize,
    pub step: HintStep,
    /// Stable names of the notes (`plural`, `fill_in`, `words_2`); the page translates them.
    pub notes: Vec<String>,
    /// The answer as `V` for vowels, `C` for other letters, known letters as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Dictionary text in the language of the puzzle, with the answer masked.
    pub lines: Vec<String>,
}

/// The puzzle as solvers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct View {
    pub title: String,
    pub author: String,
    pub copyright: String,
    pub notes: String,
    pub language: String,
    pub width: usize,
    pub height: usize,
    pub cells: Vec<CellView>,
    pub clues: Vec<ClueView>,
    /// Whether the puzzle came with a solution, so that checking is possible.
    pub checkable: bool,
    pub full: bool,
    pub solved: bool,
    pub checks: u32,
    pub reveals: u32,
    /// Hints that were taken, by entry and step.
    pub hints: Vec<HintView>,
    /// Seats that solve.
    pub seats: Vec<u8>,
}

impl View {
    /// The view that every seat and spectator gets.
    pub fn of(solve: &SolvingSession) -> Self {
        let puzzle = solve.puzzle();
        let cells = puzzle.grid.cells().iter().zip(solve.squares()).map(|(cell, square)| CellView {
            kind: match cell.kind {
                CellKind::Open => "open",
                CellKind::Block => "block",
                CellKind::Void => "void",
            },
            label: cell.label.clone(),
            letters: square.letters.clone(),
            by: square.by,
            shade: cell.shade.clone(),
            given: cell.given,
            pencil: square.pencil,
            wrong: square.wrong,
            confirmed: square.confirmed,
            revealed: square.revealed,
            circle: cell.shape == Some(CellShape::Circle),
            bar_right: cell.bar_right,
            bar_below: cell.bar_below,
        });
        let clues = puzzle.entries.iter().map(|entry| ClueView {
            direction: direction_name(entry.direction),
            label: entry.label.clone(),
            clue: entry.clue.clone(),
            enumeration: entry.enumeration.as_ref().map(|told| told.text().to_owned()),
            cells: entry.cells.clone(),
        });
        let (checks, reveals) = solve.help_used();
        Self {
            title: puzzle.meta.title.clone(),
            author: puzzle.meta.author.clone(),
            copyright: puzzle.meta.copyright.clone(),
            notes: puzzle.meta.notes.clone(),
            language: puzzle.meta.language.clone(),
            width: puzzle.grid.width(),
            height: puzzle.grid.height(),
            cells: cells.collect(),
            clues: clues.collect(),
            checkable: puzzle.has_solution(),
            full: solve.is_full(),
            solved: solve.is_solved(),
            checks,
            reveals,
            hints: Vec::new(),
            seats: Vec::new(),
        }
    }

    /// The puzzle without its solution, with the letters that `keep` accepts written into it.
    pub fn puzzle(&self, keep: impl Fn(&CellView) -> bool) -> Result<Puzzle, String> {
        let cells = self.cells.iter().map(|cell| GridCell {
            kind: match cell.kind {
                "open" => CellKind::Open,
                "block" => CellKind::Block,
                _ => CellKind::Void,
            },
            label: cell.label.clone(),
            fill: cell.letters.clone().filter(|_| cell.given || keep(cell)),
            given: cell.given,
            bar_right: cell.bar_right,
            bar_below: cell.bar_below,
            shape: cell.circle.then_some(CellShape::Circle),
            shade: cell.shade.clone(),
            solution: None,
        });
        let grid = PuzzleGrid::new(self.width, cells.collect())?;
        let entries = self.clues.iter().map(|clue| PuzzleEntry {
            direction: if clue.direction == "across" { EntryDirection::Across } else { EntryDirection::Down },
            label: clue.label.clone(),
            cells: clue.cells.clone(),
            clue: clue.clue.clone(),
            enumeration: clue.enumeration.as_deref().and_then(Enumeration::parse),
        });
        let meta = PuzzleMeta {
            title: self.title.clone(),
            author: self.author.clone(),
            language: self.language.clone(),
            ..PuzzleMeta::default()
        };
        Ok(Puzzle { meta, grid, entries: entries.collect(), extras: serde_json::Map::new() })
    }
}
