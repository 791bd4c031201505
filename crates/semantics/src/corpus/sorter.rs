//! Sorting more weighted pairs than memory holds: full buffers become sorted runs on disk, runs are
//! merged, and equal pairs are added up on the way.

use super::{CorpusError, at};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Two numbers as one key, and their weight.
type Entry = (u64, f32);
/// Bytes of an entry on disk.
const ENTRY: usize = 12;
/// Bytes of a reader's buffer while runs are merged.
const READER: usize = 1 << 15;
/// Runs merged at once; more are first merged into longer ones.
const FAN: usize = 64;

/// Bytes that merging takes besides the buffer of pairs.
pub const MERGING: usize = (FAN + 2) * READER;

/// Takes pairs in any order and gives them back sorted, each once.
pub struct Sorter {
    buffer: Vec<Entry>,
    capacity: usize,
    runs: Vec<PathBuf>,
    made: usize,
    folder: PathBuf,
    name: &'static str,
}

impl Sorter {
    /// A sorter that keeps at most `memory` bytes of pairs and writes its runs into `folder`.
    pub fn new(folder: &Path, name: &'static str, memory: usize) -> Sorter {
        let capacity = (memory / size_of::<Entry>()).max(64);
        Sorter {
            buffer: Vec::with_capacity(capacity),
            capacity,
            runs: Vec::new(),
            made: 0,
            folder: folder.into(),
            name,
        }
    }

    /// How many runs were written because the buffer was full.
    pub fn runs(&self) -> usize {
        self.made
    }

    /// Adds a pair.
    pub fn add(&mut self, first: u32, second: u32, weight: f32) -> Result<(), CorpusError> {
        if self.buffer.len() == self.capacity {
            // what is equal may be added up; only a buffer that stays full goes to disk
            self.add_up();
            if self.buffer.len() > self.capacity / 2 {
                self.spill()?;
            }
        }
        self.buffer.push((u64::from(first) << 32 | u64::from(second), weight));
        Ok(())
    }

    fn add_up(&mut self) {
        self.buffer.sort_unstable_by_key(|e| e.0);
        self.buffer.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 += later.1;
            }
            same
        });
    }

    fn new_run(&mut self) -> PathBuf {
        self.made += 1;
        let path = self.folder.join(format!("{}-{}.tmp", self.name, self.made));
        self.runs.push(path.clone());
        path
    }

    fn spill(&mut self) -> Result<(), CorpusError> {
        self.add_up();
        let path = self.new_run();
        let mut file = BufWriter::with_capacity(READER, at(&path, File::create(&path))?);
        for &(key, weight) in &self.buffer {
            at(&path, write_entry(&mut file, key, weight))?;
        }
        self.buffer.clear();
        at(&path, file.flush())
    }

    /// Hands every pair to `each`, sorted, equal ones added up.
    pub fn finish(mut self, mut each: impl FnMut(u32, u32, f32) -> Result<(), CorpusError>) -> Result<(), CorpusError> {
        let mut give = |(key, weight): Entry| each((key >> 32) as u32, key as u32, weight);
        if self.runs.is_empty() {
            self.add_up();
            return self.buffer.drain(..).try_for_each(&mut give);
        }
        if !self.buffer.is_empty() {
            self.spill()?;
        }
        self.buffer = Vec::new();
        while self.runs.len() > FAN {
            let first: Vec<PathBuf> = self.runs.drain(..FAN).collect();
            let path = self.new_run();
            let mut file = BufWriter::with_capacity(READER, at(&path, File::create(&path))?);
            merge(&first, |(key, weight)| at(&path, write_entry(&mut file, key, weight)))?;
            at(&path, file.flush())?;
            for run in first {
                at(&run, std::fs::remove_file(&run))?;
            }
        }
        merge(&self.runs, give)
    }
}

impl Drop for Sorter {
    fn drop(&mut self) {
        for run in &self.runs {
            let _ = std::fs::remove_file(run);
        }
    }
}

fn write_entry(file: &mut impl Write, key: u64, weight: f32) -> std::io::Result<()> {
    let mut bytes = [0; ENTRY];
    bytes[..8].copy_from_slice(&key.to_le_bytes());
    bytes[8..].copy_from_slice(&weight.to_le_bytes());
    file.write_all(&bytes)
}

fn read_entry(file: &mut impl Read) -> std::io::Result<Option<Entry>> {
    let mut bytes = [0; ENTRY];
    match file.read_exact(&mut bytes) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(e) => return Err(e),
    }
    let key = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
    Ok(Some((key, f32::from_le_bytes(bytes[8..].try_into().expect("four bytes")))))
}

/// Merges sorted runs; equal keys are added up.
fn merge(runs: &[PathBuf], mut give: impl FnMut(Entry) -> Result<(), CorpusError>) -> Result<(), CorpusError> {
    let mut files = Vec::with_capacity(runs.len());
    let mut heap = BinaryHeap::with_capacity(runs.len());
    let mut weights = vec![0f32; runs.len()];
    for (i, run) in runs.iter().enumerate() {
        let mut file = BufReader::with_capacity(READER, at(run, File::open(run))?);
        if let Some((key, weight)) = at(run, read_entry(&mut file))? {
            weights[i] = weight;
            heap.push(Reverse((key, i)));
        }
        files.push(file);
    }
    let mut open: Option<Entry> = None;
    while let Some(mut head) = heap.peek_mut() {
        let Reverse((key, i)) = *head;
        match &mut open {
            Some((k, sum)) if *k == key => *sum += weights[i],
            _ => {
                if let Some(done) = open.replace((key, weights[i])) {
                    give(done)?;
                }
            }
        }
        match at(&runs[i], read_entry(&mut files[i]))? {
            Some((key, weight)) => {
                weights[i] = weight;
                *head = Reverse((key, i));
            }
            None => drop(std::collections::binary_heap::PeekMut::pop(head)),
        }
    }
    open.map_or(Ok(()), give)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn pairs_come_back_sorted_and_added_up(pairs in proptest::collection::vec((0u32..40, 0u32..40, 1u8..5), 0..9000)) {
            let folder = tempfile::tempdir().unwrap();
            // room for 64 pairs: up to 140 runs, more than are merged at once
            let mut sorter = Sorter::new(folder.path(), "t", 0);
            let mut expected: BTreeMap<(u32, u32), f32> = BTreeMap::new();
            for &(a, b, w) in &pairs {
                sorter.add(a, b, f32::from(w)).unwrap();
                *expected.entry((a, b)).or_default() += f32::from(w);
            }
            let mut got = Vec::new();
            sorter.finish(|a, b, w| { got.push(((a, b), w)); Ok(()) }).unwrap();
            prop_assert_eq!(got, expected.into_iter().collect::<Vec<_>>());
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "runs are removed");
        }
    }
}
