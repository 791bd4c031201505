//! SGF (FF 4, GM 4): the main line of the first game. [`super::sgf_tree`] keeps variations.
//!
//! Points are two letters from the top left as in Go; `h8` names, which some renju programs write, are read too.

use std::fmt::Write;

use super::{FormatError, Record, RecordResult};
use crate::rules::{Color, MAX_SIZE, MIN_SIZE, Point, Rule, Stone};

/// One property with its place in the text.
struct Property<'a> {
    name: &'a str,
    values: Vec<(usize, String)>,
}

/// Reads the main line (first variation everywhere) of the first game in the text.
pub fn read(text: &str) -> Result<Record, FormatError> {
    let properties = main_line(text)?;
    let size = size(text, &properties)?;
    let mut record = Record::of_points(size, []);
    for property in &properties {
        let (offset, value) = match property.values.first() {
            Some((offset, value)) => (*offset, value.as_str()),
            None => continue,
        };
        match property.name {
            "GM" if value.trim() != "4" => {
                return Err(FormatError::at(
                    text,
                    offset,
                    format!("GM[{value}] is another game; Gomoku and renju are GM[4]"),
                ));
            }
            "PB" => record.black = value.to_owned(),
            "PW" => record.white = value.to_owned(),
            "RU" => record.rule = value.trim().parse::<Rule>().ok().or(record.rule),
            "RE" => record.result = result(value),
            "B" | "AB" => add(text, &mut record, property, Color::Black)?,
            "W" | "AW" => add(text, &mut record, property, Color::White)?,
            _ => {}
        }
    }
    Ok(record)
}

fn size(text: &str, properties: &[Property<'_>]) -> Result<u8, FormatError> {
    let Some(property) = properties.iter().find(|property| property.name == "SZ") else { return Ok(15) };
    let Some((offset, value)) = property.values.first() else { return Ok(15) };
    let sizes: Vec<Option<u8>> = value.split(':').map(|part| part.trim().parse().ok()).collect();
    match sizes[..] {
        [Some(size)] if (MIN_SIZE..=MAX_SIZE).contains(&size) => Ok(size),
        [Some(w), Some(h)] if w == h && (MIN_SIZE..=MAX_SIZE).contains(&w) => Ok(w),
        _ => Err(FormatError::at(
            text,
            *offset,
            format!("SZ[{value}] is not played; boards are square, {MIN_SIZE} to {MAX_SIZE}"),
        )),
    }
}

/// A point of a board of `size` by its letters or its name; the error is a sentence.
pub(super) fn point(value: &str, size: u8, property: &str) -> Result<Point, String> {
    let point = match value.as_bytes() {
        [x @ b'a'..=b'z', y @ b'a'..=b'z'] => Point { x: x - b'a', y: y - b'a' },
        _ => Point::parse(value, size)
            .map_err(|_| format!("{property}[{value}] is no point; points are two letters, such as {property}[hh]"))?,
    };
    if !point.on(size) {
        let last = (b'a' + size - 1) as char;
        return Err(format!("{value} is outside the board of {size}; points run from aa to {last}{last}"));
    }
    Ok(point)
}

fn add(text: &str, record: &mut Record, property: &Property<'_>, color: Color) -> Result<(), FormatError> {
    for (offset, value) in &property.values {
        let fail = |reason: String| FormatError::at(text, *offset, reason);
        let value = value.trim();
        let point = point(value, record.size, property.name).map_err(fail)?;
        if record.stones.iter().any(|stone| stone.point == point) {
            return Err(fail(format!("{value} is already taken")));
        }
        record.stones.push(Stone { point, color });
    }
    Ok(())
}

pub(super) fn result(value: &str) -> Option<RecordResult> {
    let value = value.trim();
    if value.starts_with("B+") {
        Some(RecordResult::Won(Color::Black))
    } else if value.starts_with("W+") {
        Some(RecordResult::Won(Color::White))
    } else if value == "0" || value.eq_ignore_ascii_case("draw") {
        Some(RecordResult::Drawn)
    } else {
        None
    }
}

/// All properties along the first variation of the first game.
fn main_line(text: &str) -> Result<Vec<Property<'_>>, FormatError> {
    let bytes = text.as_bytes();
    let mut at =
        bytes.iter().position(|&b| b == b'(').ok_or_else(|| FormatError::at(text, 0, "no game begins with \"(;\""))?;
    let mut properties = Vec::new();
    // The main line ends at the first closing bracket: whatever follows belongs to a side line.
    while at < bytes.len() {
        match bytes[at] {
            b')' => return Ok(properties),
            b'A'..=b'Z' | b'a'..=b'z' => {
                let start = at;
                while at < bytes.len() && bytes[at].is_ascii_alphabetic() {
                    at += 1;
                }
                let mut property = Property { name: &text[start..at], values: Vec::new() };
                loop {
                    while at < bytes.len() && bytes[at].is_ascii_whitespace() {
                        at += 1;
                    }
                    if bytes.get(at) != Some(&b'[') {
                        break;
                    }
                    let opened = at;
                    let (value, after) = value(text, at + 1)
                        .ok_or_else(|| FormatError::at(text, opened, "a value is opened with [ and never closed"))?;
                    property.values.push((opened + 1, value));
                    at = after;
                }
                if property.values.is_empty() {
                    return Err(FormatError::at(text, start, format!("{} has no value in brackets", property.name)));
                }
                properties.push(property);
            }
            b';' | b'(' => at += 1,
            b if b.is_ascii_whitespace() => at += 1,
            _ => {
                let found = text[at..].chars().next().unwrap_or(' ');
                return Err(FormatError::at(
                    text,
                    at,
                    format!("{found:?} stands where a property such as B[hh] was expected"),
                ));
            }
        }
    }
    Err(FormatError::at(text, text.len(), "the game is never closed with )"))
}

/// A value from just after its bracket, with escapes resolved, and where the text goes on.
pub(super) fn value(text: &str, from: usize) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut chars = text[from..].char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            ']' => return Some((value, from + at + 1)),
            '\\' => match chars.next()?.1 {
                '\n' | '\r' => {}
                escaped => value.push(escaped),
            },
            c => value.push(c),
        }
    }
    None
}

/// Writes a game.
pub fn write(record: &Record) -> String {
    let mut text = format!("(;FF[4]GM[4]CA[UTF-8]AP[Parlour]SZ[{}]", record.size);
    let mut property = |name: &str, value: &str| {
        if !value.is_empty() {
            let escaped = value.replace('\\', "\\\\").replace(']', "\\]");
            let _ = write!(text, "{name}[{escaped}]");
        }
    };
    property("RU", record.rule.map_or("", Rule::name));
    property("PB", &record.black);
    property("PW", &record.white);
    property(
        "RE",
        match record.result {
            Some(RecordResult::Won(Color::Black)) => "B+",
            Some(RecordResult::Won(Color::White)) => "W+",
            Some(RecordResult::Drawn) => "0",
            None => "",
        },
    );
    for (i, stone) in record.stones.iter().enumerate() {
        let name = if stone.color == Color::Black { 'B' } else { 'W' };
        let letter = |v: u8| (b'a' + v) as char;
        if i % 10 == 0 {
            text.push('\n');
        }
        let _ = write!(text, ";{name}[{}{}]", letter(stone.point.x), letter(stone.point.y));
    }
    text.push_str(")\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_main_line_and_skips_side_lines() {
        let text = "(;FF[4]GM[4]SZ[15]RU[renju]PB[A \\] B]PW[C]RE[B+R];B[hh];W[ii](;B[gg]C[good];W[jj])(;B[aa]))";
        let record = read(text).unwrap();
        assert_eq!(record.rule, Some(Rule::Renju));
        assert_eq!(record.black, "A ] B");
        assert_eq!(record.result, Some(RecordResult::Won(Color::Black)));
        let points: Vec<_> = record.stones.iter().map(|s| (s.point.x, s.point.y)).collect();
        assert_eq!(points, [(7, 7), (8, 8), (6, 6), (9, 9)]);
        assert_eq!(read(&write(&record)), Ok(record));
    }

    #[test]
    fn names_are_read_as_points_too() {
        let record = read("(;GM[4]SZ[15];B[h8];W[I9])").unwrap();
        assert_eq!(record.stones[1].point, Point::new(8, 6));
    }

    #[test]
    fn errors_name_line_and_reason() {
        let cases = [
            ("no", "line 1, column 1: no game begins with \"(;\""),
            ("(;GM[1])", "line 1, column 6: GM[1] is another game; Gomoku and renju are GM[4]"),
            ("(;SZ[23])", "line 1, column 6: SZ[23] is not played; boards are square, 5 to 22"),
            ("(;SZ[15]\n;B[pa])", "line 2, column 4: pa is outside the board of 15; points run from aa to oo"),
            ("(;B[hh];W[hh])", "line 1, column 11: hh is already taken"),
            ("(;B[hh", "line 1, column 4: a value is opened with [ and never closed"),
            ("(;B[hh]", "line 1, column 8: the game is never closed with )"),
        ];
        for (text, message) in cases {
            assert_eq!(read(text).unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_read_round_trips() {
        bolero::check!().with_type::<(String, bool)>().for_each(|(text, head)| {
            let text = if *head { format!("(;GM[4]SZ[9];{text})") } else { text.clone() };
            if let Ok(record) = read(&text) {
                assert_eq!(read(&write(&record)).unwrap().stones, record.stones);
            }
        });
    }
}
