//! The psq format of the Piskvork manager.
//!
//! A head line `Piskvorky 15x15, 11:11, 0` (board, two levels, which player begins), a line `x,y,milliseconds` per
//! stone counted from 1 at the top left, then two optional lines with the players' names and a result code.

use std::fmt::Write;

use super::{FormatError, Record};
use crate::rules::{Color, MAX_SIZE, MIN_SIZE, Point, Stone};

/// Reads a psq file.
pub fn read(text: &str) -> Result<Record, FormatError> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let fail = |line: usize, reason: String| FormatError { line: line + 1, column: 1, reason };
    let (number, head) = lines.next().ok_or_else(|| fail(0, "the file is empty".to_owned()))?;
    let (size, second_begins) = head_line(head).map_err(|reason| fail(number, reason))?;
    let mut record = Record::of_points(size, []);
    let mut names: Vec<&str> = Vec::new();
    let mut rest = lines.peekable();
    while let Some(&(number, line)) = rest.peek() {
        let Some((x, y, time)) = numbers(line) else { break };
        rest.next();
        let limit = i64::from(size);
        if !(1..=limit).contains(&x) || !(1..=limit).contains(&y) {
            return Err(fail(number, format!("{x},{y} is outside the board; coordinates run from 1 to {size}")));
        }
        let point = Point { x: x as u8 - 1, y: y as u8 - 1 };
        if record.stones.iter().any(|stone| stone.point == point) {
            return Err(fail(number, format!("{x},{y} is already taken")));
        }
        record.stones.push(Stone { point, color: Color::of_stone(record.stones.len()) });
        record.times.push(time);
    }
    for (number, line) in rest {
        let line = line.trim();
        // A line with a single number is the manager's result code; it does not concern the stones.
        if line.parse::<i64>().is_ok() {
            continue;
        }
        if names.len() == 2 {
            return Err(fail(number, format!("{line:?} stands after both names; expected a result code or nothing")));
        }
        names.push(line);
    }
    if let [first, second] = names[..] {
        let (black, white) = if second_begins { (second, first) } else { (first, second) };
        (record.black, record.white) = (black.to_owned(), white.to_owned());
    } else if let [only] = names[..] {
        record.black = only.to_owned();
    }
    if record.times.iter().all(|&time| time == 0) {
        record.times.clear();
    }
    Ok(record)
}

/// Board size and whether the second player began.
fn head_line(head: &str) -> Result<(u8, bool), String> {
    let expected = || format!("{head:?} is no head line; expected one such as \"Piskvorky 15x15, 11:11, 0\"");
    let rest = head.trim().strip_prefix("Piskvorky").ok_or_else(expected)?;
    let mut parts = rest.split(',').map(str::trim);
    let (width, height) = parts.next().and_then(|board| board.split_once('x')).ok_or_else(expected)?;
    let width: u32 = width.trim().parse().map_err(|_| expected())?;
    let height: u32 = height.trim().parse().map_err(|_| expected())?;
    if width != height || !(u32::from(MIN_SIZE)..=u32::from(MAX_SIZE)).contains(&width) {
        return Err(format!("a board of {width}x{height} is not played; boards are square, {MIN_SIZE} to {MAX_SIZE}"));
    }
    let second_begins = match (parts.next(), parts.next()) {
        (None | Some(_), None) | (Some(_), Some("0")) => false,
        (Some(_), Some("1")) => true,
        _ => return Err(expected()),
    };
    Ok((width as u8, second_begins))
}

/// `x,y` or `x,y,time`.
fn numbers(line: &str) -> Option<(i64, i64, u64)> {
    let mut parts = line.trim().split(',').map(str::trim);
    let x = parts.next()?.parse().ok()?;
    let y = parts.next()?.parse().ok()?;
    let time = match parts.next() {
        Some(time) => time.parse::<i64>().ok()?.max(0) as u64,
        None => 0,
    };
    parts.next().is_none().then_some((x, y, time))
}

/// Writes a psq file. Stones are written in order; psq takes them to alternate from black.
pub fn write(record: &Record) -> String {
    let mut text = format!("Piskvorky {0}x{0}, 11:11, 0\n", record.size);
    for (i, stone) in record.stones.iter().enumerate() {
        let time = record.times.get(i).copied().unwrap_or(0).min(i64::MAX as u64);
        let _ = writeln!(text, "{},{},{time}", stone.point.x + 1, stone.point.y + 1);
    }
    let name = |name: &str, fallback: &str| {
        let name = name.lines().next().unwrap_or("").trim();
        // A name that looks like a stone or a code would be misread.
        if name.is_empty() || numbers(name).is_some() || name.parse::<i64>().is_ok() {
            fallback.to_owned()
        } else {
            name.to_owned()
        }
    };
    let _ = writeln!(text, "{}\n{}\n0", name(&record.black, "black"), name(&record.white, "white"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "Piskvorky 20x20, 11:11, 1\r\n11,11,0\r\n12,10,512\r\n10,12,7\r\nyixin\r\nrapfi\r\n0\r\n";

    #[test]
    fn reads_what_the_manager_writes() {
        let record = read(GAME).unwrap();
        assert_eq!(record.size, 20);
        assert_eq!(record.stones.len(), 3);
        assert_eq!(record.stones[1], Stone { point: Point::new(11, 9), color: Color::White });
        assert_eq!(record.times, [0, 512, 7]);
        assert_eq!((record.black.as_str(), record.white.as_str()), ("rapfi", "yixin"));
        assert_eq!(read(&write(&record)), Ok(record));
    }

    #[test]
    fn errors_name_line_and_reason() {
        let cases = [
            ("", "line 1, column 1: the file is empty"),
            (
                "Piskvorky 30x30, 11:11, 0\n",
                "line 1, column 1: a board of 30x30 is not played; boards are square, 5 to 22",
            ),
            (
                "Piskvorky 15x15, 11:11, 0\n1,1,0\n16,1,0\n",
                "line 3, column 1: 16,1 is outside the board; coordinates run from 1 to 15",
            ),
            ("Piskvorky 15x15, 11:11, 0\n1,1,0\n\n1,1,0\n", "line 4, column 1: 1,1 is already taken"),
        ];
        for (text, message) in cases {
            assert_eq!(read(text).unwrap_err().to_string(), message);
        }
        assert!(read("chess").unwrap_err().reason.contains("Piskvorky 15x15, 11:11, 0"));
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_read_round_trips() {
        bolero::check!().with_type::<(String, bool)>().for_each(|(text, head)| {
            let text = if *head { format!("Piskvorky 15x15, 11:11, 0\n{text}") } else { text.clone() };
            if let Ok(record) = read(&text) {
                let again = read(&write(&record)).unwrap();
                assert_eq!(again.stones, record.stones);
                assert_eq!(again.times, record.times);
            }
        });
    }
}
