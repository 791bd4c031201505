//! Lookups in a clue database: exact clues, and similar clues by tf–idf cosine.

use super::build::rarity;
use super::clue_text::{fingerprint, words};
use super::layout::{ClueDatabase, MAX_LENGTH, section};
use std::collections::HashMap;

/// An answer to this clue or a similar one.
#[derive(Clone, Debug, PartialEq)]
pub struct DatabaseAnswer {
    /// Upper-case letters.
    pub answer: String,
    /// How often it was the answer to exactly this clue.
    pub exact: u32,
    /// Similarity of the most similar clue it answers, 0 to 1.
    pub similarity: f32,
    /// Sum of the fourth powers of the similarities of all clues it answers.
    pub support: f32,
}

/// A pair whose clue is similar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClueMatch {
    pub pair: usize,
    pub similarity: f32,
}

/// Words in more than this share of all clues start a lookup only if the clue has no rarer word.
const COMMON: f32 = 0.02;

impl ClueDatabase {
    /// Answers of a length to this clue or to similar ones, best first, at most `most`.
    pub fn recall(&self, clue: &str, length: usize, most: usize) -> Vec<DatabaseAnswer> {
        if length > MAX_LENGTH {
            return Vec::new();
        }
        let words = words(clue);
        let mut answers: HashMap<usize, DatabaseAnswer> = HashMap::new();
        let empty = |database: &Self, answer: usize| DatabaseAnswer {
            answer: database.answer(answer).to_owned(),
            exact: 0,
            similarity: 0.0,
            support: 0.0,
        };
        for found in self.similar(&words, length) {
            let answer = self.number(section::PAIR_ANSWER, found.pair);
            let recalled = answers.entry(answer).or_insert_with(|| empty(self, answer));
            recalled.similarity = recalled.similarity.max(found.similarity);
            recalled.support += found.similarity.powi(4) * self.number(section::PAIR_COUNT, found.pair) as f32;
        }
        for pair in self.exact(fingerprint(&words), length) {
            let answer = self.number(section::PAIR_ANSWER, pair);
            let recalled = answers.entry(answer).or_insert_with(|| empty(self, answer));
            recalled.exact = recalled.exact.saturating_add(self.number(section::PAIR_COUNT, pair) as u32);
            recalled.similarity = 1.0;
        }
        let mut all: Vec<DatabaseAnswer> = answers.into_values().collect();
        all.sort_by(|a, b| {
            b.exact.cmp(&a.exact).then(b.similarity.total_cmp(&a.similarity)).then_with(|| a.answer.cmp(&b.answer))
        });
        all.truncate(most);
        all
    }

    /// Every answer of a length with its number of uses.
    pub fn answers(&self, length: usize) -> Vec<(String, u32)> {
        let mut answers: Vec<(usize, u32)> = Vec::new();
        for pair in self.of_length(length) {
            let answer = self.number(section::PAIR_ANSWER, pair);
            let count = self.number(section::PAIR_COUNT, pair) as u32;
            match answers.last_mut() {
                Some((last, sum)) if *last == answer => *sum = sum.saturating_add(count),
                _ => answers.push((answer, count)),
            }
        }
        answers.into_iter().map(|(answer, count)| (self.answer(answer).to_owned(), count)).collect()
    }

    fn of_length(&self, length: usize) -> std::ops::Range<usize> {
        if length > MAX_LENGTH {
            return 0..0;
        }
        self.number(section::LENGTHS, length)..self.number(section::LENGTHS, length + 1)
    }

    fn exact(&self, print: u64, length: usize) -> impl Iterator<Item = usize> {
        let range = self.of_length(length);
        let start = partition_point(self.exact_count(), |at| self.exact_at(at).0 < print);
        (start..self.exact_count())
            .map(|at| self.exact_at(at))
            .take_while(move |&(have, _)| have == print)
            .map(|(_, pair)| pair)
            .filter(move |pair| range.contains(pair))
    }

    /// Pairs of a length that share rare words with the clue, with the cosine of their weighted words.
    fn similar(&self, words: &[String], length: usize) -> Vec<ClueMatch> {
        let mut known: Vec<(usize, f32)> = words.iter().filter_map(|word| self.find_word(word)).collect();
        known.sort_by_key(|&(word, _)| word);
        known.dedup_by_key(|&mut (word, _)| word);
        // Words outside the database still reduce the similarity.
        let unknown = words.iter().filter(|word| self.find_word(word).is_none()).count() as f32;
        let strange = rarity(0, self.pairs());
        let squares: f32 = known.iter().map(|(_, weight)| weight * weight).sum::<f32>() + unknown * strange * strange;
        let limit = rarity((self.pairs() as f32 * COMMON) as u32, self.pairs());
        let rare: Vec<(usize, f32)> = known.iter().copied().filter(|&(_, weight)| weight >= limit).collect();
        let seeds = if rare.is_empty() { &known } else { &rare };
        let mut shared: HashMap<usize, f32> = HashMap::new();
        for &(word, weight) in seeds {
            for pair in self.postings(word, length) {
                *shared.entry(pair).or_default() += weight * weight;
            }
        }
        if !rare.is_empty() {
            for &(word, weight) in known.iter().filter(|(_, weight)| *weight < limit) {
                for pair in self.postings(word, length) {
                    if let Some(sum) = shared.get_mut(&pair) {
                        *sum += weight * weight;
                    }
                }
            }
        }
        let norm = squares.sqrt();
        shared
            .into_iter()
            .map(|(pair, sum)| {
                let cosine = sum / (norm * self.fraction(section::PAIR_NORM, pair));
                ClueMatch { pair, similarity: if cosine.is_finite() { cosine.clamp(0.0, 1.0) } else { 0.0 } }
            })
            .collect()
    }

    /// The number of a word and its weight.
    fn find_word(&self, text: &str) -> Option<(usize, f32)> {
        let count = self.count(section::WORD_AT) - 1;
        let at = partition_point(count, |at| self.word(at) < text);
        if at == count || self.word(at) != text {
            return None;
        }
        let uses = self.number(section::POSTINGS_AT, at + 1) - self.number(section::POSTINGS_AT, at);
        Some((at, rarity(uses as u32, self.pairs())))
    }

    /// The pairs of a length whose clue has the word.
    fn postings(&self, word: usize, length: usize) -> impl Iterator<Item = usize> {
        let range = self.of_length(length);
        let (start, end) = (self.number(section::POSTINGS_AT, word), self.number(section::POSTINGS_AT, word + 1));
        let skip = partition_point(end - start, |at| self.number(section::POSTINGS, start + at) < range.start);
        (start + skip..end).map(|at| self.number(section::POSTINGS, at)).take_while(move |&pair| pair < range.end)
    }
}

/// The first index below `count` for which `before` is false.
fn partition_point(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::super::ClueDatabaseBuilder;
    use super::*;
    use std::sync::Arc;

    fn database() -> (ClueDatabase, Vec<u8>) {
        let mut builder = ClueDatabaseBuilder::default();
        for (answer, clue) in [
            ("Oreo", "Black-and-white cookie"),
            ("OREO", "Black and white cookie"),
            ("Oreo", "Creme-filled cookie"),
            ("Orca", "Black-and-white swimmer"),
            ("Zebra", "Black and white grazer"),
            ("AREA", "What a carpet has to cover"),
            ("A", "First letter"),
        ] {
            builder.add(answer, clue).expect("few pairs");
        }
        assert_eq!(builder.pairs(), 5, "one pair came twice and one answer is too short");
        let bytes = builder.finish();
        (ClueDatabase::open(Arc::new(bytes.clone())).expect("fresh files open"), bytes)
    }

    #[test]
    fn exact_clues_come_first_then_similar_ones() {
        let (database, _) = database();
        let found = database.recall("Black-and-white COOKIE", 4, 10);
        assert_eq!((found[0].answer.as_str(), found[0].exact, found[0].similarity), ("OREO", 2, 1.0));
        assert_eq!(found[1].answer, "ORCA");
        assert!(found[1].similarity > 0.2 && found[1].similarity < 0.9, "{}", found[1].similarity);
        assert_eq!(database.recall("Black and white cookie", 5, 10)[0].answer, "ZEBRA");
        assert!(database.recall("Nothing of the kind", 4, 10).is_empty());
        assert!(database.recall("cookie", 99, 10).is_empty());
        assert_eq!(database.answers(4), [("AREA".to_owned(), 1), ("ORCA".to_owned(), 1), ("OREO".to_owned(), 3)]);
    }

    #[test]
    fn damaged_files_are_errors() {
        let (_, good) = database();
        assert!(ClueDatabase::open(Arc::new(b"something else".to_vec())).is_err());
        bolero::check!().for_each(|damage: &[u8]| {
            let mut bytes = good.clone();
            for part in damage.chunks_exact(3) {
                let at = usize::from(u16::from_le_bytes([part[0], part[1]])) % bytes.len();
                bytes[at] = part[2];
            }
            if let Ok(database) = ClueDatabase::open(Arc::new(bytes)) {
                database.recall("Black-and-white cookie", 4, 10);
                database.answers(4);
            }
        });
    }
}
