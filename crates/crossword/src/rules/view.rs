//! What solvers see: everything but the solution.

use super::Solve;
use super::action::direction_name;
use crate::puzzle::{CellKind, Shape};
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
}

impl View {
    /// What everybody at the table may see.
    pub fn of(solve: &Solve) -> Self {
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
            circle: cell.shape == Some(Shape::Circle),
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
        }
    }
}
