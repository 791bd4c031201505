//! Loopy belief propagation over the crossings of a grid (sum-product, flooding schedule, damped).

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
    propagate_watched(model, rounds, damping, |_| {})
}

/// Like [`propagate`]; calls `watch` with the cell posteriors after each round.
pub fn propagate_watched(
    model: &GridModel,
    rounds: usize,
    damping: f64,
    mut watch: impl FnMut(&dyn Fn() -> Vec<f64>),
) -> Beliefs {
    let letters = model.letters.letters();
    let crossings = model.crossings();
    let mut work = Workspace::new(model);
    // Messages from entries (factors) to cells, and from cells to entries.
    let mut told: Vec<Vec<f64>> =
        model.entries.iter().map(|entry| vec![1.0 / letters as f64; entry.cells.len() * letters]).collect();
    let mut heard = told.clone();
    let mut done = 0;
    for round in 1..=rounds {
        done = round;
        listen(model, &crossings, &told, &mut heard);
        let mut change: f64 = 0.0;
        for (number, entry_heard) in heard.iter().enumerate() {
            let fresh = work.speak(model, number, entry_heard);
            for (old, new) in told[number].iter_mut().zip(fresh) {
                let mixed = damping * *old + (1.0 - damping) * new;
                change = change.max((mixed - *old).abs());
                *old = mixed;
            }
        }
        watch(&|| cell_beliefs(model, &crossings, &told));
        if change < SETTLED {
            break;
        }
    }
    listen(model, &crossings, &told, &mut heard);
    conclude(model, &crossings, &told, &heard, &mut work, done)
}

/// Cell-to-entry messages: the crossing entry's message, or the fixed letter.
fn listen(model: &GridModel, crossings: &[Vec<(usize, usize)>], told: &[Vec<f64>], heard: &mut [Vec<f64>]) {
    let letters = model.letters.letters();
    for (number, entry) in model.entries.iter().enumerate() {
        for (at, &cell) in entry.cells.iter().enumerate() {
            let to = &mut heard[number][at * letters..(at + 1) * letters];
            if let Some(letter) = model.fixed[cell] {
                to.fill(0.0);
                to[usize::from(letter)] = 1.0;
                continue;
            }
            match crossings[cell].iter().find(|&&(other, place)| (other, place) != (number, at)) {
                Some(&(other, place)) => {
                    let said = &told[other][place * letters..(place + 1) * letters];
                    for ((to, said), counts) in to.iter_mut().zip(said).zip(model.shared()) {
                        *to = said * counts;
                    }
                }
                None => to.fill(1.0 / letters as f64),
            }
        }
    }
}

/// Buffers for the sums of one entry.
struct Workspace {
    out: Vec<f64>,
    prefix: Vec<f64>,
    forward: Vec<f64>,
    backward: Vec<f64>,
}

impl Workspace {
    fn new(model: &GridModel) -> Self {
        let longest = model.entries.iter().map(|entry| entry.cells.len()).max().unwrap_or(0);
        let size = longest * model.letters.letters();
        Self {
            out: vec![0.0; size],
            prefix: vec![0.0; longest + 1],
            forward: vec![0.0; size],
            backward: vec![0.0; size],
        }
    }

    /// Entry-to-cell messages, given the messages from its cells.
    fn speak(&mut self, model: &GridModel, number: usize, heard: &[f64]) -> &[f64] {
        let letters = model.letters.letters();
        let entry = &model.entries[number];
        let length = entry.cells.len();
        self.out[..length * letters].fill(0.0);
        for candidate in &entry.candidates {
            self.prefix[0] = candidate.probability;
            for (at, &letter) in candidate.word.iter().enumerate() {
                self.prefix[at + 1] = self.prefix[at] * heard[at * letters + usize::from(letter)];
            }
            let mut suffix = 1.0;
            for (at, &letter) in candidate.word.iter().enumerate().rev() {
                let place = at * letters + usize::from(letter);
                self.out[place] += self.prefix[at] * suffix;
                suffix *= heard[place];
            }
        }
        if entry.unlisted > 0.0 {
            self.chain(model, length, heard);
            let scale = entry.unlisted / model.log_total(number).exp();
            for place in 0..length * letters {
                self.out[place] += scale * self.forward[place] * self.backward[place];
            }
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

    /// Forward–backward sums over all strings of the letter model; each cell's own evidence is left out.
    fn chain(&mut self, model: &GridModel, length: usize, heard: &[f64]) {
        let letters = model.letters.letters();
        for letter in 0..letters {
            self.forward[letter] = model.letters.start(letter);
            self.backward[(length - 1) * letters + letter] = model.letters.end(letter);
        }
        for at in 1..length {
            let (before, after) = self.forward.split_at_mut(at * letters);
            let before = &before[(at - 1) * letters..];
            let after = &mut after[..letters];
            after.fill(0.0);
            for (letter, &weight) in before.iter().enumerate() {
                let weight = weight * heard[(at - 1) * letters + letter];
                for (sum, &step) in after.iter_mut().zip(model.letters.follow(letter)) {
                    *sum += weight * step;
                }
            }
        }
        for at in (0..length - 1).rev() {
            for letter in 0..letters {
                let steps = model.letters.follow(letter).iter().enumerate();
                let sum = steps
                    .map(|(next, &step)| {
                        step * heard[(at + 1) * letters + next] * self.backward[(at + 1) * letters + next]
                    })
                    .sum();
                self.backward[at * letters + letter] = sum;
            }
        }
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

fn conclude(
    model: &GridModel,
    crossings: &[Vec<(usize, usize)>],
    told: &[Vec<f64>],
    heard: &[Vec<f64>],
    work: &mut Workspace,
    rounds: usize,
) -> Beliefs {
    let letters = model.letters.letters();
    let cells = cell_beliefs(model, crossings, told);
    let mut entries = Vec::with_capacity(model.entries.len());
    let mut unlisted = Vec::with_capacity(model.entries.len());
    for (number, entry) in model.entries.iter().enumerate() {
        let heard = &heard[number];
        let fit = |word: &[LetterIndex]| -> f64 {
            word.iter().enumerate().map(|(at, &letter)| heard[at * letters + usize::from(letter)]).product()
        };
        let mut chances: Vec<f64> =
            entry.candidates.iter().map(|candidate| candidate.probability * fit(&candidate.word)).collect();
        let other = if entry.unlisted > 0.0 {
            work.chain(model, entry.cells.len(), heard);
            let strings: f64 = (0..letters).map(|l| work.forward[l] * heard[l] * work.backward[l]).sum();
            entry.unlisted / model.log_total(number).exp() * strings
        } else {
            0.0
        };
        let total = chances.iter().sum::<f64>() + other;
        if total > 0.0 {
            chances.iter_mut().for_each(|chance| *chance /= total);
        }
        entries.push(chances);
        unlisted.push(if total > 0.0 { other / total } else { 1.0 });
    }
    Beliefs { cells, letters, entries, unlisted, rounds }
}

#[cfg(test)]
mod tests;
