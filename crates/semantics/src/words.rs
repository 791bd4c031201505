//! The vocabulary of a language: numbered words, most frequent first.

use crate::pack::{Column, Ends, Pack, PackError, Writer};
use std::sync::Arc;

/// Number of a word in the vocabulary of its language; smaller is more frequent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordId(pub u32);

impl WordId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a word's form: bits that can be combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WordFlags(pub u8);

impl WordFlags {
    /// A base form (its lemma is itself).
    pub const LEMMA: u8 = 1;
    /// Can be a noun.
    pub const NOUN: u8 = 2;
    /// Can be a verb.
    pub const VERB: u8 = 4;
    /// Can be an adjective.
    pub const ADJECTIVE: u8 = 8;
    /// Can be an adverb.
    pub const ADVERB: u8 = 16;
    /// Mostly a name.
    pub const NAME: u8 = 32;
    /// Its vector was made from definitions or translations, not learned from text.
    pub const DERIVED: u8 = 64;
    /// Too common to say anything: left out of glosses and clues.
    pub const STOP: u8 = 128;

    /// Whether all the given bits are set.
    pub fn has(self, bits: u8) -> bool {
        self.0 & bits == bits
    }
}

/// All words of a language, found by text or by number.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    text: Column<u8>,
    ends: Ends,
    /// Slots of an open-addressed hash table, made when the file is opened.
    index: Arc<[u32]>,
    fingerprint: u64,
    flags: Column<u8>,
}

const EMPTY: u32 = u32::MAX;

/// A hash that stays the same across versions and machines (FNV-1a, 64 bits, folded).
pub(crate) fn stable_hash(bytes: &[u8]) -> u64 {
    hash_end(hash_on(HASH_START, bytes))
}

/// Where the hash of a text begins; [`hash_on`] takes it over some bytes, [`hash_end`] ends it.
const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;

fn hash_on(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

fn hash_end(hash: u64) -> u64 {
    hash ^ (hash >> 32)
}

/// The fingerprint of a vocabulary from its words in order.
pub fn stable_fingerprint<'a>(words: impl Iterator<Item = &'a str>) -> u64 {
    words.fold(0, |h, w| chain(h, stable_hash(w.as_bytes())))
}

fn chain(fingerprint: u64, hash: u64) -> u64 {
    fingerprint.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ hash
}

impl Vocabulary {
    /// Writes words, in the order of their numbers, with their flags.
    pub fn write(w: &mut Writer, words: &[(String, WordFlags)]) {
        let text: String = words.iter().map(|(word, _)| word.as_str()).collect();
        w.add("words.text", text.as_bytes());
        Ends::write(w, "words.lengths", words.iter().map(|(word, _)| word.len()));
        w.add("words.flags", &words.iter().map(|(_, f)| f.0).collect::<Vec<u8>>());
    }

    /// Reads the vocabulary of a pack.
    pub fn open(pack: &Pack) -> Result<Vocabulary, PackError> {
        let text = pack.text("words.text")?;
        let ends = Ends::open(pack, "words.lengths", text.len())?;
        let flags: Column<u8> = pack.column("words.flags")?;
        let n = ends.len();
        if flags.len() != n || ends.as_slice().iter().any(|&e| !text.is_char_boundary(e as usize)) {
            return Err(pack.damaged("the vocabulary contradicts itself".into()));
        }
        let size = (n + n / 2 + 1).next_power_of_two();
        let mut index = vec![EMPTY; size];
        let mut fingerprint = 0;
        for i in 0..n {
            let hash = stable_hash(&text.as_bytes()[ends.range(i)]);
            fingerprint = chain(fingerprint, hash);
            let mut slot = hash as usize % size;
            while index[slot] != EMPTY {
                slot = (slot + 1) % size;
            }
            index[slot] = i as u32;
        }
        Ok(Vocabulary { text: pack.column("words.text")?, ends, index: index.into(), fingerprint, flags })
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of a word.
    pub fn text(&self, id: WordId) -> &str {
        // SAFETY: `open` checked that the whole text is UTF-8 and that every end is a boundary.
        unsafe { std::str::from_utf8_unchecked(&self.text[self.ends.range(id.index())]) }
    }

    /// The number of a word written exactly so (lower case, as in the vocabulary).
    pub fn id(&self, word: &str) -> Option<WordId> {
        self.probe(stable_hash(word.as_bytes()), |text| text == word)
    }

    /// The number of the word that two texts make when written as one.
    pub fn id_of_joined(&self, a: &str, b: &str) -> Option<WordId> {
        let hash = hash_end(hash_on(hash_on(HASH_START, a.as_bytes()), b.as_bytes()));
        self.probe(hash, |text| text.strip_prefix(a) == Some(b))
    }

    fn probe(&self, hash: u64, same: impl Fn(&str) -> bool) -> Option<WordId> {
        // the index is as long as a power of two
        let mask = self.index.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.index[slot] {
                EMPTY => return None,
                id if same(self.text(WordId(id))) => return Some(WordId(id)),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// What is known of the form of a word.
    pub fn flags(&self, id: WordId) -> WordFlags {
        WordFlags(self.flags[id.index()])
    }

    /// All words with their numbers, most frequent first.
    pub fn iter(&self) -> impl Iterator<Item = (WordId, &str)> {
        (0..self.len() as u32).map(|i| (WordId(i), self.text(WordId(i))))
    }

    /// How many words are base forms.
    pub fn lemmas(&self) -> usize {
        self.flags.iter().filter(|f| *f & WordFlags::LEMMA != 0).count()
    }

    /// A number that differs when the vocabulary differs; packs that share it carry the same.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_text_and_number() {
        let list: Vec<_> = ["dům", "a", "kočka", "x"].map(|w| (w.to_owned(), WordFlags(WordFlags::LEMMA))).into();
        let mut w = Writer::new();
        Vocabulary::write(&mut w, &list);
        let words = Vocabulary::open(&Pack::from_bytes("t", &w.to_bytes()).unwrap()).unwrap();
        for (i, (word, _)) in list.iter().enumerate() {
            assert_eq!(words.id(word), Some(WordId(i as u32)));
            assert_eq!(words.text(WordId(i as u32)), word);
        }
        assert_eq!(words.id("pes"), None);
        assert_eq!((words.id_of_joined("ko", "čka"), words.id_of_joined("ko", "čkas")), (Some(WordId(2)), None));
        assert_eq!(words.lemmas(), 4);
    }
}
