//! Block patterns of new grids: dense ones up to 8 × 8, in which every cell is checked, and lattices above.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The symmetry of a block pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// Half-turn symmetry, the usual one.
    #[default]
    Rotational,
    /// Mirror symmetry of left and right.
    Mirror,
    None,
}

impl Symmetry {
    /// The cell that must be a block if `at` is one.
    fn partner(self, at: usize, size: usize) -> usize {
        match self {
            Self::Rotational => size * size - 1 - at,
            Self::Mirror => at / size * size + size - 1 - at % size,
            Self::None => at,
        }
    }
}

/// A grid uses a length only if there are this many words of it.
const ENOUGH: usize = 30;
/// Longest entry of a lattice.
const LONGEST: usize = 9;
/// Attempts per pattern, and cuts per attempt.
const DENSE_ATTEMPTS: usize = 3_000;
const LATTICE_ATTEMPTS: usize = 60;
const CUTS: usize = 400;
/// Chance that a lattice gets a further cut although all its entries are short enough.
const EXTRA_CUTS: f64 = 0.35;

/// Draws the blocks of a square grid; `words_of` is the number of words of a length.
pub fn generate(
    size: usize,
    symmetry: Symmetry,
    words_of: &dyn Fn(usize) -> usize,
    rng: &mut ChaCha8Rng,
) -> Option<Vec<bool>> {
    if (3..=LONGEST).filter(|&length| words_of(length) >= ENOUGH).count() < 2 {
        return None;
    }
    let pattern = Pattern { size, symmetry, words_of };
    if size <= 8 {
        (0..DENSE_ATTEMPTS).find_map(|_| pattern.dense(rng))
    } else {
        (0..LATTICE_ATTEMPTS).find_map(|_| pattern.lattice(rng))
    }
}

struct Pattern<'p> {
    size: usize,
    symmetry: Symmetry,
    words_of: &'p dyn Fn(usize) -> usize,
}

impl Pattern<'_> {
    fn set(&self, blocks: &mut [bool], at: usize) {
        blocks[at] = true;
        blocks[self.symmetry.partner(at, self.size)] = true;
    }

    /// Random blocks such that every open cell is in an across and a down entry.
    fn dense(&self, rng: &mut ChaCha8Rng) -> Option<Vec<bool>> {
        let size = self.size;
        let mut blocks = vec![false; size * size];
        let pairs = if size == 5 { rng.random_range(1..=3) } else { rng.random_range(size / 2..=size) };
        for _ in 0..pairs {
            self.set(&mut blocks, rng.random_range(0..size * size));
        }
        let full = (0..size * size).all(|at| blocks[at] || runs_through(&blocks, size, at).iter().all(|&run| run >= 3));
        (full && fits(&blocks, size, self.words_of)).then_some(blocks)
    }

    /// Whether a lattice has a block at a cell from the start: where neither an across nor a down line runs. In grids of
    /// even size the lines of the lower and right half are shifted by one, which keeps the pattern symmetric.
    fn is_gap(&self, at: usize) -> bool {
        let (row, column) = (at / self.size, at % self.size);
        let half = self.size / 2;
        let even = self.size.is_multiple_of(2);
        let line = |place: usize, first: usize, far: bool| (place + first + usize::from(far && even)).is_multiple_of(2);
        match self.symmetry {
            // A mirror shifts only the columns.
            Symmetry::Mirror => !line(row, 0, false) && !line(column, 0, column >= half),
            _ => {
                // Both middle rows of an even grid are lines, which connects its halves.
                let first = if even { (half - 1) % 2 } else { 0 };
                !line(row, first, row >= half) && !line(column, 0, row >= half)
            }
        }
    }

    /// A lattice whose long lines are cut into entries.
    fn lattice(&self, rng: &mut ChaCha8Rng) -> Option<Vec<bool>> {
        let size = self.size;
        let mut blocks: Vec<bool> = (0..size * size).map(|at| self.is_gap(at)).collect();
        let mut extra = 0;
        for _ in 0..CUTS {
            let long: Vec<usize> = (0..size * size).filter(|&at| !blocks[at] && self.is_long(&blocks, at)).collect();
            if long.is_empty() {
                if extra >= size || rng.random::<f64>() > EXTRA_CUTS {
                    break;
                }
                extra += 1;
            }
            let open: Vec<usize> =
                if long.is_empty() { (0..size * size).filter(|&at| !blocks[at]).collect() } else { long };
            let mut cut = blocks.clone();
            self.set(&mut cut, open[rng.random_range(0..open.len())]);
            if is_sound(&cut, size, &|run| run == 1 || run >= 3) {
                blocks = cut;
            }
        }
        fits(&blocks, size, self.words_of).then_some(blocks)
    }

    fn is_long(&self, blocks: &[bool], at: usize) -> bool {
        let longest = LONGEST.min(self.size - 1).max(5);
        runs_through(blocks, self.size, at)
            .into_iter()
            .any(|run| run > longest || (run >= 3 && (self.words_of)(run) < ENOUGH))
    }
}

/// Lengths of the two runs through a cell.
fn runs_through(blocks: &[bool], size: usize, at: usize) -> [usize; 2] {
    let (row, column) = (at / size, at % size);
    let run = |cells: Vec<usize>, here: usize| {
        let before = cells[..here].iter().rev().take_while(|&&cell| !blocks[cell]).count();
        before + cells[here..].iter().take_while(|&&cell| !blocks[cell]).count()
    };
    [run((0..size).map(|c| row * size + c).collect(), column), run((0..size).map(|r| r * size + column).collect(), row)]
}

/// Whether the pattern is usable: sound, words for every entry, not too many blocks.
fn fits(blocks: &[bool], size: usize, words_of: &dyn Fn(usize) -> usize) -> bool {
    let open = blocks.iter().filter(|block| !**block).count();
    open * 100 >= blocks.len() * 50 && is_sound(blocks, size, &|run| run == 1 || (run >= 3 && words_of(run) >= ENOUGH))
}

/// Whether all runs have a usable length, every open cell is in an entry, and the grid is connected.
fn is_sound(blocks: &[bool], size: usize, usable: &dyn Fn(usize) -> bool) -> bool {
    let open: Vec<usize> = (0..blocks.len()).filter(|&at| !blocks[at]).collect();
    let sound = open.iter().all(|&at| {
        let runs = runs_through(blocks, size, at);
        runs.iter().all(|&run| usable(run)) && runs.iter().any(|&run| run >= 3)
    });
    sound && connected(blocks, size, &open)
}

fn connected(blocks: &[bool], size: usize, open: &[usize]) -> bool {
    let Some(&first) = open.first() else { return false };
    let mut seen = vec![false; blocks.len()];
    seen[first] = true;
    let mut edge = vec![first];
    let mut count = 1;
    while let Some(at) = edge.pop() {
        let (row, column) = (at / size, at % size);
        let near = [
            (row > 0).then(|| at - size),
            (row + 1 < size).then(|| at + size),
            (column > 0).then(|| at - 1),
            (column + 1 < size).then(|| at + 1),
        ];
        for next in near.into_iter().flatten() {
            if !blocks[next] && !seen[next] {
                seen[next] = true;
                count += 1;
                edge.push(next);
            }
        }
    }
    count == open.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn every_size_has_sound_symmetric_patterns() {
        let words_of = |length: usize| if length <= 9 { 500 } else { 0 };
        for symmetry in [Symmetry::Rotational, Symmetry::None] {
            for size in [5, 7, 8, 9, 10, 12, 15, 20, 21] {
                let mut rng = ChaCha8Rng::seed_from_u64(size as u64);
                let blocks = generate(size, symmetry, &words_of, &mut rng);
                let blocks = blocks.unwrap_or_else(|| panic!("no pattern of {size} × {size}, {symmetry:?}"));
                assert!((0..size * size).all(|at| blocks[at] == blocks[symmetry.partner(at, size)]));
            }
        }
    }
}
