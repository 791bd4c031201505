//! `iwonmapformat`: a header, then records of map, embeddings and class (Šindelář 2024, section 6.4).

use std::fmt::Write as _;

use super::map_text::{Blank, MapTextError, map_from_text, map_to_text};
use crate::rules::Map;

/// One record: a map, its embedding vectors and an integer (class of the map, or its rating).
#[derive(Clone, Debug, PartialEq)]
pub struct MapRecord {
    /// The map.
    pub map: Map,
    /// Embedding vectors, one per tree; may be empty.
    pub embeddings: Vec<Vec<f64>>,
    /// Class of the cover layout, or the rating in a file of ratings.
    pub class: i64,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct MapRecordFile {
    /// Free text before the line `----`; empty or ending in a line feed.
    pub header: String,
    /// The records.
    pub records: Vec<MapRecord>,
}

/// Why a text is not a record file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// No `----` line.
    #[error("no line '----' ends the header")]
    NoHeaderEnd,
    /// The map of a record cannot be read.
    #[error("record {record}: {error}")]
    Map {
        /// Record number from 1.
        record: usize,
        /// The fault.
        error: MapTextError,
    },
    /// Something else than expected.
    #[error("record {record}, line {line}: expected {expected}, found '{found}'")]
    Unexpected {
        /// Record number from 1.
        record: usize,
        /// Line of the file from 1.
        line: usize,
        /// The expected value.
        expected: &'static str,
        /// The text found.
        found: String,
    },
}

/// Largest absolute value the four digits before and after the comma can write.
const LARGEST: f64 = 9999.9999;

fn write_number(out: &mut String, value: f64) {
    let value = if value.is_nan() { 0.0 } else { value };
    let ticks = (value.clamp(-LARGEST, LARGEST) * 10_000.0).round() as i64;
    let sign = if ticks < 0 { '-' } else { '+' };
    let ticks = ticks.abs();
    let _ = write!(out, "{sign}{:04},{:04}", ticks / 10_000, ticks % 10_000);
}

fn read_number(text: &str) -> Option<f64> {
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1.0, rest),
        ("-", rest) => (-1.0, rest),
        _ => return None,
    };
    let (whole, part) = rest.split_once(',')?;
    let digits = |text: &str| text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return None;
    }
    let ticks: f64 = format!("{whole}{part}").parse().ok()?;
    Some(sign * ticks / 10_000.0)
}

impl MapRecordFile {
    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut out = self.header.clone();
        out.push_str("----\n");
        for (number, record) in self.records.iter().enumerate() {
            if number > 0 {
                out.push_str("\n\n\n");
            }
            out.push_str(&map_to_text(&record.map, Blank::Space));
            out.push_str("\n\n");
            for (row, vector) in record.embeddings.iter().enumerate() {
                if row > 0 {
                    out.push('\n');
                }
                for (i, value) in vector.iter().enumerate() {
                    if i > 0 {
                        out.push(';');
                    }
                    write_number(&mut out, *value);
                }
            }
            out.push_str("\n\n");
            let _ = write!(out, "{}", record.class);
        }
        out
    }

    /// Reads a file. A record is parsed by the height of its map, because an empty embedding part makes four line
    /// feeds meet and splitting at three would tear it apart.
    pub fn from_text(text: &str) -> Result<Self, RecordError> {
        let (header, body) = if let Some(body) = text.strip_prefix("----\n") {
            ("", body)
        } else {
            let at = text.find("\n----\n").ok_or(RecordError::NoHeaderEnd)?;
            (&text[..at + 1], &text[at + 6..])
        };
        let first_line = header.matches('\n').count() + 2;
        let lines: Vec<&str> = body.split('\n').collect();
        let mut reader = Reader { lines, at: 0, first_line, record: 0 };
        let mut records = Vec::new();
        while !reader.at_end() {
            reader.record += 1;
            records.push(reader.record(records.is_empty())?);
        }
        Ok(MapRecordFile { header: header.to_owned(), records })
    }
}

struct Reader<'t> {
    lines: Vec<&'t str>,
    at: usize,
    first_line: usize,
    record: usize,
}

impl<'t> Reader<'t> {
    /// Only empty lines are left.
    fn at_end(&self) -> bool {
        self.lines[self.at..].iter().all(|line| line.is_empty())
    }

    fn next(&mut self) -> &'t str {
        let line = self.lines.get(self.at).copied().unwrap_or("");
        self.at += 1;
        line
    }

    fn unexpected(&self, expected: &'static str, found: &str) -> RecordError {
        RecordError::Unexpected {
            record: self.record,
            line: self.first_line + self.at.saturating_sub(1),
            expected,
            found: found.chars().take(40).collect(),
        }
    }

    fn empty(&mut self, expected: &'static str) -> Result<(), RecordError> {
        match self.next() {
            "" => Ok(()),
            found => Err(self.unexpected(expected, found)),
        }
    }

    fn record(&mut self, first: bool) -> Result<MapRecord, RecordError> {
        if !first {
            self.empty("two empty lines between records")?;
            self.empty("two empty lines between records")?;
        }
        let width = self.lines[self.at].chars().count();
        let height = width.min(self.lines.len() - self.at);
        let map = map_from_text(&self.lines[self.at..self.at + height].join("\n"))
            .map_err(|error| RecordError::Map { record: self.record, error })?;
        self.at += height;
        self.empty("an empty line after the map")?;
        let mut embeddings = Vec::new();
        // an empty embedding part is one empty line between the two separators
        loop {
            let line = self.next();
            if line.is_empty() {
                break;
            }
            let vector: Option<Vec<f64>> = line.split(';').map(read_number).collect();
            embeddings.push(vector.ok_or_else(|| self.unexpected("numbers such as +0001,2500 joined by ;", line))?);
        }
        if embeddings.is_empty() {
            self.empty("an empty line after the empty embeddings")?;
        }
        let class = self.next();
        let class = class.parse().map_err(|_| self.unexpected("an integer class", class))?;
        Ok(MapRecord { map, embeddings, class })
    }
}
