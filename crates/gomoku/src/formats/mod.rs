//! Games and positions as files: psq (Piskvork), SGF with variations, RenLib, plain `h8i9`, and pictures as SVG.

pub mod openings;
pub mod plain;
pub mod psq;
mod record;
pub mod renlib;
pub mod sgf;
pub mod sgf_tree;
pub mod svg;
pub mod tree;

pub use record::{Record, RecordResult};
pub use tree::{GameTree, PositionIndex, TreeNode};

/// A syntax error with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct FormatError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    pub reason: String,
}

impl FormatError {
    /// An error at the byte `offset` of `text`.
    fn at(text: &str, offset: usize, reason: impl Into<String>) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            reason: reason.into(),
        }
    }
}

/// The game file formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Psq,
    Sgf,
    Plain,
}

impl Format {
    /// Detects the format of a text.
    pub fn of(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with("Piskvorky") {
            Self::Psq
        } else if text.starts_with('(') {
            Self::Sgf
        } else {
            Self::Plain
        }
    }
}

/// Reads a game in any format. `size` is the board of plain notation, which does not state one.
pub fn read(text: &str, size: u8) -> Result<Record, FormatError> {
    match Format::of(text) {
        Format::Psq => psq::read(text),
        Format::Sgf => sgf::read(text),
        Format::Plain => plain::read(text, size).map(|points| Record::of_points(size, points)),
    }
}

/// Reads a game with its variations from the bytes of a file in any format. `size` is the board of plain notation.
pub fn read_tree(bytes: &[u8], size: u8) -> Result<GameTree, GameFileError> {
    if renlib::is_library(bytes) {
        return Ok(renlib::read(bytes)?);
    }
    let text = String::from_utf8_lossy(bytes);
    Ok(match Format::of(&text) {
        Format::Sgf => sgf_tree::read(&text)?,
        _ => GameTree::of_record(&read(&text, size)?),
    })
}

/// Why a file holds no game tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameFileError {
    #[error(transparent)]
    Text(#[from] FormatError),
    #[error(transparent)]
    Library(#[from] renlib::RenlibError),
}

/// Writes a game in the given format.
pub fn write(record: &Record, format: Format) -> String {
    match format {
        Format::Psq => psq::write(record),
        Format::Sgf => sgf::write(record),
        Format::Plain => {
            let points: Vec<_> = record.stones.iter().map(|stone| stone.point).collect();
            plain::write(&points, record.size)
        }
    }
}
