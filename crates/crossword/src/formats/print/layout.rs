//! The page layout: title, grid, then the clues in columns over as many pages as needed.

use super::shapes::{Anchor, PAGE, Page, PageElement};
use super::widths::{lines, width};
use crate::rules::{CellKind, CellShape, EntryDirection, Puzzle};

/// The letters in the printed grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedLetters {
    /// Only those given with the puzzle.
    Given,
    /// The letters written so far.
    Written,
    /// The solution.
    Solution,
}

const MARGIN: f64 = 42.0;
const COLUMNS: usize = 3;
const GUTTER: f64 = 14.0;
/// Largest side of a cell.
const CELL: f64 = 27.0;
/// Size of the clues, and of the line they stand on.
const CLUE: f64 = 9.0;
const LINE: f64 = 11.5;
/// Room for the number of a clue.
const NUMBER: f64 = 20.0;

/// The pages of a puzzle.
pub fn pages(puzzle: &Puzzle, letters: PrintedLetters) -> Vec<Page> {
    let mut page = Page::new();
    let mut y = MARGIN;
    for (text, size, bold) in [(&puzzle.meta.title, 16.0, true), (&puzzle.meta.author, 10.0, false)] {
        if !text.trim().is_empty() {
            y += size;
            page.push(PageElement::Text {
                x: MARGIN,
                y,
                size,
                bold,
                anchor: Anchor::Start,
                text: shortened(text.trim(), size, bold),
            });
            y += 5.0;
        }
    }
    y = grid(puzzle, letters, y + 6.0, &mut page) + 18.0;
    let mut flow = Flow { pages: vec![page], top: y, column: 0, y };
    for direction in EntryDirection::ALL {
        let entries: Vec<_> = puzzle.of(direction).collect();
        if !entries.is_empty() {
            flow.heading(heading(&puzzle.meta.language, direction));
        }
        for entry in entries {
            let clue = match &entry.enumeration {
                Some(enumeration) => format!("{} {enumeration}", entry.clue),
                None => entry.clue.clone(),
            };
            flow.clue(&entry.label, &clue);
        }
    }
    flow.pages
}

/// A title that is too long ends in dots.
fn shortened(text: &str, size: f64, bold: bool) -> String {
    let room = PAGE.0 - 2.0 * MARGIN;
    let mut text = text.to_owned();
    while width(&text, size, bold) > room {
        let kept = text.chars().count().saturating_sub(4);
        text = text.chars().take(kept).collect::<String>() + "…";
    }
    text
}

fn heading(language: &str, direction: EntryDirection) -> &'static str {
    let code = language.split(['-', '_']).next().unwrap_or_default();
    match (code, direction) {
        ("cs", EntryDirection::Across) => "Vodorovně",
        ("cs", EntryDirection::Down) => "Svisle",
        ("pl", EntryDirection::Across) => "Poziomo",
        ("pl", EntryDirection::Down) => "Pionowo",
        ("sk", EntryDirection::Across) => "Vodorovne",
        ("sk", EntryDirection::Down) => "Zvislo",
        (_, EntryDirection::Across) => "Across",
        (_, EntryDirection::Down) => "Down",
    }
}

/// Draws the grid below `top` and answers where it ends.
fn grid(puzzle: &Puzzle, letters: PrintedLetters, top: f64, page: &mut Page) -> f64 {
    let (columns, rows) = (puzzle.grid.width() as f64, puzzle.grid.height() as f64);
    // A very tall grid has a page of its own and its clues start on the next.
    let room = (PAGE.0 - 2.0 * MARGIN, PAGE.1 - MARGIN - top);
    let side = CELL.min(room.0 / columns).min(room.1 / rows);
    for (index, cell) in puzzle.grid.cells().iter().enumerate() {
        let (column, row) = (index % puzzle.grid.width(), index / puzzle.grid.width());
        let (x, y) = (MARGIN + column as f64 * side, top + row as f64 * side);
        match cell.kind {
            CellKind::Void => continue,
            CellKind::Block => page.push(PageElement::Filled { x, y, width: side, height: side, grey: 0.1 }),
            CellKind::Open if cell.shade.is_some() => {
                page.push(PageElement::Filled { x, y, width: side, height: side, grey: 0.85 });
            }
            CellKind::Open => {}
        }
        page.push(PageElement::Framed { x, y, width: side, height: side });
        if cell.kind != CellKind::Open {
            continue;
        }
        if cell.shape == Some(CellShape::Circle) {
            page.push(PageElement::Circle { centre: (x + side / 2.0, y + side / 2.0), radius: side / 2.0 - 1.0 });
        }
        if cell.bar_right {
            page.push(PageElement::Line { from: (x + side, y), to: (x + side, y + side), thick: 2.5 });
        }
        if cell.bar_below {
            page.push(PageElement::Line { from: (x, y + side), to: (x + side, y + side), thick: 2.5 });
        }
        if let Some(label) = &cell.label {
            let size = side * 0.27;
            let text = label.clone();
            page.push(PageElement::Text { x: x + 1.2, y: y + size, size, bold: false, anchor: Anchor::Start, text });
        }
        let shown = match letters {
            PrintedLetters::Solution => cell.solution.as_ref().or(cell.fill.as_ref()),
            PrintedLetters::Written => cell.fill.as_ref(),
            PrintedLetters::Given => cell.fill.as_ref().filter(|_| cell.given),
        };
        if let Some(text) = shown.filter(|text| !text.is_empty()) {
            let wide = width(text, side * 0.6, false);
            let size = side * 0.6 * ((side - 3.0) / wide).min(1.0);
            let (x, y) = (x + side / 2.0, y + side * 0.86);
            page.push(PageElement::Text { x, y, size, bold: false, anchor: Anchor::Middle, text: text.clone() });
        }
    }
    top + rows * side
}

/// Clues that run through columns and pages.
struct Flow {
    pages: Vec<Page>,
    /// Where columns of this page start.
    top: f64,
    column: usize,
    y: f64,
}

impl Flow {
    fn column_width() -> f64 {
        (PAGE.0 - 2.0 * MARGIN - GUTTER * (COLUMNS - 1) as f64) / COLUMNS as f64
    }

    fn x(&self) -> f64 {
        MARGIN + self.column as f64 * (Self::column_width() + GUTTER)
    }

    /// Makes sure that something so high fits below.
    fn need(&mut self, height: f64) {
        while self.y + height > PAGE.1 - MARGIN {
            self.column += 1;
            if self.column == COLUMNS {
                (self.column, self.top) = (0, MARGIN);
                self.pages.push(Page::new());
            }
            self.y = self.top;
        }
    }

    fn text(&mut self, x: f64, bold: bool, text: String) {
        let mark = PageElement::Text { x, y: self.y, size: CLUE, bold, anchor: Anchor::Start, text };
        self.pages.last_mut().expect("there is always a page").push(mark);
    }

    fn heading(&mut self, text: &str) {
        // A heading never stands alone at the end of a column.
        self.need(3.0 * LINE + 6.0);
        self.y += LINE + if self.y > self.top { 6.0 } else { 0.0 };
        self.text(self.x(), true, text.to_owned());
        self.y += 3.0;
    }

    fn clue(&mut self, label: &str, clue: &str) {
        let broken = lines(clue, CLUE, Self::column_width() - NUMBER);
        self.need((broken.len() as f64 * LINE).min(PAGE.1 / 2.0));
        for (number, line) in broken.into_iter().enumerate() {
            self.need(LINE);
            self.y += LINE;
            if number == 0 {
                self.text(self.x(), true, label.to_owned());
            }
            self.text(self.x() + NUMBER, false, line);
        }
    }
}
