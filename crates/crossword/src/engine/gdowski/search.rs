//! Best-first search over partial fillings (Gdowski 2019, figures 3.2–3.4).

use super::{Slot, order_holes};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// When the search stops.
#[derive(Clone, Copy, Debug)]
pub struct GdowskiLimits {
    /// Patience: iterations without a better solution, counted once a solution is found (Gdowski 2019: 50,000).
    pub no_progress: u64,
    /// Maximum number of iterations; the thesis has no such limit and never stops without a solution.
    pub iterations: u64,
    /// Partial fillings in memory.
    pub open: usize,
}

impl Default for GdowskiLimits {
    fn default() -> Self {
        Self { no_progress: 50_000, iterations: 2_000_000, open: 20_000_000 }
    }
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Patience ran out, as in the thesis.
    NoProgress,
    /// Every filling was tried.
    Exhausted,
    /// A limit that the thesis does not have.
    Limit,
}

/// The best full grid, and how it was found.
#[derive(Clone, Debug)]
pub struct GdowskiSolution {
    /// Per slot the index of its word; `None` if no full grid was found.
    pub words: Option<Vec<usize>>,
    /// Mean similarity of the words.
    pub value: f64,
    pub iterations: u64,
    /// The iteration at which the best grid was found.
    pub found_at: u64,
    pub stopped: Stopped,
}

/// A partial filling: the last word placed and the filling below it.
struct Node {
    parent: u32,
    word: u32,
    depth: u16,
    square_sum: f64,
    least: f64,
}

/// An open filling in the queue: lower priority first, older first.
#[derive(PartialEq)]
struct Open {
    priority: f64,
    node: u32,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority.total_cmp(&other.priority).then(self.node.cmp(&other.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

const ROOT: u32 = u32::MAX;

/// 15 − Σ r² − 10·min r; infinite for the empty grid.
fn priority(node: &Node) -> f64 {
    if node.depth == 0 { f64::INFINITY } else { 15.0 - node.square_sum - 10.0 * node.least }
}

/// Runs the search. `stop` is polled every 1,024 iterations.
pub fn solve(holes: &[Slot], cells: usize, limits: GdowskiLimits, mut stop: impl FnMut() -> bool) -> GdowskiSolution {
    let order = order_holes(holes);
    let mut nodes = vec![Node { parent: ROOT, word: 0, depth: 0, square_sum: 0.0, least: f64::INFINITY }];
    let mut open = BinaryHeap::from([Reverse(Open { priority: f64::INFINITY, node: 0 })]);
    let mut best: Option<(f64, u32)> = None;
    let (mut iterations, mut found_at) = (0, 0);
    let mut grid: Vec<Option<char>> = vec![None; cells];
    let stopped = loop {
        let Some(Reverse(next)) = open.pop() else { break Stopped::Exhausted };
        iterations += 1;
        if best.is_some() && found_at + limits.no_progress <= iterations {
            break Stopped::NoProgress;
        }
        if iterations >= limits.iterations || nodes.len() >= limits.open || (iterations % 1024 == 0 && stop()) {
            break Stopped::Limit;
        }
        let depth = usize::from(nodes[next.node as usize].depth);
        if depth == order.len() {
            if best.is_none_or(|(least, _)| next.priority < least) {
                best = Some((next.priority, next.node));
                found_at = iterations;
            }
            continue;
        }
        write_grid(&mut grid, holes, &order, &nodes, next.node);
        let hole = &holes[order[depth]];
        for (index, ranked) in hole.words.iter().enumerate() {
            let fits = hole.cells.iter().zip(&ranked.word).all(|(&cell, &c)| grid[cell].is_none_or(|there| there == c));
            if fits {
                let above = &nodes[next.node as usize];
                let node = Node {
                    parent: next.node,
                    word: index as u32,
                    depth: above.depth + 1,
                    square_sum: above.square_sum + ranked.rank * ranked.rank,
                    least: above.least.min(ranked.rank),
                };
                open.push(Reverse(Open { priority: priority(&node), node: nodes.len() as u32 }));
                nodes.push(node);
            }
        }
    };
    let words = best.map(|(_, node)| placed(&order, &nodes, node));
    let value = words.as_ref().map_or(0.0, |words| {
        let total: f64 = words.iter().zip(holes).map(|(&word, hole)| hole.words[word].rank).sum();
        total / words.len().max(1) as f64
    });
    GdowskiSolution { words, value, iterations, found_at, stopped }
}

/// The word of every slot in a full filling.
fn placed(order: &[usize], nodes: &[Node], mut at: u32) -> Vec<usize> {
    let mut words = vec![0; order.len()];
    while nodes[at as usize].parent != ROOT {
        let node = &nodes[at as usize];
        words[order[usize::from(node.depth) - 1]] = node.word as usize;
        at = node.parent;
    }
    words
}

/// Writes the letters of a partial filling.
fn write_grid(grid: &mut [Option<char>], holes: &[Slot], order: &[usize], nodes: &[Node], mut at: u32) {
    grid.fill(None);
    while nodes[at as usize].parent != ROOT {
        let node = &nodes[at as usize];
        let hole = &holes[order[usize::from(node.depth) - 1]];
        for (&cell, &c) in hole.cells.iter().zip(&hole.words[node.word as usize].word) {
            grid[cell] = Some(c);
        }
        at = node.parent;
    }
}

#[cfg(test)]
mod tests {
    use super::super::RankedWord;
    use super::*;
    use proptest::prelude::*;

    fn hole(cells: &[usize], words: &[(&str, f64)]) -> Slot {
        let words = words.iter().map(|&(word, rank)| RankedWord { word: word.chars().collect(), rank }).collect();
        Slot { cells: cells.to_vec(), words }
    }

    #[test]
    fn crossings_decide_between_similar_words() {
        let holes = [
            hole(&[0, 1, 2], &[("dog", 0.9), ("cat", 0.6)]),
            hole(&[0, 3], &[("ca", 0.8), ("da", 0.5)]),
            hole(&[2, 4], &[("to", 0.8)]),
        ];
        let answer = solve(&holes, 5, GdowskiLimits::default(), || false);
        assert_eq!(answer.words, Some(vec![1, 0, 0]));
        assert!((answer.value - (0.6 + 0.8 + 0.8) / 3.0).abs() < 1e-12);
        assert_eq!(answer.stopped, Stopped::Exhausted);
    }

    #[test]
    fn a_grid_that_cannot_be_filled_says_so() {
        let holes = [hole(&[0, 1], &[("ab", 0.9)]), hole(&[0, 2], &[("xy", 0.9)])];
        let answer = solve(&holes, 3, GdowskiLimits::default(), || false);
        assert_eq!((answer.words, answer.stopped), (None, Stopped::Exhausted));
    }

    proptest! {
        /// Run to the end, the search finds the full grid of least priority, as trying everything does.
        #[test]
        fn the_best_grid_is_found(ranks in prop::collection::vec(0.39..0.99f64, 12)) {
            let words = ["ab", "ba", "aa", "bb"];
            let list = |from: usize| words.iter().enumerate().map(|(at, &word)| (word, ranks[from + at])).collect::<Vec<_>>();
            let holes = [hole(&[0, 1], &list(0)), hole(&[0, 2], &list(4)), hole(&[1, 3], &list(8))];
            let answer = solve(&holes, 4, GdowskiLimits { no_progress: u64::MAX / 2, ..GdowskiLimits::default() }, || false);
            let mut least = f64::INFINITY;
            for a in 0..4 { for b in 0..4 { for c in 0..4 {
                let (x, y, z) = (&holes[0].words[a], &holes[1].words[b], &holes[2].words[c]);
                if x.word[0] == y.word[0] && x.word[1] == z.word[0] {
                    let ranks = [x.rank, y.rank, z.rank];
                    let worst = ranks.iter().copied().fold(f64::INFINITY, f64::min);
                    least = least.min(15.0 - ranks.iter().map(|r| r * r).sum::<f64>() - 10.0 * worst);
                }
            }}}
            let words = answer.words.expect("there is a grid");
            let ranks: Vec<f64> = words.iter().zip(&holes).map(|(&word, hole)| hole.words[word].rank).collect();
            let worst = ranks.iter().copied().fold(f64::INFINITY, f64::min);
            let found = 15.0 - ranks.iter().map(|r| r * r).sum::<f64>() - 10.0 * worst;
            prop_assert!((found - least).abs() < 1e-9);
        }
    }
}
