//! Co-occurrence counts of words in sentences or glosses, and association measures.

use crate::pack::{ByteRows, Pack, PackError, Writer, numbers, put_number};
use crate::words::WordId;
use std::sync::Arc;

/// A symmetric sparse matrix of counts, compressed, read in place.
#[derive(Clone, Debug)]
pub struct Cooccurrence {
    rows: ByteRows,
    totals: Arc<[u32]>,
    sentences: f64,
}

/// The association measures of Jareš 2019, section 5.3, from four counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Sentences with both words.
    pub together: f64,
    /// Share of the rarer word's sentences that contain the other too.
    pub ratio: f64,
    /// Pointwise mutual information: natural logarithm of the ratio of joint to expected count.
    pub pmi: f64,
    /// PMI, negative values as 0.
    pub ppmi: f64,
    /// PMI divided by its maximum (Bouma 2009); −1 for pairs that never co-occur.
    pub npmi: f64,
    /// Pearson's χ² of the two-by-two table.
    pub chi2: f64,
}

impl Measures {
    /// Measures from: sentences with both, with the first, with the second, and all sentences.
    pub fn new(together: f64, first: f64, second: f64, all: f64) -> Measures {
        let ratio = if first.min(second) > 0.0 { together / first.min(second) } else { 0.0 };
        if together <= 0.0 || first <= 0.0 || second <= 0.0 {
            return Measures { together: 0.0, ratio: 0.0, pmi: f64::NEG_INFINITY, ppmi: 0.0, npmi: -1.0, chi2: 0.0 };
        }
        let pmi = (together * all / (first * second)).ln();
        let top = -(together / all).ln();
        let npmi = if top > 0.0 { (pmi / top).clamp(-1.0, 1.0) } else { 1.0 };
        let (a, b, c) = (together, first - together, second - together);
        let d = all - a - b - c;
        let below = (a + b) * (c + d) * (a + c) * (b + d);
        let chi2 = if below > 0.0 { all * (a * d - b * c).powi(2) / below } else { 0.0 };
        Measures { together, ratio, pmi, ppmi: pmi.max(0.0), npmi, chi2 }
    }
}

impl Cooccurrence {
    /// Writes rows of (column, count), sorted by column; `totals` are the sentences with each word.
    ///
    /// A cell is the distance to the column before, doubled, and one more if the count follows
    /// (it is 1 otherwise, as most are).
    pub fn write(w: &mut Writer, rows: &[Vec<(u32, u32)>], totals: &[u32], sentences: u64) {
        let coded = |row: &Vec<(u32, u32)>| {
            let (mut out, mut next) = (Vec::new(), 0);
            for &(column, count) in row {
                put_number((column - next) << 1 | u32::from(count > 1), &mut out);
                if count > 1 {
                    put_number(count, &mut out);
                }
                next = column + 1;
            }
            out
        };
        ByteRows::write(w, "cooc", &rows.iter().map(coded).collect::<Vec<_>>());
        let mut bytes = Vec::new();
        totals.iter().for_each(|&t| put_number(t, &mut bytes));
        w.add("cooc.totals", &bytes);
        w.add("cooc.sentences", &[sentences]);
    }

    /// Reads the matrix of a pack, if it has one.
    pub fn open(pack: &Pack, words: usize) -> Result<Option<Cooccurrence>, PackError> {
        if !pack.has("cooc.bytes") {
            return Ok(None);
        }
        let m = Cooccurrence {
            rows: ByteRows::open(pack, "cooc")?,
            totals: numbers(pack.bytes("cooc.totals")?).collect(),
            sentences: pack.slice::<u64>("cooc.sentences")?.first().copied().unwrap_or(0) as f64,
        };
        if m.rows.len() != words || m.totals.len() != words {
            return Err(pack.damaged(format!("the co-occurrence matrix does not fit {words} words")));
        }
        Ok(Some(m))
    }

    /// Co-occurring words of a word with counts, by increasing id.
    pub fn row(&self, word: WordId) -> impl Iterator<Item = (WordId, u32)> + '_ {
        let mut cells = numbers(self.rows.row(word.index()));
        let words = self.totals.len() as u32;
        let mut next = 0u32;
        std::iter::from_fn(move || {
            let cell = cells.next()?;
            let count = if cell & 1 == 1 { cells.next()? } else { 1 };
            let column = next.checked_add(cell >> 1).filter(|&c| c < words)?;
            next = column + 1;
            Some((WordId(column), count))
        })
    }

    /// Number of sentences with both words.
    pub fn count(&self, a: WordId, b: WordId) -> u32 {
        self.row(a).find(|(w, _)| *w >= b).filter(|(w, _)| *w == b).map_or(0, |(_, n)| n)
    }

    /// Number of sentences with a word.
    pub fn total(&self, word: WordId) -> u32 {
        self.totals[word.index()]
    }

    /// Number of counted sentences.
    pub fn sentences(&self) -> u64 {
        self.sentences as u64
    }

    /// All measures of two words, given their joint count.
    pub fn measures_of(&self, a: WordId, b: WordId, together: u32) -> Measures {
        Measures::new(f64::from(together), f64::from(self.total(a)), f64::from(self.total(b)), self.sentences)
    }

    /// All measures of two words.
    pub fn measures(&self, a: WordId, b: WordId) -> Measures {
        self.measures_of(a, b, self.count(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_follow_their_formulas() {
        // 4 of 100 sentences hold both, 8 the first, 10 the second.
        let m = Measures::new(4.0, 8.0, 10.0, 100.0);
        assert!((m.pmi - (4.0f64 * 100.0 / 80.0).ln()).abs() < 1e-12);
        assert!((m.npmi - m.pmi / -(0.04f64.ln())).abs() < 1e-12);
        assert_eq!(m.ratio, 0.5);
        // χ² by the definition: sum over the four cells of (seen − expected)² / expected
        let cells = [(4.0, 0.8), (4.0, 7.2), (6.0, 9.2), (86.0, 82.8)];
        let chi2: f64 = cells.iter().map(|(seen, expected): &(f64, f64)| (seen - expected).powi(2) / expected).sum();
        assert!((m.chi2 - chi2).abs() < 1e-9);
        assert_eq!(Measures::new(0.0, 8.0, 10.0, 100.0).npmi, -1.0);
        assert_eq!(Measures::new(5.0, 5.0, 5.0, 100.0).npmi, 1.0);
    }

    #[test]
    fn the_matrix_reads_what_was_written() {
        let mut w = Writer::new();
        Cooccurrence::write(&mut w, &[vec![(1, 3), (2, 70_000)], vec![(0, 3)], vec![(0, 9)]], &[5, 3, 9], 20);
        let m = Cooccurrence::open(&Pack::from_bytes("t", &w.to_bytes()).unwrap(), 3).unwrap().unwrap();
        assert_eq!(m.count(WordId(0), WordId(1)), 3);
        assert_eq!(m.count(WordId(0), WordId(2)), 70_000);
        assert_eq!(m.count(WordId(1), WordId(2)), 0);
        assert_eq!(m.row(WordId(2)).collect::<Vec<_>>(), [(WordId(0), 9)]);
    }
}
