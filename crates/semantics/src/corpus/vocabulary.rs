//! The words of a prepared corpus and how often they occur.

use super::{CorpusError, at};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// A word and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedWord {
    /// The word.
    pub word: String,
    /// How many times it occurs.
    pub times: u64,
    /// In how many sentences it occurs.
    pub sentences: u64,
}

/// The vocabulary of a corpus, commonest word first (ties in the order of the alphabet).
#[derive(Clone, Debug, Default)]
pub struct CorpusVocabulary {
    /// The words that are common enough.
    pub words: Vec<CountedWord>,
    /// How many sentences the corpus has.
    pub sentences: u64,
    /// How many words the corpus has, rare ones included.
    pub places: u64,
    /// Bytes the tables took at most while the words were counted, about.
    pub peak: usize,
    index: HashMap<String, u32, Quick>,
}

/// A quick hash of short words, eight bytes at a time; words come from files of the user's own.
#[derive(Clone, Copy, Default)]
struct WordHasher(u64);

type Quick = std::hash::BuildHasherDefault<WordHasher>;

impl std::hash::Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for eight in bytes.chunks(8) {
            let mut padded = [0; 8];
            padded[..eight.len()].copy_from_slice(eight);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(padded)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}

/// Bytes a word takes in the tables while it is counted, besides its letters.
const OVERHEAD: usize = 150;

impl CorpusVocabulary {
    /// Counts the words of a file; those rarer than `least` are left out.
    ///
    /// # Errors
    /// If the file cannot be read, or its different words take more than `memory` bytes.
    pub fn of_file(corpus: &Path, least: u64, memory: usize) -> Result<CorpusVocabulary, CorpusError> {
        let mut counts: HashMap<String, (u64, u64, u64), Quick> = HashMap::default();
        let (mut sentences, mut places, mut taken) = (0u64, 0u64, 0usize);
        let mut file = BufReader::with_capacity(1 << 16, at(corpus, File::open(corpus))?);
        let mut line = String::new();
        while at(corpus, file.read_line(&mut line))? > 0 {
            sentences += 1;
            for word in line.split_ascii_whitespace() {
                places += 1;
                let entry = match counts.get_mut(word) {
                    Some(entry) => entry,
                    None => {
                        taken += word.len() + OVERHEAD;
                        if taken > memory {
                            return Err(CorpusError::Unfit(format!(
                                "{}: the different words of the first {sentences} sentences already take {taken} \
                                 bytes; allow more than {memory}, or prepare the corpus with a higher minimum count",
                                corpus.display()
                            )));
                        }
                        counts.entry(word.to_owned()).or_default()
                    }
                };
                entry.0 += 1;
                // the third number remembers the last sentence, so that each counts once
                if entry.2 != sentences {
                    (entry.1, entry.2) = (entry.1 + 1, sentences);
                }
            }
            line.clear();
        }
        let kept = counts.into_iter().filter(|c| c.1.0 >= least);
        let words = kept.map(|(word, (times, sentences, _))| CountedWord { word, times, sentences }).collect();
        let vocabulary = CorpusVocabulary::new(words, sentences, places);
        Ok(CorpusVocabulary { peak: taken.max(vocabulary.peak), ..vocabulary })
    }

    /// A vocabulary of counted words.
    pub fn new(mut words: Vec<CountedWord>, sentences: u64, places: u64) -> CorpusVocabulary {
        words.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.word.cmp(&b.word)));
        let index = words.iter().enumerate().map(|(i, w)| (w.word.clone(), i as u32)).collect();
        let peak = words.iter().map(|w: &CountedWord| 2 * w.word.len() + OVERHEAD).sum();
        CorpusVocabulary { words, sentences, places, peak, index }
    }

    /// Writes the words one a line, in the order of their numbers; [`CorpusVocabulary::listed`] reads it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn list(&self, path: &Path) -> Result<(), CorpusError> {
        let text: String = self.words.iter().map(|word| format!("{}\n", word.word)).collect();
        at(path, std::fs::write(path, text))
    }

    /// The words of a list under the numbers they have there; how often they occur is not known.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn listed(path: &Path) -> Result<CorpusVocabulary, CorpusError> {
        let text = at(path, std::fs::read_to_string(path))?;
        let word = |line: &str| CountedWord { word: line.to_owned(), times: 0, sentences: 0 };
        let index = text.lines().enumerate().map(|(i, line)| (line.to_owned(), i as u32)).collect();
        Ok(CorpusVocabulary { words: text.lines().map(word).collect(), index, ..CorpusVocabulary::default() })
    }

    /// The number of a word.
    pub fn id(&self, word: &str) -> Option<u32> {
        self.index.get(word).copied()
    }

    /// The numbers of the known words of a sentence, in order.
    pub fn ids<'a>(&'a self, sentence: &'a str) -> impl Iterator<Item = u32> + 'a {
        sentence.split_ascii_whitespace().filter_map(|w| self.id(w))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_fall_out_and_too_many_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "a b a\nb a c\n").unwrap();
        let v = CorpusVocabulary::of_file(&path, 2, 1 << 20).unwrap();
        let word = |word: &str, times, sentences| CountedWord { word: word.into(), times, sentences };
        assert_eq!(v.words, [word("a", 3, 2), word("b", 2, 2)]);
        assert_eq!((v.sentences, v.places), (2, 6));
        assert_eq!(v.ids("c b a b").collect::<Vec<_>>(), [1, 0, 1]);
        assert!(CorpusVocabulary::of_file(&path, 1, 100).unwrap_err().to_string().contains("allow more"));
    }
}
