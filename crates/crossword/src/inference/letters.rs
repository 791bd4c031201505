//! Letters as small numbers, and how likely one follows another.

use std::collections::HashMap;

/// A letter as its index in [`Letters`].
pub type Letter = u8;

/// The letters that a grid may hold.
#[derive(Clone, Debug)]
pub struct Letters {
    chars: Vec<char>,
    /// Letters of ASCII characters, which are asked for most; [`Letter::MAX`] for none.
    ascii: [Letter; 128],
    others: HashMap<char, Letter>,
}

impl Letters {
    /// The letters of an alphabet, upper case; repeated ones count once.
    pub fn new(alphabet: impl IntoIterator<Item = char>) -> Self {
        let mut letters = Self { chars: Vec::new(), ascii: [Letter::MAX; 128], others: HashMap::new() };
        for c in alphabet {
            letters.add(c);
        }
        letters
    }

    /// The letter of a character, added if it is new and there is room (255 letters).
    pub fn add(&mut self, c: char) -> Option<Letter> {
        if let Some(letter) = self.letter(c) {
            return Some(letter);
        }
        let letter = Letter::try_from(self.chars.len()).ok().filter(|&letter| letter < Letter::MAX)?;
        self.chars.push(c);
        match self.ascii.get_mut(c as usize) {
            Some(slot) => *slot = letter,
            None => drop(self.others.insert(c, letter)),
        }
        Some(letter)
    }

    /// The letter of a character.
    pub fn letter(&self, c: char) -> Option<Letter> {
        match self.ascii.get(c as usize) {
            Some(&letter) => (letter != Letter::MAX).then_some(letter),
            None => self.others.get(&c).copied(),
        }
    }

    /// The character of a letter.
    pub fn char(&self, letter: Letter) -> char {
        self.chars[usize::from(letter)]
    }

    /// A word as letters, or `None` if it has another character.
    pub fn word(&self, text: &str) -> Option<Vec<Letter>> {
        text.chars().map(|c| self.letter(c)).collect()
    }

    /// Letters as text.
    pub fn text(&self, word: &[Letter]) -> String {
        word.iter().map(|&letter| self.char(letter)).collect()
    }

    /// How many letters there are.
    pub fn len(&self) -> usize {
        self.chars.len()
    }

    pub fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }
}

/// How likely a letter starts a word, ends one and follows another: a bigram model with add-one smoothing.
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
    pub fn train<'w>(count: usize, words: impl IntoIterator<Item = &'w [Letter]>) -> Self {
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
        // How much likelier than usual a word of known length ends in the letter.
        let words: f64 = end.iter().sum::<f64>() + count as f64;
        let letters: f64 = seen.iter().sum::<f64>() + count as f64;
        let end = end.iter().zip(&seen).map(|(ends, seen)| ((ends + 1.0) / words) / ((seen + 1.0) / letters)).collect();
        let common = seen.iter().map(|seen| (seen + 1.0) / letters).collect();
        Self { count, start, follow, end, common }
    }

    /// A model that finds all strings equally likely.
    pub fn uniform(count: usize) -> Self {
        let even = 1.0 / count.max(1) as f64;
        let (start, follow) = (vec![even; count], vec![even; count * count]);
        Self { count, start, follow, end: vec![1.0; count], common: vec![even; count] }
    }

    pub fn letters(&self) -> usize {
        self.count
    }

    /// Chance of a letter at the start of a word.
    pub fn start(&self, letter: usize) -> f64 {
        self.start[letter]
    }

    /// Chances of all letters after one.
    pub fn follow(&self, before: usize) -> &[f64] {
        &self.follow[before * self.count..(before + 1) * self.count]
    }

    /// Weight of a letter at the end of a word.
    pub fn end(&self, letter: usize) -> f64 {
        self.end[letter]
    }

    /// Share of a letter among all letters of the words.
    pub fn common(&self, letter: usize) -> f64 {
        self.common[letter]
    }

    /// Logarithm of the weight of all strings together, by length from 0 to `longest`.
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

    /// Logarithm of the weight of a whole string.
    pub fn log_weight(&self, word: &[Letter]) -> f64 {
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
    fn letters_are_found_whatever_their_alphabet() {
        let mut letters = Letters::new("ABČA".chars());
        assert_eq!((letters.len(), letters.letter('Č'), letters.letter('Z')), (3, Some(2), None));
        assert_eq!(letters.add('Ž'), Some(3));
        let word = letters.word("ČAŽ").expect("all are there");
        assert_eq!((word.as_slice(), letters.text(&word).as_str()), ([2, 0, 3].as_slice(), "ČAŽ"));
        for c in (0..400u32).filter_map(|number| char::from_u32(0x4e00 + number)) {
            letters.add(c);
        }
        assert_eq!(letters.len(), 255, "there is no room for more");
    }

    #[test]
    fn the_weight_of_all_strings_is_their_sum() {
        let words: [&[Letter]; 3] = [&[0, 1, 2], &[2, 2], &[1, 0]];
        let model = LetterModel::train(3, words);
        let sum: f64 = (0..9u8).map(|code| model.log_weight(&[code / 3, code % 3]).exp()).sum();
        assert!((model.log_totals(2)[2] - sum.ln()).abs() < 1e-9);
        let common: f64 = (0..3).map(|letter| model.common(letter)).sum();
        assert!((common - 1.0).abs() < 1e-9);
    }
}
