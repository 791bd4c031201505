//! A letter n-gram model with hidden word boundaries, for answers that no source lists.
//!
//! The model is a 4-gram over letters and the word boundary, smoothed after Witten and Bell 1991. An answer is written
//! without spaces, so boundaries are hidden: each letter may follow the last one directly or after a boundary, and sums run
//! over both.

use super::LetterIndex;
use std::sync::Arc;

/// The word boundary in training texts.
pub const BOUNDARY: LetterIndex = LetterIndex::MAX;
/// Letters of the n-gram and of its context.
const CONTEXT: usize = 3;
/// Only the first letters of the alphabet have statistics; the table grows with the fourth power of their number.
const MODELLED: usize = 46;
/// Weight of a letter without statistics.
const RARE: f64 = 1e-9;
/// Lengths with a computed total weight; longer ones are extrapolated.
const TOTALS: usize = 25;
/// Contexts that survive each step of a sum, and the smallest share of the largest one.
const BEAM: usize = 120;
/// Contexts per cell whose continuations are summed.
const SUMMED: usize = 1_000;
const BEAM_SHARE: f64 = 1e-8;

/// The model; cloning shares the table.
#[derive(Clone, Debug)]
pub struct LetterModel {
    table: Arc<Table>,
    letters: usize,
}

#[derive(Debug)]
struct Table {
    /// Number of letters with statistics; also the index of the boundary symbol.
    modelled: usize,
    /// Probability of a symbol after a context: `rows[context * (modelled + 1) + symbol]`.
    rows: Vec<f32>,
    common: Vec<f64>,
    log_totals: Vec<f64>,
}

/// A context with its weight.
type Weighted = (u32, f64);

impl LetterModel {
    /// Counts n-grams in texts of letters and [`BOUNDARY`]; letters beyond the first 46 are treated as unseen.
    pub fn train<'w>(letters: usize, texts: impl IntoIterator<Item = &'w [LetterIndex]>) -> Self {
        let modelled = letters.min(MODELLED);
        let base = modelled + 1;
        let mut counts: Vec<Vec<f32>> = (1..=CONTEXT + 1).map(|order| vec![0.0; base.pow(order as u32)]).collect();
        let mut seen = vec![1.0; letters];
        for text in texts {
            text.iter().filter(|&&letter| letter != BOUNDARY).for_each(|&letter| seen[usize::from(letter)] += 1.0);
            let symbol = |&letter: &LetterIndex| if letter == BOUNDARY { modelled } else { usize::from(letter) };
            if text.is_empty() || text.iter().any(|letter| symbol(letter) > modelled) {
                continue;
            }
            let padded: Vec<usize> =
                std::iter::repeat_n(modelled, CONTEXT).chain(text.iter().map(symbol)).chain([modelled]).collect();
            for end in CONTEXT..padded.len() {
                for (back, counts) in counts.iter_mut().enumerate() {
                    counts[padded[end - back..=end].iter().fold(0, |at, symbol| at * base + symbol)] += 1.0;
                }
            }
        }
        let rows = witten_bell(&counts, base);
        Self::new(modelled, rows, seen)
    }

    /// The uniform model.
    pub fn uniform(letters: usize) -> Self {
        let modelled = letters.min(MODELLED);
        let base = modelled + 1;
        let row = (0..base).map(|symbol| if symbol < modelled { 1.0 / modelled.max(1) as f32 } else { 0.0 });
        let mut rows: Vec<f32> = row.collect::<Vec<_>>().repeat(base.pow(CONTEXT as u32));
        // Ending has the same weight after every letter.
        rows.iter_mut().skip(modelled).step_by(base).for_each(|end| *end = 1e-6);
        Self::new(modelled, rows, vec![1.0; letters])
    }

    fn new(modelled: usize, rows: Vec<f32>, seen: Vec<f64>) -> Self {
        let letters = seen.len();
        let total: f64 = seen.iter().sum();
        let common = seen.into_iter().map(|seen| seen / total).collect();
        let mut table = Table { modelled, rows, common, log_totals: Vec::new() };
        table.log_totals = table.totals();
        Self { table: Arc::new(table), letters }
    }

    /// The same model for an alphabet with further letters at its end.
    #[must_use]
    pub fn widened(&self, letters: usize) -> Self {
        Self { table: Arc::clone(&self.table), letters: letters.max(self.letters) }
    }

    /// Number of letters of the alphabet.
    pub fn letters(&self) -> usize {
        self.letters
    }

    /// Unigram probability of a letter.
    pub fn common(&self, letter: usize) -> f64 {
        self.table.common.get(letter).copied().unwrap_or(RARE).max(RARE)
    }

    /// Log of the total weight of all strings of a length.
    pub fn log_total(&self, length: usize) -> f64 {
        let totals = &self.table.log_totals;
        match totals.get(length) {
            Some(&total) => total,
            None => totals[TOTALS] + (length - TOTALS) as f64 * (totals[TOTALS] - totals[TOTALS - 1]),
        }
    }

    /// Log-weight of a string: the sum over all placements of boundaries.
    pub fn log_weight(&self, word: &[LetterIndex]) -> f64 {
        let table = &*self.table;
        let mut states: Vec<Weighted> = vec![(table.start(), 1.0)];
        let mut log = 0.0;
        for (at, &letter) in word.iter().enumerate() {
            let letter = usize::from(letter);
            let mut next: Vec<Weighted> = Vec::with_capacity(8);
            let mut add = |context: u32, weight: f64| match next.iter_mut().find(|(known, _)| *known == context) {
                Some((_, sum)) => *sum += weight,
                None => next.push((context, weight)),
            };
            for &(context, weight) in &states {
                if letter >= table.modelled {
                    add(table.push(table.start(), table.modelled), weight * RARE);
                    continue;
                }
                add(table.push(context, letter), weight * table.share(context, letter));
                if at > 0 {
                    let after = table.push(context, table.modelled);
                    let boundary = table.share(context, table.modelled);
                    add(table.push(after, letter), weight * boundary * table.share(after, letter));
                }
            }
            let total: f64 = next.iter().map(|(_, weight)| weight).sum();
            log += total.max(f64::MIN_POSITIVE).ln();
            next.iter_mut().for_each(|(_, weight)| *weight /= total.max(f64::MIN_POSITIVE));
            states = next;
        }
        let end: f64 = states.iter().map(|&(context, weight)| weight * table.share(context, table.modelled)).sum();
        log + end.max(f64::MIN_POSITIVE).ln()
    }
}

/// Smoothed rows of the highest order from the counts of all orders.
fn witten_bell(counts: &[Vec<f32>], base: usize) -> Vec<f32> {
    let total: f32 = counts[0].iter().sum();
    let mut lower: Vec<f32> = counts[0].iter().map(|count| (count + 1.0) / (total + base as f32)).collect();
    for counts in &counts[1..] {
        let mut rows = vec![0.0; counts.len()];
        for (context, (row, counts)) in rows.chunks_mut(base).zip(counts.chunks(base)).enumerate() {
            let seen: f32 = counts.iter().sum();
            let kinds = counts.iter().filter(|count| **count > 0.0).count() as f32;
            let shorter = &lower[context * base % lower.len()..][..base];
            for ((share, count), backoff) in row.iter_mut().zip(counts).zip(shorter) {
                *share = if seen > 0.0 { (count + kinds * backoff) / (seen + kinds) } else { *backoff };
            }
        }
        lower = rows;
    }
    lower
}

impl Table {
    fn base(&self) -> usize {
        self.modelled + 1
    }

    /// The context of a text's beginning: boundaries only.
    fn start(&self) -> u32 {
        (self.base().pow(CONTEXT as u32) - 1) as u32
    }

    fn push(&self, context: u32, symbol: usize) -> u32 {
        let base = self.base();
        ((context as usize % base.pow(CONTEXT as u32 - 1)) * base + symbol) as u32
    }

    fn last(&self, context: u32) -> usize {
        context as usize % self.base()
    }

    fn row(&self, context: u32) -> &[f32] {
        let base = self.base();
        &self.rows[context as usize * base..(context as usize + 1) * base]
    }

    /// Probability of a symbol after a context.
    fn share(&self, context: u32, symbol: usize) -> f64 {
        f64::from(self.rows[context as usize * self.base() + symbol])
    }

    /// Calls `visit` with every context after `context`, one letter on, and its probability.
    fn successors(&self, context: u32, first: bool, mut visit: impl FnMut(usize, u32, f64)) {
        let row = self.row(context);
        let direct = self.push(context, 0);
        let boundary = f64::from(row[self.modelled]);
        let after = self.push(context, self.modelled);
        let apart = self.push(after, 0);
        let after = self.row(after);
        for letter in 0..self.modelled {
            visit(letter, direct + letter as u32, f64::from(row[letter]));
            if !first {
                visit(letter, apart + letter as u32, boundary * f64::from(after[letter]));
            }
        }
    }

    /// Log of the total weight of all strings, by length.
    fn totals(&self) -> Vec<f64> {
        let contexts = self.base().pow(CONTEXT as u32);
        let mut totals = vec![0.0];
        let mut weights = vec![0.0f64; contexts];
        weights[self.start() as usize] = 1.0;
        for length in 1..=TOTALS {
            let mut next = vec![0.0f64; contexts];
            for (context, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 1e-12) {
                self.successors(context as u32, length == 1, |_, context, share| {
                    next[context as usize] += weight * share;
                });
            }
            let ends =
                next.iter().enumerate().map(|(context, weight)| weight * self.share(context as u32, self.modelled));
            totals.push(ends.sum::<f64>().max(f64::MIN_POSITIVE).ln());
            weights = next;
        }
        totals
    }
}

/// Forward–backward sums over all strings of an entry, with hidden boundaries.
#[derive(Default)]
pub(super) struct ChainSums {
    /// Per cell: contexts that end in the cell, with their weight before the cell's own evidence.
    forward: Vec<Vec<Weighted>>,
    dense: Vec<f64>,
    /// Weight of every letter in every cell, the cell's own evidence left out.
    pub(super) out: Vec<f64>,
    /// Weight of all strings with all evidence.
    pub(super) total: f64,
}

impl ChainSums {
    /// Computes the sums; `heard[at * letters + letter]` is the evidence of each cell.
    pub(super) fn compute(&mut self, model: &LetterModel, length: usize, heard: &[f64]) {
        let table = &*model.table;
        let letters = model.letters;
        self.dense.resize(table.base().pow(CONTEXT as u32), 0.0);
        self.out.clear();
        self.out.resize(length * letters, 0.0);
        self.forward.resize_with(length.max(self.forward.len()), Vec::new);
        let mut states: Vec<Weighted> = vec![(table.start(), 1.0)];
        for at in 0..length {
            let mut reached: Vec<u32> = Vec::new();
            for &(context, weight) in &states {
                table.successors(context, at == 0, |_, next, share| {
                    let sum = &mut self.dense[next as usize];
                    if *sum == 0.0 {
                        reached.push(next);
                    }
                    *sum += weight * share;
                });
            }
            let evidence = |context: u32| heard[at * letters + table.last(context)];
            let list = &mut self.forward[at];
            list.clear();
            list.extend(
                reached.into_iter().map(|context| (context, std::mem::take(&mut self.dense[context as usize]))),
            );
            if list.len() > SUMMED {
                // Letters without support from crossings keep their heaviest contexts.
                let worth = |&(context, weight): &Weighted| weight * (evidence(context) + 1e-3);
                list.select_nth_unstable_by(SUMMED, |a, b| worth(b).total_cmp(&worth(a)).then(a.0.cmp(&b.0)));
                list.truncate(SUMMED);
            }
            states = list.iter().map(|&(context, weight)| (context, weight * evidence(context))).collect();
            prune(&mut states);
        }
        self.backward(table, length, letters, heard);
        self.total = states.iter().map(|&(context, weight)| weight * table.share(context, table.modelled)).sum();
    }

    fn backward(&mut self, table: &Table, length: usize, letters: usize, heard: &[f64]) {
        // Weight of all continuations of a context, times the evidence of its own cell; zero for pruned contexts.
        let mut touched: Vec<u32> = Vec::new();
        for at in (0..length).rev() {
            let mut fresh: Vec<Weighted> = Vec::with_capacity(self.forward[at].len());
            for &(context, weight) in &self.forward[at] {
                let mut rest = 0.0;
                if at + 1 == length {
                    rest = table.share(context, table.modelled);
                } else {
                    table.successors(context, false, |_, next, share| rest += share * self.dense[next as usize]);
                }
                let letter = table.last(context);
                self.out[at * letters + letter] += weight * rest;
                fresh.push((context, rest * heard[at * letters + letter]));
            }
            touched.drain(..).for_each(|context| self.dense[context as usize] = 0.0);
            for (context, rest) in fresh.into_iter().filter(|(_, rest)| *rest > 0.0) {
                self.dense[context as usize] = rest;
                touched.push(context);
            }
        }
        touched.into_iter().for_each(|context| self.dense[context as usize] = 0.0);
    }
}

/// Keeps the heaviest contexts.
fn prune(states: &mut Vec<Weighted>) {
    let top = states.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
    states.retain(|(_, weight)| *weight > top * BEAM_SHARE);
    if states.len() > BEAM {
        states.select_nth_unstable_by(BEAM, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        states.truncate(BEAM);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_of_all_strings_is_their_sum() {
        let words: [&[LetterIndex]; 3] = [&[0, 1, BOUNDARY, 2], &[2, 2], &[1, 0]];
        let model = LetterModel::train(3, words);
        let sum: f64 = (0..9u8).map(|code| model.log_weight(&[code / 3, code % 3]).exp()).sum();
        assert!((model.log_total(2) - sum.ln()).abs() < 1e-6);
        let common: f64 = (0..3).map(|letter| model.common(letter)).sum();
        assert!((common - 1.0).abs() < 1e-9);
        let mut sums = ChainSums::default();
        sums.compute(&model, 2, &[1.0; 6]);
        assert!((sums.total - sum).abs() < 1e-9);
        assert!((sums.out[..3].iter().sum::<f64>() - sum).abs() < 1e-9);
    }

    #[test]
    fn phrases_outweigh_letter_soup() {
        let code = |text: &str| -> Vec<LetterIndex> {
            text.bytes().map(|byte| if byte == b' ' { BOUNDARY } else { byte - b'a' }).collect()
        };
        let texts: Vec<Vec<LetterIndex>> =
            ["olympic games", "flag day", "white flag", "red flag", "olympic pool"].map(code).to_vec();
        let model = LetterModel::train(26, texts.iter().map(Vec::as_slice));
        assert!(model.log_weight(&code("olympicflag")) > model.log_weight(&code("olympicilas")) + 5.0);
    }
}
