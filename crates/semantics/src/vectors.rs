//! Word vectors as signed bytes with a scale each, and exact nearest neighbours over all of them.

use crate::kernel::{dot, dots, widen};
use crate::pack::{Column, Pack, PackError, Writer};
use crate::words::WordId;

/// Unit vectors of all words of a language, cleaned of their mean and strongest common directions.
#[derive(Clone, Debug)]
pub struct Vectors {
    dim: usize,
    rows: Column<i8>,
    scales: std::sync::Arc<[f32]>,
    common: Column<f32>,
}

/// A question for nearest neighbours, prepared for comparison with byte vectors.
#[derive(Clone, Debug)]
pub struct Query {
    bytes: Vec<i8>,
    wide: Vec<i16>,
    scale: f32,
}

/// Rows compared before their scores are looked at.
const BLOCK: usize = 512;

/// Scales a vector to length one; a zero vector stays zero.
pub fn normalise(v: &mut [f32]) {
    let length = v.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        v.iter_mut().for_each(|x| *x /= length);
    }
}

/// Cosine of two vectors of floats; 0 if one of them is zero.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot: f32 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let aa: f32 = a.iter().map(|x| x * x).sum();
    let bb: f32 = b.iter().map(|x| x * x).sum();
    if aa > 0.0 && bb > 0.0 { dot / (aa * bb).sqrt() } else { 0.0 }
}

/// Scales are kept in files as sixteen bits: the largest number of a unit vector times this.
const SCALE: f32 = 65535.0;

fn quantise(v: &[f32]) -> (Vec<i8>, f32) {
    let top = v.iter().fold(0f32, |m, x| m.max(x.abs()));
    if top == 0.0 {
        return (vec![0; v.len()], 0.0);
    }
    let scale = top / 127.0;
    (v.iter().map(|x| (x / scale).round() as i8).collect(), scale)
}

impl Vectors {
    /// Writes unit vectors; `common` are the mean and the directions that were removed from them.
    pub fn write(w: &mut Writer, dim: usize, vectors: &[Vec<f32>], common: &[Vec<f32>]) {
        let (mut rows, mut scales) = (Vec::with_capacity(vectors.len() * dim), Vec::with_capacity(vectors.len()));
        for v in vectors {
            let mut v = v.clone();
            normalise(&mut v);
            let (row, scale) = quantise(&v);
            rows.extend_from_slice(&row);
            scales.push((scale * 127.0 * SCALE).round() as u16);
        }
        w.add("vec.rows", &rows);
        w.add("vec.scales", &scales);
        w.add("vec.common", &common.concat());
        w.add("vec.dim", &[dim as u32]);
    }

    /// Reads the vectors of a pack that belong to a vocabulary of `words` words.
    pub fn open(pack: &Pack, words: usize) -> Result<Vectors, PackError> {
        let dim = pack.slice::<u32>("vec.dim")?.first().copied().unwrap_or(0) as usize;
        let v = Vectors {
            dim,
            rows: pack.column("vec.rows")?,
            scales: pack.slice::<u16>("vec.scales")?.iter().map(|&s| f32::from(s) / (127.0 * SCALE)).collect(),
            common: pack.column("vec.common")?,
        };
        let sound = dim > 0
            && v.scales.len() == words
            && words.checked_mul(dim) == Some(v.rows.len())
            && v.common.len().is_multiple_of(dim);
        if !sound {
            return Err(
                pack.damaged(format!("{} vector bytes of dimension {dim} do not fit {words} words", v.rows.len()))
            );
        }
        Ok(v)
    }

    /// Numbers in one vector.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// The bytes of a word's vector.
    fn row(&self, id: WordId) -> &[i8] {
        &self.rows[id.index() * self.dim..][..self.dim]
    }

    /// Whether the word has a vector at all (a few are known only by name).
    pub fn has(&self, id: WordId) -> bool {
        self.scales[id.index()] > 0.0
    }

    /// The vector of a word.
    pub fn get(&self, id: WordId) -> Vec<f32> {
        let scale = self.scales[id.index()];
        self.row(id).iter().map(|&b| f32::from(b) * scale).collect()
    }

    /// Adds `weight` times the vector of a word to `sum`.
    pub fn add_to(&self, id: WordId, weight: f32, sum: &mut [f32]) {
        let scale = self.scales[id.index()] * weight;
        for (s, &b) in sum.iter_mut().zip(self.row(id)) {
            *s += f32::from(b) * scale;
        }
    }

    /// Cosine of two words of the vocabulary.
    pub fn similarity(&self, a: WordId, b: WordId) -> f32 {
        dot(self.row(a), self.row(b)) as f32 * self.scales[a.index()] * self.scales[b.index()]
    }

    /// Prepares a vector for comparison with all words.
    pub fn query(&self, v: &[f32]) -> Query {
        let mut v = v.to_vec();
        normalise(&mut v);
        let (bytes, scale) = quantise(&v);
        Query { wide: widen(&bytes), bytes, scale }
    }

    /// Cosine of a prepared vector and a word.
    pub fn compare(&self, query: &Query, id: WordId) -> f32 {
        dot(&query.bytes, self.row(id)) as f32 * query.scale * self.scales[id.index()]
    }

    /// Cosines of a prepared vector with the words from `first` on, as many as `out` has room for.
    fn compare_block(&self, query: &Query, first: usize, out: &mut [f32]) {
        let mut sums = [0i32; BLOCK];
        let sums = &mut sums[..out.len()];
        dots(&query.wide, &self.rows, self.dim, first, sums);
        for ((score, &sum), scale) in out.iter_mut().zip(&*sums).zip(&self.scales[first..]) {
            *score = sum as f32 * query.scale * scale;
        }
    }

    /// Cosine of a prepared vector with every word, in the order of the vocabulary.
    pub fn compare_all(&self, query: &Query, out: &mut Vec<f32>) {
        out.clear();
        out.resize(self.len(), 0.0);
        for (i, block) in out.chunks_mut(BLOCK).enumerate() {
            self.compare_block(query, i * BLOCK, block);
        }
    }

    /// The `n` words nearest to a vector that `keep` lets through, best first.
    pub fn nearest(&self, query: &Query, n: usize, keep: impl Fn(WordId) -> bool) -> Vec<(WordId, f32)> {
        self.nearest_each(std::slice::from_ref(query), n, |_, word| keep(word)).pop().unwrap_or_default()
    }

    /// The `n` words nearest to each of several vectors in one pass over the vocabulary; `keep` is
    /// told which of the vectors a word is for.
    pub fn nearest_each(
        &self,
        queries: &[Query],
        n: usize,
        keep: impl Fn(usize, WordId) -> bool,
    ) -> Vec<Vec<(WordId, f32)>> {
        let mut best: Vec<Best> = queries.iter().map(|_| Best::new(n)).collect();
        let mut scores = [0f32; BLOCK];
        for first in (0..self.len()).step_by(BLOCK) {
            let scores = &mut scores[..BLOCK.min(self.len() - first)];
            for (q, (query, best)) in queries.iter().zip(&mut best).enumerate() {
                self.compare_block(query, first, scores);
                best.take(scores, first, |word| keep(q, word));
            }
        }
        best.into_iter().map(|b| b.list).collect()
    }

    /// The `n` words nearest to the sum of `plus` less the sum of `minus`, those words left out
    /// (with one word it is a list of neighbours, with two and one an analogy).
    pub fn analogy(&self, plus: &[WordId], minus: &[WordId], n: usize) -> Vec<(WordId, f32)> {
        let mut sum = vec![0.0; self.dim];
        plus.iter().for_each(|&w| self.add_to(w, 1.0, &mut sum));
        minus.iter().for_each(|&w| self.add_to(w, -1.0, &mut sum));
        self.nearest(&self.query(&sum), n, |w| !plus.contains(&w) && !minus.contains(&w))
    }

    /// Removes from a foreign vector the mean and directions that were removed from ours.
    pub fn clean(&self, v: &mut [f32]) {
        for (i, part) in self.common.chunks_exact(self.dim).enumerate() {
            if i == 0 {
                v.iter_mut().zip(part).for_each(|(x, m)| *x -= m);
            } else {
                let along: f32 = v.iter().zip(part).map(|(x, c)| x * c).sum();
                v.iter_mut().zip(part).for_each(|(x, c)| *x -= along * c);
            }
        }
    }
}

/// The best of the scores seen so far.
struct Best {
    n: usize,
    floor: f32,
    list: Vec<(WordId, f32)>,
}

impl Best {
    fn new(n: usize) -> Best {
        Best { n, floor: if n == 0 { f32::INFINITY } else { f32::NEG_INFINITY }, list: Vec::with_capacity(n + 1) }
    }

    /// Looks at the scores of the words from `first` on, which must come in rising order.
    fn take(&mut self, scores: &[f32], first: usize, keep: impl Fn(WordId) -> bool) {
        for (i, &score) in scores.iter().enumerate() {
            let word = WordId((first + i) as u32);
            if score <= self.floor || !keep(word) {
                continue;
            }
            let at = self.list.partition_point(|&(_, s)| s >= score);
            self.list.insert(at, (word, score));
            self.list.truncate(self.n);
            if self.list.len() == self.n {
                self.floor = self.list[self.n - 1].1;
            }
        }
    }
}

/// The `n` best of the scores that `keep` lets through, best first, ties by the smaller number.
pub fn top(scores: &[f32], n: usize, keep: impl Fn(WordId) -> bool) -> Vec<(WordId, f32)> {
    let mut best = Best::new(n);
    best.take(scores, 0, keep);
    best.list
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn open(vectors: &[Vec<f32>]) -> Vectors {
        let mut w = Writer::new();
        Vectors::write(&mut w, vectors[0].len(), vectors, &[]);
        Vectors::open(&Pack::from_bytes("t", &w.to_bytes()).unwrap(), vectors.len()).unwrap()
    }

    proptest! {
        #[test]
        fn bytes_keep_the_cosine(vectors in proptest::collection::vec(proptest::collection::vec(-1f32..1.0, 20), 2..8)) {
            let v = open(&vectors);
            for a in 0..vectors.len() {
                for b in 0..vectors.len() {
                    let exact = cosine(&vectors[a], &vectors[b]);
                    let ours = v.similarity(WordId(a as u32), WordId(b as u32));
                    prop_assert!((exact - ours).abs() < 0.03, "{exact} {ours}");
                }
            }
        }

        #[test]
        fn several_questions_at_once_are_answered_like_one(
            vectors in proptest::collection::vec(proptest::collection::vec(-1f32..1.0, 5), 1..1200), n in 1usize..6
        ) {
            let v = open(&vectors);
            let queries: Vec<Query> = vectors.iter().take(3).map(|x| v.query(x)).collect();
            let each = v.nearest_each(&queries, n, |q, w| w.index() != q);
            for (q, query) in queries.iter().enumerate() {
                let scores: Vec<f32> = (0..v.len()).map(|i| v.compare(query, WordId(i as u32))).collect();
                prop_assert_eq!(&each[q], &top(&scores, n, |w| w.index() != q));
            }
        }

        #[test]
        fn top_is_the_head_of_the_sorted_list(scores in proptest::collection::vec(-10i8..10, 0..60), n in 0usize..12) {
            let scores: Vec<f32> = scores.into_iter().map(f32::from).collect();
            let mut all: Vec<(usize, f32)> = scores.iter().copied().enumerate().filter(|(i, _)| i % 3 != 0).collect();
            all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            all.truncate(n);
            let ours: Vec<(usize, f32)> =
                top(&scores, n, |w| w.0 % 3 != 0).into_iter().map(|(w, s)| (w.index(), s)).collect();
            prop_assert_eq!(ours, all);
        }
    }
}
