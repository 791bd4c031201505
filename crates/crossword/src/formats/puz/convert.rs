//! Between a `.puz` file and a puzzle.

use super::{Puz, SCRAMBLED, Section, error, text};
use crate::formats::PuzzleFormatError;
use crate::rules::{
    CellKind, CellShape, EntryDirection, Enumeration, GridCell, Puzzle, PuzzleEntry, PuzzleGrid, PuzzleMeta,
};

/// Marks a diagramless puzzle, whose blocks the solver must find.
const DIAGRAMLESS: u16 = 0x0401;
/// GEXT bit: the cell is circled.
const CIRCLED: u8 = 0x80;
/// GEXT bit: the letter was given.
const GIVEN: u8 = 0x40;

fn is_block(byte: u8) -> bool {
    byte == b'.' || byte == b':'
}

/// Interprets a file. The solution of a locked file is left out.
pub fn to_puzzle(puz: &Puz) -> Result<Puzzle, PuzzleFormatError> {
    let decode = |bytes: &[u8]| -> Result<String, PuzzleFormatError> {
        if puz.unicode() {
            String::from_utf8(bytes.to_vec()).map_err(|_| error("a text of this version 2 file is not UTF-8"))
        } else {
            Ok(text::decode(bytes))
        }
    };
    let rebus = Rebus::read(puz)?;
    let extra = puz.section(b"GEXT").unwrap_or_default();
    let cells = puz.solution.iter().enumerate().map(|(at, &byte)| {
        if is_block(byte) {
            return GridCell { kind: CellKind::Block, ..GridCell::default() };
        }
        let letter = text::decode(&[byte]).to_uppercase();
        let state = puz.state[at];
        let flags = extra.get(at).copied().unwrap_or(0);
        GridCell {
            solution: (!puz.locked()).then(|| rebus.solution(at).unwrap_or(letter)),
            fill: rebus
                .fill(at)
                .or_else(|| (!matches!(state, b'-' | b'.' | b':')).then(|| text::decode(&[state]).to_uppercase())),
            given: flags & GIVEN != 0,
            shape: (flags & CIRCLED != 0).then_some(CellShape::Circle),
            ..GridCell::default()
        }
    });
    let mut grid = PuzzleGrid::new(puz.width.into(), cells.collect()).map_err(error)?;
    let clues = puz.clues.iter().map(|clue| decode(clue)).collect::<Result<Vec<_>, _>>()?;
    let entries = clued_runs(&mut grid, clues)?;
    let meta = PuzzleMeta {
        title: decode(&puz.title)?.trim().to_owned(),
        author: decode(&puz.author)?.trim().to_owned(),
        copyright: decode(&puz.copyright)?.trim().to_owned(),
        notes: decode(&puz.notes)?.trim().to_owned(),
        ..PuzzleMeta::default()
    };
    Ok(Puzzle { meta, grid, entries, extras: serde_json::Map::new() })
}

/// Clues come in reading order of their first cell, across before down.
fn clued_runs(grid: &mut PuzzleGrid, clues: Vec<String>) -> Result<Vec<PuzzleEntry>, PuzzleFormatError> {
    let mut runs = grid.number_runs();
    if runs.len() != clues.len() {
        return Err(error(format!("the grid has {} entries but the file has {} clues", runs.len(), clues.len())));
    }
    for (run, clue) in runs.iter_mut().zip(clues) {
        let (body, enumeration) = Enumeration::split(&clue);
        run.clue = body.to_owned();
        run.enumeration = enumeration;
    }
    runs.sort_by_key(|run| run.direction);
    Ok(runs)
}

/// The rebus sections: which cell has which key, what keys mean, and what the solver wrote.
struct Rebus {
    keys: Vec<u8>,
    table: Vec<(u8, String)>,
    user: Vec<String>,
}

impl Rebus {
    fn read(puz: &Puz) -> Result<Self, PuzzleFormatError> {
        let keys = puz.section(b"GRBS").unwrap_or_default().to_vec();
        if !keys.is_empty() && keys.len() != puz.solution.len() {
            return Err(error(format!("section GRBS has {} cells, the grid {}", keys.len(), puz.solution.len())));
        }
        let table = text::decode(puz.section(b"RTBL").unwrap_or_default())
            .split(';')
            .filter(|item| !item.trim().is_empty())
            .map(|item| {
                let (key, value) = item
                    .split_once(':')
                    .ok_or_else(|| error(format!("section RTBL: {item:?} should be key:LETTERS")))?;
                let key = key
                    .trim()
                    .parse()
                    .map_err(|_| error(format!("section RTBL: {key:?} is not a number below 256")))?;
                Ok((key, value.to_uppercase()))
            })
            .collect::<Result<Vec<_>, PuzzleFormatError>>()?;
        let user = puz.section(b"RUSR").unwrap_or_default().split(|&byte| byte == 0).map(text::decode).collect();
        Ok(Self { keys, table, user })
    }

    fn solution(&self, at: usize) -> Option<String> {
        let key = self.keys.get(at).copied().filter(|&key| key > 0)?;
        // GRBS counts from one, RTBL from zero.
        self.table.iter().find(|(number, _)| *number == key - 1).map(|(_, letters)| letters.clone())
    }

    fn fill(&self, at: usize) -> Option<String> {
        self.user.get(at).filter(|letters| !letters.is_empty()).cloned()
    }
}

/// Makes a file from a puzzle; refuses bars and shapes that `.puz` cannot hold.
pub fn from_puzzle(puzzle: &Puzzle) -> Result<Puz, PuzzleFormatError> {
    let grid = &puzzle.grid;
    check_holds(puzzle)?;
    let clues: Vec<String> = ordered(puzzle)
        .map(|entry| entry.enumeration.as_ref().map_or(entry.clue.clone(), |e| format!("{} {e}", entry.clue)))
        .collect();
    let texts = [&puzzle.meta.title, &puzzle.meta.author, &puzzle.meta.copyright, &puzzle.meta.notes];
    let unicode = texts.into_iter().chain(&clues).any(|text| text::encode(text).is_none());
    let encode = |text: &str| {
        let bytes = if unicode { text.as_bytes().to_vec() } else { text::encode(text).unwrap_or_default() };
        bytes.into_iter().filter(|&byte| byte != 0).collect::<Vec<u8>>()
    };
    let first = |letters: &Option<String>, none: u8| -> u8 {
        letters
            .as_deref()
            .and_then(|letters| letters.chars().next())
            .and_then(|c| text::encode(&c.to_string()))
            .map_or(none, |bytes| bytes[0])
    };
    let open = |cell: &GridCell| cell.kind == CellKind::Open;
    let mut puz = Puz {
        preamble: Vec::new(),
        version: if unicode { *b"2.0\0" } else { *b"1.3\0" },
        reserved: [0; 2],
        scrambled_checksum: 0,
        reserved_more: [0; 12],
        width: grid.width() as u8,
        height: grid.height() as u8,
        kind: 1,
        scramble: 0,
        solution: grid.cells().iter().map(|cell| if open(cell) { first(&cell.solution, b'X') } else { b'.' }).collect(),
        state: grid.cells().iter().map(|cell| if open(cell) { first(&cell.fill, b'-') } else { b'.' }).collect(),
        title: encode(&puzzle.meta.title),
        author: encode(&puzzle.meta.author),
        copyright: encode(&puzzle.meta.copyright),
        clues: clues.iter().map(|clue| encode(clue)).collect(),
        notes: encode(&puzzle.meta.notes),
        sections: Vec::new(),
        rest: Vec::new(),
        stored: None,
    };
    puz.sections = sections(grid);
    debug_assert!(puz.kind != DIAGRAMLESS && puz.scramble != SCRAMBLED);
    Ok(puz)
}

fn check_holds(puzzle: &Puzzle) -> Result<(), PuzzleFormatError> {
    let grid = &puzzle.grid;
    if grid.cells().iter().any(|cell| cell.bar_right || cell.bar_below) {
        return Err(error("bars cannot be written in this format; use ipuz or JPZ"));
    }
    for cell in grid.cells() {
        for letters in [&cell.solution, &cell.fill].into_iter().flatten() {
            if text::encode(letters).is_none() {
                return Err(error(format!("the letters {letters} have no place in this format; use ipuz")));
            }
        }
    }
    if ordered(puzzle).map(|entry| &entry.cells).ne(grid.runs().iter().map(|run| &run.cells)) {
        return Err(error(
            "entries that are not the runs of the grid cannot be written in this format; use ipuz or JPZ",
        ));
    }
    Ok(())
}

/// Entries in the order of the file: by first cell, across before down.
fn ordered(puzzle: &Puzzle) -> impl Iterator<Item = &PuzzleEntry> {
    let mut entries: Vec<&PuzzleEntry> = puzzle.entries.iter().collect();
    entries.sort_by_key(|entry| (entry.cells.first().copied(), entry.direction == EntryDirection::Down));
    entries.into_iter()
}

fn sections(grid: &PuzzleGrid) -> Vec<Section> {
    let mut sections = Vec::new();
    let is_rebus = |letters: &Option<String>| letters.as_deref().is_some_and(|letters| letters.chars().count() > 1);
    let mut table: Vec<&str> = Vec::new();
    let keys: Vec<u8> = grid
        .cells()
        .iter()
        .map(|cell| match &cell.solution {
            Some(letters) if is_rebus(&cell.solution) => {
                let at = table.iter().position(|have| have == letters).unwrap_or_else(|| {
                    table.push(letters);
                    table.len() - 1
                });
                at as u8 + 1
            }
            _ => 0,
        })
        .collect();
    if !table.is_empty() {
        let written: String = table.iter().enumerate().map(|(at, letters)| format!("{at:2}:{letters};")).collect();
        sections.push(Section { name: *b"GRBS", data: keys });
        sections.push(Section { name: *b"RTBL", data: text::encode(&written).unwrap_or_default() });
    }
    if grid.cells().iter().any(|cell| is_rebus(&cell.fill)) {
        let written = grid.cells().iter().flat_map(|cell| {
            let letters = cell.fill.as_deref().filter(|_| is_rebus(&cell.fill)).unwrap_or_default();
            text::encode(letters).unwrap_or_default().into_iter().chain([0])
        });
        sections.push(Section { name: *b"RUSR", data: written.collect() });
    }
    if grid.cells().iter().any(|cell| cell.given || cell.shape.is_some()) {
        let flags = |cell: &GridCell| {
            (if cell.given { GIVEN } else { 0 }) | (if cell.shape == Some(CellShape::Circle) { CIRCLED } else { 0 })
        };
        sections.push(Section { name: *b"GEXT", data: grid.cells().iter().map(flags).collect() });
    }
    sections
}
