//! Co-occurrence counting with bounded memory, by external merge sort: the corpus is read in chunks that fit, each becomes a
//! sorted run on disk, and the runs are merged; a corpus that fits as a whole needs none. The result is a pack with the
//! vocabulary and the matrix, which [`CountMatrix`] reads in place.

pub use super::matrix::CountMatrix;

use super::chunk::Chunk;
use super::rows::Rows;
use super::runs::{MERGING, SortedRuns};
use super::vocabulary::CorpusVocabulary;
use super::{CorpusError, at};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Which pairs of words are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairScope {
    /// Anywhere in one sentence, once per sentence.
    Sentence,
    /// Pairs at most `words` apart, once per occurrence; optionally weighted by 1/distance.
    Window {
        /// The largest distance.
        words: usize,
        /// Whether a pair is weighted by 1/distance.
        by_distance: bool,
    },
}

/// How to count.
#[derive(Clone, Debug)]
pub struct CountSettings {
    /// Bytes that vocabulary, pairs and merging may take together.
    pub memory: usize,
    /// What counts as together.
    pub together: PairScope,
    /// Words with fewer occurrences are dropped.
    pub min_count: u64,
    /// Pairs with a smaller weight are dropped.
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

/// Fixed-point scale of weights in files.
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
    let vocabulary = CorpusVocabulary::of_file(corpus, settings.min_count, free / 2)?;
    let room = free.saturating_sub(vocabulary.peak);
    count_within(corpus, &vocabulary, settings, room, out, progress)
}

/// Counts with at most `room` bytes of text and sums in memory.
fn count_within(
    corpus: &Path,
    vocabulary: &CorpusVocabulary,
    settings: &CountSettings,
    room: usize,
    out: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Counted, CorpusError> {
    let words = vocabulary.words.len();
    let mut chunk = Chunk::new(words, settings.together, room);
    let mut runs = SortedRuns::new(&settings.scratch);
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
        if !chunk.add(&mut ids) {
            spill(&mut chunk, &mut runs)?;
            if !chunk.add(&mut ids) {
                return Err(CorpusError::Unfit(format!(
                    "{}, line {}: the {} words of this sentence do not fit; allow more than {} bytes",
                    corpus.display(),
                    sentence + 1,
                    ids.len(),
                    settings.memory
                )));
            }
        }
    }
    let mut rows = Rows::begin(&settings.scratch)?;
    let mut keep = |row: u32, column: u32, weight: f32| {
        if weight >= settings.least { rows.cell(row, column, weight) } else { Ok(()) }
    };
    let written = if runs.len() == 0 {
        chunk.rows(&mut keep)?;
        0
    } else {
        spill(&mut chunk, &mut runs)?;
        drop(chunk);
        let written = runs.len();
        runs.merge(&mut keep)?;
        written
    };
    let entries = rows.entries();
    rows.finish(vocabulary, settings.together, out)?;
    Ok(Counted { words, sentences: vocabulary.sentences, entries, runs: written })
}

/// Writes the rows of a chunk as a run and empties it.
fn spill(chunk: &mut Chunk, runs: &mut SortedRuns) -> Result<(), CorpusError> {
    if !chunk.is_empty() {
        let mut run = runs.begin()?;
        chunk.rows(|row, column, weight| run.add(row, column, weight))?;
        run.finish()?;
        chunk.clear();
    }
    Ok(())
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

    fn slow(text: &str, together: PairScope) -> BTreeMap<(&str, &str), f64> {
        let mut out = BTreeMap::new();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let mut seen = std::collections::BTreeSet::new();
            for i in 0..words.len() {
                for j in i + 1..words.len() {
                    let pair = (words[i].min(words[j]), words[i].max(words[j]));
                    let weight = match together {
                        PairScope::Sentence if pair.0 != pair.1 && seen.insert(pair) => 1.0,
                        PairScope::Window { words, by_distance } if pair.0 != pair.1 && j - i <= words => {
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
            PairScope::Sentence,
            PairScope::Window { words: 2, by_distance: false },
            PairScope::Window { words: 3, by_distance: true },
        ] {
            let scratch = folder.path().to_owned();
            let settings = CountSettings { memory: LEAST, together, min_count: 1, least: 0.0, scratch };
            let out = folder.path().join("matrix.pack");
            let vocabulary = CorpusVocabulary::of_file(&path, 1, 1 << 20).unwrap();
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
        let settings =
            CountSettings { memory: LEAST, together: PairScope::Sentence, min_count: 1, least: 0.0, scratch };
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
        let vocabulary = CorpusVocabulary::of_file(&path, 1, 1 << 20).unwrap();
        let refused = count_within(&path, &vocabulary, &settings, 64, &out, &mut |_, _| {}).unwrap_err();
        assert!(refused.to_string().contains("line 1: the 2 words"), "{refused}");
        let small = CountSettings { memory: 10, ..settings };
        assert!(count(&path, &small, &out, &mut |_, _| {}).unwrap_err().to_string().contains("too few"));
    }
}
