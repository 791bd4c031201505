//! Counting in pieces that need not be on one machine: a corpus is cut into shards, each is counted into sorted
//! entries, and these are merged into the matrix.
//!
//! The entries of a shard are rows of rising number, each: the distance from the row before, the number of its entries,
//! then for each the distance from the column before, doubled, plus one where the weight is not 1 and follows as four
//! bytes. Numbers have seven bits a byte.

use super::chunk::Chunk;
use super::count::{CountSettings, Counted, PairScope};
use super::rows::Rows;
use super::runs::SortedRuns;
use super::vocabulary::CorpusVocabulary;
use super::{CorpusError, at};
use crate::pack::put_number;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Cuts a corpus at ends of lines into files of about so many bytes in a folder; answers them in order.
///
/// # Errors
/// If a file cannot be read or written.
pub fn cut(corpus: &Path, folder: &Path, bytes: u64) -> Result<Vec<PathBuf>, CorpusError> {
    let mut text = BufReader::with_capacity(1 << 16, at(corpus, File::open(corpus))?);
    let (mut shards, mut line) = (Vec::new(), Vec::new());
    let mut open: Option<(PathBuf, BufWriter<File>, u64)> = None;
    loop {
        line.clear();
        let read = at(corpus, text.read_until(b'\n', &mut line))? as u64;
        let full = open.as_ref().is_some_and(|(_, _, size)| *size + read > bytes);
        if let Some((path, mut file, _)) = open.take_if(|_| read == 0 || full) {
            at(&path, file.flush())?;
            shards.push(path);
        }
        if read == 0 {
            return Ok(shards);
        }
        if open.is_none() {
            let path = folder.join(format!("shard-{:05}.txt", shards.len()));
            let file = BufWriter::with_capacity(1 << 16, at(&path, File::create(&path))?);
            open = Some((path, file, 0));
        }
        if let Some((path, file, size)) = &mut open {
            at(path, file.write_all(&line))?;
            *size += read;
        }
    }
}

/// Counts one shard into sorted entries; `progress` hears sentences done and stops it by `false`, then there are none.
///
/// # Errors
/// If the file cannot be read.
pub fn count_shard(
    shard: &Path,
    vocabulary: &CorpusVocabulary,
    together: PairScope,
    progress: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Option<Vec<u8>>, CorpusError> {
    let text = at(shard, std::fs::read_to_string(shard))?;
    let all = text.lines().count() as u64;
    let mut chunk = Chunk::new(vocabulary.words.len(), together, usize::MAX);
    let mut ids = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if number % 4096 == 0 && !progress(number as u64, 2 * all) {
            return Ok(None);
        }
        ids.clear();
        ids.extend(vocabulary.ids(line));
        if !chunk.add(&mut ids) {
            return Err(CorpusError::Unfit(format!("{}: too much text for one shard", shard.display())));
        }
    }
    let mut out = Encoder::default();
    chunk.rows(|row, column, weight| {
        out.cell(row, column, weight);
        Ok(())
    })?;
    progress(2 * all, 2 * all);
    Ok(Some(out.finish()))
}

/// Writes entries of rising rows and columns.
#[derive(Default)]
struct Encoder {
    bytes: Vec<u8>,
    row: Vec<u8>,
    number: u32,
    entries: u32,
    next_row: u32,
    next_column: u32,
}

impl Encoder {
    fn cell(&mut self, row: u32, column: u32, weight: f32) {
        if self.entries > 0 && row != self.number {
            self.end_row();
        }
        self.number = row;
        let other = weight != 1.0;
        put_number((column - self.next_column) << 1 | u32::from(other), &mut self.row);
        if other {
            self.row.extend(weight.to_le_bytes());
        }
        self.next_column = column + 1;
        self.entries += 1;
    }

    fn end_row(&mut self) {
        put_number(self.number - self.next_row, &mut self.bytes);
        put_number(self.entries, &mut self.bytes);
        self.bytes.append(&mut self.row);
        self.next_row = self.number + 1;
        (self.entries, self.next_column) = (0, 0);
    }

    fn finish(mut self) -> Vec<u8> {
        if self.entries > 0 {
            self.end_row();
        }
        self.bytes
    }
}

/// Hands the entries of a shard to `each`.
fn decode(mut bytes: &[u8], mut each: impl FnMut(u32, u32, f32) -> Result<(), CorpusError>) -> Result<(), CorpusError> {
    let broken = || CorpusError::Unfit("the entries of a shard are broken".into());
    let mut row = 0u32;
    while !bytes.is_empty() {
        row = row.checked_add(take_number(&mut bytes).ok_or_else(broken)?).ok_or_else(broken)?;
        let entries = take_number(&mut bytes).ok_or_else(broken)?;
        let mut column = 0u32;
        for _ in 0..entries {
            let step = take_number(&mut bytes).ok_or_else(broken)?;
            column = column.checked_add(step >> 1).ok_or_else(broken)?;
            let weight = match step & 1 {
                0 => 1.0,
                _ => {
                    let (four, rest) = bytes.split_first_chunk::<4>().ok_or_else(broken)?;
                    bytes = rest;
                    f32::from_le_bytes(*four)
                }
            };
            each(row, column, weight)?;
            column = column.checked_add(1).ok_or_else(broken)?;
        }
        row = row.checked_add(1).ok_or_else(broken)?;
    }
    Ok(())
}

/// The inverse of [`put_number`].
fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u32;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 127).checked_shl(shift)?;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// Counted shards, merged when all are there.
pub struct Merge {
    runs: SortedRuns,
}

impl Merge {
    /// No shards yet; they will be kept in `scratch`.
    pub fn new(scratch: &Path) -> Merge {
        Merge { runs: SortedRuns::new(scratch) }
    }

    /// Takes the entries of the next shard; the order of shards decides how weights are added up.
    ///
    /// # Errors
    /// If the entries are broken or cannot be written.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), CorpusError> {
        let mut run = self.runs.begin()?;
        decode(bytes, |row, column, weight| run.add(row, column, weight))?;
        run.finish()
    }

    /// Merges all shards into a pack.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn finish(
        self,
        vocabulary: &CorpusVocabulary,
        settings: &CountSettings,
        out: &Path,
    ) -> Result<Counted, CorpusError> {
        let runs = self.runs.len();
        let words = vocabulary.words.len();
        let mut rows = Rows::begin(&settings.scratch)?;
        self.runs.merge(|row, column, weight| {
            if row as usize >= words || column as usize >= words {
                return Err(CorpusError::Unfit("a shard names words that are not in the list".into()));
            }
            if weight >= settings.least { rows.cell(row, column, weight) } else { Ok(()) }
        })?;
        let entries = rows.entries();
        rows.finish(vocabulary, settings.together, out)?;
        Ok(Counted { words, sentences: vocabulary.sentences, entries, runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn entries_survive_their_bytes(
            entries in proptest::collection::btree_map((0u32..600, 0u32..600), prop_oneof![Just(1.0f32), 0.1f32..9.0], 0..80)
        ) {
            let mut encoder = Encoder::default();
            entries.iter().for_each(|(&(row, column), &weight)| encoder.cell(row, column, weight));
            let mut back = BTreeMap::new();
            decode(&encoder.finish(), |row, column, weight| {
                back.insert((row, column), weight);
                Ok(())
            }).unwrap();
            prop_assert_eq!(back, entries);
        }

        #[test]
        fn any_bytes_are_read_or_refused_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = decode(&bytes, |_, _, _| Ok(()));
        }

        #[test]
        fn shards_are_the_corpus_cut_at_ends_of_lines(
            lines in proptest::collection::vec("[a-c ]{0,12}", 0..30), last in "[a-c]{0,5}", bytes in 1u64..40
        ) {
            let folder = tempfile::tempdir().unwrap();
            let corpus = folder.path().join("corpus");
            let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>() + &last;
            std::fs::write(&corpus, &text).unwrap();
            let shards: Vec<String> = cut(&corpus, folder.path(), bytes)
                .unwrap()
                .iter()
                .map(|path| std::fs::read_to_string(path).unwrap())
                .collect();
            prop_assert_eq!(shards.concat(), text);
            for (i, shard) in shards.iter().enumerate() {
                prop_assert!(!shard.is_empty() && (i + 1 == shards.len() || shard.ends_with('\n')));
                prop_assert!(shard.len() as u64 <= bytes || shard.trim_end_matches('\n').lines().count() <= 1);
            }
        }
    }
}
