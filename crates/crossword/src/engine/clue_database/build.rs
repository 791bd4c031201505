//! Builds a clue database from pairs of answer and clue.

use super::clue_text::{fingerprint, grid_form, words};
use super::layout::{MAGIC, MAX_LENGTH};
use std::collections::HashMap;

/// Maximum number of different pairs in a database.
pub const MAX_PAIRS: usize = 40_000_000;

/// Why a database cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClueDatabaseBuildError {
    #[error("a clue database holds at most {MAX_PAIRS} pairs: split the import")]
    TooMany,
}

/// Collects pairs and writes the file.
#[derive(Default)]
pub struct ClueDatabaseBuilder {
    answers: Table,
    words: Table,
    /// Answer, fingerprint of the clue, and the range of its words in `tokens`.
    pairs: Vec<Pair>,
    tokens: Vec<u32>,
    /// (answer, fingerprint) → pair.
    seen: HashMap<(u32, u64), u32>,
}

struct Pair {
    answer: u32,
    print: u64,
    tokens: (u32, u32),
    count: u32,
}

/// Texts numbered in order of arrival.
#[derive(Default)]
struct Table {
    numbers: HashMap<Box<str>, u32>,
}

impl Table {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(text.into(), number);
        number
    }

    /// The texts sorted by `order`, and the new number for every old one.
    fn sorted<K: Ord>(&self, order: impl Fn(&str) -> K) -> (Vec<&str>, Vec<u32>) {
        let mut texts: Vec<(&str, u32)> = self.numbers.iter().map(|(text, &number)| (&**text, number)).collect();
        texts.sort_unstable_by_key(|&(text, _)| order(text));
        let mut renumbered = vec![0; texts.len()];
        for (new, &(_, old)) in texts.iter().enumerate() {
            renumbered[old as usize] = new as u32;
        }
        (texts.into_iter().map(|(text, _)| text).collect(), renumbered)
    }
}

impl ClueDatabaseBuilder {
    /// Adds a pair. Returns `false` for answers outside 2 to 40 letters and for clues without a word.
    pub fn add(&mut self, answer: &str, clue: &str) -> Result<bool, ClueDatabaseBuildError> {
        let answer = grid_form(answer);
        let words = words(clue);
        if words.is_empty() || !(2..=MAX_LENGTH).contains(&answer.chars().count()) {
            return Ok(false);
        }
        let answer = self.answers.number(&answer);
        let print = fingerprint(&words);
        if let Some(&pair) = self.seen.get(&(answer, print)) {
            self.pairs[pair as usize].count += 1;
            return Ok(true);
        }
        if self.pairs.len() >= MAX_PAIRS || self.tokens.len() + words.len() > u32::MAX as usize {
            return Err(ClueDatabaseBuildError::TooMany);
        }
        self.seen.insert((answer, print), self.pairs.len() as u32);
        let start = self.tokens.len() as u32;
        let mut numbers: Vec<u32> = words.iter().map(|word| self.words.number(word)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        self.tokens.extend(numbers);
        self.pairs.push(Pair { answer, print, tokens: (start, self.tokens.len() as u32), count: 1 });
        Ok(true)
    }

    /// Number of different pairs so far.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The bytes of the file.
    pub fn finish(mut self) -> Vec<u8> {
        self.seen = HashMap::new();
        let length = |text: &str| text.chars().count();
        let (answers, new_answer) = self.answers.sorted(|text| (length(text), text.to_owned()));
        let (words, new_word) = self.words.sorted(str::to_owned);
        let mut pairs = self.pairs;
        pairs.sort_unstable_by_key(|pair| (new_answer[pair.answer as usize], pair.print));
        let tokens = |pair: &Pair| &self.tokens[pair.tokens.0 as usize..pair.tokens.1 as usize];

        let mut lengths = vec![0u32; MAX_LENGTH + 2];
        for pair in &pairs {
            lengths[length(answers[new_answer[pair.answer as usize] as usize]) + 1] += 1;
        }
        running_sum(&mut lengths);

        let mut postings_at = vec![0u32; words.len() + 1];
        for pair in &pairs {
            for &token in tokens(pair) {
                postings_at[new_word[token as usize] as usize + 1] += 1;
            }
        }
        let weights: Vec<f32> = postings_at[1..].iter().map(|&uses| rarity(uses, pairs.len())).collect();
        running_sum(&mut postings_at);
        let mut postings = vec![0u32; self.tokens.len()];
        let mut next = postings_at.clone();
        let mut norms = Vec::with_capacity(pairs.len());
        for (number, pair) in pairs.iter().enumerate() {
            let mut squares = 0.0;
            for &token in tokens(pair) {
                let word = new_word[token as usize] as usize;
                postings[next[word] as usize] = number as u32;
                next[word] += 1;
                squares += weights[word] * weights[word];
            }
            norms.push(squares.sqrt());
        }
        let mut exact: Vec<(u64, u32)> =
            pairs.iter().enumerate().map(|(number, pair)| (pair.print, number as u32)).collect();
        exact.sort_unstable();

        let mut file = File::default();
        file.numbers(lengths);
        file.numbers(pairs.iter().map(|pair| new_answer[pair.answer as usize]));
        file.numbers(pairs.iter().map(|pair| pair.count));
        file.section(norms.iter().flat_map(|norm: &f32| norm.to_le_bytes()));
        file.texts(&answers);
        file.texts(&words);
        file.numbers(postings_at);
        file.numbers(postings);
        file.section(exact.into_iter().flat_map(|(print, pair)| {
            let mut bytes = [0; 12];
            bytes[..8].copy_from_slice(&print.to_le_bytes());
            bytes[8..].copy_from_slice(&pair.to_le_bytes());
            bytes
        }));
        file.finish()
    }
}

/// Inverse document frequency of a word that occurs in `uses` of `pairs` clues.
pub(super) fn rarity(uses: u32, pairs: usize) -> f32 {
    ((1.0 + pairs as f32) / (1.0 + uses as f32)).ln() + 0.1
}

fn running_sum(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

#[derive(Default)]
struct File {
    body: Vec<u8>,
    ends: Vec<u64>,
}

impl File {
    /// Bytes of the header before the first section.
    const HEADER: usize = 8 + (super::layout::SECTIONS + 1) * 8;

    fn section(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.body.resize(self.body.len().next_multiple_of(4), 0);
        self.body.extend(bytes);
        self.ends.push((Self::HEADER + self.body.len()) as u64);
    }

    fn numbers(&mut self, numbers: impl IntoIterator<Item = u32>) {
        self.section(numbers.into_iter().flat_map(u32::to_le_bytes));
    }

    fn texts(&mut self, texts: &[&str]) {
        let ends = texts.iter().scan(0, |end, text| {
            *end += text.len() as u32;
            Some(*end)
        });
        self.numbers(std::iter::once(0).chain(ends));
        self.section(texts.iter().flat_map(|text| text.bytes()));
    }

    fn finish(self) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.extend(self.ends.iter().flat_map(|end| end.to_le_bytes()));
        file.extend(self.body);
        file
    }
}
