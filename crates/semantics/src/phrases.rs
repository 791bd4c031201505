//! Phrases with the words they mean.

use crate::pack::{ByteRows, Column, Pack, PackError, Writer, pack_sorted, unpack_sorted};
use crate::words::stable_hash;
use std::collections::{BTreeMap, BTreeSet};

/// The key of a phrase: its words in lower case, one space between, no leading article or *to*.
fn key(phrase: &str) -> u64 {
    let words: Vec<String> = crate::tokens::words_of(phrase).collect();
    let skip = usize::from(words.len() > 1 && matches!(words[0].as_str(), "a" | "an" | "the" | "to"));
    stable_hash(words[skip..].join(" ").as_bytes())
}

/// Phrases while they are collected.
#[derive(Default)]
pub struct Phrases {
    words: BTreeMap<u64, BTreeSet<u32>>,
}

impl Phrases {
    /// Adds a word that a phrase can stand for.
    pub fn add(&mut self, phrase: &str, word: u32) {
        self.words.entry(key(phrase)).or_default().insert(word);
    }

    /// Writes all phrases: sorted keys, and per key its words.
    pub fn write(&self, w: &mut Writer) {
        let keys: Vec<u64> = self.words.keys().copied().collect();
        let coded = |words: &BTreeSet<u32>| {
            let mut row = Vec::new();
            pack_sorted(&words.iter().copied().collect::<Vec<_>>(), &mut row);
            row
        };
        w.add("phrase.keys", &keys);
        ByteRows::write(w, "phrase", &self.words.values().map(coded).collect::<Vec<_>>());
    }
}

/// Phrases of a pack.
#[derive(Clone, Debug)]
pub struct PhraseIndex {
    keys: Column<u64>,
    words: ByteRows,
}

impl PhraseIndex {
    /// Reads the phrases of a pack, if it has any.
    pub fn open(pack: &Pack) -> Result<Option<PhraseIndex>, PackError> {
        if !pack.has("phrase.keys") {
            return Ok(None);
        }
        let p = PhraseIndex { keys: pack.column("phrase.keys")?, words: ByteRows::open(pack, "phrase")? };
        if p.words.len() != p.keys.len() {
            return Err(pack.damaged("the phrase index contradicts itself".into()));
        }
        Ok(Some(p))
    }

    /// Numbers of the words a phrase can stand for.
    pub fn of(&self, phrase: &str) -> Vec<u32> {
        let Ok(i) = self.keys.binary_search(&key(phrase)) else { return Vec::new() };
        unpack_sorted(self.words.row(i)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_however_they_are_written() {
        let mut p = Phrases::default();
        p.add("make money", 7);
        p.add("Make  money", 3);
        p.add("ice cream", 1);
        let mut w = Writer::new();
        p.write(&mut w);
        let index = PhraseIndex::open(&Pack::from_bytes("t", &w.to_bytes()).unwrap()).unwrap().unwrap();
        assert_eq!(index.of("to make money"), [3, 7]);
        assert_eq!(index.of("Ice cream"), [1]);
        assert!(index.of("money").is_empty());
    }
}
