//! One training thread: reads lines, samples windows, takes gradient steps.

use super::maths::{SigmoidTable, TrainingRng, add, dot};
use super::{EmbeddingAlgorithm, EmbeddingTrainer, Loss};
use std::sync::atomic::Ordering;

/// Longest line taken as one sentence; the rest of it is another.
const LONGEST: usize = 1024;

/// State of a training thread.
struct Thread {
    random: TrainingRng,
    tables: SigmoidTable,
    hidden: Vec<f32>,
    gradient: Vec<f32>,
    rate: f32,
    negative: usize,
}

impl EmbeddingTrainer {
    /// Trains on some lines; returns the summed loss and the number of predictions.
    pub(super) fn learn(&self, number: u64, text: &str) -> (f64, u64) {
        let s = &self.settings;
        let mut random = TrainingRng::new(s.seed ^ (self.rounds + 1) << 20 ^ number << 50);
        let negative = random.below(self.negatives.len());
        let (hidden, gradient) = (vec![0f32; s.dim], vec![0f32; s.dim]);
        let mut thread = Thread { random, tables: SigmoidTable::new(), hidden, gradient, rate: s.rate, negative };
        let (all, _) = self.progress();
        let (mut loss, mut predictions, mut unsaid) = (0.0, 0, 0);
        let mut ids: Vec<u32> = Vec::new();
        let mut context: Vec<u32> = Vec::new();
        for line in text.split_inclusive('\n') {
            let mut words = self.vocabulary.ids(line).chain(self.end).peekable();
            while words.peek().is_some() {
                ids.clear();
                for word in words.by_ref().take(LONGEST) {
                    unsaid += 1;
                    if s.sampling <= 0.0 || thread.random.unit() < self.keep[word as usize] {
                        ids.push(word);
                    }
                }
                if unsaid > 100 {
                    let read = self.read.fetch_add(unsaid, Ordering::Relaxed) + unsaid;
                    unsaid = 0;
                    thread.rate = s.rate * (1.0 - read as f32 / all.max(1) as f32).max(1e-5);
                }
                for at in 0..ids.len() {
                    let reach = 1 + thread.random.below(s.window);
                    let around = at.saturating_sub(reach)..(at + reach + 1).min(ids.len());
                    match s.model {
                        EmbeddingAlgorithm::SkipGram => {
                            for other in around.filter(|&o| o != at) {
                                loss += f64::from(self.step(&self.rows[ids[at] as usize], ids[other], &mut thread));
                                predictions += 1;
                            }
                        }
                        EmbeddingAlgorithm::Cbow => {
                            context.clear();
                            for other in around.filter(|&o| o != at) {
                                context.extend_from_slice(&self.rows[ids[other] as usize]);
                            }
                            if !context.is_empty() {
                                loss += f64::from(self.step(&context, ids[at], &mut thread));
                                predictions += 1;
                            }
                        }
                    }
                }
            }
        }
        self.read.fetch_add(unsaid, Ordering::Relaxed);
        (loss, predictions)
    }

    /// One prediction: the mean of the input rows should score `target`; returns its loss.
    fn step(&self, rows: &[u32], target: u32, t: &mut Thread) -> f32 {
        t.hidden.fill(0.0);
        t.gradient.fill(0.0);
        for &r in rows {
            self.input.with_row(r as usize, |row| add(&mut t.hidden, 1.0, row));
        }
        let scale = 1.0 / rows.len() as f32;
        t.hidden.iter_mut().for_each(|h| *h *= scale);
        let mut loss = 0.0;
        match self.settings.loss {
            Loss::Negative(n) => {
                loss += self.decide(target, true, t);
                for _ in 0..n {
                    let other = self.draw(target, t);
                    loss += self.decide(other, false, t);
                }
            }
            Loss::Hierarchical => {
                for &(node, yes) in &self.paths[target as usize] {
                    loss += self.decide(node, yes, t);
                }
            }
        }
        for &r in rows {
            self.input.with_row(r as usize, |row| add(row, 1.0, &t.gradient));
        }
        loss
    }

    /// The next word of the shuffled table that is not the target.
    #[inline]
    fn draw(&self, target: u32, t: &mut Thread) -> u32 {
        for _ in 0..self.negatives.len() {
            t.negative = if t.negative + 1 < self.negatives.len() { t.negative + 1 } else { 0 };
            if self.negatives[t.negative] != target {
                break;
            }
        }
        self.negatives[t.negative]
    }

    /// One logistic decision; moves the output row and adds to the gradient of the hidden layer.
    #[inline]
    fn decide(&self, row: u32, yes: bool, t: &mut Thread) -> f32 {
        let p = self.output.with_row(row as usize, |out| {
            let p = t.tables.sigmoid(dot(out, &t.hidden));
            let step = t.rate * (f32::from(u8::from(yes)) - p);
            add(&mut t.gradient, step, out);
            add(out, step, &t.hidden);
            p
        });
        -t.tables.log(if yes { p } else { 1.0 - p })
    }
}
