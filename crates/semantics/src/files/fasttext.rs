//! fastText's `.bin`: settings, dictionary, input matrix (words and n-grams), output matrix.

use super::{FileError, WordVectors};

const MAGIC: i32 = 793_712_314;
const VERSION: i32 = 12;
const LARGEST: usize = 1 << 32;

/// The settings a model was trained with, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FastTextSettings {
    /// Numbers in a vector.
    pub dim: i32,
    /// Window, epochs, minimum count, negatives, word n-grams.
    pub window: i32,
    pub epochs: i32,
    pub min_count: i32,
    pub negatives: i32,
    pub word_ngrams: i32,
    /// 1 hierarchical softmax, 2 negative sampling, 3 softmax, 4 one against all.
    pub loss: i32,
    /// 1 CBOW, 2 skip-gram, 3 supervised.
    pub model: i32,
    /// Buckets of hashed n-grams.
    pub buckets: i32,
    /// Shortest and longest n-gram; longest 0: none.
    pub shortest: i32,
    pub longest: i32,
    pub rate_update: i32,
    /// Threshold of down-sampling frequent words.
    pub sampling: f64,
}

/// A fastText model.
#[derive(Clone, Debug)]
pub struct FastText {
    settings: FastTextSettings,
    words: Vec<(String, i64, i8)>,
    /// How many of them are words, not labels.
    known: usize,
    tokens: i64,
    prune: Vec<(i32, i32)>,
    prune_size: i64,
    input: Matrix,
    output: Matrix,
}

#[derive(Clone, Debug)]
struct Matrix {
    rows: usize,
    columns: usize,
    data: Vec<f32>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize, what: &'static str) -> Result<&'a [u8], FileError> {
        let end = self.at.checked_add(n).filter(|&e| e <= self.bytes.len());
        let end = end.ok_or(FileError::Short { what, at: self.at })?;
        let slice = &self.bytes[self.at..end];
        self.at = end;
        Ok(slice)
    }

    fn i32(&mut self, what: &'static str) -> Result<i32, FileError> {
        Ok(i32::from_le_bytes(self.take(4, what)?.try_into().expect("four bytes")))
    }

    fn i64(&mut self, what: &'static str) -> Result<i64, FileError> {
        Ok(i64::from_le_bytes(self.take(8, what)?.try_into().expect("eight bytes")))
    }

    fn matrix(&mut self, what: &'static str) -> Result<Matrix, FileError> {
        let (rows, columns) = (self.i64(what)?, self.i64(what)?);
        let cells = usize::try_from(rows).ok().zip(usize::try_from(columns).ok());
        let cells = cells.and_then(|(r, c)| r.checked_mul(c)).filter(|&c| c < LARGEST);
        let cells = cells.ok_or(FileError::Wrong(format!("{what} of {rows} by {columns} numbers")))?;
        let bytes = self.take(cells * 4, what)?;
        let data = bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four bytes"))).collect();
        Ok(Matrix { rows: rows as usize, columns: columns as usize, data })
    }
}

impl FastText {
    /// Whether the bytes begin as a fastText model does.
    pub fn recognises(bytes: &[u8]) -> bool {
        bytes.len() >= 4 && bytes[..4] == MAGIC.to_le_bytes()
    }

    /// Reads a model.
    ///
    /// # Errors
    /// If it is of another version, quantised, cut short or contradicts itself.
    pub fn read(bytes: &[u8]) -> Result<FastText, FileError> {
        let mut r = Reader { bytes, at: 0 };
        if r.i32("the header")? != MAGIC {
            return Err(FileError::Wrong("not a fastText model".into()));
        }
        let version = r.i32("the header")?;
        if version != VERSION {
            return Err(FileError::Wrong(format!("fastText file version {version}; only {VERSION} is known")));
        }
        let mut n = || r.i32("the settings");
        let (dim, window, epochs, min_count, negatives, word_ngrams) = (n()?, n()?, n()?, n()?, n()?, n()?);
        let (loss, model, buckets, shortest, longest, rate_update) = (n()?, n()?, n()?, n()?, n()?, n()?);
        let sampling = f64::from_le_bytes(r.take(8, "the settings")?.try_into().expect("eight bytes"));
        let settings = FastTextSettings {
            dim,
            window,
            epochs,
            min_count,
            negatives,
            word_ngrams,
            loss,
            model,
            buckets,
            shortest,
            longest,
            rate_update,
            sampling,
        };
        let size = r.i32("the dictionary")?;
        let (known, labels) = (r.i32("the dictionary")?, r.i32("the dictionary")?);
        let (tokens, prune_size) = (r.i64("the dictionary")?, r.i64("the dictionary")?);
        if size < 0 || known < 0 || labels < 0 || known.checked_add(labels) != Some(size) || size as usize > bytes.len()
        {
            return Err(FileError::Wrong(format!("a dictionary of {size} entries, {known} words and {labels} labels")));
        }
        let mut words = Vec::with_capacity(size as usize);
        for _ in 0..size {
            let end =
                bytes[r.at..].iter().position(|&b| b == 0).ok_or(FileError::Short { what: "a word", at: r.at })?;
            let word = String::from_utf8_lossy(r.take(end, "a word")?).into_owned();
            r.take(1, "a word")?;
            words.push((word, r.i64("a word's count")?, r.take(1, "a word's kind")?[0] as i8));
        }
        let mut prune = Vec::new();
        for _ in 0..prune_size.max(0) {
            prune.push((r.i32("the pruning index")?, r.i32("the pruning index")?));
        }
        if r.take(1, "the matrix kind")?[0] != 0 {
            return Err(FileError::Wrong("a quantised fastText model (.ftz); load the full .bin instead".into()));
        }
        let input = r.matrix("the input matrix")?;
        if r.take(1, "the matrix kind")?[0] != 0 {
            return Err(FileError::Wrong("a quantised fastText model (.ftz); load the full .bin instead".into()));
        }
        let output = r.matrix("the output matrix")?;
        let rows = words.iter().filter(|w| w.2 == 0).count();
        let grams = if longest > 0 { usize::try_from(buckets).unwrap_or(0) } else { 0 };
        if dim <= 0 || input.columns != dim as usize || input.rows < rows + grams || shortest < 0 || longest > 64 {
            return Err(FileError::Wrong(format!(
                "an input matrix of {} by {} does not fit {rows} words, {grams} n-grams and {dim} numbers",
                input.rows, input.columns
            )));
        }
        Ok(FastText { settings, words, known: rows, tokens, prune, prune_size, input, output })
    }

    /// The settings of the model.
    pub fn settings(&self) -> &FastTextSettings {
        &self.settings
    }

    /// The model as bytes, in the form it was read.
    pub fn write(&self) -> Vec<u8> {
        let s = &self.settings;
        let mut out = Vec::new();
        let head = [
            MAGIC,
            VERSION,
            s.dim,
            s.window,
            s.epochs,
            s.min_count,
            s.negatives,
            s.word_ngrams,
            s.loss,
            s.model,
            s.buckets,
            s.shortest,
            s.longest,
            s.rate_update,
        ];
        head.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        out.extend_from_slice(&s.sampling.to_le_bytes());
        let known = self.known as i32;
        let size = self.words.len() as i32;
        [size, known, size - known].iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        [self.tokens, self.prune_size].iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
        for (word, count, kind) in &self.words {
            out.extend_from_slice(word.as_bytes());
            out.push(0);
            out.extend_from_slice(&count.to_le_bytes());
            out.push(*kind as u8);
        }
        for (a, b) in &self.prune {
            out.extend_from_slice(&a.to_le_bytes());
            out.extend_from_slice(&b.to_le_bytes());
        }
        for m in [&self.input, &self.output] {
            out.push(0);
            out.extend_from_slice(&(m.rows as i64).to_le_bytes());
            out.extend_from_slice(&(m.columns as i64).to_le_bytes());
            m.data.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
        }
        out
    }

    /// A model of words with their counts (commonest first) and the two matrices, words before n-grams.
    pub(crate) fn new(
        settings: FastTextSettings,
        words: Vec<(String, i64)>,
        input: Vec<f32>,
        output: Vec<f32>,
    ) -> FastText {
        let columns = settings.dim as usize;
        let tokens = words.iter().map(|w| w.1).sum();
        let words: Vec<_> = words.into_iter().map(|(word, count)| (word, count, 0)).collect();
        let matrix = |data: Vec<f32>| Matrix { rows: data.len() / columns, columns, data };
        let (input, output) = (matrix(input), matrix(output));
        FastText { settings, known: words.len(), words, tokens, prune: Vec::new(), prune_size: -1, input, output }
    }

    /// Rows of the n-grams of a word.
    fn rows_of(&self, word: &str) -> Vec<usize> {
        let (shortest, longest) = (self.settings.shortest.max(1) as usize, self.settings.longest.max(0) as usize);
        let buckets = self.settings.buckets.max(0) as usize;
        subword_buckets(word, shortest, longest, buckets).into_iter().map(|b| self.known + b).collect()
    }

    fn mean(&self, rows: &[usize]) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.input.columns];
        for &r in rows {
            sum.iter_mut().zip(&self.input.data[r * self.input.columns..]).for_each(|(s, x)| *s += x);
        }
        sum.iter_mut().for_each(|s| *s /= rows.len() as f32);
        (!rows.is_empty()).then_some(sum)
    }

    /// The vector of a word the dictionary lacks, from its n-grams.
    pub(super) fn vector(&self, word: &str) -> Option<Vec<f32>> {
        self.mean(&self.rows_of(word))
    }

    /// The vectors of all words of the dictionary (mean of the word's own row and its n-grams').
    pub fn into_vectors(self) -> WordVectors {
        let (mut words, mut data) = (Vec::new(), Vec::new());
        for (i, (word, _, _)) in self.words.iter().filter(|w| w.2 == 0).enumerate() {
            let mut rows = vec![i];
            // the end of a sentence is a word without n-grams
            if word != "</s>" {
                rows.extend(self.rows_of(word));
            }
            data.extend(self.mean(&rows).expect("its own row is there"));
            words.push(word.clone());
        }
        let mut v = WordVectors::new(words, self.input.columns, data).expect("one row per word");
        v.subwords = Some(self);
        v
    }
}

/// fastText's hash: FNV-1a over bytes taken as signed numbers.
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(2_166_136_261u32, |h, &b| (h ^ (b as i8 as u32)).wrapping_mul(16_777_619))
}

/// Buckets of the n-grams of a word, by fastText's rules.
pub(crate) fn subword_buckets(word: &str, shortest: usize, longest: usize, buckets: usize) -> Vec<usize> {
    if longest == 0 || buckets == 0 {
        return Vec::new();
    }
    let marked = format!("<{word}>");
    let starts: Vec<usize> = marked.char_indices().map(|(i, _)| i).chain([marked.len()]).collect();
    let last = starts.len() - 1;
    let mut out = Vec::new();
    for from in 0..last {
        for n in shortest..=longest {
            let to = from + n;
            if to > last {
                break;
            }
            // the marks alone are no n-grams
            if n == 1 && (from == 0 || to == last) {
                continue;
            }
            out.push(hash(&marked.as_bytes()[starts[from]..starts[to]]) as usize % buckets);
        }
    }
    out
}
