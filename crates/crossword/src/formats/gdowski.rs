//! The `.crossword` and `.solution` text files of Gdowski 2019.
//!
//! First line rows and columns, the grid (`.` cell, `#` block), the number of across clues and those clues, the number
//! of down clues and those. Slots are counted in reading order per direction. A solution file has both numbers on its
//! first line and then one answer a line, across before down.

use super::PuzzleFormatError;
use crate::rules::{CellKind, EntryDirection, GridCell, Puzzle, PuzzleGrid, PuzzleMeta};
use std::fmt::Write;

fn error(message: impl Into<String>) -> PuzzleFormatError {
    PuzzleFormatError::new("crossword", message)
}

/// Lines with their numbers.
struct Lines<'a>(std::iter::Enumerate<std::str::Lines<'a>>);

impl<'a> Lines<'a> {
    fn next(&mut self, wanted: &str) -> Result<(usize, &'a str), PuzzleFormatError> {
        let (index, line) = self.0.next().ok_or_else(|| error(format!("the file ends where {wanted} should be")))?;
        Ok((index + 1, line.trim_end()))
    }

    fn number(&mut self, wanted: &str) -> Result<usize, PuzzleFormatError> {
        let (number, line) = self.next(wanted)?;
        line.trim().parse().map_err(|_| error(format!("line {number}: {line:?} should be {wanted}")))
    }
}

/// Reads a `.crossword` file.
pub fn read(text: &str) -> Result<Puzzle, PuzzleFormatError> {
    let mut lines = Lines(text.lines().enumerate());
    let (_, first) = lines.next("the size")?;
    let size: Vec<usize> = first.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[rows, columns] = size.as_slice() else {
        return Err(error(format!("line 1: {first:?} should be the number of rows and of columns")));
    };
    let mut cells = Vec::new();
    for row in 0..rows {
        let (number, line) = lines.next(&format!("row {} of the grid", row + 1))?;
        if line.chars().count() != columns {
            return Err(error(format!("line {number}: {} cells where {columns} are announced", line.chars().count())));
        }
        for c in line.chars() {
            let kind = match c {
                '.' => CellKind::Open,
                '#' => CellKind::Block,
                _ => return Err(error(format!("line {number}: {c:?} should be . for a cell or # for a block"))),
            };
            cells.push(GridCell { kind, ..GridCell::default() });
        }
    }
    let grid = PuzzleGrid::new(columns, cells).map_err(error)?;
    let mut lists = [Vec::new(), Vec::new()];
    for (list, direction) in lists.iter_mut().zip(EntryDirection::ALL) {
        let count = lines.number(&format!("the number of clues {direction}"))?;
        for clue in 0..count {
            let (_, line) = lines.next(&format!("clue {} {direction}", clue + 1))?;
            list.push(line.to_owned());
        }
    }
    let [across, down] = lists;
    Puzzle::from_runs(PuzzleMeta::default(), grid, across, down).map_err(error)
}

/// Writes a `.crossword` file; refuses bars and cells outside the grid, which it cannot hold.
pub fn write(puzzle: &Puzzle) -> Result<String, PuzzleFormatError> {
    let grid = &puzzle.grid;
    let mut text = format!("{} {}\n", grid.height(), grid.width());
    for row in grid.rows() {
        for cell in row {
            if cell.bar_right || cell.bar_below {
                return Err(error("bars cannot be written in this format; use ipuz"));
            }
            text.push(if cell.kind == CellKind::Open { '.' } else { '#' });
        }
        text.push('\n');
    }
    for direction in EntryDirection::ALL {
        let clues: Vec<_> = puzzle.of(direction).map(|entry| entry.clue.replace(['\n', '\r'], " ")).collect();
        let _ = writeln!(text, "{}", clues.len());
        for clue in clues {
            let _ = writeln!(text, "{clue}");
        }
    }
    Ok(text)
}

/// Writes the answers of a `.solution` file into the puzzle's cells.
pub fn read_solution(puzzle: &mut Puzzle, text: &str) -> Result<(), PuzzleFormatError> {
    let mut lines = Lines(text.lines().enumerate());
    lines.next("the number of answers")?;
    let order: Vec<usize> = EntryDirection::ALL
        .into_iter()
        .flat_map(|direction| {
            puzzle.entries.iter().enumerate().filter(move |(_, entry)| entry.direction == direction).map(|(at, _)| at)
        })
        .collect();
    for at in order {
        let (number, line) = lines.next("an answer")?;
        let letters: Vec<String> = line.trim().chars().flat_map(char::to_uppercase).map(String::from).collect();
        let cells = &puzzle.entries[at].cells;
        if letters.len() != cells.len() {
            return Err(error(format!("line {number}: {} letters for {} cells", letters.len(), cells.len())));
        }
        for (&cell, letter) in cells.iter().zip(letters) {
            let cell = puzzle.grid.cell_mut(cell);
            match &cell.solution {
                Some(there) if *there != letter => {
                    return Err(error(format!("line {number}: {letter} crosses a {there}")));
                }
                _ => cell.solution = Some(letter),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "3 3\n...\n.#.\n...\n2\nfeline\ntin container\n2\nvehicle\nnumber of toes\n";

    #[test]
    fn a_file_is_read_and_written() {
        let mut puzzle = read(SMALL).expect("a good file");
        assert_eq!(puzzle.entries.len(), 4);
        assert_eq!(write(&puzzle).expect("nothing special in it"), SMALL);
        let crossed = read_solution(&mut puzzle.clone(), "2 2\ncat\nfun\ncar\nten\n").expect_err("F crosses R");
        assert!(crossed.message.contains("line 4: R crosses a F"), "{crossed}");
        read_solution(&mut puzzle, "2 2\ncat\nrun\ncar\nten\n").expect("all crossings agree");
        assert_eq!(puzzle.answer(&puzzle.entries[1]).as_deref(), Some("RUN"));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let told = |text: &str| read(text).expect_err("a fault").message;
        assert!(told("3 3\n...\n.#\n").contains("line 3: 2 cells where 3"));
        assert!(told("3 3\n...\n.x.\n...\n").contains("line 3: 'x'"));
        assert!(told("3 3\n...\n.#.\n...\n1\na\n").contains("ends where the number of clues down"));
        assert!(told("3 3\n...\n.#.\n...\n1\na\n2\nb\nc\n").contains("2 entries across but there are 1 clues"));
    }

    #[test]
    fn no_input_panics() {
        bolero::check!().for_each(|bytes: &[u8]| {
            let _ = read(&String::from_utf8_lossy(bytes));
        });
    }
}
