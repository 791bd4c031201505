//! Loopy belief propagation over the crossings of a grid (sum-product, flooding schedule, damped).

use super::letter_model::ChainSums;
use super::{GridModel, LetterIndex};

/// Posterior probabilities of a grid.
#[derive(Clone, Debug)]
pub struct Beliefs {
    /// Posterior of every letter in every cell: `cells[cell * letters + letter]`.
    pub cells: Vec<f64>,
    letters: usize,
    /// Posterior of every candidate of every entry.
    pub entries: Vec<Vec<f64>>,
    /// Posterior probability that an entry's answer is unlisted.
    pub unlisted: Vec<f64>,
    /// Rounds until convergence, or the limit.
    pub rounds: usize,
}

impl Beliefs {
    /// The posterior of a cell.
    pub fn cell(&self, cell: usize) -> &[f64] {
        &self.cells[cell * self.letters..(cell + 1) * self.letters]
    }

    /// The most probable letter of a cell and its posterior.
    pub fn best_letter(&self, cell: usize) -> (LetterIndex, f64) {
        let (letter, &chance) =
            self.cell(cell).iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).expect("the alphabet is not empty");
        (letter as LetterIndex, chance)
    }
}

/// Lower bound of a message entry, so that rounding never excludes a letter.
const FLOOR: f64 = 1e-9;
/// Messages that change less than this have converged.
const SETTLED: f64 = 1e-6;

/// Runs at most `rounds` rounds; `damping` in [0, 1) is the share of the old message that is kept.
pub fn propagate(model: &GridModel, rounds: usize, damping: f64) -> Beliefs {
    let mut propagation = Propagation::new(model);
    propagation.run(model, rounds, damping, |_| {});
    propagation.beliefs(model)
}

/// The messages of a grid between rounds. Candidates may be added to the model between two runs.
pub struct Propagation {
    crossings: Vec<Vec<(usize, usize)>>,
    /// Messages from entries (factors) to their cells.
    from_entries: Vec<Vec<f64>>,
    /// Messages from cells to entries.
    to_entries: Vec<Vec<f64>>,
    /// Per entry: the share of unlisted answers in its last message, to skip sums that cannot matter.
    unlisted_share: Vec<f64>,
    buffers: Buffers,
    rounds: usize,
}

/// Buffers for the sums of one entry.
struct Buffers {
    out: Vec<f64>,
    prefix: Vec<f64>,
    chain: ChainSums,
}

/// Unlisted answers below this share of an entry's belief are left out of its messages for a round.
const NEGLIGIBLE: f64 = 1e-6;

impl Propagation {
    pub fn new(model: &GridModel) -> Self {
        let letters = model.letters.letters();
        let even: Vec<Vec<f64>> =
            model.entries.iter().map(|entry| vec![1.0 / letters as f64; entry.cells.len() * letters]).collect();
        let longest = model.entries.iter().map(|entry| entry.cells.len()).max().unwrap_or(0);
        let buffers =
            Buffers { out: vec![0.0; longest * letters], prefix: vec![0.0; longest + 1], chain: ChainSums::default() };
        Self {
            crossings: model.crossings(),
            to_entries: even.clone(),
            unlisted_share: vec![1.0; even.len()],
            from_entries: even,
            buffers,
            rounds: 0,
        }
    }

    /// Runs at most `rounds` further rounds; calls `watch` with the cell posteriors after each round.
    pub fn run(
        &mut self,
        model: &GridModel,
        rounds: usize,
        damping: f64,
        mut watch: impl FnMut(&dyn Fn() -> Vec<f64>),
    ) {
        for _ in 0..rounds {
            self.rounds += 1;
            self.collect(model);
            let mut change: f64 = 0.0;
            for (number, heard) in self.to_entries.iter().enumerate() {
                let share = &mut self.unlisted_share[number];
                // Every sixth round looks at all sums again.
                let with_unlisted = *share > NEGLIGIBLE || self.rounds % 6 == 1;
                let fresh = self.buffers.send(model, number, heard, with_unlisted.then_some(share));
                for (old, new) in self.from_entries[number].iter_mut().zip(fresh) {
                    let mixed = damping * *old + (1.0 - damping) * new;
                    change = change.max((mixed - *old).abs());
                    *old = mixed;
                }
            }
            watch(&|| cell_beliefs(model, &self.crossings, &self.from_entries));
            if change < SETTLED {
                break;
            }
        }
        self.collect(model);
    }

    /// The evidence of the crossing entries for each letter of an entry: `[at * letters + letter]`.
    pub fn evidence(&self, entry: usize) -> &[f64] {
        &self.to_entries[entry]
    }

    /// The share of unlisted answers in an entry's belief when it was last computed.
    pub fn unlisted_share(&self, entry: usize) -> f64 {
        self.unlisted_share[entry]
    }

    /// Cell-to-entry messages: the crossing entry's message, or the fixed letter.
    fn collect(&mut self, model: &GridModel) {
        let letters = model.letters.letters();
        for (number, entry) in model.entries.iter().enumerate() {
            for (at, &cell) in entry.cells.iter().enumerate() {
                let to = &mut self.to_entries[number][at * letters..(at + 1) * letters];
                if let Some(letter) = model.fixed[cell] {
                    to.fill(0.0);
                    to[usize::from(letter)] = 1.0;
                    continue;
                }
                match self.crossings[cell].iter().find(|&&(other, place)| (other, place) != (number, at)) {
                    Some(&(other, place)) => {
                        let said = &self.from_entries[other][place * letters..(place + 1) * letters];
                        for ((to, said), counts) in to.iter_mut().zip(said).zip(model.shared()) {
                            *to = said * counts;
                        }
                    }
                    None => to.fill(1.0 / letters as f64),
                }
            }
        }
    }

    /// The posterior probabilities under the current messages.
    pub fn beliefs(&mut self, model: &GridModel) -> Beliefs {
        let letters = model.letters.letters();
        let cells = cell_beliefs(model, &self.crossings, &self.from_entries);
        let mut entries = Vec::with_capacity(model.entries.len());
        let mut unlisted = Vec::with_capacity(model.entries.len());
        for (number, entry) in model.entries.iter().enumerate() {
            let heard = &self.to_entries[number];
            let fit = |word: &[LetterIndex]| -> f64 {
                word.iter().enumerate().map(|(at, &letter)| heard[at * letters + usize::from(letter)]).product()
            };
            let mut chances: Vec<f64> =
                entry.candidates.iter().map(|candidate| candidate.probability * fit(&candidate.word)).collect();
            let mut other = 0.0;
            if entry.unlisted > 0.0 {
                self.buffers.chain.compute(&model.letters, entry.cells.len(), heard);
                other = entry.unlisted / model.log_total(number).exp() * self.buffers.chain.total;
            }
            let total = chances.iter().sum::<f64>() + other;
            if total > 0.0 {
                chances.iter_mut().for_each(|chance| *chance /= total);
            }
            entries.push(chances);
            unlisted.push(if total > 0.0 { other / total } else { 1.0 });
        }
        Beliefs { cells, letters, entries, unlisted, rounds: self.rounds }
    }
}

impl Buffers {
    /// Entry-to-cell messages, given the messages from its cells. Sums over unlisted answers only if `unlisted_share` is
    /// given, which then receives their share of the entry's belief.
    fn send(&mut self, model: &GridModel, number: usize, heard: &[f64], unlisted_share: Option<&mut f64>) -> &[f64] {
        let letters = model.letters.letters();
        let entry = &model.entries[number];
        let length = entry.cells.len();
        self.out[..length * letters].fill(0.0);
        let mut listed = 0.0;
        for candidate in &entry.candidates {
            self.prefix[0] = candidate.probability;
            for (at, &letter) in candidate.word.iter().enumerate() {
                self.prefix[at + 1] = self.prefix[at] * heard[at * letters + usize::from(letter)];
            }
            listed += self.prefix[length];
            let mut suffix = 1.0;
            for (at, &letter) in candidate.word.iter().enumerate().rev() {
                let place = at * letters + usize::from(letter);
                self.out[place] += self.prefix[at] * suffix;
                suffix *= heard[place];
            }
        }
        if let (Some(share), true) = (unlisted_share, entry.unlisted > 0.0) {
            self.chain.compute(&model.letters, length, heard);
            let scale = entry.unlisted / model.log_total(number).exp();
            for (sum, weight) in self.out.iter_mut().zip(&self.chain.out) {
                *sum += scale * weight;
            }
            let total = scale * self.chain.total;
            *share = if listed + total > 0.0 { total / (listed + total) } else { 1.0 };
        }
        for message in self.out[..length * letters].chunks_mut(letters) {
            let total: f64 = message.iter().sum();
            let even = 1.0 / letters as f64;
            if total > 0.0 && total.is_finite() {
                message.iter_mut().for_each(|share| *share = *share / total * (1.0 - FLOOR) + even * FLOOR);
            } else {
                message.fill(even);
            }
        }
        &self.out[..length * letters]
    }
}

/// Cell posteriors from the entry messages.
fn cell_beliefs(model: &GridModel, crossings: &[Vec<(usize, usize)>], told: &[Vec<f64>]) -> Vec<f64> {
    let letters = model.letters.letters();
    let mut cells = vec![1.0; model.cells * letters];
    for (cell, belief) in cells.chunks_mut(letters).enumerate() {
        if let Some(letter) = model.fixed[cell] {
            belief.fill(0.0);
            belief[usize::from(letter)] = 1.0;
            continue;
        }
        for &(entry, at) in &crossings[cell] {
            for (share, &message) in belief.iter_mut().zip(&told[entry][at * letters..]) {
                *share *= message;
            }
        }
        if crossings[cell].len() > 1 {
            belief.iter_mut().zip(model.shared()).for_each(|(share, counts)| *share *= counts);
        }
        let total: f64 = belief.iter().sum();
        belief.iter_mut().for_each(|share| *share /= total);
    }
    cells
}

#[cfg(test)]
mod tests;
