//! Exolve's text format: `exolve-begin … exolve-end` with `exolve-…:` sections.
//!
//! In the grid `.` is a block and `0` an open cell without solution; after a cell `@` circles it, `|` puts a bar after it,
//! `_` one under it, `+` both, and `!` gives its letter away. With `exolve-option: rebus-cells` cells are divided by spaces.

use super::PuzzleFormatError;
use crate::rules::{
    CellKind, CellShape, EntryDirection, Enumeration, GridCell, Puzzle, PuzzleEntry, PuzzleGrid, PuzzleMeta,
};
use std::fmt::Write;

fn error(message: impl Into<String>) -> PuzzleFormatError {
    PuzzleFormatError::new("exolve", message)
}

struct Section<'a> {
    line: usize,
    name: &'a str,
    value: &'a str,
    body: Vec<(usize, &'a str)>,
}

/// Reads the first Exolve puzzle of a text (the text may be a whole page).
pub fn read(text: &str) -> Result<Puzzle, PuzzleFormatError> {
    let sections = sections(text)?;
    let value = |name: &str| sections.iter().find(|section| section.name == name).map_or("", |section| section.value);
    let body = |name: &'static str| {
        sections.iter().filter(move |section| section.name == name).flat_map(|section| &section.body)
    };
    let size = |name: &str| {
        let told = value(name);
        told.parse::<usize>().map_err(|_| error(format!("exolve-{name}: {told:?} should be a number")))
    };
    let (width, height) = (size("width")?, size("height")?);
    let rebus = sections
        .iter()
        .any(|section| section.name == "option" && section.value.split_whitespace().any(|word| word == "rebus-cells"));
    let mut grid = read_grid(body("grid"), width, height, rebus)?;
    let runs = grid.number_runs();
    let mut entries = Vec::new();
    for (name, direction) in [("across", EntryDirection::Across), ("down", EntryDirection::Down)] {
        for &(number, line) in body(name) {
            if let Some(entry) =
                read_clue(line, direction, &runs).map_err(|fault| error(format!("line {number}: {fault}")))?
            {
                entries.push(entry);
            }
        }
    }
    let notes: Vec<&str> = body("preamble").map(|(_, line)| *line).collect();
    let meta = PuzzleMeta {
        title: value("title").to_owned(),
        author: value("setter").to_owned(),
        copyright: value("copyright").to_owned(),
        language: value("language").split_whitespace().next().unwrap_or_default().to_owned(),
        notes: notes.join("\n"),
        ..PuzzleMeta::default()
    };
    Ok(Puzzle { meta, grid, entries, extras: serde_json::Map::new() })
}

fn sections(text: &str) -> Result<Vec<Section<'_>>, PuzzleFormatError> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .by_ref()
        .find(|(_, line)| line.starts_with("exolve-begin"))
        .ok_or_else(|| error("the line exolve-begin is missing"))?;
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (number, line) in lines {
        if line.starts_with("exolve-end") {
            return Ok(sections);
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some((name, value)) = line.strip_prefix("exolve-").and_then(|rest| rest.split_once(':')) {
            sections.push(Section { line: number, name: name.trim(), value: value.trim(), body: Vec::new() });
        } else if let Some(section) = sections.last_mut() {
            section.body.push((number, line));
        } else {
            return Err(error(format!("line {number}: {line:?} stands before the first exolve-…: section")));
        }
    }
    let last = sections.last().map_or(1, |section| section.line);
    Err(error(format!("the line exolve-end is missing (last section at line {last})")))
}

fn read_grid<'a>(
    rows: impl Iterator<Item = &'a (usize, &'a str)>,
    width: usize,
    height: usize,
    rebus: bool,
) -> Result<PuzzleGrid, PuzzleFormatError> {
    let mut cells = Vec::new();
    let mut count = 0;
    for &(number, line) in rows {
        let row = if rebus {
            line.split_whitespace().map(read_cell).collect::<Result<Vec<_>, _>>()
        } else {
            single_cells(line).iter().map(|cell| read_cell(cell)).collect()
        };
        let row = row.map_err(|fault| error(format!("line {number}: {fault}")))?;
        if row.len() != width {
            return Err(error(format!("line {number}: {} cells where exolve-width says {width}", row.len())));
        }
        cells.extend(row);
        count += 1;
    }
    if count != height {
        return Err(error(format!("{count} grid rows where exolve-height says {height}")));
    }
    PuzzleGrid::new(width, cells).map_err(error)
}

const MARKS: [char; 5] = ['@', '|', '_', '+', '!'];

/// Divides a row into one letter and its marks each.
fn single_cells(line: &str) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    for c in line.chars().filter(|c| !c.is_whitespace()) {
        match cells.last_mut() {
            Some(cell) if MARKS.contains(&c) => cell.push(c),
            _ => cells.push(c.to_string()),
        }
    }
    cells
}

fn read_cell(text: &str) -> Result<GridCell, String> {
    let letters = text.trim_end_matches(MARKS);
    let mut cell = GridCell::default();
    match letters {
        "." => cell.kind = CellKind::Block,
        "0" | "?" => {}
        "" => return Err(format!("{text:?} has marks but no cell")),
        _ if letters.chars().all(char::is_alphanumeric) => cell.solution = Some(letters.to_uppercase()),
        _ => return Err(format!("{text:?} should be a letter, 0 or .")),
    }
    for mark in text[letters.len()..].chars() {
        match mark {
            '@' => cell.shape = Some(CellShape::Circle),
            '|' => cell.bar_right = true,
            '_' => cell.bar_below = true,
            '+' => (cell.bar_right, cell.bar_below) = (true, true),
            _ => {
                cell.given = true;
                cell.fill.clone_from(&cell.solution);
            }
        }
    }
    Ok(cell)
}

/// A line `12 Clue text (3,4) …`; lines without a number are headings of the list.
fn read_clue(line: &str, direction: EntryDirection, runs: &[PuzzleEntry]) -> Result<Option<PuzzleEntry>, String> {
    let label: String = line.chars().take_while(char::is_ascii_digit).collect();
    if label.is_empty() {
        return Ok(None);
    }
    let run = runs
        .iter()
        .find(|run| run.direction == direction && run.label == label)
        .ok_or_else(|| format!("no entry {label} {direction} in the grid"))?;
    let rest = line[label.len()..].trim();
    // What follows the enumeration is the setter's note on the answer.
    let body = rest.rfind(')').map_or(rest, |end| &rest[..=end]);
    let (clue, enumeration) = Enumeration::split(body);
    let clue = if enumeration.is_some() { clue } else { rest };
    Ok(Some(PuzzleEntry { clue: clue.to_owned(), enumeration, ..run.clone() }))
}

/// Writes an Exolve text; refuses cells outside the grid, which it cannot hold.
pub fn write(puzzle: &Puzzle) -> Result<String, PuzzleFormatError> {
    let grid = &puzzle.grid;
    if grid.cells().iter().any(|cell| cell.kind == CellKind::Void) {
        return Err(error("cells outside the grid cannot be written in this format; use ipuz or JPZ"));
    }
    let long = |letters: &Option<String>| letters.as_deref().is_some_and(|letters| letters.chars().count() > 1);
    let rebus = grid.cells().iter().any(|cell| long(&cell.solution));
    let mut text = String::from("exolve-begin\n");
    let one_line = |value: &str| value.replace(['\n', '\r'], " ");
    for (key, value) in [
        ("title", &puzzle.meta.title),
        ("setter", &puzzle.meta.author),
        ("copyright", &puzzle.meta.copyright),
        ("language", &puzzle.meta.language),
    ] {
        if !value.is_empty() {
            let _ = writeln!(text, "  exolve-{key}: {}", one_line(value));
        }
    }
    let _ = writeln!(text, "  exolve-width: {}\n  exolve-height: {}", grid.width(), grid.height());
    if rebus {
        text.push_str("  exolve-option: rebus-cells\n");
    }
    if !puzzle.meta.notes.is_empty() {
        text.push_str("  exolve-preamble:\n");
        for line in puzzle.meta.notes.lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    text.push_str("  exolve-grid:\n");
    for row in grid.rows() {
        let cells: Vec<String> = row.iter().map(write_cell).collect();
        let _ = writeln!(text, "    {}", cells.join(if rebus { " " } else { "" }));
    }
    for direction in EntryDirection::ALL {
        let _ = writeln!(text, "  exolve-{direction}:");
        for entry in puzzle.of(direction) {
            let enumeration = entry.enumeration.as_ref().map(|told| format!(" {told}")).unwrap_or_default();
            let _ = writeln!(text, "    {} {}{enumeration}", entry.label, one_line(&entry.clue));
        }
    }
    text.push_str("exolve-end\n");
    Ok(text)
}

fn write_cell(cell: &GridCell) -> String {
    let mut text = match (cell.kind, &cell.solution) {
        (CellKind::Open, Some(letters)) => letters.clone(),
        (CellKind::Open, None) => "0".to_owned(),
        _ => ".".to_owned(),
    };
    if cell.shape == Some(CellShape::Circle) {
        text.push('@');
    }
    match (cell.bar_right, cell.bar_below) {
        (true, true) => text.push('+'),
        (true, false) => text.push('|'),
        (false, true) => text.push('_'),
        (false, false) => {}
    }
    if cell.given {
        text.push('!');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "<html>\nexolve-begin\n  exolve-title: Tiny\n  exolve-setter: Ann\n  exolve-width: 3\n  exolve-height: 3\n  exolve-grid:\n    C@A T|\n    A!. E\n    R U_N\n  exolve-across:\n    1 Tom (3) [said]\n    3 Jog (3)\n  exolve-down:\n    1 Motor (3)\n    2 Digits\nexolve-end\n</html>";

    #[test]
    fn a_puzzle_survives() {
        let puzzle = read(SAMPLE).expect("a good text");
        assert!(puzzle.grid.cell(3).given && puzzle.grid.cell(2).bar_right && puzzle.grid.cell(7).bar_below);
        assert_eq!(puzzle.entries[0].clue, "Tom");
        assert_eq!(puzzle.entries[3].clue, "Digits");
        assert_eq!(read(&write(&puzzle).expect("no holes")).expect("readable"), puzzle);
    }

    #[test]
    fn rebus_cells_are_divided_by_spaces() {
        let rebus = SAMPLE
            .replace("  exolve-grid", "  exolve-option: rebus-cells\n  exolve-grid")
            .replace("C@A T|", "C@ A TEN|")
            .replace("A!. E", "A! . E")
            .replace("R U_N", "R U_ N");
        let puzzle = read(&rebus).expect("a good text");
        assert_eq!(puzzle.grid.cell(2).solution.as_deref(), Some("TEN"));
        assert_eq!(read(&write(&puzzle).expect("no holes")).expect("readable"), puzzle);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let told = |from: &str, to: &str| read(&SAMPLE.replacen(from, to, 1)).expect_err("a fault").message;
        assert!(told("exolve-end", "").contains("exolve-end is missing"));
        assert!(told("R U_N", "R U").contains("line 10: 2 cells"));
        assert!(told("exolve-height: 3", "exolve-height: 4").contains("3 grid rows where exolve-height says 4"));
        assert!(told("    3 Jog", "    9 Jog").contains("no entry 9 across"));
    }

    #[test]
    fn no_input_panics() {
        super::super::fuzz_text(SAMPLE, |text| {
            if let Ok(puzzle) = read(text) {
                let _ = write(&puzzle);
            }
        });
    }
}
