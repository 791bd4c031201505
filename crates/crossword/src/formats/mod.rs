//! Readers and writers for the file formats of other programs, and printing.

pub mod exolve;
pub mod gdowski;
pub mod ipuz;
pub mod jpz;
pub mod print;
pub mod puz;
pub mod xd;
mod zip;

use crate::rules::Puzzle;

/// Why a file could not be read or a puzzle could not be written: what was wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{format}: {message}")]
pub struct PuzzleFormatError {
    pub format: &'static str,
    pub message: String,
}

impl PuzzleFormatError {
    pub(crate) fn new(format: &'static str, message: impl Into<String>) -> Self {
        Self { format, message: message.into() }
    }
}

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleFormat {
    Ipuz,
    Puz,
    Jpz,
    Xd,
    Exolve,
    Gdowski,
}

impl PuzzleFormat {
    /// All of them, the native one first.
    pub const ALL: [Self; 6] = [Self::Ipuz, Self::Puz, Self::Jpz, Self::Xd, Self::Exolve, Self::Gdowski];

    /// The usual ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Ipuz => "ipuz",
            Self::Puz => "puz",
            Self::Jpz => "jpz",
            Self::Xd => "xd",
            Self::Exolve => "exolve",
            Self::Gdowski => "crossword",
        }
    }

    /// The format with this ending.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
    }

    /// Detects the format from the first bytes.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        let start = &bytes[..bytes.len().min(4096)];
        if start.starts_with(zip::MAGIC) {
            return Some(Self::Jpz);
        }
        if puz::find_magic(start).is_some() {
            return Some(Self::Puz);
        }
        let text = String::from_utf8_lossy(start);
        let head = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        if head.starts_with('{') || head.starts_with("ipuz(") {
            Some(Self::Ipuz)
        } else if head.contains("exolve-begin") {
            Some(Self::Exolve)
        } else if head.starts_with("<?xml") || head.starts_with("<crossword") {
            Some(Self::Jpz)
        } else if head.split_whitespace().take(2).filter(|word| word.parse::<usize>().is_ok()).count() == 2 {
            Some(Self::Gdowski)
        } else if head.lines().next().is_some_and(|line| line.contains(':') || line.starts_with("## ")) {
            Some(Self::Xd)
        } else {
            None
        }
    }

    /// Reads a puzzle.
    pub fn read(self, bytes: &[u8]) -> Result<Puzzle, PuzzleFormatError> {
        match self {
            Self::Puz => puz::read(bytes),
            Self::Ipuz => ipuz::read(text("ipuz", bytes)?),
            Self::Jpz if bytes.starts_with(zip::MAGIC) => jpz::read(text("jpz", &zip::first_file(bytes)?)?),
            Self::Jpz => jpz::read(text("jpz", bytes)?),
            Self::Xd => xd::read(text("xd", bytes)?),
            Self::Exolve => exolve::read(text("exolve", bytes)?),
            Self::Gdowski => gdowski::read(text("crossword", bytes)?),
        }
    }

    /// Writes a puzzle; refuses what the format cannot hold.
    pub fn write(self, puzzle: &Puzzle) -> Result<Vec<u8>, PuzzleFormatError> {
        match self {
            Self::Puz => puz::write(puzzle),
            Self::Ipuz => ipuz::write(puzzle).map(String::into_bytes),
            Self::Jpz => jpz::write(puzzle).map(String::into_bytes),
            Self::Xd => xd::write(puzzle).map(String::into_bytes),
            Self::Exolve => exolve::write(puzzle).map(String::into_bytes),
            Self::Gdowski => gdowski::write(puzzle).map(String::into_bytes),
        }
    }
}

/// Reads a puzzle of whatever format the bytes are.
pub fn read(bytes: &[u8]) -> Result<Puzzle, PuzzleFormatError> {
    let format = PuzzleFormat::sniff(bytes)
        .ok_or_else(|| PuzzleFormatError::new("puzzle", "not an ipuz, .puz, JPZ, .xd, Exolve or .crossword file"))?;
    format.read(bytes)
}

fn text<'a>(format: &'static str, bytes: &'a [u8]) -> Result<&'a str, PuzzleFormatError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| PuzzleFormatError::new(format, format!("byte {} is not UTF-8", error.valid_up_to())))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Feeds a reader with damaged versions of a good text and with anything else.
#[cfg(test)]
fn fuzz_text(good: &str, read: impl Fn(&str) + std::panic::RefUnwindSafe) {
    bolero::check!().for_each(|bytes: &[u8]| {
        let mut text = good.as_bytes().to_vec();
        for part in bytes.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([part[0], part[1]])) % text.len();
            text[at] = part[2];
        }
        read(&String::from_utf8_lossy(&text));
        read(&String::from_utf8_lossy(bytes));
    });
}
