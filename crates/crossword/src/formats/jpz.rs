//! JPZ, Crossword Compiler's XML: a rectangular puzzle with cells, words and clue lists.

use super::PuzzleFormatError;
use crate::rules::{
    CellKind, CellShape, EntryDirection, Enumeration, GridCell, Puzzle, PuzzleEntry, PuzzleGrid, PuzzleMeta,
};
use roxmltree::{Document, Node};
use std::fmt::Write;

fn error(message: impl Into<String>) -> PuzzleFormatError {
    PuzzleFormatError::new("jpz", message)
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.tag_name().name() == name)
}

/// All text below a node, with white space folded.
fn words(node: Node<'_, '_>) -> String {
    let text: String = node.descendants().filter(Node::is_text).filter_map(|part| part.text()).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn number(node: Node<'_, '_>, name: &str) -> Result<usize, PuzzleFormatError> {
    let told = node.attribute(name).unwrap_or_default();
    told.parse().map_err(|_| error(format!("<{}> needs a number {name}, not {told:?}", node.tag_name().name())))
}

/// Reads a JPZ text.
pub fn read(text: &str) -> Result<Puzzle, PuzzleFormatError> {
    let document = Document::parse(text).map_err(|fault| error(fault.to_string()))?;
    let find = |name: &str| document.descendants().find(|node| node.tag_name().name() == name);
    let crossword =
        find("crossword").ok_or_else(|| error("there is no <crossword>: other kinds of puzzle are not known here"))?;
    let grid_node = child(crossword, "grid").ok_or_else(|| error("<crossword> has no <grid>"))?;
    let grid = read_grid(grid_node)?;
    let entries = read_clues(crossword, &grid)?;
    let metadata = find("metadata");
    let told = |name: &str| metadata.and_then(|node| child(node, name)).map(words).unwrap_or_default();
    let meta = PuzzleMeta {
        title: told("title"),
        author: told("creator"),
        editor: told("editor"),
        publisher: told("publisher"),
        copyright: told("copyright"),
        date: told("created_at"),
        notes: told("description"),
        language: told("language"),
    };
    Ok(Puzzle { meta, grid, entries, extras: serde_json::Map::new() })
}

fn read_grid(node: Node<'_, '_>) -> Result<PuzzleGrid, PuzzleFormatError> {
    let (width, height) = (number(node, "width")?, number(node, "height")?);
    if width == 0 || height == 0 || width > crate::rules::MAX_SIDE || height > crate::rules::MAX_SIDE {
        return Err(error(format!("a grid of {width} × {height} does not fit (1 to {})", crate::rules::MAX_SIDE)));
    }
    let mut cells = vec![GridCell { kind: CellKind::Void, ..GridCell::default() }; width * height];
    for place in node.children().filter(|child| child.tag_name().name() == "cell") {
        let (x, y) = (number(place, "x")?, number(place, "y")?);
        if x == 0 || y == 0 || x > width || y > height {
            return Err(error(format!("<cell x={x} y={y}> is outside the grid of {width} × {height}")));
        }
        let at = (y - 1) * width + x - 1;
        let bar = |side: &str| place.attribute(format!("{side}-bar").as_str()) == Some("true");
        let (right, below) = (bar("right"), bar("bottom"));
        if bar("left") && x > 1 {
            cells[at - 1].bar_right = true;
        }
        if bar("top") && y > 1 {
            cells[at - width].bar_below = true;
        }
        let kept = (cells[at].bar_right, cells[at].bar_below);
        cells[at] = read_cell(place);
        cells[at].bar_right = right || kept.0;
        cells[at].bar_below = below || kept.1;
    }
    PuzzleGrid::new(width, cells).map_err(error)
}

fn read_cell(node: Node<'_, '_>) -> GridCell {
    let letters = |name: &str| node.attribute(name).filter(|text| !text.is_empty()).map(str::to_uppercase);
    let kind = match node.attribute("type") {
        Some("block") => CellKind::Block,
        Some("void") => CellKind::Void,
        _ => CellKind::Open,
    };
    GridCell {
        kind,
        label: node.attribute("number").map(str::to_owned),
        solution: letters("solution").filter(|_| kind == CellKind::Open),
        fill: letters("solve-state").filter(|_| kind == CellKind::Open),
        given: node.attribute("hint") == Some("true"),
        shape: (node.attribute("background-shape") == Some("circle")).then_some(CellShape::Circle),
        shade: node.attribute("background-color").map(str::to_owned),
        ..GridCell::default()
    }
}

/// The cells of a `<word>`: `x="1-5" y="2"`, or `<cells>` elements inside it.
fn word_cells(word: Node<'_, '_>, grid: &PuzzleGrid) -> Result<Vec<usize>, PuzzleFormatError> {
    let mut places = Vec::new();
    let inner = word.children().filter(|child| child.tag_name().name() == "cells");
    for part in std::iter::once(word).filter(|part| part.has_attribute("x")).chain(inner) {
        let (columns, rows) = (range(part, "x")?, range(part, "y")?);
        for row in rows.clone() {
            for column in columns.clone() {
                let at =
                    row.checked_sub(1).zip(column.checked_sub(1)).and_then(|(row, column)| grid.index(column, row));
                places.push(at.ok_or_else(|| error(format!("a <word> runs outside the grid at x={column} y={row}")))?);
            }
        }
    }
    Ok(places)
}

fn range(node: Node<'_, '_>, name: &str) -> Result<std::ops::RangeInclusive<usize>, PuzzleFormatError> {
    let told = node.attribute(name).unwrap_or_default();
    let (first, last) = told.split_once('-').unwrap_or((told, told));
    match (first.trim().parse(), last.trim().parse::<usize>()) {
        (Ok(first), Ok(last)) if last <= crate::rules::MAX_SIDE => Ok(first..=last),
        _ => Err(error(format!("{name}={told:?} of a <word> should be a number or a range such as 1-5"))),
    }
}

fn read_clues(crossword: Node<'_, '_>, grid: &PuzzleGrid) -> Result<Vec<PuzzleEntry>, PuzzleFormatError> {
    let word = |id: &str| {
        crossword.children().find(|node| node.tag_name().name() == "word" && node.attribute("id") == Some(id))
    };
    let mut entries = Vec::new();
    for list in crossword.children().filter(|node| node.tag_name().name() == "clues") {
        let title = child(list, "title").map(words).unwrap_or_default();
        let direction = match title.to_lowercase() {
            title if title.contains("across") => EntryDirection::Across,
            title if title.contains("down") => EntryDirection::Down,
            _ => return Err(error(format!("clue list {title:?}: only Across and Down are known here"))),
        };
        for clue in list.children().filter(|node| node.tag_name().name() == "clue") {
            let label = clue.attribute("number").unwrap_or_default().to_owned();
            let id = clue.attribute("word").unwrap_or_default();
            let word = word(id)
                .ok_or_else(|| error(format!("clue {label} {direction} names word {id:?}, which is not there")))?;
            let text = words(clue);
            let (body, enumeration) = match clue.attribute("format").and_then(Enumeration::parse) {
                Some(told) => (text.as_str(), Some(told)),
                None => Enumeration::split(&text),
            };
            entries.push(PuzzleEntry {
                direction,
                label,
                cells: word_cells(word, grid)?,
                clue: body.to_owned(),
                enumeration,
            });
        }
    }
    entries.sort_by_key(|entry| entry.direction);
    Ok(entries)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Writes a JPZ text; every puzzle has a JPZ form.
pub fn write(puzzle: &Puzzle) -> Result<String, PuzzleFormatError> {
    let grid = &puzzle.grid;
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<crossword-compiler-applet xmlns=\"http://crossword.info/xml/crossword-compiler\">\n<rectangular-puzzle xmlns=\"http://crossword.info/xml/rectangular-puzzle\">\n<metadata>\n",
    );
    let meta = &puzzle.meta;
    for (name, value) in [
        ("title", &meta.title),
        ("creator", &meta.author),
        ("editor", &meta.editor),
        ("publisher", &meta.publisher),
        ("copyright", &meta.copyright),
        ("created_at", &meta.date),
        ("description", &meta.notes),
        ("language", &meta.language),
    ] {
        if !value.is_empty() {
            let _ = writeln!(text, "<{name}>{}</{name}>", escape(value));
        }
    }
    let _ = writeln!(text, "</metadata>\n<crossword>\n<grid width=\"{}\" height=\"{}\">", grid.width(), grid.height());
    for at in 0..grid.cells().len() {
        write_cell(&mut text, grid, at);
    }
    text.push_str("</grid>\n");
    for (id, entry) in puzzle.entries.iter().enumerate() {
        let _ = writeln!(text, "<word id=\"{}\">", id + 1);
        for &at in &entry.cells {
            let _ = writeln!(text, "<cells x=\"{}\" y=\"{}\"/>", at % grid.width() + 1, at / grid.width() + 1);
        }
        text.push_str("</word>\n");
    }
    for (direction, title) in [(EntryDirection::Across, "Across"), (EntryDirection::Down, "Down")] {
        let _ = writeln!(text, "<clues ordering=\"normal\"><title><b>{title}</b></title>");
        for (id, entry) in puzzle.entries.iter().enumerate().filter(|(_, entry)| entry.direction == direction) {
            let format =
                entry.enumeration.as_ref().map(|told| format!(" format=\"{}\"", told.text())).unwrap_or_default();
            let _ = writeln!(
                text,
                "<clue word=\"{}\" number=\"{}\"{format}>{}</clue>",
                id + 1,
                escape(&entry.label),
                escape(&entry.clue)
            );
        }
        text.push_str("</clues>\n");
    }
    text.push_str("</crossword>\n</rectangular-puzzle>\n</crossword-compiler-applet>\n");
    Ok(text)
}

fn write_cell(text: &mut String, grid: &PuzzleGrid, at: usize) {
    let cell = grid.cell(at);
    let _ = write!(text, "<cell x=\"{}\" y=\"{}\"", at % grid.width() + 1, at / grid.width() + 1);
    let mut attribute = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            let _ = write!(text, " {name}=\"{}\"", escape(value));
        }
    };
    attribute(
        "type",
        match cell.kind {
            CellKind::Block => Some("block"),
            CellKind::Void => Some("void"),
            CellKind::Open => None,
        },
    );
    attribute("number", cell.label.as_deref());
    attribute("solution", cell.solution.as_deref());
    attribute("solve-state", cell.fill.as_deref());
    attribute("hint", cell.given.then_some("true"));
    attribute("background-shape", cell.shape.map(|CellShape::Circle| "circle"));
    attribute("background-color", cell.shade.as_deref());
    attribute("right-bar", cell.bar_right.then_some("true"));
    attribute("bottom-bar", cell.bar_below.then_some("true"));
    text.push_str("/>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r##"<?xml version="1.0"?><crossword-compiler-applet xmlns="http://crossword.info/xml/crossword-compiler"><rectangular-puzzle xmlns="http://crossword.info/xml/rectangular-puzzle">
<metadata><title>Tiny</title><creator>Ann &amp; Bo</creator></metadata><crossword><grid width="2" height="2"><grid-look/>
<cell x="1" y="1" solution="T" number="1" background-shape="circle"/><cell x="2" y="1" solution="O" left-bar="false" number="2" solve-state="o"/>
<cell x="1" y="2" solution="ME" background-color="#C0C0C0"/><cell x="2" y="2" type="block"/></grid>
<word id="1" x="1-2" y="1"/><word id="2" x="1" y="1-2"/>
<clues ordering="normal"><title><b>Across</b></title><clue word="1" number="1" format="2"><i>Toward</i> it</clue></clues>
<clues ordering="normal"><title><b>Down</b></title><clue word="2" number="1">Book (1,2)</clue></clues></crossword></rectangular-puzzle></crossword-compiler-applet>"##;

    #[test]
    fn a_puzzle_survives() {
        let puzzle = read(SAMPLE).expect("a good file");
        assert_eq!(puzzle.meta.author, "Ann & Bo");
        assert_eq!(puzzle.entries[0].clue, "Toward it");
        assert_eq!(puzzle.answer(&puzzle.entries[1]).as_deref(), Some("TME"));
        assert_eq!(puzzle.grid.cell(1).fill.as_deref(), Some("O"));
        assert_eq!(read(&write(&puzzle).expect("always")).expect("readable"), puzzle);
    }

    #[test]
    fn faults_are_named() {
        let told = |from: &str, to: &str| read(&SAMPLE.replacen(from, to, 1)).expect_err("a fault").message;
        assert!(told("word=\"2\"", "word=\"9\"").contains("names word \"9\""));
        assert!(told("x=\"1-2\"", "x=\"1-7\"").contains("outside the grid at x=3"));
        assert!(told("<b>Down</b>", "<b>Spiral</b>").contains("Spiral"));
        assert!(told("height=\"2\"", "height=\"0\"").contains("2 × 0"));
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
