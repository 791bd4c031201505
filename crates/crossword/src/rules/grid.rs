//! The cells of a crossword.

use super::{EntryDirection, PuzzleEntry};

/// The longest side of a grid.
pub const MAX_SIDE: usize = 255;

/// The kind of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellKind {
    /// Takes a letter (or several, in a rebus).
    #[default]
    Open,
    /// A black square.
    Block,
    /// Outside the puzzle, in grids that are not rectangles.
    Void,
}

/// A decoration of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    Circle,
}

/// One cell of the grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GridCell {
    pub kind: CellKind,
    /// What is printed in its corner, usually a number.
    pub label: Option<String>,
    /// The right letter or letters, upper case.
    pub solution: Option<String>,
    /// What is written in it now.
    pub fill: Option<String>,
    /// Whether `fill` is part of the puzzle and cannot be changed.
    pub given: bool,
    /// A bar at its right and lower edge: an entry ends there.
    pub bar_right: bool,
    pub bar_below: bool,
    pub shape: Option<CellShape>,
    /// Background as a colour in the file's own words.
    pub shade: Option<String>,
}

/// A rectangle of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleGrid {
    width: usize,
    cells: Vec<GridCell>,
}

impl PuzzleGrid {
    /// A grid from its cells in reading order; refuses sizes that do not fit.
    pub fn new(width: usize, cells: Vec<GridCell>) -> Result<Self, String> {
        if width == 0 || width > MAX_SIDE || cells.is_empty() || !cells.len().is_multiple_of(width) {
            return Err(format!("{} cells do not make rows of {width} (1 to {MAX_SIDE} wide)", cells.len()));
        }
        if cells.len() / width > MAX_SIDE {
            return Err(format!("{} rows are too many (at most {MAX_SIDE})", cells.len() / width));
        }
        Ok(Self { width, cells })
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// All cells in reading order.
    pub fn cells(&self) -> &[GridCell] {
        &self.cells
    }

    pub fn cells_mut(&mut self) -> &mut [GridCell] {
        &mut self.cells
    }

    pub fn cell(&self, index: usize) -> &GridCell {
        &self.cells[index]
    }

    pub fn cell_mut(&mut self, index: usize) -> &mut GridCell {
        &mut self.cells[index]
    }

    /// The rows in order.
    pub fn rows(&self) -> impl Iterator<Item = &[GridCell]> {
        self.cells.chunks(self.width)
    }

    /// The index of the cell in a column and row, counted from 0.
    pub fn index(&self, column: usize, row: usize) -> Option<usize> {
        (column < self.width && row < self.height()).then(|| row * self.width + column)
    }

    fn open(&self, index: usize) -> bool {
        self.cells[index].kind == CellKind::Open
    }

    /// The next cell of an entry that runs through `index`, or `None` where it ends.
    pub fn next(&self, index: usize, direction: EntryDirection) -> Option<usize> {
        let cell = &self.cells[index];
        let next = match direction {
            EntryDirection::Across if cell.bar_right || (index + 1).is_multiple_of(self.width) => return None,
            EntryDirection::Across => index + 1,
            EntryDirection::Down if cell.bar_below || index + self.width >= self.cells.len() => return None,
            EntryDirection::Down => index + self.width,
        };
        self.open(next).then_some(next)
    }

    /// The cell before, or `None` where an entry starts.
    pub fn previous(&self, index: usize, direction: EntryDirection) -> Option<usize> {
        let previous = match direction {
            EntryDirection::Across if index.is_multiple_of(self.width) => return None,
            EntryDirection::Across => index - 1,
            EntryDirection::Down => index.checked_sub(self.width)?,
        };
        (self.open(previous) && self.next(previous, direction) == Some(index)).then_some(previous)
    }

    /// Every run of two or more open cells, across and down, in reading order of its first cell.
    pub fn runs(&self) -> Vec<PuzzleEntry> {
        let mut runs = Vec::new();
        for start in (0..self.cells.len()).filter(|&index| self.open(index)) {
            for direction in EntryDirection::ALL {
                if self.previous(start, direction).is_some() {
                    continue;
                }
                let cells: Vec<usize> = std::iter::successors(Some(start), |&at| self.next(at, direction)).collect();
                if cells.len() >= 2 {
                    runs.push(PuzzleEntry {
                        direction,
                        label: String::new(),
                        cells,
                        clue: String::new(),
                        enumeration: None,
                    });
                }
            }
        }
        runs
    }

    /// The runs with the usual numbers, which are written into the cells too.
    pub fn number_runs(&mut self) -> Vec<PuzzleEntry> {
        let mut runs = self.runs();
        let mut number = 0;
        let mut last = None;
        for run in &mut runs {
            if last != Some(run.cells[0]) {
                number += 1;
                last = Some(run.cells[0]);
            }
            run.label = number.to_string();
            self.cells[run.cells[0]].label = Some(run.label.clone());
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&str]) -> PuzzleGrid {
        let cells = rows
            .iter()
            .flat_map(|row| row.chars())
            .map(|c| GridCell { kind: if c == '#' { CellKind::Block } else { CellKind::Open }, ..GridCell::default() });
        PuzzleGrid::new(rows[0].len(), cells.collect()).expect("a rectangle")
    }

    #[test]
    fn runs_are_numbered_in_reading_order() {
        let mut grid = grid(&["...", ".#.", "..."]);
        let runs = grid.number_runs();
        let told: Vec<String> = runs.iter().map(|run| format!("{}{}", run.label, run.direction)).collect();
        assert_eq!(told, ["1across", "1down", "2down", "3across"]);
        assert_eq!(runs[2].cells, [2, 5, 8]);
    }

    #[test]
    fn bars_end_runs() {
        let mut grid = grid(&["....", "...."]);
        grid.cell_mut(1).bar_right = true;
        let across: Vec<_> = grid.runs().into_iter().filter(|run| run.direction == EntryDirection::Across).collect();
        assert_eq!(
            across.iter().map(|run| run.cells.clone()).collect::<Vec<_>>(),
            [vec![0, 1], vec![2, 3], vec![4, 5, 6, 7]]
        );
        assert_eq!(grid.previous(2, EntryDirection::Across), None);
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        assert!(PuzzleGrid::new(3, vec![GridCell::default(); 4]).is_err());
        assert!(PuzzleGrid::new(0, Vec::new()).is_err());
        assert!(PuzzleGrid::new(256, vec![GridCell::default(); 256]).is_err());
    }
}
