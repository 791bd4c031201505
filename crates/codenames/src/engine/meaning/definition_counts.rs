//! The co-occurrence model of Jareš 2019 (section 5.3) on the shipped texts: every definition with its examples is one
//! line in which words co-occur.

use semantics::cooccurrence::Measures;
use semantics::glosses::{GlossId, Glosses};
use semantics::{Language, WordId};
use std::collections::{HashMap, HashSet};

/// The lines are few: a pair with n common lines keeps n / (n + this) of its mutual information.
const SHRINKAGE: f32 = 1.0;

/// Number of lines, in all and by word.
pub struct DefinitionCounts {
    totals: Vec<u32>,
    all: usize,
}

/// The distinct words of a line: those defined and those of the definition.
fn line(glosses: &Glosses, gloss: GlossId) -> HashSet<u32> {
    glosses.words(gloss).iter().copied().chain(glosses.tokens(gloss)).collect()
}

impl DefinitionCounts {
    /// Counts the lines of a language.
    pub fn new(language: &Language) -> DefinitionCounts {
        let mut lines = DefinitionCounts { totals: vec![0; language.words().len()], all: 0 };
        for glosses in language.glosses() {
            for gloss in 0..glosses.len() {
                lines.all += 1;
                line(glosses, gloss as GlossId).into_iter().for_each(|word| lines.totals[word as usize] += 1);
            }
        }
        lines
    }

    /// Whether a word occurs in any line.
    pub fn knows(&self, word: WordId) -> bool {
        self.totals[word.index()] > 0
    }

    /// Normalised pointwise mutual information (Bouma 2009) of a word with every word it co-occurs with more often than by
    /// chance; the maximum over the word's readings.
    pub fn npmi_neighbours(&self, language: &Language, readings: &[WordId]) -> HashMap<WordId, f32> {
        let mut best: HashMap<WordId, f32> = HashMap::new();
        for &reading in readings {
            let mut together: HashMap<u32, u32> = HashMap::new();
            for glosses in language.glosses() {
                let here: HashSet<GlossId> =
                    glosses.of(reading).iter().copied().chain(glosses.using(reading)).collect();
                for gloss in here {
                    line(glosses, gloss).into_iter().for_each(|word| *together.entry(word).or_default() += 1);
                }
            }
            for (word, n) in together.into_iter().filter(|(word, _)| *word != reading.0) {
                let (first, second) = (self.totals[reading.index()], self.totals[word as usize]);
                let measures = Measures::new(n.into(), first.into(), second.into(), self.all as f64);
                let npmi = measures.npmi as f32 * n as f32 / (n as f32 + SHRINKAGE);
                if npmi > 0.0 {
                    let entry = best.entry(WordId(word)).or_insert(npmi);
                    *entry = entry.max(npmi);
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::glosses::GlossEntry;
    use semantics::pack::{Pack, Writer};
    use semantics::{Vectors, Vocabulary, WordFlags};
    use std::path::Path;

    /// A language of ten words and the lines given as (explained, explaining).
    fn language(lines: &[(&[u32], &[u32])]) -> Language {
        let words: Vec<(String, WordFlags)> =
            (0..10).map(|k| (format!("word{}", char::from(b'a' + k)), WordFlags(WordFlags::LEMMA))).collect();
        let entries: Vec<GlossEntry> = lines
            .iter()
            .map(|(words, tokens)| GlossEntry {
                words: words.to_vec(),
                tokens: tokens.to_vec(),
                defining: 1,
                ..GlossEntry::default()
            })
            .collect();
        let of: Vec<Vec<u32>> =
            (0..10).map(|w| (0..lines.len() as u32).filter(|&l| lines[l as usize].0.contains(&w)).collect()).collect();
        let mut writer = Writer::new();
        Vocabulary::write(&mut writer, &words);
        Vectors::write(&mut writer, 2, &vec![vec![1.0, 0.0]; 10], &[]);
        Glosses::write(&mut writer, &entries, &of, false);
        let pack = Pack::from_bytes("made up", &writer.to_bytes()).expect("the pack is sound");
        Language::from_packs(Path::new("made up"), "en", &[pack], "").expect("the language is sound")
    }

    #[test]
    fn company_is_what_counting_every_line_gives() {
        let lines: [(&[u32], &[u32]); 8] = [
            (&[0], &[1, 2]),
            (&[0, 3], &[1, 4]),
            (&[5], &[0, 1]),
            (&[6], &[7]),
            (&[7], &[6, 8]),
            (&[8], &[2, 4]),
            (&[2], &[5]),
            (&[4], &[3, 6]),
        ];
        let language = language(&lines);
        let counted = DefinitionCounts::new(&language);
        let holds = |line: &(&[u32], &[u32]), w: u32| line.0.contains(&w) || line.1.contains(&w);
        let total = |w: u32| lines.iter().filter(|line| holds(line, w)).count() as f64;
        let mut seen = 0;
        for a in 0..10 {
            let npmi_neighbours = counted.npmi_neighbours(&language, &[WordId(a)]);
            assert_eq!(counted.knows(WordId(a)), total(a) > 0.0);
            for b in (0..10).filter(|&b| b != a) {
                let n = lines.iter().filter(|line| holds(line, a) && holds(line, b)).count() as f64;
                let pmi = (n * 8.0 / (total(a) * total(b))).ln();
                let expected = (n > 0.0 && pmi > 0.0).then(|| pmi / -(n / 8.0).ln() * n / (n + 1.0));
                let found = npmi_neighbours.get(&WordId(b)).map(|&x| f64::from(x));
                assert_eq!(found.is_some(), expected.is_some(), "{a} {b}");
                assert!((found.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-5, "{a} {b}");
                seen += usize::from(found.is_some());
            }
            assert!(!npmi_neighbours.contains_key(&WordId(a)), "a word is no neighbour of itself");
        }
        assert!(seen > 10, "{seen}");
    }

    #[test]
    fn the_best_reading_counts() {
        let language = language(&[(&[0], &[2]), (&[0], &[2]), (&[1], &[2]), (&[1], &[3]), (&[4], &[5])]);
        let counted = DefinitionCounts::new(&language);
        let of = |readings: &[u32]| {
            let readings: Vec<WordId> = readings.iter().copied().map(WordId).collect();
            counted.npmi_neighbours(&language, &readings).get(&WordId(2)).copied()
        };
        assert!(of(&[0]) > of(&[1]));
        assert_eq!(of(&[0, 1]), of(&[0]));
        assert_eq!(of(&[4]), None);
    }
}
