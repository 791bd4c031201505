//! The rows of a counted matrix while they are written, and the pack they become.

use super::count::{PairScope, WEIGHT};
use super::vocabulary::CorpusVocabulary;
use super::{CorpusError, at};
use crate::pack::{PackPart, put_number, write_parts};
use crate::words::WordFlags;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The rows of the matrix while they are written.
pub struct Rows {
    file: BufWriter<File>,
    path: PathBuf,
    lengths: Vec<u8>,
    row: Vec<u8>,
    number: u32,
    next: u32,
    total: u64,
    entries: u64,
}

impl Rows {
    /// Begins a matrix in a file of `scratch`.
    pub fn begin(scratch: &Path) -> Result<Rows, CorpusError> {
        let path = scratch.join("rows.tmp");
        let file = BufWriter::with_capacity(1 << 15, at(&path, File::create(&path))?);
        Ok(Rows { file, path, lengths: Vec::new(), row: Vec::new(), number: 0, next: 0, total: 0, entries: 0 })
    }

    /// How many entries were written.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Adds an entry; rows and columns must rise.
    pub fn cell(&mut self, row: u32, column: u32, weight: f32) -> Result<(), CorpusError> {
        while self.number < row {
            self.end_row()?;
        }
        let count = (weight * WEIGHT).round().clamp(1.0, 4e9) as u32;
        put_number((column - self.next) << 1 | u32::from(count > 1), &mut self.row);
        if count > 1 {
            put_number(count, &mut self.row);
        }
        self.next = column + 1;
        self.entries += 1;
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), CorpusError> {
        at(&self.path, self.file.write_all(&self.row))?;
        self.total += self.row.len() as u64;
        if self.total > u64::from(u32::MAX) {
            return Err(CorpusError::Unfit(
                "the matrix takes more than 4 GiB; raise the minimum count of words or the least weight of pairs"
                    .into(),
            ));
        }
        put_number(self.row.len() as u32, &mut self.lengths);
        self.row.clear();
        (self.number, self.next) = (self.number + 1, 0);
        Ok(())
    }

    /// Ends the matrix and writes it as a pack.
    pub fn finish(mut self, vocabulary: &CorpusVocabulary, together: PairScope, out: &Path) -> Result<(), CorpusError> {
        while (self.number as usize) < vocabulary.words.len() {
            self.end_row()?;
        }
        at(&self.path, self.file.flush())?;
        let windowed = together != PairScope::Sentence;
        let mut totals = Vec::new();
        let mut flags = Vec::new();
        let (mut text, mut text_lengths) = (Vec::new(), Vec::new());
        for w in &vocabulary.words {
            let total = if windowed { w.times } else { w.sentences };
            put_number(u32::try_from(total).unwrap_or(u32::MAX), &mut totals);
            text.extend_from_slice(w.word.as_bytes());
            put_number(w.word.len() as u32, &mut text_lengths);
            flags.push(WordFlags::LEMMA);
        }
        let all = if windowed { vocabulary.places } else { vocabulary.sentences };
        let parts = [
            ("cooc.bytes", PackPart::File(&self.path)),
            ("cooc.lengths", PackPart::Bytes(&self.lengths)),
            ("cooc.sentences", PackPart::Bytes(&all.to_le_bytes())),
            ("cooc.totals", PackPart::Bytes(&totals)),
            ("count.weight", PackPart::Bytes(&WEIGHT.to_le_bytes())),
            ("words.flags", PackPart::Bytes(&flags)),
            ("words.lengths", PackPart::Bytes(&text_lengths)),
            ("words.text", PackPart::Bytes(&text)),
        ];
        write_parts(out, &parts)?;
        at(&self.path, std::fs::remove_file(&self.path))
    }
}
