//! `.xd`, the plain-text format of crossword archives.
//!
//! Headers (`Title: …`), the grid (`#` block, `_` outside, `.` open without solution, letters), clues
//! (`A1. Clue ~ ANSWER`), divided by blank lines or by `## Metadata`, `## Grid`, `## Clues`. `Rebus: 1=TEN` gives keys for
//! cells with several letters; `Special: circle` or `shaded` says what lower-case letters mean.

use super::PuzzleFormatError;
use crate::rules::{
    CellKind, CellShape, EntryDirection, Enumeration, GridCell, Puzzle, PuzzleEntry, PuzzleGrid, PuzzleMeta,
};
use std::fmt::Write;

fn error(message: impl Into<String>) -> PuzzleFormatError {
    PuzzleFormatError::new("xd", message)
}

/// A part of the file with the numbers of its lines.
type Part<'a> = Vec<(usize, &'a str)>;

/// Reads an `.xd` file.
pub fn read(text: &str) -> Result<Puzzle, PuzzleFormatError> {
    let parts = divide(text);
    let headers = Headers::read(&parts.metadata)?;
    let mut grid = read_grid(&parts.grid, &headers)?;
    let entries = read_clues(&parts.clues, &mut grid)?;
    Ok(Puzzle { meta: headers.meta, grid, entries, extras: serde_json::Map::new() })
}

#[derive(Default)]
struct Parts<'a> {
    metadata: Part<'a>,
    grid: Part<'a>,
    clues: Part<'a>,
    notes: Part<'a>,
}

impl<'a> Parts<'a> {
    fn part(&mut self, name: &str) -> &mut Part<'a> {
        match name {
            "metadata" => &mut self.metadata,
            "grid" => &mut self.grid,
            "clues" => &mut self.clues,
            _ => &mut self.notes,
        }
    }
}

fn divide(text: &str) -> Parts<'_> {
    let mut parts = Parts::default();
    let explicit = text.lines().any(|line| line.trim().eq_ignore_ascii_case("## grid"));
    let mut current = if explicit { "notes".to_owned() } else { "metadata".to_owned() };
    let mut blank = 0;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end();
        if explicit {
            if let Some(name) = line.strip_prefix("## ") {
                current = name.trim().to_ascii_lowercase();
                continue;
            }
        } else if line.is_empty() {
            blank += 1;
            continue;
        } else if blank > 0 {
            current = match (current.as_str(), line.contains(". ") && line.contains('~')) {
                ("metadata", _) => "grid".to_owned(),
                ("grid", _) | ("clues", true) => "clues".to_owned(),
                (other, _) => other.to_owned(),
            };
            blank = 0;
        }
        if !line.trim().is_empty() {
            parts.part(&current).push((index + 1, line));
        }
    }
    parts
}

#[derive(Default)]
struct Headers {
    meta: PuzzleMeta,
    rebus: Vec<(char, String)>,
    special: Option<String>,
}

impl Headers {
    fn read(part: &Part<'_>) -> Result<Self, PuzzleFormatError> {
        let mut headers = Self::default();
        for &(number, line) in part {
            let (key, value) =
                line.split_once(':').ok_or_else(|| error(format!("line {number}: {line:?} should be Name: value")))?;
            let value = value.trim().to_owned();
            let meta = &mut headers.meta;
            match key.trim().to_ascii_lowercase().as_str() {
                "title" => meta.title = value,
                "author" | "creator" => meta.author = value,
                "editor" => meta.editor = value,
                "publisher" => meta.publisher = value,
                "copyright" => meta.copyright = value,
                "date" => meta.date = value,
                "notes" | "note" | "description" => meta.notes = value,
                "language" => meta.language = value,
                "special" => headers.special = Some(value.to_ascii_lowercase()),
                "rebus" => {
                    for item in value.split_whitespace() {
                        let pair = item.split_once('=').and_then(|(key, letters)| Some((key.chars().next()?, letters)));
                        let (key, letters) =
                            pair.ok_or_else(|| error(format!("line {number}: {item:?} should be KEY=LETTERS")))?;
                        headers.rebus.push((key, letters.to_uppercase()));
                    }
                }
                _ => {}
            }
        }
        Ok(headers)
    }
}

fn read_grid(part: &Part<'_>, headers: &Headers) -> Result<PuzzleGrid, PuzzleFormatError> {
    let width = part.first().map_or(0, |(_, line)| line.trim().chars().count());
    let mut cells = Vec::new();
    for &(number, line) in part {
        let line = line.trim();
        if line.chars().count() != width {
            return Err(error(format!(
                "line {number}: {} cells where the first row has {width}",
                line.chars().count()
            )));
        }
        if let Some(odd) = line.chars().find(|c| c.is_whitespace() || c.is_control()) {
            return Err(error(format!("line {number}: {odd:?} cannot stand in a cell: letters, '#', '_' and '.' can")));
        }
        cells.extend(line.chars().map(|c| read_cell(c, headers)));
    }
    PuzzleGrid::new(width, cells).map_err(error)
}

fn read_cell(c: char, headers: &Headers) -> GridCell {
    let kind = match c {
        '#' => CellKind::Block,
        '_' => CellKind::Void,
        _ => CellKind::Open,
    };
    let mut cell = GridCell { kind, ..GridCell::default() };
    if kind != CellKind::Open || c == '.' {
        return cell;
    }
    let rebus = headers.rebus.iter().find(|(key, _)| *key == c).map(|(_, letters)| letters.clone());
    cell.solution = Some(rebus.unwrap_or_else(|| c.to_uppercase().collect()));
    if c.is_lowercase() {
        match headers.special.as_deref() {
            Some("circle") => cell.shape = Some(CellShape::Circle),
            Some(_) => cell.shade = Some("highlight".to_owned()),
            None => {}
        }
    }
    cell
}

fn read_clues(part: &Part<'_>, grid: &mut PuzzleGrid) -> Result<Vec<PuzzleEntry>, PuzzleFormatError> {
    let runs = grid.number_runs();
    let mut entries = Vec::new();
    for &(number, line) in part {
        // `A1 ^Hint: …` lines carry metadata of a clue.
        if line.split_whitespace().nth(1).is_some_and(|word| word.starts_with('^')) {
            continue;
        }
        let (place, rest) = line
            .split_once('.')
            .ok_or_else(|| error(format!("line {number}: {line:?} should be A1. clue ~ ANSWER")))?;
        let direction = match place.chars().next() {
            Some('A') => EntryDirection::Across,
            Some('D') => EntryDirection::Down,
            _ => return Err(error(format!("line {number}: {place:?} should start with A or D"))),
        };
        let label = place[1..].trim();
        let run = runs
            .iter()
            .find(|run| run.direction == direction && run.label == label)
            .ok_or_else(|| error(format!("line {number}: no entry {label} {direction} in the grid")))?;
        let (clue, answer) = rest.rsplit_once('~').map_or((rest, None), |(clue, answer)| (clue, Some(answer.trim())));
        check_answer(grid, run, answer).map_err(|fault| error(format!("line {number}: {fault}")))?;
        let (clue, enumeration) = Enumeration::split(clue.trim());
        entries.push(PuzzleEntry { clue: clue.to_owned(), enumeration, ..run.clone() });
    }
    entries.sort_by_key(|entry| entry.direction);
    Ok(entries)
}

/// The answer beside a clue must be what the grid says; both are in the file so that slips show.
fn check_answer(grid: &PuzzleGrid, run: &PuzzleEntry, answer: Option<&str>) -> Result<(), String> {
    let Some(answer) = answer.filter(|answer| !answer.is_empty()) else { return Ok(()) };
    let there: Option<String> = run.cells.iter().map(|&cell| grid.cell(cell).solution.clone()).collect();
    let told: String = answer.to_uppercase().chars().filter(|c| c.is_alphanumeric()).collect();
    match there.filter(|there| there.chars().filter(|c| c.is_alphanumeric()).ne(told.chars())) {
        Some(there) => Err(format!("the answer {answer} is {there} in the grid")),
        None => Ok(()),
    }
}

/// Keys for rebus cells, in the order they are given out.
const KEYS: &str = "123456789abcdefghijklmnopqrstuvwxyz";

/// Writes an `.xd` file; refuses bars, which it cannot hold.
pub fn write(puzzle: &Puzzle) -> Result<String, PuzzleFormatError> {
    let grid = &puzzle.grid;
    if grid.cells().iter().any(|cell| cell.bar_right || cell.bar_below) {
        return Err(error("bars cannot be written in this format; use ipuz or JPZ"));
    }
    let rebus = rebus_keys(grid)?;
    let meta = &puzzle.meta;
    let mut text = String::from("## Metadata\n\n");
    for (key, value) in [
        ("Title", &meta.title),
        ("Author", &meta.author),
        ("Editor", &meta.editor),
        ("Publisher", &meta.publisher),
        ("Copyright", &meta.copyright),
        ("Date", &meta.date),
        ("Notes", &meta.notes),
        ("Language", &meta.language),
    ] {
        if !value.is_empty() {
            let _ = writeln!(text, "{key}: {}", value.replace(['\n', '\r'], " "));
        }
    }
    if !rebus.is_empty() {
        let pairs: Vec<_> = rebus.iter().map(|(key, letters)| format!("{key}={letters}")).collect();
        let _ = writeln!(text, "Rebus: {}", pairs.join(" "));
    }
    let circled = grid.cells().iter().any(|cell| cell.shape.is_some());
    if circled || grid.cells().iter().any(|cell| cell.shade.is_some()) {
        let _ = writeln!(text, "Special: {}", if circled { "circle" } else { "shaded" });
    }
    text.push_str("\n## Grid\n\n");
    for row in grid.rows() {
        text.extend(row.iter().map(|cell| write_cell(cell, &rebus, circled)));
        text.push('\n');
    }
    text.push_str("\n## Clues\n");
    for (direction, letter) in [(EntryDirection::Across, 'A'), (EntryDirection::Down, 'D')] {
        text.push('\n');
        for entry in puzzle.of(direction) {
            let enumeration = entry.enumeration.as_ref().map(|told| format!(" {told}")).unwrap_or_default();
            let answer = puzzle.answer(entry).unwrap_or_default();
            let clue = entry.clue.replace(['\n', '\r'], " ");
            let _ = writeln!(text, "{letter}{}. {clue}{enumeration} ~ {answer}", entry.label);
        }
    }
    Ok(text)
}

fn rebus_keys(grid: &PuzzleGrid) -> Result<Vec<(char, String)>, PuzzleFormatError> {
    let mut keys: Vec<(char, String)> = Vec::new();
    for letters in grid.cells().iter().filter_map(|cell| cell.solution.as_ref()) {
        if letters.chars().count() > 1 && !keys.iter().any(|(_, have)| have == letters) {
            let key =
                KEYS.chars().nth(keys.len()).ok_or_else(|| error("more than 35 different rebus cells do not fit"))?;
            keys.push((key, letters.clone()));
        }
    }
    Ok(keys)
}

fn write_cell(cell: &GridCell, rebus: &[(char, String)], circled: bool) -> char {
    match (cell.kind, &cell.solution) {
        (CellKind::Block, _) => '#',
        (CellKind::Void, _) => '_',
        (CellKind::Open, None) => '.',
        (CellKind::Open, Some(letters)) => {
            if let Some((key, _)) = rebus.iter().find(|(_, have)| have == letters) {
                return *key;
            }
            let letter = letters.chars().next().unwrap_or('.');
            let special = if circled { cell.shape.is_some() } else { cell.shade.is_some() };
            if special { letter.to_lowercase().next().unwrap_or(letter) } else { letter }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMPLICIT: &str = "Title: Tiny\nAuthor: Ann\nRebus: 1=TEN\nSpecial: circle\n\n\nCA1\na#E\nRUN\n\n\nA1. Tom and ten ~ CATEN\nA3. Jog (3) ~ RUN\n\nD1. Motor ~ CAR\nD2. Ten en ~ TENEN\n";

    #[test]
    fn both_layouts_are_read_and_survive() {
        let puzzle = read(IMPLICIT).expect("a good file");
        assert_eq!(puzzle.meta.author, "Ann");
        assert_eq!(puzzle.grid.cell(2).solution.as_deref(), Some("TEN"));
        assert_eq!(puzzle.grid.cell(3).shape, Some(CellShape::Circle));
        assert_eq!(puzzle.entries[1].enumeration.as_ref().map(Enumeration::total), Some(3));
        assert_eq!(read(&write(&puzzle).expect("no bars")).expect("readable"), puzzle);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let told = |from: &str, to: &str| read(&IMPLICIT.replacen(from, to, 1)).expect_err("a fault").message;
        assert!(told("~ RUN", "~ FUN").contains("line 13: the answer FUN is RUN in the grid"));
        assert!(told("a#E", "a#").contains("line 8: 2 cells where the first row has 3"));
        // written again, such a row would be taken for the name of a part
        assert!(told("CA1", "# A").contains("line 7: ' ' cannot stand in a cell"));
        assert!(told("D2.", "D9.").contains("no entry 9 down"));
        assert!(told("1=TEN", "TEN").contains("KEY=LETTERS"));
    }

    #[test]
    fn no_input_panics() {
        super::super::fuzz_text(IMPLICIT, |text| {
            if let Ok(puzzle) = read(text) {
                let _ = write(&puzzle);
            }
        });
    }
}
