//! ipuz (version 2, kind crossword), the native format: JSON that holds everything a puzzle has.
//!
//! Unknown top-level fields are kept in [`Puzzle::extras`] and written back.

use super::PuzzleFormatError;
use crate::rules::{
    CellKind, CellShape, EntryDirection, Enumeration, GridCell, Puzzle, PuzzleEntry, PuzzleGrid, PuzzleMeta,
};
use serde_json::{Map, Value, json};

const VERSION: &str = "http://ipuz.org/v2";
const KIND: &str = "http://ipuz.org/crossword";
/// Fields that the puzzle itself holds; all others are extras.
const KNOWN: &[&str] = &[
    "version",
    "kind",
    "dimensions",
    "puzzle",
    "solution",
    "saved",
    "clues",
    "title",
    "author",
    "editor",
    "publisher",
    "copyright",
    "date",
    "intro",
    "locale",
    "block",
    "empty",
    "showenumerations",
];

fn error(message: impl Into<String>) -> PuzzleFormatError {
    PuzzleFormatError::new("ipuz", message)
}

/// Reads an ipuz crossword.
pub fn read(text: &str) -> Result<Puzzle, PuzzleFormatError> {
    // Some old files wrap the object in a call: ipuz({...}).
    let trimmed = text.trim();
    let body =
        trimmed.strip_prefix("ipuz(").and_then(|rest| rest.trim_end_matches(';').strip_suffix(')')).unwrap_or(trimmed);
    let root: Map<String, Value> = serde_json::from_str(body).map_err(|fault| error(fault.to_string()))?;
    let kinds = root.get("kind").and_then(Value::as_array).cloned().unwrap_or_default();
    if !kinds.iter().filter_map(Value::as_str).any(|kind| kind.starts_with(KIND)) {
        return Err(error(format!("kind should name {KIND}; this is {}", Value::from(kinds))));
    }
    let marks = Marks { block: mark(&root, "block", "#"), empty: mark(&root, "empty", "0") };
    let mut grid = read_grid(&root, &marks)?;
    let entries = read_entries(&root, &mut grid)?;
    let string = |key: &str| root.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let meta = PuzzleMeta {
        title: string("title"),
        author: string("author"),
        editor: string("editor"),
        publisher: string("publisher"),
        copyright: string("copyright"),
        date: string("date"),
        notes: string("intro"),
        language: string("locale"),
    };
    let extras = root.into_iter().filter(|(key, _)| !KNOWN.contains(&key.as_str())).collect();
    Ok(Puzzle { meta, grid, entries, extras })
}

/// How this file writes blocks and empty cells.
struct Marks {
    block: String,
    empty: String,
}

fn mark(root: &Map<String, Value>, key: &str, usual: &str) -> String {
    root.get(key).map_or(usual.to_owned(), plain)
}

/// A string or a number as text.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn read_grid(root: &Map<String, Value>, marks: &Marks) -> Result<PuzzleGrid, PuzzleFormatError> {
    let dimension = |key: &str| {
        let value = root.get("dimensions").and_then(|dimensions| dimensions.get(key)).and_then(Value::as_u64);
        value.ok_or_else(|| error(format!("dimensions.{key} should be a number"))).map(|number| number as usize)
    };
    let (width, height) = (dimension("width")?, dimension("height")?);
    let puzzle = matrix(root, "puzzle", width, height)?.ok_or_else(|| error("the field puzzle is missing"))?;
    let solution = matrix(root, "solution", width, height)?;
    let saved = matrix(root, "saved", width, height)?;
    let mut cells = Vec::with_capacity(width * height);
    let mut bars = Vec::new();
    for at in 0..width * height {
        let (mut cell, barred) = read_cell(puzzle[at], marks);
        if cell.kind == CellKind::Open {
            let letters = |value: &Value| content(value, marks).map(|letters| letters.to_uppercase());
            cell.solution = solution.as_ref().and_then(|rows| letters(rows[at]));
            if !cell.given {
                cell.fill = saved.as_ref().and_then(|rows| letters(rows[at]));
            }
        }
        bars.push(barred);
        cells.push(cell);
    }
    for (at, barred) in bars.iter().enumerate() {
        for side in barred.chars() {
            match side {
                'R' => cells[at].bar_right = true,
                'B' => cells[at].bar_below = true,
                'L' if !at.is_multiple_of(width) => cells[at - 1].bar_right = true,
                'T' if at >= width => cells[at - width].bar_below = true,
                _ => {}
            }
        }
    }
    PuzzleGrid::new(width, cells).map_err(error)
}

/// A field that is rows of cells, flattened.
fn matrix<'a>(
    root: &'a Map<String, Value>,
    key: &str,
    width: usize,
    height: usize,
) -> Result<Option<Vec<&'a Value>>, PuzzleFormatError> {
    let Some(rows) = root.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
    let rows = rows.as_array().ok_or_else(|| error(format!("{key} should be a list of rows")))?;
    if rows.len() != height {
        return Err(error(format!("{key} has {} rows, dimensions say {height}", rows.len())));
    }
    let mut cells = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let row = row.as_array().ok_or_else(|| error(format!("{key} row {} should be a list", number + 1)))?;
        if row.len() != width {
            return Err(error(format!("{key} row {} has {} cells, dimensions say {width}", number + 1, row.len())));
        }
        cells.extend(row);
    }
    Ok(Some(cells))
}

/// A cell of the field puzzle and its bars.
fn read_cell(value: &Value, marks: &Marks) -> (GridCell, String) {
    let mut cell = GridCell::default();
    let mut barred = String::new();
    let label = match value {
        Value::Null => {
            cell.kind = CellKind::Void;
            return (cell, barred);
        }
        Value::Object(object) => {
            let style = object.get("style").cloned().unwrap_or_default();
            if style.get("shapebg").and_then(Value::as_str) == Some("circle") {
                cell.shape = Some(CellShape::Circle);
            }
            cell.shade = style.get("color").map(plain).or_else(|| {
                (style.get("highlight").and_then(Value::as_bool) == Some(true)).then(|| "highlight".to_owned())
            });
            barred = style.get("barred").map(plain).unwrap_or_default();
            if let Some(given) = object.get("value").and_then(|value| content(value, marks)) {
                cell.fill = Some(given.to_uppercase());
                cell.given = true;
            }
            object.get("cell").cloned().unwrap_or_default()
        }
        other => other.clone(),
    };
    let label = if label.is_null() { marks.empty.clone() } else { plain(&label) };
    if label == marks.block {
        cell.kind = CellKind::Block;
    } else if label != marks.empty && !label.is_empty() {
        cell.label = Some(label);
    }
    (cell, barred)
}

/// The letters of a cell of solution or saved.
fn content(value: &Value, marks: &Marks) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::Object(object) => plain(object.get("value")?),
        other => plain(other),
    };
    (text != marks.block && text != marks.empty && !text.is_empty()).then_some(text)
}

fn read_entries(root: &Map<String, Value>, grid: &mut PuzzleGrid) -> Result<Vec<PuzzleEntry>, PuzzleFormatError> {
    let mut runs = grid.runs();
    let labelled = runs.iter().any(|run| grid.cell(run.cells[0]).label.is_some());
    if labelled {
        for run in &mut runs {
            run.label = grid.cell(run.cells[0]).label.clone().unwrap_or_default();
        }
    } else {
        runs = grid.number_runs();
    }
    let none = Map::new();
    let lists = root.get("clues").and_then(Value::as_object).unwrap_or(&none);
    for name in lists.keys() {
        let plain = name.split(':').next().unwrap_or_default();
        if plain != "Across" && plain != "Down" {
            return Err(error(format!("clue list {name:?}: only Across and Down are known here")));
        }
    }
    let mut entries = Vec::new();
    for (direction, name) in [(EntryDirection::Across, "Across"), (EntryDirection::Down, "Down")] {
        let list = lists.iter().find(|(key, _)| key.split(':').next() == Some(name)).map(|(_, list)| list);
        for clue in list.and_then(Value::as_array).into_iter().flatten() {
            entries.push(read_clue(clue, direction, &runs, grid)?);
        }
    }
    Ok(entries)
}

fn read_clue(
    value: &Value,
    direction: EntryDirection,
    runs: &[PuzzleEntry],
    grid: &PuzzleGrid,
) -> Result<PuzzleEntry, PuzzleFormatError> {
    let (label, clue, object) = match value {
        Value::Array(pair) if pair.len() >= 2 => (plain(&pair[0]), plain(&pair[1]), None),
        Value::Object(object) => {
            let label = object.get("number").or_else(|| object.get("label")).map(plain).unwrap_or_default();
            (label, object.get("clue").map(plain).unwrap_or_default(), Some(object))
        }
        other => return Err(error(format!("a clue {direction} should be [number, text] or an object, not {other}"))),
    };
    let cells = match object.and_then(|object| object.get("cells")).and_then(Value::as_array) {
        Some(places) => places.iter().map(|place| listed_cell(place, grid)).collect::<Result<Vec<_>, _>>()?,
        None => runs
            .iter()
            .find(|run| run.direction == direction && run.label == label)
            .map(|run| run.cells.clone())
            .ok_or_else(|| error(format!("clue {label} {direction}: no entry of the grid starts there")))?,
    };
    let told = object.and_then(|object| object.get("enumeration")).map(plain);
    let (clue, enumeration) = match told {
        Some(told) => (clue.as_str(), Enumeration::parse(&told)),
        None => Enumeration::split(&clue),
    };
    if let Some(enumeration) = &enumeration {
        let letters: usize =
            cells.iter().map(|&cell| grid.cell(cell).solution.as_deref().map_or(1, |s| s.chars().count())).sum();
        if enumeration.total() != letters && enumeration.total() != cells.len() {
            return Err(error(format!(
                "clue {label} {direction} has {} cells but its enumeration says {}",
                cells.len(),
                enumeration.total()
            )));
        }
    }
    Ok(PuzzleEntry { direction, label, cells, clue: clue.to_owned(), enumeration })
}

/// A place written as [column, row], counted from one.
fn listed_cell(place: &Value, grid: &PuzzleGrid) -> Result<usize, PuzzleFormatError> {
    let number =
        |at: usize| place.get(at).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()?.checked_sub(1));
    number(0)
        .zip(number(1))
        .and_then(|(column, row)| grid.index(column, row))
        .filter(|&index| grid.cell(index).kind == CellKind::Open)
        .ok_or_else(|| error(format!("a clue lists the cell {place}, which is not an open cell of the grid")))
}

/// Marks for blocks and empty cells that no label and no letter of the puzzle looks like.
fn free_marks(grid: &PuzzleGrid) -> Marks {
    let used = |mark: &str| {
        let is = |text: &Option<String>| text.as_deref() == Some(mark);
        grid.cells().iter().any(|cell| is(&cell.label) || is(&cell.solution) || is(&cell.fill))
    };
    let free = |first: &str| {
        std::iter::successors(Some(first.to_owned()), |mark| Some(format!("{mark}{first}")))
            .find(|mark| !used(mark))
            .expect("some repetition is not used: the grid is finite")
    };
    Marks { block: free("#"), empty: free("0") }
}

/// Writes a puzzle; every puzzle has an ipuz form.
pub fn write(puzzle: &Puzzle) -> Result<String, PuzzleFormatError> {
    let grid = &puzzle.grid;
    let marks = free_marks(grid);
    let rows = |cell: &dyn Fn(usize) -> Value| -> Value {
        let row = |row: usize| {
            Value::from((0..grid.width()).map(|column| cell(row * grid.width() + column)).collect::<Vec<_>>())
        };
        Value::from((0..grid.height()).map(row).collect::<Vec<_>>())
    };
    let outside = |at: usize| match grid.cell(at).kind {
        CellKind::Open => None,
        CellKind::Block => Some(json!(marks.block)),
        CellKind::Void => Some(Value::Null),
    };
    let mut root = puzzle.extras.clone();
    root.insert("version".into(), json!(VERSION));
    root.insert("kind".into(), json!([format!("{KIND}#1")]));
    for (key, mark, usual) in [("block", &marks.block, "#"), ("empty", &marks.empty, "0")] {
        if mark != usual {
            root.insert(key.into(), json!(mark));
        }
    }
    root.insert("dimensions".into(), json!({"width": grid.width(), "height": grid.height()}));
    root.insert("puzzle".into(), rows(&|at| outside(at).unwrap_or_else(|| write_cell(grid.cell(at), &marks))));
    if grid.cells().iter().any(|cell| cell.solution.is_some()) {
        root.insert(
            "solution".into(),
            rows(&|at| outside(at).unwrap_or_else(|| json!(grid.cell(at).solution.as_deref().unwrap_or(&marks.empty)))),
        );
    }
    if grid.cells().iter().any(|cell| cell.fill.is_some() && !cell.given) {
        let fill = |at: usize| grid.cell(at).fill.as_deref().filter(|_| !grid.cell(at).given).unwrap_or(&marks.empty);
        root.insert("saved".into(), rows(&|at| outside(at).unwrap_or_else(|| json!(fill(at)))));
    }
    let meta = &puzzle.meta;
    for (key, value) in [
        ("title", &meta.title),
        ("author", &meta.author),
        ("editor", &meta.editor),
        ("publisher", &meta.publisher),
        ("copyright", &meta.copyright),
        ("date", &meta.date),
        ("intro", &meta.notes),
        ("locale", &meta.language),
    ] {
        if !value.is_empty() {
            root.insert(key.into(), json!(value));
        }
    }
    let runs = grid.runs();
    let list =
        |direction| Value::from(puzzle.of(direction).map(|entry| write_clue(entry, grid, &runs)).collect::<Vec<_>>());
    root.insert("clues".into(), json!({"Across": list(EntryDirection::Across), "Down": list(EntryDirection::Down)}));
    serde_json::to_string_pretty(&root).map_err(|fault| error(fault.to_string()))
}

fn write_cell(cell: &GridCell, marks: &Marks) -> Value {
    let label = match &cell.label {
        Some(label) => label.parse::<u32>().map_or_else(|_| json!(label), Value::from),
        None if marks.empty == "0" => json!(0),
        None => json!(marks.empty),
    };
    let mut style = Map::new();
    if cell.shape == Some(CellShape::Circle) {
        style.insert("shapebg".into(), json!("circle"));
    }
    match cell.shade.as_deref() {
        Some("highlight") => drop(style.insert("highlight".into(), json!(true))),
        Some(color) => drop(style.insert("color".into(), json!(color))),
        None => {}
    }
    let bars = format!("{}{}", if cell.bar_right { "R" } else { "" }, if cell.bar_below { "B" } else { "" });
    if !bars.is_empty() {
        style.insert("barred".into(), json!(bars));
    }
    if style.is_empty() && !cell.given {
        return label;
    }
    let mut object = Map::from_iter([("cell".to_owned(), label)]);
    if !style.is_empty() {
        object.insert("style".into(), style.into());
    }
    if cell.given {
        object.insert("value".into(), json!(cell.fill));
    }
    object.into()
}

fn write_clue(entry: &PuzzleEntry, grid: &PuzzleGrid, runs: &[PuzzleEntry]) -> Value {
    let label = entry.label.parse::<u32>().map_or_else(|_| json!(entry.label), Value::from);
    let usual = runs.iter().any(|run| {
        run.direction == entry.direction
            && run.cells == entry.cells
            && grid.cell(run.cells[0]).label.as_deref() == Some(entry.label.as_str())
    });
    if usual && entry.enumeration.is_none() && Enumeration::split(&entry.clue).1.is_none() {
        return json!([label, entry.clue]);
    }
    let mut object = Map::from_iter([("number".to_owned(), label), ("clue".to_owned(), json!(entry.clue))]);
    if let Some(enumeration) = &entry.enumeration {
        object.insert("enumeration".into(), json!(enumeration.text()));
    } else if Enumeration::split(&entry.clue).1.is_some() {
        // Keeps brackets that belong to the clue from being read as an enumeration.
        object.insert("enumeration".into(), json!(""));
    }
    if !usual {
        let places: Vec<_> =
            entry.cells.iter().map(|&at| json!([at % grid.width() + 1, at / grid.width() + 1])).collect();
        object.insert("cells".into(), places.into());
    }
    object.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r##"{
        "version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/crossword#1"], "title": "Tiny", "locale": "en",
        "dimensions": {"width": 3, "height": 3}, "origin": "somewhere", "block": "#", "empty": "0",
        "puzzle": [[{"cell": 1, "style": {"shapebg": "circle"}}, 0, 2], [{"cell": 0, "value": "A"}, "#", 0], [3, 0, null]],
        "solution": [["C", "A", {"value": "TEN"}], ["A", "#", "E"], ["R", "U", null]],
        "saved": [["C", 0, 0], [0, "#", 0], [0, 0, null]],
        "clues": {"Across": [[1, "Tom (3)"], {"number": 3, "clue": "We, to us (or you)", "enumeration": "2"}],
                  "Down": [{"number": 1, "clue": "Motor"}, [2, "Ten, e"]]}}"##;

    #[test]
    fn everything_survives() {
        let puzzle = read(SAMPLE).expect("a good file");
        assert_eq!(puzzle.grid.cell(0).shape, Some(CellShape::Circle));
        assert!(puzzle.grid.cell(3).given);
        assert_eq!(puzzle.grid.cell(8).kind, CellKind::Void);
        assert_eq!(puzzle.entries[0].enumeration.as_ref().map(Enumeration::text), Some("3"));
        assert_eq!(puzzle.answer(&puzzle.entries[0]).as_deref(), Some("CATEN"));
        assert_eq!(puzzle.extras["origin"], "somewhere");
        let written = write(&puzzle).expect("everything has an ipuz form");
        assert_eq!(read(&written).expect("readable"), puzzle);
    }

    #[test]
    fn bars_at_any_side_are_one_bar() {
        let barred = SAMPLE.replacen(r#"0, 2]"#, r#"{"cell": 0, "style": {"barred": "L"}}, 2]"#, 1);
        let fault = read(&barred).expect_err("1 across is gone").message;
        assert!(fault.contains("clue 1 across"), "{fault}");
    }

    #[test]
    fn faults_are_named() {
        let told = |from: &str, to: &str| read(&SAMPLE.replacen(from, to, 1)).expect_err("a fault").message;
        assert!(told(r#""width": 3"#, r#""width": 4"#).contains("puzzle row 1 has 3 cells, dimensions say 4"));
        assert!(told("Tom (3)", "Tom (4)").contains("clue 1 across has 3 cells but its enumeration says 4"));
        assert!(told("[2, \"Ten, e\"]", "[7, \"Ten\"]").contains("clue 7 down"));
        assert!(told("crossword#1", "sudoku#1").contains("kind"));
    }

    #[test]
    fn no_input_panics() {
        bolero::check!().for_each(|bytes: &[u8]| {
            let mut text = SAMPLE.as_bytes().to_vec();
            for pair in bytes.chunks_exact(3) {
                let at = usize::from(u16::from_le_bytes([pair[0], pair[1]])) % text.len();
                text[at] = pair[2];
            }
            if let Ok(puzzle) = read(&String::from_utf8_lossy(&text)) {
                let written = write(&puzzle).expect("everything has an ipuz form");
                assert_eq!(read(&written).expect("what was written can be read").entries, puzzle.entries);
            }
        });
    }
}
