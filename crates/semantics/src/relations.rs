//! Relations between words: thesaurus, hypernyms, parts, phrases, shared emoji.

use crate::pack::{ByteRows, Pack, PackError, Writer, pack_sorted, put_number, unpack_sorted};
use crate::words::WordId;
use serde::{Deserialize, Serialize};

/// How one word is linked to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// They share a meaning.
    Synonym,
    /// The other is the kind this one belongs to.
    Hypernym,
    /// The other is a kind of this one.
    Hyponym,
    /// The other means the opposite.
    Antonym,
    /// The other is derived from this one or the reverse (`teach`, `teacher`).
    Derived,
    /// The other is a part, member or substance of this one.
    Part,
    /// This one is a part, member or substance of the other.
    Whole,
    /// The other is similar, see also, or the field this one belongs to.
    Related,
    /// A thesaurus puts them into one group.
    Thesaurus,
    /// The other follows this one in a fixed phrase (`ring finger`).
    PhraseNext,
    /// The other precedes this one in a fixed phrase.
    PhraseBefore,
    /// They are keywords of the same emoji.
    Emoji,
}

impl Relation {
    /// All kinds, in the order of their declaration.
    pub const ALL: [Relation; 12] = [
        Relation::Synonym,
        Relation::Hypernym,
        Relation::Hyponym,
        Relation::Antonym,
        Relation::Derived,
        Relation::Part,
        Relation::Whole,
        Relation::Related,
        Relation::Thesaurus,
        Relation::PhraseNext,
        Relation::PhraseBefore,
        Relation::Emoji,
    ];

    /// The same link seen from the other word.
    pub fn reverse(self) -> Relation {
        match self {
            Relation::Hypernym => Relation::Hyponym,
            Relation::Hyponym => Relation::Hypernym,
            Relation::Part => Relation::Whole,
            Relation::Whole => Relation::Part,
            Relation::PhraseNext => Relation::PhraseBefore,
            Relation::PhraseBefore => Relation::PhraseNext,
            other => other,
        }
    }

    /// The link in words, to stand between the two: `ring` *is a kind of* `jewellery`.
    pub fn phrase(self) -> &'static str {
        match self {
            Relation::Synonym => "can mean the same as",
            Relation::Hypernym => "is a kind of",
            Relation::Hyponym => "has as a kind",
            Relation::Antonym => "is the opposite of",
            Relation::Derived => "has the same origin as",
            Relation::Part => "has as a part",
            Relation::Whole => "is a part of",
            Relation::Related => "belongs together with",
            Relation::Thesaurus => "is near in a thesaurus to",
            Relation::PhraseNext => "makes a phrase with a following",
            Relation::PhraseBefore => "makes a phrase with a preceding",
            Relation::Emoji => "shares an emoji with",
        }
    }
}

/// All links of a language, from any number of packs.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    tables: Vec<ByteRows>,
}

impl Relations {
    /// Writes links: for every kind and word the sorted list of the words it is linked to.
    ///
    /// A word's links stand together: per kind its number, the length of its list in bytes (both
    /// as variable-length numbers) and the list.
    pub fn write(w: &mut Writer, words: usize, lists: &[(Relation, Vec<Vec<u32>>)]) {
        let rows: Vec<Vec<u8>> = (0..words)
            .map(|word| {
                let mut row = Vec::new();
                for (kind, lists) in lists.iter().filter(|(_, l)| !l[word].is_empty()) {
                    let mut coded = Vec::new();
                    pack_sorted(&lists[word], &mut coded);
                    put_number(*kind as u32, &mut row);
                    put_number(coded.len() as u32, &mut row);
                    row.extend_from_slice(&coded);
                }
                row
            })
            .collect();
        ByteRows::write(w, "rel", &rows);
    }

    /// Adds the links found in a pack whose vocabulary has `words` words.
    pub fn open(&mut self, pack: &Pack, words: usize) -> Result<(), PackError> {
        if !pack.has("rel.bytes") {
            return Ok(());
        }
        let table = ByteRows::open(pack, "rel")?;
        if table.len() != words {
            return Err(pack.damaged(format!("links of {} words do not fit {words} words", table.len())));
        }
        self.tables.push(table);
        Ok(())
    }

    /// Words linked to a word by one kind of link; from several packs they follow one another.
    pub fn of(&self, word: WordId, kind: Relation) -> impl Iterator<Item = WordId> + '_ {
        self.tables.iter().flat_map(move |t| {
            let words = t.len() as u32;
            let list = find(t.row(word.index()), kind as u32);
            unpack_sorted(list).filter(move |&w| w < words).map(WordId)
        })
    }

    /// Whether one word is linked to another in that way.
    pub fn holds(&self, word: WordId, kind: Relation, other: WordId) -> bool {
        self.of(word, kind).any(|w| w == other)
    }

    /// All kinds of links from one word to another.
    pub fn between(&self, word: WordId, other: WordId) -> Vec<Relation> {
        Relation::ALL.into_iter().filter(|&kind| self.holds(word, kind, other)).collect()
    }
}

/// The list of one kind among the links of a word; empty if there is none.
fn find(mut bytes: &[u8], kind: u32) -> &[u8] {
    while let Some((k, rest)) = number(bytes) {
        let Some((length, rest)) = number(rest) else { break };
        let Some(list) = rest.get(..length as usize) else { break };
        if k == kind {
            return list;
        }
        bytes = &rest[length as usize..];
    }
    &[]
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let length = bytes.iter().position(|b| *b < 0x80)? + 1;
    Some((crate::pack::numbers(&bytes[..length]).next()?, &bytes[length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_from_several_packs() {
        let mut a = Writer::new();
        Relations::write(&mut a, 3, &[(Relation::Synonym, vec![vec![1, 2], vec![0], vec![0]])]);
        let mut b = Writer::new();
        Relations::write(&mut b, 3, &[(Relation::Hypernym, vec![vec![], vec![], vec![1]])]);
        let mut r = Relations::default();
        for w in [a, b] {
            r.open(&Pack::from_bytes("t", &w.to_bytes()).unwrap(), 3).unwrap();
        }
        assert_eq!(r.of(WordId(0), Relation::Synonym).collect::<Vec<_>>(), [WordId(1), WordId(2)]);
        assert_eq!(r.between(WordId(2), WordId(1)), [Relation::Hypernym]);
        assert!(r.of(WordId(2), Relation::Part).next().is_none());
        assert!(Relation::ALL.iter().all(|k| k.reverse().reverse() == *k));
    }
}
