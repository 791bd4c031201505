//! Grids before they have letters: blocks in point symmetry.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A length needs so many words before a grid uses it.
const ENOUGH: usize = 30;
/// A lattice is filled from lengths with so many words (as a power of ten, on average over cells).
const LEAST_EASE: f64 = 2.35;

/// Draws the blocks of a square grid: dense for small ones (every cell is crossed), a lattice for larger ones.
pub fn generate(size: usize, words_of: &dyn Fn(usize) -> usize, rng: &mut ChaCha8Rng) -> Option<Vec<bool>> {
    if size <= 8 { dense(size, words_of, rng) } else { lattice(size, words_of, rng) }
}

fn set(blocks: &mut [bool], at: usize) {
    let mirror = blocks.len() - 1 - at;
    blocks[at] = true;
    blocks[mirror] = true;
}

fn dense(size: usize, words_of: &dyn Fn(usize) -> usize, rng: &mut ChaCha8Rng) -> Option<Vec<bool>> {
    for _ in 0..400 {
        let mut blocks = vec![false; size * size];
        let pairs = if size == 5 { rng.random_range(1..=3) } else { rng.random_range(size / 2..=size) };
        for _ in 0..pairs {
            set(&mut blocks, rng.random_range(0..size * size));
        }
        let full = (0..size * size).all(|at| blocks[at] || runs_through(&blocks, size, at).iter().all(|&run| run >= 3));
        if full && fits(&blocks, size, words_of) {
            return Some(blocks);
        }
    }
    None
}

fn lattice(size: usize, words_of: &dyn Fn(usize) -> usize, rng: &mut ChaCha8Rng) -> Option<Vec<bool>> {
    let even = |at: usize| (at / size).is_multiple_of(2) || (at % size).is_multiple_of(2);
    let pattern: Vec<bool> = (0..size * size).map(|at| !even(at)).collect();
    for _ in 0..2_000 {
        let mut blocks = pattern.clone();
        for _ in 0..rng.random_range(size / 3..=size) {
            let at = rng.random_range(0..size * size);
            // A block where two lines cross would leave cells that only one of them reaches; between crossings it divides.
            let crossing = (at / size).is_multiple_of(2) && (at % size).is_multiple_of(2);
            if !blocks[at] && (!crossing || rng.random_range(0..6) == 0) {
                set(&mut blocks, at);
            }
        }
        if fits(&blocks, size, words_of) && ease(&blocks, size, words_of) >= LEAST_EASE {
            return Some(blocks);
        }
    }
    None
}

/// How many words there are for a run of the grid, on the logarithmic average.
fn ease(blocks: &[bool], size: usize, words_of: &dyn Fn(usize) -> usize) -> f64 {
    let runs: Vec<f64> = (0..blocks.len())
        .filter(|&at| !blocks[at])
        .flat_map(|at| runs_through(blocks, size, at))
        .filter(|&run| run >= 3)
        .map(|run| (words_of(run) as f64).log10())
        .collect();
    runs.iter().sum::<f64>() / runs.len().max(1) as f64
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

/// No run of two, no run for which there are no words, every open cell in a run, all of one piece, not too black.
fn fits(blocks: &[bool], size: usize, words_of: &dyn Fn(usize) -> usize) -> bool {
    let usable = |run: usize| run == 1 || (run >= 3 && words_of(run) >= ENOUGH);
    let open: Vec<usize> = (0..blocks.len()).filter(|&at| !blocks[at]).collect();
    let sound = open.iter().all(|&at| {
        let runs = runs_through(blocks, size, at);
        runs.iter().all(|&run| usable(run)) && runs.iter().any(|&run| run >= 3)
    });
    sound && open.len() * 100 >= blocks.len() * 55 && connected(blocks, size, &open)
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
