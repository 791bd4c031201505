//! Sorted runs on disk: what does not fit into memory is written in sorted pieces, which are merged,
//! and equal entries are added up on the way.

use super::{CorpusError, at};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Row and column as one key, and their weight.
type Entry = (u64, f32);
/// Bytes of an entry on disk.
const ENTRY: usize = 12;
/// Bytes of a reader's buffer while runs are merged.
const READER: usize = 1 << 15;
/// Runs merged at once; more are first merged into longer ones.
const FAN: usize = 64;

/// Bytes that merging takes.
pub const MERGING: usize = (FAN + 2) * READER;

/// Sorted runs in a folder; their files go when this goes.
pub struct SortedRuns {
    files: Vec<PathBuf>,
    made: usize,
    folder: PathBuf,
}

/// A run while it is written; entries must come in rising order.
pub struct SortedRun {
    path: PathBuf,
    file: BufWriter<File>,
}

impl SortedRun {
    /// Adds an entry.
    pub fn add(&mut self, row: u32, column: u32, weight: f32) -> Result<(), CorpusError> {
        self.put((u64::from(row) << 32 | u64::from(column), weight))
    }

    fn put(&mut self, (key, weight): Entry) -> Result<(), CorpusError> {
        at(&self.path, write_entry(&mut self.file, key, weight))
    }

    /// Ends the run.
    pub fn finish(mut self) -> Result<(), CorpusError> {
        at(&self.path, self.file.flush())
    }
}

impl SortedRuns {
    /// No runs yet; they will be written into `folder`.
    pub fn new(folder: &Path) -> SortedRuns {
        SortedRuns { files: Vec::new(), made: 0, folder: folder.into() }
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Begins a new run.
    pub fn begin(&mut self) -> Result<SortedRun, CorpusError> {
        self.made += 1;
        let path = self.folder.join(format!("run-{}.tmp", self.made));
        self.files.push(path.clone());
        let file = BufWriter::with_capacity(READER, at(&path, File::create(&path))?);
        Ok(SortedRun { path, file })
    }

    /// Hands every entry of all runs to `each`, sorted, equal ones added up.
    pub fn merge(mut self, mut each: impl FnMut(u32, u32, f32) -> Result<(), CorpusError>) -> Result<(), CorpusError> {
        while self.files.len() > FAN {
            let first: Vec<PathBuf> = self.files.drain(..FAN).collect();
            let mut run = self.begin()?;
            merge(&first, |entry| run.put(entry))?;
            run.finish()?;
            for file in first {
                at(&file, std::fs::remove_file(&file))?;
            }
        }
        merge(&self.files, |(key, weight)| each((key >> 32) as u32, key as u32, weight))
    }
}

impl Drop for SortedRuns {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = std::fs::remove_file(file);
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
        fn entries_come_back_sorted_and_added_up(
            pieces in proptest::collection::vec(proptest::collection::btree_map((0u32..40, 0u32..40), 1u8..5, 0..60), 0..140)
        ) {
            let folder = tempfile::tempdir().unwrap();
            // up to 140 runs, more than are merged at once
            let mut runs = SortedRuns::new(folder.path());
            let mut expected: BTreeMap<(u32, u32), f32> = BTreeMap::new();
            for piece in &pieces {
                let mut run = runs.begin().unwrap();
                for (&(a, b), &w) in piece {
                    run.add(a, b, f32::from(w)).unwrap();
                    *expected.entry((a, b)).or_default() += f32::from(w);
                }
                run.finish().unwrap();
            }
            let mut got = Vec::new();
            runs.merge(|a, b, w| { got.push(((a, b), w)); Ok(()) }).unwrap();
            prop_assert_eq!(got, expected.into_iter().collect::<Vec<_>>());
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "runs are removed");
        }
    }
}
