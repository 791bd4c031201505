//! The file layout of a clue database.

use std::sync::Arc;

/// First bytes of the file; the last is the version.
pub(super) const MAGIC: [u8; 8] = *b"PARCLUE\x01";
/// Maximum number of letters of an answer.
pub const MAX_LENGTH: usize = 40;
/// Sections in the order of the file.
pub(super) const SECTIONS: usize = 10;

/// Why a database cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClueDatabaseError {
    #[error("this is not a clue database of this version: build one with `parlour crossword import-clues`")]
    Foreign,
    #[error("the clue database is damaged: {0}")]
    Damaged(String),
}

/// Numbers of the sections.
pub(super) mod section {
    /// u32 per length + 1: first pair of that answer length.
    pub const LENGTHS: usize = 0;
    /// u32 per pair: its answer.
    pub const PAIR_ANSWER: usize = 1;
    /// u32 per pair: how often it was seen.
    pub const PAIR_COUNT: usize = 2;
    /// f32 per pair: length of its clue as a vector.
    pub const PAIR_NORM: usize = 3;
    /// u32 per answer + 1: where its text starts.
    pub const ANSWER_AT: usize = 4;
    /// The texts of the answers.
    pub const ANSWER_TEXT: usize = 5;
    /// u32 per word + 1: where its text starts; words are sorted.
    pub const WORD_AT: usize = 6;
    /// The texts of the words.
    pub const WORD_TEXT: usize = 7;
    /// u32 per word + 1: where its postings start.
    pub const POSTINGS_AT: usize = 8;
    /// u32 pairs in rising order per word. After it: (u64 fingerprint of a clue, u32 pair), sorted.
    pub const POSTINGS: usize = 9;
}

/// A clue database that is read in place.
#[derive(Clone)]
pub struct ClueDatabase {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// Start and end of each section.
    sections: [(usize, usize); SECTIONS],
    exact: (usize, usize),
}

impl std::fmt::Debug for ClueDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ClueDatabase({} pairs)", self.pairs())
    }
}

impl ClueDatabase {
    /// Opens the bytes of a file (a memory map or a vector) and checks that every offset lies inside it.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, ClueDatabaseError> {
        let all: &[u8] = (*bytes).as_ref();
        if all.get(..8) != Some(&MAGIC) {
            return Err(ClueDatabaseError::Foreign);
        }
        let damaged = |what: &str| ClueDatabaseError::Damaged(what.to_owned());
        let mut ends = [0; SECTIONS + 1];
        for (at, end) in ends.iter_mut().enumerate() {
            let field = all.get(8 + at * 8..16 + at * 8).ok_or_else(|| damaged("its header is cut off"))?;
            *end = usize::try_from(u64::from_le_bytes(field.try_into().expect("eight bytes"))).unwrap_or(usize::MAX);
        }
        let mut start = 8 + (SECTIONS + 1) * 8;
        let mut pieces = [(0, 0); SECTIONS + 1];
        for (piece, &end) in pieces.iter_mut().zip(&ends) {
            if end < start || end > all.len() || !start.is_multiple_of(4) {
                return Err(damaged("a section lies outside the file"));
            }
            *piece = (start, end);
            start = end.next_multiple_of(4);
        }
        let mut sections = [(0, 0); SECTIONS];
        sections.copy_from_slice(&pieces[..SECTIONS]);
        let database = Self { bytes, sections, exact: pieces[SECTIONS] };
        database.check()?;
        Ok(database)
    }

    /// Checks every invariant that lookups rely on, so that a damaged file is an error and never a panic.
    fn check(&self) -> Result<(), ClueDatabaseError> {
        use section::*;
        let damaged = |what: &str| ClueDatabaseError::Damaged(what.to_owned());
        let pairs = self.pairs();
        if self.count(LENGTHS) != MAX_LENGTH + 2 || self.count(PAIR_COUNT) != pairs || self.count(PAIR_NORM) != pairs {
            return Err(damaged("its tables have different sizes"));
        }
        if self.count(WORD_AT) != self.count(POSTINGS_AT) || self.count(WORD_AT) == 0 || self.count(ANSWER_AT) == 0 {
            return Err(damaged("its tables have different sizes"));
        }
        let rising = |section: usize, limit: usize| {
            let mut last = 0;
            (0..self.count(section)).all(|at| {
                let value = self.number(section, at);
                let fits = value >= last && value <= limit;
                last = value;
                fits
            })
        };
        let (answer_text, word_text) = (self.section(ANSWER_TEXT), self.section(WORD_TEXT));
        if !rising(LENGTHS, pairs)
            || !rising(ANSWER_AT, answer_text.len())
            || !rising(WORD_AT, word_text.len())
            || !rising(POSTINGS_AT, self.count(POSTINGS))
        {
            return Err(damaged("an offset is out of order"));
        }
        let answers = self.count(ANSWER_AT) - 1;
        if (0..pairs).any(|pair| self.number(PAIR_ANSWER, pair) >= answers)
            || (0..self.count(POSTINGS)).any(|at| self.number(POSTINGS, at) >= pairs)
            || (0..self.exact_count()).any(|at| self.exact_at(at).1 >= pairs)
        {
            return Err(damaged("a number points outside its table"));
        }
        Ok(())
    }

    /// Different pairs of answer and clue.
    pub fn pairs(&self) -> usize {
        self.count(section::PAIR_ANSWER)
    }

    fn all(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    pub(super) fn section(&self, number: usize) -> &[u8] {
        let (start, end) = self.sections[number];
        &self.all()[start..end]
    }

    /// How many four-byte numbers a section has.
    pub(super) fn count(&self, section: usize) -> usize {
        self.section(section).len() / 4
    }

    pub(super) fn number(&self, section: usize, at: usize) -> usize {
        u32::from_le_bytes(self.four(section, at)) as usize
    }

    pub(super) fn fraction(&self, section: usize, at: usize) -> f32 {
        f32::from_le_bytes(self.four(section, at))
    }

    fn four(&self, section: usize, at: usize) -> [u8; 4] {
        let (start, _) = self.sections[section];
        self.all()[start + at * 4..start + at * 4 + 4].try_into().expect("four bytes")
    }

    /// How many different clues can be looked up exactly.
    pub(super) fn exact_count(&self) -> usize {
        (self.exact.1 - self.exact.0) / 12
    }

    /// Fingerprint and pair of the `at`th entry of the exact index.
    pub(super) fn exact_at(&self, at: usize) -> (u64, usize) {
        let start = self.exact.0 + at * 12;
        let bytes = &self.all()[start..start + 12];
        let print = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
        (print, u32::from_le_bytes(bytes[8..].try_into().expect("four bytes")) as usize)
    }

    /// The text of an answer.
    pub(super) fn answer(&self, answer: usize) -> &str {
        self.text(section::ANSWER_AT, section::ANSWER_TEXT, answer)
    }

    /// The text of a word.
    pub(super) fn word(&self, word: usize) -> &str {
        self.text(section::WORD_AT, section::WORD_TEXT, word)
    }

    fn text(&self, offsets: usize, texts: usize, at: usize) -> &str {
        let range = self.number(offsets, at)..self.number(offsets, at + 1);
        std::str::from_utf8(&self.section(texts)[range]).unwrap_or_default()
    }
}
