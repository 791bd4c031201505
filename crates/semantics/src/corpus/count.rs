//! Counting words that stand together, with bounded memory. The result is a language pack that holds
//! nothing but the vocabulary and the matrix: [`CountMatrix`] reads it in place.

use super::sorter::{MERGING, Sorter};
use super::vocabulary::Vocabulary;
use super::{CorpusError, at};
use crate::cooccurrence::{Cooccurrence, Measures};
use crate::pack::{Pack, Part, put_number, write_parts};
use crate::words::{WordFlags, WordId, Words};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What counts as standing together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Together {
    /// Anywhere in one sentence, once per sentence.
    Sentence,
    /// At most so many words apart, each time anew; weighted by 1/distance if asked for.
    Window {
        /// The largest distance.
        words: usize,
        /// Whether near neighbours weigh more.
        by_distance: bool,
    },
}

/// How to count.
#[derive(Clone, Debug)]
pub struct CountSettings {
    /// Bytes that vocabulary, pairs and merging may take together.
    pub memory: usize,
    /// What counts as together.
    pub together: Together,
    /// Rarer words are left out.
    pub min_count: u64,
    /// Pairs with a smaller weight are left out of the matrix.
    pub least: f32,
    /// Folder for sorted runs.
    pub scratch: PathBuf,
}

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Counted {
    /// Words of the matrix.
    pub words: usize,
    /// Sentences of the corpus.
    pub sentences: u64,
    /// Different pairs of words kept, each counted from both sides.
    pub entries: u64,
    /// Sorted runs written because the memory was full.
    pub runs: usize,
}

/// Weights are kept in files as whole numbers, so many to one.
pub const WEIGHT: f32 = 60.0;
/// Bytes that the program itself, its buffers and the tables of the rows take.
const PROGRAM: usize = 16 << 20;
/// Least memory that makes sense.
const LEAST: usize = PROGRAM + 4 * MERGING;

/// Counts a prepared corpus (one sentence a line) into a pack; the file is read twice.
///
/// # Errors
/// If a file cannot be read or written, or the memory does not suffice for the vocabulary.
pub fn count(
    corpus: &Path,
    settings: &CountSettings,
    out: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Counted, CorpusError> {
    if settings.memory < LEAST {
        return Err(CorpusError::Unfit(format!(
            "{} bytes are too few to count with; allow at least {LEAST}",
            settings.memory
        )));
    }
    let free = settings.memory - PROGRAM - MERGING;
    let vocabulary = Vocabulary::of_file(corpus, settings.min_count, free / 2)?;
    let room = free.saturating_sub(vocabulary.peak);
    count_within(corpus, &vocabulary, settings, room, out, progress)
}

/// Counts with at most `room` bytes of pairs in memory.
fn count_within(
    corpus: &Path,
    vocabulary: &Vocabulary,
    settings: &CountSettings,
    room: usize,
    out: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Counted, CorpusError> {
    let words = vocabulary.words.len();
    let mut often = Often::new(words, room / 3);
    let mut upper = Sorter::new(&settings.scratch, "upper", room - room / 3);
    let mut file = BufReader::with_capacity(1 << 16, at(corpus, File::open(corpus))?);
    let (mut line, mut ids) = (String::new(), Vec::new());
    for sentence in 0.. {
        line.clear();
        if at(corpus, file.read_line(&mut line))? == 0 {
            break;
        }
        if sentence % 4096 == 0 {
            progress(sentence, vocabulary.sentences);
        }
        ids.clear();
        ids.extend(vocabulary.ids(&line));
        each_pair(&mut ids, settings.together, |a, b, weight| {
            let (a, b) = (a.min(b), a.max(b));
            if often.add(a, b, weight) { Ok(()) } else { upper.add(a, b, weight) }
        })?;
    }
    often.drain(|a, b, weight| upper.add(a, b, weight))?;
    let folder = &settings.scratch;
    // the merged pairs go to a file as (smaller, larger) and once more through a sorter as (larger, smaller)
    let mut runs = upper.runs();
    let path = folder.join("merged.tmp");
    let mut merged = BufWriter::with_capacity(1 << 15, at(&path, File::create(&path))?);
    let mut pairs = 0u64;
    let mut keep: Vec<u8> = Vec::with_capacity(12);
    upper.finish(|a, b, weight| {
        if weight >= settings.least {
            keep.clear();
            [a.to_le_bytes(), b.to_le_bytes(), weight.to_le_bytes()].iter().for_each(|x| keep.extend_from_slice(x));
            at(&path, merged.write_all(&keep))?;
            pairs += 1;
        }
        Ok(())
    })?;
    at(&path, merged.flush())?;
    drop(merged);
    let mut lower = Sorter::new(folder, "lower", room);
    for entry in Entries::open(&path)? {
        let (a, b, weight) = entry?;
        lower.add(b, a, weight)?;
    }
    runs += lower.runs();
    write(vocabulary, settings, &path, lower, out)?;
    at(&path, std::fs::remove_file(&path))?;
    Ok(Counted { words: vocabulary.words.len(), sentences: vocabulary.sentences, entries: 2 * pairs, runs })
}

/// Pairs of common words, which make up most of a text, in a table of their own: the rows of the
/// commonest words are long, those of rarer words short (as in GloVe).
struct Often {
    starts: Vec<usize>,
    cells: Vec<f32>,
}

impl Often {
    /// A table over `words` words, commonest first, of at most `memory` bytes.
    fn new(words: usize, memory: usize) -> Often {
        let cells = memory / size_of::<f32>();
        let product = (cells as f64 / ((words as f64).max(1.0).ln() + 1.0)) as usize;
        let mut starts = vec![0];
        let mut total = 0;
        for row in 0..words {
            let length = (product / (row + 1)).min(words).saturating_sub(row + 1);
            if length == 0 || total + length > cells {
                break;
            }
            total += length;
            starts.push(total);
        }
        Often { starts, cells: vec![0.0; total] }
    }

    /// Adds a pair, the smaller number first; says no if the table has no cell for it.
    #[inline]
    fn add(&mut self, a: u32, b: u32, weight: f32) -> bool {
        let (row, column) = (a as usize, b as usize - a as usize - 1);
        match self.starts.get(row..row + 2) {
            Some(&[start, end]) if column < end - start => {
                self.cells[start + column] += weight;
                true
            }
            _ => false,
        }
    }

    /// Hands over all pairs and frees the table.
    fn drain(self, mut give: impl FnMut(u32, u32, f32) -> Result<(), CorpusError>) -> Result<(), CorpusError> {
        for (row, range) in self.starts.windows(2).enumerate() {
            for (i, &weight) in self.cells[range[0]..range[1]].iter().enumerate().filter(|c| *c.1 > 0.0) {
                give(row as u32, (row + 1 + i) as u32, weight)?;
            }
        }
        Ok(())
    }
}

/// Calls `add` for every unordered pair of different words that stand together.
fn each_pair(
    ids: &mut Vec<u32>,
    together: Together,
    mut add: impl FnMut(u32, u32, f32) -> Result<(), CorpusError>,
) -> Result<(), CorpusError> {
    match together {
        Together::Sentence => {
            ids.sort_unstable();
            ids.dedup();
            for (i, &a) in ids.iter().enumerate() {
                for &b in &ids[..i] {
                    add(a, b, 1.0)?;
                }
            }
        }
        Together::Window { words, by_distance } => {
            for (i, &a) in ids.iter().enumerate() {
                for (d, &b) in ids[i + 1..].iter().take(words).enumerate().filter(|(_, b)| **b != a) {
                    add(a, b, if by_distance { 1.0 / (d + 1) as f32 } else { 1.0 })?;
                }
            }
        }
    }
    Ok(())
}

/// Reads the file of merged pairs.
struct Entries {
    path: PathBuf,
    file: BufReader<File>,
}

impl Entries {
    fn open(path: &Path) -> Result<Entries, CorpusError> {
        Ok(Entries { path: path.into(), file: BufReader::with_capacity(1 << 15, at(path, File::open(path))?) })
    }
}

impl Iterator for Entries {
    type Item = Result<(u32, u32, f32), CorpusError>;
    fn next(&mut self) -> Option<Self::Item> {
        use std::io::Read;
        let mut bytes = [0; 12];
        match self.file.read_exact(&mut bytes) {
            Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => None,
            Err(e) => Some(at(&self.path, Err(e))),
            Ok(()) => {
                let four = |i: usize| -> [u8; 4] { bytes[i..i + 4].try_into().expect("four bytes") };
                Some(Ok((u32::from_le_bytes(four(0)), u32::from_le_bytes(four(4)), f32::from_le_bytes(four(8)))))
            }
        }
    }
}

/// Writes the rows one after another: first the smaller columns, from the second sorter, then the larger.
fn write(
    vocabulary: &Vocabulary,
    settings: &CountSettings,
    upper: &Path,
    lower: Sorter,
    out: &Path,
) -> Result<(), CorpusError> {
    let path = settings.scratch.join("rows.tmp");
    let mut rows = Rows {
        file: BufWriter::with_capacity(1 << 15, at(&path, File::create(&path))?),
        path: path.clone(),
        lengths: Vec::new(),
        row: Vec::new(),
        number: 0,
        next: 0,
        total: 0,
    };
    let mut upper = Entries::open(upper)?.peekable();
    let mut ahead = |rows: &mut Rows, before: u32| -> Result<(), CorpusError> {
        while let Some(entry) = upper.next_if(|e| e.as_ref().map_or(true, |e| e.0 < before)) {
            let (a, b, weight) = entry?;
            rows.cell(a, b, weight)?;
        }
        Ok(())
    };
    lower.finish(|row, column, weight| {
        ahead(&mut rows, row)?;
        rows.cell(row, column, weight)
    })?;
    ahead(&mut rows, u32::MAX)?;
    let lengths = rows.finish(vocabulary.words.len())?;
    let windowed = settings.together != Together::Sentence;
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
        ("cooc.bytes", Part::File(&path)),
        ("cooc.lengths", Part::Bytes(&lengths)),
        ("cooc.sentences", Part::Bytes(&all.to_le_bytes())),
        ("cooc.totals", Part::Bytes(&totals)),
        ("count.weight", Part::Bytes(&WEIGHT.to_le_bytes())),
        ("words.flags", Part::Bytes(&flags)),
        ("words.lengths", Part::Bytes(&text_lengths)),
        ("words.text", Part::Bytes(&text)),
    ];
    write_parts(out, &parts)?;
    at(&path, std::fs::remove_file(&path))
}

/// The rows of the matrix while they are written.
struct Rows {
    file: BufWriter<File>,
    path: PathBuf,
    lengths: Vec<u8>,
    row: Vec<u8>,
    number: u32,
    next: u32,
    total: u64,
}

impl Rows {
    fn cell(&mut self, row: u32, column: u32, weight: f32) -> Result<(), CorpusError> {
        while self.number < row {
            self.end_row()?;
        }
        let count = (weight * WEIGHT).round().clamp(1.0, 4e9) as u32;
        put_number((column - self.next) << 1 | u32::from(count > 1), &mut self.row);
        if count > 1 {
            put_number(count, &mut self.row);
        }
        self.next = column + 1;
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

    fn finish(mut self, words: usize) -> Result<Vec<u8>, CorpusError> {
        while (self.number as usize) < words {
            self.end_row()?;
        }
        at(&self.path, self.file.flush())?;
        Ok(self.lengths)
    }
}

/// A counted matrix, mapped into memory.
#[derive(Debug)]
pub struct CountMatrix {
    words: Words,
    matrix: Cooccurrence,
    weight: f64,
}

impl CountMatrix {
    /// Opens a matrix that [`count`] wrote.
    ///
    /// # Errors
    /// If the file is missing, damaged or another kind of pack.
    pub fn open(path: &Path) -> Result<CountMatrix, CorpusError> {
        let pack = Pack::open(path)?;
        let words = Words::open(&pack)?;
        let weight = pack.slice::<f32>("count.weight")?.first().copied().filter(|w| *w > 0.0);
        let weight = weight.ok_or_else(|| pack.damaged("it says no weight of one meeting".into()))?;
        let matrix = Cooccurrence::open(&pack, words.len())?;
        let matrix = matrix.ok_or_else(|| pack.damaged("it holds no matrix".into()))?;
        Ok(CountMatrix { words, matrix, weight: f64::from(weight) })
    }

    /// The vocabulary.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// All measures of two words.
    pub fn measures(&self, a: WordId, b: WordId) -> Measures {
        self.of(a, b, self.matrix.count(a, b))
    }

    /// The words that stand together with a word, with all measures, in the order of the vocabulary.
    pub fn row(&self, word: WordId) -> impl Iterator<Item = (WordId, Measures)> + '_ {
        self.matrix.row(word).map(move |(other, count)| (other, self.of(word, other, count)))
    }

    fn of(&self, a: WordId, b: WordId, count: u32) -> Measures {
        let total = |w| f64::from(self.matrix.total(w));
        Measures::new(f64::from(count) / self.weight, total(a), total(b), self.matrix.sentences() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Lines of five words of some 300, from a simple generator.
    fn corpus(lines: usize) -> String {
        let mut x = 1u64;
        let mut word = || {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("w{}", (x >> 33) % 300)
        };
        (0..lines).map(|_| (0..5).map(|_| word()).collect::<Vec<_>>().join(" ") + "\n").collect()
    }

    fn slow(text: &str, together: Together) -> BTreeMap<(&str, &str), f64> {
        let mut out = BTreeMap::new();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let mut seen = std::collections::BTreeSet::new();
            for i in 0..words.len() {
                for j in i + 1..words.len() {
                    let pair = (words[i].min(words[j]), words[i].max(words[j]));
                    let weight = match together {
                        Together::Sentence if pair.0 != pair.1 && seen.insert(pair) => 1.0,
                        Together::Window { words, by_distance } if pair.0 != pair.1 && j - i <= words => {
                            if by_distance { 1.0 / (j - i) as f64 } else { 1.0 }
                        }
                        _ => continue,
                    };
                    *out.entry(pair).or_default() += weight;
                }
            }
        }
        out
    }

    #[test]
    fn small_memory_gives_the_counts_of_the_obvious_way() {
        let folder = tempfile::tempdir().unwrap();
        let text = corpus(3000);
        let path = folder.path().join("corpus.txt");
        std::fs::write(&path, &text).unwrap();
        for together in [
            Together::Sentence,
            Together::Window { words: 2, by_distance: false },
            Together::Window { words: 3, by_distance: true },
        ] {
            let scratch = folder.path().to_owned();
            let settings = CountSettings { memory: LEAST, together, min_count: 1, least: 0.0, scratch };
            let out = folder.path().join("matrix.pack");
            let vocabulary = Vocabulary::of_file(&path, 1, 1 << 20).unwrap();
            let counted = count_within(&path, &vocabulary, &settings, 16 << 10, &out, &mut |_, _| {}).unwrap();
            assert!(counted.runs > 3, "the memory must have been too small: {counted:?}");
            let matrix = CountMatrix::open(&out).unwrap();
            let expected = slow(&text, together);
            let mut seen = 0;
            for (a, text) in matrix.words().iter() {
                for (b, m) in matrix.row(a) {
                    let other = matrix.words().text(b);
                    let weight = expected[&(text.min(other), text.max(other))];
                    assert!((weight - m.together).abs() < 0.01 * weight.max(1.0), "{text} {other}: {weight} {m:?}");
                    seen += 1;
                }
            }
            assert_eq!((seen, counted.entries), (2 * expected.len(), 2 * expected.len() as u64));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "only corpus and matrix are left");
    }

    #[test]
    fn measures_by_hand() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c");
        // 4 sentences: a in 3, b in 2, together in 2
        std::fs::write(&path, "a b\nb a a\na c\nd\n").unwrap();
        let scratch = folder.path().to_owned();
        let settings = CountSettings { memory: LEAST, together: Together::Sentence, min_count: 1, least: 0.0, scratch };
        let out = folder.path().join("m.pack");
        count(&path, &settings, &out, &mut |_, _| {}).unwrap();
        let m = CountMatrix::open(&out).unwrap();
        let id = |w| m.words().id(w).unwrap();
        let ab = m.measures(id("a"), id("b"));
        assert_eq!((ab.together, ab.ratio), (2.0, 1.0));
        assert!((ab.pmi - (2.0f64 * 4.0 / (3.0 * 2.0)).ln()).abs() < 1e-9);
        assert!((ab.npmi - ab.pmi / 2f64.ln()).abs() < 1e-9);
        // cells 2, 1, 0, 1: χ² = 4 (2·1 − 1·0)² / (3·1·2·2)
        assert!((ab.chi2 - 4.0 * 4.0 / 12.0).abs() < 1e-9);
        assert_eq!(m.measures(id("b"), id("d")).ppmi, 0.0);
        let small = CountSettings { memory: 10, ..settings };
        assert!(count(&path, &small, &out, &mut |_, _| {}).unwrap_err().to_string().contains("too few"));
    }
}
