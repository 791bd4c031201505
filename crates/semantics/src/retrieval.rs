//! Exact nearest neighbours over int8 vectors of texts: the retrieval engine of clue databases and definitions.
//!
//! All rows are compared, in blocks that stay in the cache while every query of a batch passes over them. A filter (a length,
//! a pattern) is asked only for rows that would enter a result list.

use crate::kernel::{dots, widen};
use rayon::prelude::*;

/// Rows that all queries are compared with before the next rows are read.
const BLOCK: usize = 512;
/// Rows of one parallel task.
const TASK: usize = 64 * BLOCK;
/// Largest absolute value of a quantised component.
const LEVELS: f32 = 127.0;

/// A row of the index and its cosine with a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    pub row: u32,
    pub cosine: f32,
}

/// Unit vectors as int8 with one scale a row.
///
/// ```
/// use semantics::retrieval::EmbeddingIndex;
///
/// let mut index = EmbeddingIndex::new(2);
/// for vector in [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]] {
///     index.push(&vector);
/// }
/// let near = index.search(&[vec![0.0, 1.0]], 2, &|_, row| row != 2);
/// assert_eq!(near[0].iter().map(|n| n.row).collect::<Vec<_>>(), [1, 0]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct EmbeddingIndex {
    dim: usize,
    rows: Vec<i8>,
    scales: Vec<f32>,
}

/// A vector as int8 and the factor that restores its unit length.
fn quantise(vector: &[f32]) -> (Vec<i8>, f32) {
    let largest = vector.iter().fold(1e-9f32, |most, x| most.max(x.abs()));
    let bytes: Vec<i8> = vector.iter().map(|x| (x / largest * LEVELS).round() as i8).collect();
    let length = bytes.iter().map(|&x| f32::from(x).powi(2)).sum::<f32>().sqrt();
    (bytes, if length > 0.0 { 1.0 / length } else { 0.0 })
}

/// The best rows of one query so far, in descending order.
#[derive(Clone)]
struct Best {
    list: Vec<Neighbour>,
    limit: usize,
}

impl Best {
    fn offer(&mut self, found: Neighbour, keep: impl FnOnce() -> bool) {
        let full = self.list.len() == self.limit;
        if full && self.list.last().is_none_or(|worst| found.cosine <= worst.cosine) || !keep() {
            return;
        }
        if full {
            self.list.pop();
        }
        let at = self.list.partition_point(|other| other.cosine >= found.cosine);
        self.list.insert(at, found);
    }
}

impl EmbeddingIndex {
    /// An empty index of vectors with `dim` components.
    pub fn new(dim: usize) -> EmbeddingIndex {
        EmbeddingIndex { dim, ..EmbeddingIndex::default() }
    }

    /// Adds a vector as the next row; it need not have unit length.
    ///
    /// # Panics
    /// If the vector has another dimension.
    pub fn push(&mut self, vector: &[f32]) {
        assert_eq!(vector.len(), self.dim, "every row has the dimension of the index");
        let (bytes, scale) = quantise(vector);
        self.rows.extend(bytes);
        self.scales.push(scale);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// The `n` rows with the highest cosine for each query, best first; of equal ones the lower row. `keep` is asked with
    /// the number of the query and the row.
    pub fn search(
        &self,
        queries: &[Vec<f32>],
        n: usize,
        keep: &(dyn Fn(usize, u32) -> bool + Sync),
    ) -> Vec<Vec<Neighbour>> {
        let queries: Vec<(Vec<i16>, f32)> = queries
            .iter()
            .map(|query| {
                let (bytes, scale) = quantise(query);
                (widen(&bytes), scale)
            })
            .collect();
        let empty = vec![Best { list: Vec::with_capacity(n), limit: n }; queries.len()];
        if n == 0 {
            return vec![Vec::new(); queries.len()];
        }
        let tasks: Vec<usize> = (0..self.len()).step_by(TASK).collect();
        let scan = |&first: &usize| {
            let mut best = empty.clone();
            let mut sums = vec![0; BLOCK];
            for start in (first..self.len().min(first + TASK)).step_by(BLOCK) {
                let sums = &mut sums[..BLOCK.min(self.len() - start)];
                for (q, ((query, scale), best)) in queries.iter().zip(&mut best).enumerate() {
                    dots(query, &self.rows, self.dim, start, sums);
                    for (row, &sum) in (start..).zip(sums.iter()) {
                        let cosine = sum as f32 * scale * self.scales[row];
                        best.offer(Neighbour { row: row as u32, cosine }, || keep(q, row as u32));
                    }
                }
            }
            best
        };
        let parts: Vec<Vec<Best>> = tasks.par_iter().map(scan).collect();
        (0..queries.len())
            .map(|q| {
                let mut merged = empty[q].clone();
                parts.iter().flat_map(|part| &part[q].list).for_each(|&found| merged.offer(found, || true));
                merged.list
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn neighbours_are_those_of_comparing_every_row() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let mut vector = |dim: usize| -> Vec<f32> { (0..dim).map(|_| rng.random_range(-1.0..1.0)).collect() };
        for dim in [16, 40] {
            let rows: Vec<Vec<f32>> = (0..1_500).map(|_| vector(dim)).collect();
            let queries: Vec<Vec<f32>> = (0..5).map(|_| vector(dim)).collect();
            let mut index = EmbeddingIndex::new(dim);
            rows.iter().for_each(|row| index.push(row));
            let found = index.search(&queries, 20, &|query, row| !(row as usize + query).is_multiple_of(3));
            for (q, (query, found)) in queries.iter().zip(&found).enumerate() {
                let cosine = |row: usize| crate::vectors::cosine(query, &rows[row]);
                let mut all: Vec<usize> = (0..rows.len()).filter(|row| (row + q) % 3 != 0).collect();
                all.sort_by(|&a, &b| cosine(b).total_cmp(&cosine(a)));
                assert_eq!(found.len(), 20);
                assert!(found.windows(2).all(|pair| pair[0].cosine >= pair[1].cosine));
                // int8 rounding may exchange neighbours that are equally near
                let worst = cosine(all[19]);
                for near in found {
                    assert!(!(near.row as usize + q).is_multiple_of(3));
                    assert!((near.cosine - cosine(near.row as usize)).abs() < 0.02);
                    assert!(cosine(near.row as usize) > worst - 0.02);
                }
            }
        }
    }

    #[test]
    fn an_empty_index_and_no_results_are_answered() {
        let index = EmbeddingIndex::new(3);
        assert_eq!(index.search(&[vec![1.0, 0.0, 0.0]], 5, &|_, _| true), [Vec::new()]);
        let mut index = EmbeddingIndex::new(3);
        index.push(&[1.0, 0.0, 0.0]);
        assert!(index.search(&[vec![1.0, 0.0, 0.0]], 5, &|_, _| false)[0].is_empty());
        assert!(index.search(&[vec![1.0, 0.0, 0.0]], 0, &|_, _| true)[0].is_empty());
    }
}
