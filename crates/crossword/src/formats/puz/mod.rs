//! Across Lite's `.puz` files, byte for byte.
//!
//! Layout after the community's description of the format: a 52-byte header with checksums, the solution and the state
//! grid, zero-terminated texts (title, author, copyright, clues, notes), then named sections (GRBS and RTBL for rebus,
//! GEXT for circles, LTIM, RUSR). Texts are Windows-1252 before version 2.0 and UTF-8 from it on.

mod checksum;
mod convert;
mod text;

pub use convert::{from_puzzle, to_puzzle};

use super::PuzzleFormatError;
use crate::rules::Puzzle;
use checksum::Checksums;

const MAGIC: &[u8] = b"ACROSS&DOWN\0";
/// Bytes from the start of the checksum to the solution.
const HEADER: usize = 0x34;
/// Where the magic word stands inside the header.
const MAGIC_AT: usize = 2;
/// Value of the scramble field of a locked solution.
const SCRAMBLED: u16 = 4;

fn error(message: impl Into<String>) -> PuzzleFormatError {
    PuzzleFormatError::new("puz", message)
}

/// A `.puz` file as it is, nothing interpreted away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puz {
    /// Bytes before the header (some newspapers prepend a file name).
    pub preamble: Vec<u8>,
    /// Four bytes such as `1.3\0`.
    pub version: [u8; 4],
    pub reserved: [u8; 2],
    /// Checksum of the plain solution of a locked puzzle.
    pub scrambled_checksum: u16,
    pub reserved_more: [u8; 12],
    pub width: u8,
    pub height: u8,
    /// 1 for a normal puzzle, 0x0401 for a diagramless one.
    pub kind: u16,
    /// 0 for an open solution, 4 for a locked one.
    pub scramble: u16,
    pub solution: Vec<u8>,
    pub state: Vec<u8>,
    /// Texts as bytes, without their zero.
    pub title: Vec<u8>,
    pub author: Vec<u8>,
    pub copyright: Vec<u8>,
    pub clues: Vec<Vec<u8>>,
    pub notes: Vec<u8>,
    pub sections: Vec<Section>,
    /// Bytes after the last section.
    pub rest: Vec<u8>,
    /// Checksums as the file has them; `write` puts back these if they were right or the content was not changed.
    stored: Option<Checksums>,
}

/// A named extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: [u8; 4],
    pub data: Vec<u8>,
}

/// Where the magic word starts, if the bytes hold one.
pub fn find_magic(bytes: &[u8]) -> Option<usize> {
    bytes.windows(MAGIC.len()).position(|window| window == MAGIC)
}

/// Reads a puzzle; a locked solution is left out and said so in [`Puz::locked`].
pub fn read(bytes: &[u8]) -> Result<Puzzle, PuzzleFormatError> {
    to_puzzle(&Puz::parse(bytes)?)
}

/// Writes a puzzle as version 1.3, or 2.0 where its texts need more than Windows-1252.
pub fn write(puzzle: &Puzzle) -> Result<Vec<u8>, PuzzleFormatError> {
    Ok(from_puzzle(puzzle)?.write())
}

impl Puz {
    /// Whether the solution is scrambled with a key and cannot be read.
    pub fn locked(&self) -> bool {
        self.scramble == SCRAMBLED
    }

    /// Whether the texts are UTF-8.
    pub fn unicode(&self) -> bool {
        self.version[0].is_ascii_digit() && self.version[0] >= b'2'
    }

    /// The section with this name.
    pub fn section(&self, name: &[u8; 4]) -> Option<&[u8]> {
        self.sections.iter().find(|section| section.name == *name).map(|section| section.data.as_slice())
    }

    /// Reads a file; refuses damaged ones and says where.
    pub fn parse(bytes: &[u8]) -> Result<Self, PuzzleFormatError> {
        let magic = find_magic(bytes)
            .ok_or_else(|| error("the word ACROSS&DOWN is missing: this is no .puz file, or its start is damaged"))?;
        let start = magic
            .checked_sub(MAGIC_AT)
            .ok_or_else(|| error("the two checksum bytes before ACROSS&DOWN are missing"))?;
        let header = bytes
            .get(start..start + HEADER)
            .ok_or_else(|| error(format!("the header is cut off: {} of {HEADER} bytes", bytes.len() - start)))?;
        let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let (width, height) = (header[0x2c], header[0x2d]);
        if width == 0 || height == 0 {
            return Err(error(format!("a grid of {width} × {height} cells is empty")));
        }
        let mut cursor = Cursor { bytes, at: start + HEADER };
        let cells = usize::from(width) * usize::from(height);
        let solution = cursor.take(cells, "the solution grid")?.to_vec();
        let state = cursor.take(cells, "the state grid")?.to_vec();
        let title = cursor.text("the title")?;
        let author = cursor.text("the author")?;
        let copyright = cursor.text("the copyright")?;
        let count = word(0x2e);
        let clues = (1..=count)
            .map(|number| cursor.text(&format!("clue {number} of {count}")))
            .collect::<Result<Vec<_>, _>>()?;
        let notes = cursor.text("the notes")?;
        let (sections, section_checksums) = cursor.sections()?;
        let rest = bytes[cursor.at..].to_vec();
        let mut puz = Self {
            preamble: bytes[..start].to_vec(),
            version: header[0x18..0x1c].try_into().expect("four bytes"),
            reserved: header[0x1c..0x1e].try_into().expect("two bytes"),
            scrambled_checksum: word(0x1e),
            reserved_more: header[0x20..0x2c].try_into().expect("twelve bytes"),
            width,
            height,
            kind: word(0x30),
            scramble: word(0x32),
            solution,
            state,
            title,
            author,
            copyright,
            clues,
            notes,
            sections,
            rest,
            stored: None,
        };
        puz.stored = Some(Checksums {
            global: word(0),
            header: word(0x0e),
            masked: header[0x10..0x18].try_into().expect("eight bytes"),
            sections: section_checksums,
        });
        Ok(puz)
    }

    /// Which checksums of the file do not fit its content; a sign of damage, but never a reason to lose a puzzle.
    pub fn checksum_faults(&self) -> Vec<&'static str> {
        let (Some(stored), right) = (&self.stored, Checksums::of(self)) else { return Vec::new() };
        let mut faults = Vec::new();
        if stored.header != right.header {
            faults.push("header");
        }
        if stored.global != right.global {
            faults.push("file");
        }
        if stored.masked != right.masked {
            faults.push("masked");
        }
        if stored.sections != right.sections {
            faults.push("sections");
        }
        faults
    }

    /// Says that the content was changed, so that fresh checksums are written.
    pub fn touch(&mut self) {
        self.stored = None;
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let checksums = self.stored.clone().unwrap_or_else(|| Checksums::of(self));
        let mut out = self.preamble.clone();
        out.extend(checksums.global.to_le_bytes());
        out.extend(MAGIC);
        out.extend(checksums.header.to_le_bytes());
        out.extend(checksums.masked);
        out.extend(self.version);
        out.extend(self.reserved);
        out.extend(self.scrambled_checksum.to_le_bytes());
        out.extend(self.reserved_more);
        out.extend(self.shape_bytes());
        out.extend(&self.solution);
        out.extend(&self.state);
        for text in [&self.title, &self.author, &self.copyright].into_iter().chain(&self.clues).chain([&self.notes]) {
            out.extend(text);
            out.push(0);
        }
        for (section, checksum) in self.sections.iter().zip(&checksums.sections) {
            out.extend(section.name);
            out.extend((section.data.len() as u16).to_le_bytes());
            out.extend(checksum.to_le_bytes());
            out.extend(&section.data);
            out.push(0);
        }
        out.extend(&self.rest);
        out
    }

    /// The eight bytes of the header from the width on.
    fn shape_bytes(&self) -> [u8; 8] {
        let clues = (self.clues.len() as u16).to_le_bytes();
        let (kind, scramble) = (self.kind.to_le_bytes(), self.scramble.to_le_bytes());
        [self.width, self.height, clues[0], clues[1], kind[0], kind[1], scramble[0], scramble[1]]
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], PuzzleFormatError> {
        let taken = self
            .bytes
            .get(self.at..self.at + count)
            .ok_or_else(|| error(format!("the file ends inside {what} (byte {})", self.bytes.len())))?;
        self.at += count;
        Ok(taken)
    }

    fn text(&mut self, what: &str) -> Result<Vec<u8>, PuzzleFormatError> {
        let rest = &self.bytes[self.at..];
        // The last text of a file may lack its zero.
        let end = match rest.iter().position(|&byte| byte == 0) {
            Some(end) => end,
            None => return Err(error(format!("the file ends inside {what} (byte {})", self.bytes.len()))),
        };
        self.at += end + 1;
        Ok(rest[..end].to_vec())
    }

    /// Reads sections as long as they look like sections; what follows is kept as it is.
    fn sections(&mut self) -> Result<(Vec<Section>, Vec<u16>), PuzzleFormatError> {
        let (mut sections, mut checksums) = (Vec::new(), Vec::new());
        while let Some(head) = self.bytes.get(self.at..self.at + 8) {
            if !head[..4].iter().all(|byte| byte.is_ascii_alphanumeric()) {
                break;
            }
            let name: [u8; 4] = head[..4].try_into().expect("four bytes");
            let length = usize::from(u16::from_le_bytes([head[4], head[5]]));
            let shown = String::from_utf8_lossy(&name).into_owned();
            self.at += 8;
            let data = self.take(length, &format!("section {shown}"))?.to_vec();
            if self.take(1, &format!("section {shown}"))? != [0] {
                return Err(error(format!("section {shown} does not end with a zero where its length says")));
            }
            checksums.push(u16::from_le_bytes([head[6], head[7]]));
            sections.push(Section { name, data });
        }
        Ok((sections, checksums))
    }
}

#[cfg(test)]
mod tests;
