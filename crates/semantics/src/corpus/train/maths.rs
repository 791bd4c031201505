//! Arithmetic of the training: shared matrices, vectorised sums, tables, random numbers, Huffman codes.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// A matrix whose rows several threads update at the same time, each row under a lock of its own.
///
/// Hogwild! (Recht et al. 2011) updates without locks, which is a data race. Copying rows through relaxed atomics is sound
/// but costs twice the time of a gradient step; an uncontended lock costs little, and a thread holds one row at a time.
pub struct SharedMatrix {
    cells: Vec<UnsafeCell<f32>>,
    locks: Vec<AtomicBool>,
    dim: usize,
}

// SAFETY: a row is only touched by the thread that holds its lock, or through `&mut self`.
unsafe impl Sync for SharedMatrix {}

/// Holds the lock of a row; gives it back when dropped, also by a panic.
struct Held<'a>(&'a AtomicBool);

impl<'a> Held<'a> {
    #[inline]
    fn acquire(lock: &'a AtomicBool) -> Self {
        while lock.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
        Self(lock)
    }
}

impl Drop for Held<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl SharedMatrix {
    pub fn new(rows: usize, dim: usize, mut fill: impl FnMut() -> f32) -> SharedMatrix {
        let cells = (0..rows * dim).map(|_| UnsafeCell::new(fill())).collect();
        SharedMatrix { cells, locks: (0..rows).map(|_| AtomicBool::new(false)).collect(), dim }
    }

    /// Calls `work` with exclusive access to a row. `work` must not ask for another row of this matrix.
    #[inline]
    pub fn with_row<R>(&self, i: usize, work: impl FnOnce(&mut [f32]) -> R) -> R {
        let row = &self.cells[i * self.dim..][..self.dim];
        let _held = Held::acquire(&self.locks[i]);
        // SAFETY: the lock of the row is held, so no other reference to its cells exists; `UnsafeCell<f32>` has the layout
        // of `f32`, and the pointer covers exactly the cells of `row`.
        let row = unsafe { std::slice::from_raw_parts_mut(UnsafeCell::raw_get(row.as_ptr()), self.dim) };
        work(row)
    }

    /// All values, row by row; between rounds, when no thread learns.
    pub fn all(&mut self) -> &mut [f32] {
        // SAFETY: `&mut self` excludes every other access; `UnsafeCell<f32>` has the layout of `f32`.
        unsafe { std::slice::from_raw_parts_mut(self.cells.as_mut_ptr().cast(), self.cells.len()) }
    }

    pub fn into_inner(self) -> Vec<f32> {
        self.cells.into_iter().map(UnsafeCell::into_inner).collect()
    }
}

const WIDE: usize = 16;

/// Scalar product in wide partial sums, which the compiler can keep in vector registers.
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0f32; WIDE];
    let (x, y) = (a.chunks_exact(WIDE), b.chunks_exact(WIDE));
    let rest: f32 = x.remainder().iter().zip(y.remainder()).map(|(p, q)| p * q).sum();
    for (x, y) in x.zip(y) {
        for i in 0..WIDE {
            sums[i] += x[i] * y[i];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Adds `weight` times `b` to `a`.
#[inline]
pub fn add(a: &mut [f32], weight: f32, b: &[f32]) {
    a.iter_mut().zip(b).for_each(|(x, y)| *x += weight * y);
}

/// The random number generator wyrand; the same seed gives the same numbers.
pub struct TrainingRng(u64);

impl TrainingRng {
    pub fn new(seed: u64) -> TrainingRng {
        TrainingRng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    #[inline]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (wide >> 64) as u64 ^ wide as u64
    }

    /// A number from 0 to below 1.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A number from 0 to below `n`.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// The logistic function and its logarithm from tables.
pub struct SigmoidTable {
    sigmoid: Vec<f32>,
    log: Vec<f32>,
}

const STEPS: usize = 1024;
const EDGE: f32 = 8.0;

impl SigmoidTable {
    pub fn new() -> SigmoidTable {
        let at = |i: usize| (i as f32 * 2.0 * EDGE) / STEPS as f32 - EDGE;
        SigmoidTable {
            sigmoid: (0..=STEPS).map(|i| 1.0 / (1.0 + (-at(i)).exp())).collect(),
            log: (0..=STEPS).map(|i| ((i as f32 + 1e-2) / STEPS as f32).ln()).collect(),
        }
    }

    #[inline]
    pub fn sigmoid(&self, x: f32) -> f32 {
        if x <= -EDGE {
            0.0
        } else if x >= EDGE {
            1.0
        } else {
            self.sigmoid[((x + EDGE) * (STEPS as f32 / (2.0 * EDGE))) as usize]
        }
    }

    /// Logarithm of a probability.
    #[inline]
    pub fn log(&self, p: f32) -> f32 {
        self.log[((p * STEPS as f32) as usize).min(STEPS)]
    }
}

/// Words repeated in proportion to the square root of their counts, shuffled, as in fastText.
pub fn negative_table(counts: impl Iterator<Item = u64> + Clone, random: &mut TrainingRng) -> Vec<u32> {
    const SIZE: f64 = 10_000_000.0;
    let roots: Vec<f64> = counts.map(|n| (n as f64).sqrt()).collect();
    let total: f64 = roots.iter().sum();
    let size = SIZE.min(roots.len() as f64 * 1000.0);
    let mut table = Vec::new();
    for (i, root) in roots.iter().enumerate() {
        table.extend(std::iter::repeat_n(i as u32, (root / total * size).ceil() as usize));
    }
    for i in (1..table.len()).rev() {
        table.swap(i, random.below(i + 1));
    }
    table
}

/// For each word the decisions on its way from the root of the Huffman tree of the counts.
pub fn huffman(counts: &[u64]) -> Vec<Vec<(u32, bool)>> {
    let n = counts.len();
    if n < 2 {
        return vec![Vec::new(); n];
    }
    let mut heap: std::collections::BinaryHeap<_> =
        counts.iter().enumerate().map(|(i, &c)| std::cmp::Reverse((c, i))).collect();
    let mut parent = vec![(0usize, false); 2 * n - 1];
    for node in n..2 * n - 1 {
        let (Some(a), Some(b)) = (heap.pop(), heap.pop()) else { break };
        parent[a.0.1] = (node, false);
        parent[b.0.1] = (node, true);
        heap.push(std::cmp::Reverse((a.0.0 + b.0.0, node)));
    }
    let path = |word| {
        let (mut at, mut path) = (word, Vec::new());
        while at != 2 * n - 2 {
            let (up, yes) = parent[at];
            path.push(((up - n) as u32, yes));
            at = up;
        }
        path.reverse();
        path
    };
    (0..n).map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_update_of_a_row_is_lost_when_threads_meet() {
        let mut matrix = SharedMatrix::new(2, 5, || 0.0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for i in 0..2000 {
                        matrix.with_row(i % 2, |row| row.iter_mut().for_each(|value| *value += 1.0));
                    }
                });
            }
        });
        assert_eq!(matrix.all(), [4000.0; 10]);
        assert_eq!(matrix.into_inner(), vec![4000.0; 10]);
    }

    #[test]
    fn frequent_words_have_short_paths() {
        let paths = huffman(&[8, 4, 2, 1]);
        assert_eq!(paths.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 3, 3]);
        assert_eq!(huffman(&[3]), [Vec::new()]);
    }

    #[test]
    fn sums_and_tables_agree_with_the_obvious_way() {
        let a: Vec<f32> = (0..37).map(|i| (i as f32 * 0.7).sin()).collect();
        let b: Vec<f32> = (0..37).map(|i| (i as f32 * 0.3).cos()).collect();
        let slow: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
        assert!((dot(&a, &b) - slow).abs() < 1e-5);
        let t = SigmoidTable::new();
        for x in [-7.9f32, -1.0, 0.0, 0.5, 3.0, 9.0] {
            assert!((t.sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 0.005);
        }
        assert!((t.log(0.5) - 0.5f32.ln()).abs() < 0.01 && t.log(0.0) < -8.0);
    }

    #[test]
    fn the_table_holds_words_by_the_root_of_their_counts() {
        let table = negative_table([900, 100].into_iter(), &mut TrainingRng::new(1));
        let first = table.iter().filter(|&&w| w == 0).count() as f64 / table.len() as f64;
        assert!((first - 0.75).abs() < 0.01, "{first}");
    }
}
