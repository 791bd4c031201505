//! How likely one letter follows another.

use super::LetterIndex;

/// A letter bigram model with add-one smoothing: initial, transition and final weights.
#[derive(Clone, Debug)]
pub struct LetterModel {
    count: usize,
    start: Vec<f64>,
    follow: Vec<f64>,
    end: Vec<f64>,
    common: Vec<f64>,
}

impl LetterModel {
    /// Counts bigrams in words.
    pub fn train<'w>(count: usize, words: impl IntoIterator<Item = &'w [LetterIndex]>) -> Self {
        let mut start = vec![1.0; count];
        let mut follow = vec![1.0; count * count];
        let mut end = vec![0.0; count];
        let mut seen = vec![0.0; count];
        for word in words {
            let (Some(&first), Some(&last)) = (word.first(), word.last()) else { continue };
            start[usize::from(first)] += 1.0;
            end[usize::from(last)] += 1.0;
            for pair in word.windows(2) {
                follow[usize::from(pair[0]) * count + usize::from(pair[1])] += 1.0;
            }
            for &letter in word {
                seen[usize::from(letter)] += 1.0;
            }
        }
        normalise(&mut start);
        follow.chunks_mut(count.max(1)).for_each(normalise);
        // A word of known length ends in the letter this much more often than the letter occurs at all.
        let words: f64 = end.iter().sum::<f64>() + count as f64;
        let letters: f64 = seen.iter().sum::<f64>() + count as f64;
        let end = end.iter().zip(&seen).map(|(ends, seen)| ((ends + 1.0) / words) / ((seen + 1.0) / letters)).collect();
        let common = seen.iter().map(|seen| (seen + 1.0) / letters).collect();
        Self { count, start, follow, end, common }
    }

    /// The uniform model.
    pub fn uniform(count: usize) -> Self {
        let even = 1.0 / count.max(1) as f64;
        let (start, follow) = (vec![even; count], vec![even; count * count]);
        Self { count, start, follow, end: vec![1.0; count], common: vec![even; count] }
    }

    pub fn letters(&self) -> usize {
        self.count
    }

    /// Probability of a letter at the start of a word.
    pub fn start(&self, letter: usize) -> f64 {
        self.start[letter]
    }

    /// Transition probabilities from a letter.
    pub fn follow(&self, before: usize) -> &[f64] {
        &self.follow[before * self.count..(before + 1) * self.count]
    }

    /// Weight of a letter at the end of a word.
    pub fn end(&self, letter: usize) -> f64 {
        self.end[letter]
    }

    /// Unigram probability of a letter.
    pub fn common(&self, letter: usize) -> f64 {
        self.common[letter]
    }

    /// Log of the total weight of all strings, by length from 0 to `longest`.
    pub fn log_totals(&self, longest: usize) -> Vec<f64> {
        let mut weights = self.start.clone();
        let mut totals = vec![0.0];
        for _ in 1..=longest {
            totals.push(weights.iter().zip(&self.end).map(|(weight, end)| weight * end).sum::<f64>().ln());
            let mut next = vec![0.0; self.count];
            for (letter, weight) in weights.iter().enumerate() {
                for (sum, step) in next.iter_mut().zip(self.follow(letter)) {
                    *sum += weight * step;
                }
            }
            weights = next;
        }
        totals
    }

    /// Log-weight of a string.
    pub fn log_weight(&self, word: &[LetterIndex]) -> f64 {
        let Some((&first, &last)) = word.first().zip(word.last()) else { return 0.0 };
        let follow: f64 = word.windows(2).map(|pair| self.follow(pair[0].into())[usize::from(pair[1])].ln()).sum();
        self.start(first.into()).ln() + follow + self.end(last.into()).ln()
    }
}

fn normalise(weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_of_all_strings_is_their_sum() {
        let words: [&[LetterIndex]; 3] = [&[0, 1, 2], &[2, 2], &[1, 0]];
        let model = LetterModel::train(3, words);
        let sum: f64 = (0..9u8).map(|code| model.log_weight(&[code / 3, code % 3]).exp()).sum();
        assert!((model.log_totals(2)[2] - sum.ln()).abs() < 1e-9);
        let common: f64 = (0..3).map(|letter| model.common(letter)).sum();
        assert!((common - 1.0).abs() < 1e-9);
    }
}
