//! The state of a crossword during solving: written letters, checks, reveals, and the end.

use super::{Action, HintStep, Scope};
use crate::rules::{CellKind, Puzzle};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of letters in one cell (rebus).
pub const MAX_LETTERS: usize = 12;

/// The content of one cell and its origin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellState {
    pub letters: Option<String>,
    pub pencil: bool,
    /// Checked and found wrong, not changed since.
    pub wrong: bool,
    /// Checked and found right: cannot be changed.
    pub confirmed: bool,
    /// Revealed: cannot be changed.
    pub revealed: bool,
    /// Who wrote it.
    pub by: Option<u8>,
}

impl CellState {
    fn fixed(&self) -> bool {
        self.confirmed || self.revealed
    }
}

/// Why an action is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolvingError {
    NoSuchCell(usize),
    NotOpen(usize),
    Given(usize),
    Fixed(usize),
    NoSuchEntry(usize),
    Letters(String),
    NoSolution,
    HasSolution,
    NotFull,
    NothingToDo,
}

/// The puzzle and everything written into it. Holds the solution, so it is never sent: clients see views.
#[derive(Clone, Debug)]
pub struct SolvingSession {
    puzzle: Arc<Puzzle>,
    squares: Vec<CellState>,
    checks: u32,
    reveals: u32,
    hints: BTreeSet<(usize, HintStep)>,
    finished: bool,
}

/// Two sessions of one puzzle are equal if their cells are equal.
impl PartialEq for SolvingSession {
    fn eq(&self, other: &Self) -> bool {
        self.squares == other.squares
            && (self.checks, self.reveals) == (other.checks, other.reveals)
            && (&self.hints, self.finished) == (&other.hints, other.finished)
            && (Arc::ptr_eq(&self.puzzle, &other.puzzle) || self.puzzle == other.puzzle)
    }
}

impl SolvingSession {
    /// A new session: only the given letters are filled in.
    pub fn new(puzzle: Arc<Puzzle>) -> Self {
        let start = |cell: &crate::rules::GridCell| CellState { letters: cell.fill.clone(), ..CellState::default() };
        let squares = puzzle.grid.cells().iter().map(start).collect();
        Self { puzzle, squares, checks: 0, reveals: 0, hints: BTreeSet::new(), finished: false }
    }

    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    pub fn squares(&self) -> &[CellState] {
        &self.squares
    }

    /// Number of checks and of reveals.
    pub fn help_used(&self) -> (u32, u32) {
        (self.checks, self.reveals)
    }

    /// The hints taken: entry and step.
    pub fn hints(&self) -> impl Iterator<Item = (usize, HintStep)> {
        self.hints.iter().copied()
    }

    /// Whether the session is over: the grid is right, or it has no stored solution and the solvers finished.
    pub fn is_over(&self) -> bool {
        self.finished || self.is_solved()
    }

    /// Whether every cell was revealed or given.
    pub fn is_given_up(&self) -> bool {
        self.open().all(|cell| self.squares[cell].revealed || self.puzzle.grid.cell(cell).given)
    }

    /// The same session with another puzzle of the same shape, for non-interference tests.
    pub(crate) fn with_puzzle(&self, puzzle: Puzzle) -> Self {
        Self { puzzle: Arc::new(puzzle), ..self.clone() }
    }

    /// Whether every cell holds its solution (the first letter is enough for a rebus cell).
    pub fn is_solved(&self) -> bool {
        self.puzzle.has_solution()
            && self
                .open()
                .all(|cell| self.squares[cell].letters.as_deref().is_some_and(|letters| self.right(cell, letters)))
    }

    /// Whether every open cell is filled.
    pub fn is_full(&self) -> bool {
        self.open().all(|cell| self.squares[cell].letters.is_some())
    }

    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.squares.len()).filter(|&cell| self.puzzle.grid.cell(cell).kind == CellKind::Open)
    }

    fn right(&self, cell: usize, letters: &str) -> bool {
        let Some(solution) = self.puzzle.grid.cell(cell).solution.as_deref() else { return false };
        solution == letters || (solution.chars().count() > 1 && letters.chars().eq(solution.chars().take(1)))
    }

    /// Applies an action, or returns an error and changes nothing.
    pub fn apply(&mut self, by: u8, action: &Action) -> Result<(), SolvingError> {
        match action {
            Action::Write { cell, letters, pencil } => {
                let fresh = self.written(by, *cell, letters, *pencil)?;
                self.put(*cell, fresh)
            }
            Action::Fill { cells, pencil } => {
                let fresh: Vec<(usize, CellState)> = cells
                    .iter()
                    .map(|filled| Ok((filled.cell, self.written(by, filled.cell, &filled.letters, *pencil)?)))
                    .collect::<Result<_, SolvingError>>()?;
                if fresh.iter().all(|(cell, square)| self.squares[*cell] == *square) {
                    return Err(SolvingError::NothingToDo);
                }
                fresh.into_iter().for_each(|(cell, square)| self.squares[cell] = square);
                Ok(())
            }
            Action::Finish => {
                if self.puzzle.has_solution() {
                    return Err(SolvingError::HasSolution);
                }
                if !self.is_full() {
                    return Err(SolvingError::NotFull);
                }
                self.finished = true;
                Ok(())
            }
            Action::Hint { entry, step } => {
                if !self.puzzle.has_solution() {
                    return Err(SolvingError::NoSolution);
                }
                if *entry >= self.puzzle.entries.len() {
                    return Err(SolvingError::NoSuchEntry(*entry));
                }
                if self.hints.insert((*entry, *step)) { Ok(()) } else { Err(SolvingError::NothingToDo) }
            }
            Action::Erase { cell } => {
                self.check_writable(*cell)?;
                self.put(*cell, CellState::default())
            }
            Action::Check { scope } => {
                let cells = self.scope(scope)?;
                self.checks += 1;
                for cell in cells {
                    if let Some(letters) = self.squares[cell].letters.clone() {
                        let right = self.right(cell, &letters);
                        self.squares[cell].wrong = !right;
                        self.squares[cell].confirmed = right;
                        self.squares[cell].pencil &= !right;
                    }
                }
                Ok(())
            }
            Action::Reveal { scope } => {
                let cells = self.scope(scope)?;
                if cells.iter().all(|&cell| self.squares[cell].fixed()) {
                    return Err(SolvingError::NothingToDo);
                }
                self.reveals += 1;
                for cell in cells.into_iter().filter(|&cell| !self.puzzle.grid.cell(cell).given) {
                    let solution = self.puzzle.grid.cell(cell).solution.clone();
                    let square = &mut self.squares[cell];
                    let known = square.letters == solution && square.letters.is_some();
                    *square = CellState { letters: solution, by: square.by.filter(|_| known), ..CellState::default() };
                    (square.confirmed, square.revealed) = (known, !known);
                }
                Ok(())
            }
        }
    }

    /// A cell with letters written into it.
    fn written(&self, by: u8, cell: usize, letters: &str, pencil: bool) -> Result<CellState, SolvingError> {
        self.check_writable(cell)?;
        let letters = letters.trim().to_uppercase();
        let fits = (1..=MAX_LETTERS).contains(&letters.chars().count()) && letters.chars().all(char::is_alphanumeric);
        if !fits {
            return Err(SolvingError::Letters(letters));
        }
        Ok(CellState { letters: Some(letters), pencil, by: Some(by), ..CellState::default() })
    }

    fn put(&mut self, cell: usize, fresh: CellState) -> Result<(), SolvingError> {
        if self.squares[cell] == fresh {
            return Err(SolvingError::NothingToDo);
        }
        self.squares[cell] = fresh;
        Ok(())
    }

    fn check_writable(&self, cell: usize) -> Result<(), SolvingError> {
        let square = self.squares.get(cell).ok_or(SolvingError::NoSuchCell(cell))?;
        let place = self.puzzle.grid.cell(cell);
        match place.kind {
            CellKind::Open if place.given => Err(SolvingError::Given(cell)),
            CellKind::Open if square.fixed() => Err(SolvingError::Fixed(cell)),
            CellKind::Open => Ok(()),
            _ => Err(SolvingError::NotOpen(cell)),
        }
    }

    fn scope(&self, scope: &Scope) -> Result<Vec<usize>, SolvingError> {
        if !self.puzzle.has_solution() {
            return Err(SolvingError::NoSolution);
        }
        match *scope {
            Scope::Letter { cell } if cell >= self.squares.len() => Err(SolvingError::NoSuchCell(cell)),
            Scope::Letter { cell } if self.puzzle.grid.cell(cell).kind != CellKind::Open => {
                Err(SolvingError::NotOpen(cell))
            }
            Scope::Letter { cell } => Ok(vec![cell]),
            Scope::Word { entry } => {
                let entry = self.puzzle.entries.get(entry).ok_or(SolvingError::NoSuchEntry(entry))?;
                Ok(entry.cells.clone())
            }
            Scope::Grid => Ok(self.open().collect()),
        }
    }
}

impl SolvingError {
    /// Stable code and English sentence for the table.
    pub fn told(&self) -> (&'static str, String) {
        match self {
            Self::NoSuchCell(cell) => ("crossword.cell", format!("there is no cell {}", cell + 1)),
            Self::NotOpen(cell) => ("crossword.block", format!("cell {} takes no letter", cell + 1)),
            Self::Given(cell) => ("crossword.given", format!("the letter in cell {} was given and stays", cell + 1)),
            Self::Fixed(cell) => ("crossword.fixed", format!("cell {} is known to be right and stays", cell + 1)),
            Self::NoSuchEntry(entry) => ("crossword.entry", format!("there is no entry {}", entry + 1)),
            Self::Letters(letters) => {
                ("crossword.letters", format!("{letters:?} should be 1 to {MAX_LETTERS} letters or digits"))
            }
            Self::NoSolution => (
                "crossword.no_solution",
                "this puzzle came without its solution: nothing can be checked or revealed".to_owned(),
            ),
            Self::HasSolution => {
                ("crossword.has_solution", "this puzzle ends by itself once every letter is right".to_owned())
            }
            Self::NotFull => ("crossword.not_full", "some cells are still empty".to_owned()),
            Self::NothingToDo => ("crossword.nothing", "that is how it already stands".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::gdowski;

    fn solve() -> SolvingSession {
        let mut puzzle =
            gdowski::read("3 3\n...\n.#.\n...\n2\nfeline\njog\n2\nvehicle\ndigits\n").expect("a good file");
        gdowski::read_solution(&mut puzzle, "2 2\ncat\nrun\ncar\nten\n").expect("it fits");
        SolvingSession::new(Arc::new(puzzle))
    }

    fn write(cell: usize, letters: &str) -> Action {
        Action::Write { cell, letters: letters.into(), pencil: false }
    }

    #[test]
    fn a_grid_is_filled_checked_and_solved() {
        let mut solve = solve();
        for (cell, letters) in [(0, "c"), (1, "a"), (2, "t"), (3, "a"), (5, "e"), (6, "r"), (7, "o"), (8, "n")] {
            solve.apply(0, &write(cell, letters)).expect("open cells take letters");
        }
        assert!(solve.is_full() && !solve.is_solved());
        solve.apply(1, &Action::Check { scope: Scope::Word { entry: 1 } }).expect("there is a solution");
        assert!(solve.squares()[7].wrong && solve.squares()[6].confirmed);
        assert_eq!(solve.apply(0, &write(6, "x")), Err(SolvingError::Fixed(6)));
        solve.apply(0, &Action::Reveal { scope: Scope::Letter { cell: 7 } }).expect("allowed");
        assert!(solve.is_solved());
        assert_eq!(solve.help_used(), (1, 1));
    }

    #[test]
    fn refusals_change_nothing() {
        let mut solve = solve();
        let before = solve.clone();
        for (action, refusal) in [
            (write(4, "a"), SolvingError::NotOpen(4)),
            (write(9, "a"), SolvingError::NoSuchCell(9)),
            (write(0, "a b"), SolvingError::Letters("A B".into())),
            (write(0, "abcdefghijklm"), SolvingError::Letters("ABCDEFGHIJKLM".into())),
            (Action::Erase { cell: 0 }, SolvingError::NothingToDo),
            (Action::Check { scope: Scope::Word { entry: 9 } }, SolvingError::NoSuchEntry(9)),
        ] {
            assert_eq!(solve.apply(0, &action), Err(refusal));
        }
        assert!(solve == before);
    }
}
