//! Vectors of character n-grams, fitted to the word vectors, for words the vocabulary lacks.

use crate::pack::{Column, Pack, PackError, Writer};
use crate::words::stable_hash;

/// Shortest and longest n-gram, as in fastText.
pub const LENGTHS: std::ops::RangeInclusive<usize> = 3..=6;

/// Hashed n-gram vectors of a language.
#[derive(Clone, Debug)]
pub struct NGrams {
    dim: usize,
    rows: Column<i8>,
    scales: Column<f32>,
}

/// Buckets of a word's n-grams (3 to 6 letters of `<word>`), of `buckets` in all.
pub fn buckets_of(word: &str, buckets: usize) -> Vec<usize> {
    let marked: Vec<char> = std::iter::once('<').chain(word.chars()).chain(std::iter::once('>')).collect();
    let mut out = Vec::new();
    let mut text = String::new();
    for start in 0..marked.len() {
        for n in LENGTHS {
            if start + n > marked.len() || n == marked.len() {
                break;
            }
            text.clear();
            text.extend(&marked[start..start + n]);
            out.push(stable_hash(text.as_bytes()) as usize % buckets);
        }
    }
    out
}

impl NGrams {
    /// Writes one vector per bucket.
    pub fn write(w: &mut Writer, dim: usize, vectors: &[f32]) {
        let (mut rows, mut scales) = (Vec::with_capacity(vectors.len()), Vec::new());
        for v in vectors.chunks_exact(dim) {
            let scale = v.iter().fold(0f32, |m, x| m.max(x.abs())) / 127.0;
            rows.extend(v.iter().map(|x| if scale > 0.0 { (x / scale).round() as i8 } else { 0 }));
            scales.push(scale);
        }
        w.add("ngram.rows", &rows);
        w.add("ngram.scales", &scales);
    }

    /// Reads the n-gram vectors of a pack, if it has them.
    pub fn open(pack: &Pack, dim: usize) -> Result<Option<NGrams>, PackError> {
        if !pack.has("ngram.rows") {
            return Ok(None);
        }
        let n = NGrams { dim, rows: pack.column("ngram.rows")?, scales: pack.column("ngram.scales")? };
        if n.scales.is_empty() || n.scales.len().checked_mul(dim) != Some(n.rows.len()) {
            return Err(pack.damaged(format!("{} n-gram bytes do not fit dimension {dim}", n.rows.len())));
        }
        Ok(Some(n))
    }

    /// The vector of a word from its n-grams; nothing for a word too short to have any.
    pub fn vector(&self, word: &str) -> Option<Vec<f32>> {
        let buckets = buckets_of(word, self.scales.len());
        if buckets.is_empty() {
            return None;
        }
        let mut sum = vec![0.0; self.dim];
        for b in buckets {
            let scale = self.scales[b];
            for (s, &x) in sum.iter_mut().zip(&self.rows[b * self.dim..]) {
                *s += f32::from(x) * scale;
            }
        }
        crate::vectors::normalise(&mut sum);
        Some(sum)
    }
}

/// Fits n-gram vectors so that their sum comes near the vector of each word
/// (least squares by stochastic gradient, words in a fixed order).
pub fn fit(words: &[(String, Vec<f32>)], dim: usize, buckets: usize, epochs: usize) -> Vec<f32> {
    let grams: Vec<Vec<usize>> = words.iter().map(|(w, _)| buckets_of(w, buckets)).collect();
    let mut table = vec![0f32; buckets * dim];
    let mut error = vec![0f32; dim];
    for epoch in 0..epochs {
        let rate = 0.5 * (1.0 - epoch as f32 / epochs as f32);
        for ((_, target), grams) in words.iter().zip(&grams) {
            if grams.is_empty() {
                continue;
            }
            error.copy_from_slice(target);
            for &g in grams {
                error.iter_mut().zip(&table[g * dim..(g + 1) * dim]).for_each(|(e, t)| *e -= t);
            }
            let step = rate / grams.len() as f32;
            for &g in grams {
                table[g * dim..(g + 1) * dim].iter_mut().zip(&error).for_each(|(t, e)| *t += step * e - 1e-4 * *t);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::cosine;

    #[test]
    fn a_word_has_its_ngrams() {
        // <ab>: 3-grams <ab, ab>; the whole of four letters is the word itself
        assert_eq!(buckets_of("ab", 1 << 20).len(), 2);
        assert!(buckets_of("", 16).is_empty());
    }

    #[test]
    fn related_forms_get_related_vectors() {
        let words: Vec<(String, Vec<f32>)> = [("walking", [1.0, 0.0]), ("walker", [0.9, 0.1]), ("singing", [0.0, 1.0])]
            .map(|(w, v)| (w.to_owned(), v.to_vec()))
            .into();
        let mut w = Writer::new();
        NGrams::write(&mut w, 2, &fit(&words, 2, 4096, 30));
        let n = NGrams::open(&Pack::from_bytes("t", &w.to_bytes()).unwrap(), 2).unwrap().unwrap();
        let unknown = n.vector("walked").unwrap();
        assert!(cosine(&unknown, &[1.0, 0.0]) > cosine(&unknown, &[0.0, 1.0]));
    }
}
