//! Glosses and definitions, indexed by defined and by defining word.

use crate::pack::{ByteRows, Column, Lists, Pack, PackError, Texts, Writer, numbers, put_number, write_texts};
use crate::words::WordId;
use std::sync::{Arc, OnceLock};

/// Number of a gloss within one [`Glosses`].
pub type GlossId = u32;

/// One gloss to be written: the words it explains and the words it uses.
#[derive(Clone, Debug, Default)]
pub struct GlossEntry {
    /// Words that have this meaning.
    pub words: Vec<u32>,
    /// Content words of the definition, then of its examples, each once.
    pub tokens: Vec<u32>,
    /// How many of the tokens stand in the definition itself.
    pub defining: u8,
    /// Length of the vector of the gloss (see [`Glosses::vector_length`]).
    pub vector_length: f32,
    /// The text to show.
    pub text: String,
}

/// A dictionary of one source.
#[derive(Clone, Debug)]
pub struct Glosses {
    tokens: ByteRows,
    defining: Column<u8>,
    words: Lists,
    of: Lists,
    lengths: Column<u16>,
    texts: Option<Texts>,
    /// Which glosses use which word, and the definitions unpacked: made of the tokens when first asked for.
    inverse: Arc<OnceLock<Inverse>>,
}

#[derive(Debug)]
struct Inverse {
    ends: Vec<u32>,
    glosses: Vec<GlossId>,
    idf: Vec<f32>,
    /// Where the definition of each gloss ends in `defining`, which holds them unpacked one after the other.
    defining_ends: Vec<u32>,
    defining: Vec<u32>,
}

/// Lengths of vectors are kept in files as sixteen bits, so many to one.
const LENGTH: f32 = 1024.0;

/// How telling a word is that `using` of `all` glosses use.
fn idf(using: usize, all: usize) -> f32 {
    (all as f32 / (using as f32 + 1.0)).ln().max(0.0)
}

/// Of every word how telling it is in these glosses (see [`Glosses::idf`]).
pub fn idf_of(entries: &[GlossEntry], words: usize) -> Vec<f32> {
    let mut using = vec![0; words];
    entries.iter().flat_map(|e| &e.tokens).for_each(|&t| using[t as usize] += 1);
    using.into_iter().map(|n| idf(n, entries.len())).collect()
}

impl Glosses {
    /// Writes a dictionary; `of` lists for every word its glosses, the commonest meaning first.
    /// Texts are left out if `with_texts` is false.
    pub fn write(w: &mut Writer, entries: &[GlossEntry], of: &[Vec<u32>], with_texts: bool) {
        let coded = |e: &GlossEntry| {
            let mut row = Vec::new();
            e.tokens.iter().for_each(|&t| put_number(t, &mut row));
            row
        };
        ByteRows::write(w, "gloss.tokens", &entries.iter().map(coded).collect::<Vec<_>>());
        w.add("gloss.defining", &entries.iter().map(|e| e.defining).collect::<Vec<u8>>());
        Lists::write(w, "gloss.words", entries.iter().map(|e| e.words.as_slice()));
        Lists::write(w, "gloss.of", of.iter().map(Vec::as_slice));
        let lengths = entries.iter().map(|e| (e.vector_length * LENGTH).round().min(f32::from(u16::MAX)) as u16);
        w.add("gloss.lengths", &lengths.collect::<Vec<_>>());
        if with_texts {
            write_texts(w, "gloss.text", &entries.iter().map(|e| e.text.as_str()).collect::<Vec<_>>());
        }
    }

    /// Reads the dictionary of a pack over a vocabulary of `words` words, if it has one.
    pub fn open(pack: &Pack, words: usize) -> Result<Option<Glosses>, PackError> {
        if !pack.has("gloss.tokens.bytes") {
            return Ok(None);
        }
        let tokens = ByteRows::open(pack, "gloss.tokens")?;
        let n = tokens.len();
        let g = Glosses {
            tokens,
            defining: pack.column("gloss.defining")?,
            words: Lists::open(pack, "gloss.words", words)?,
            of: Lists::open(pack, "gloss.of", n)?,
            lengths: pack.column("gloss.lengths")?,
            texts: if pack.has("gloss.text.len") { Some(Texts::open(pack, "gloss.text")?) } else { None },
            inverse: Arc::default(),
        };
        let sound = g.words.len() == n
            && g.of.len() == words
            && g.defining.len() == n
            && g.lengths.len() == n
            && g.texts.as_ref().is_none_or(|t| t.len() == n);
        if !sound {
            return Err(pack.damaged(format!("the glosses do not fit {words} words")));
        }
        Ok(Some(g))
    }

    fn inverse(&self) -> &Inverse {
        self.inverse.get_or_init(|| {
            let (n, words) = (self.len(), self.of.len());
            let mut starts = vec![0u32; words + 1];
            for gloss in 0..n as u32 {
                self.tokens(gloss).for_each(|t| starts[t as usize + 1] += 1);
            }
            let idf = starts[1..].iter().map(|&using| idf(using as usize, n)).collect();
            for i in 0..words {
                starts[i + 1] += starts[i];
            }
            let mut glosses = vec![0; starts[words] as usize];
            for gloss in 0..n as u32 {
                for t in self.tokens(gloss) {
                    glosses[starts[t as usize] as usize] = gloss;
                    starts[t as usize] += 1;
                }
            }
            // every start has moved on to the end of its list
            starts.pop();
            let (mut defining, mut defining_ends) = (Vec::new(), Vec::with_capacity(n));
            for gloss in 0..n as u32 {
                defining.extend(self.tokens(gloss).take(self.defining[gloss as usize] as usize));
                defining_ends.push(defining.len() as u32);
            }
            Inverse { ends: starts, glosses, idf, defining_ends, defining }
        })
    }

    /// How many glosses there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The glosses of a word, its commonest meaning first.
    pub fn of(&self, word: WordId) -> &[GlossId] {
        self.of.row(word.index())
    }

    /// The words a gloss explains.
    pub fn words(&self, gloss: GlossId) -> &[u32] {
        self.words.row(gloss as usize)
    }

    /// Content words of a gloss and its examples.
    pub fn tokens(&self, gloss: GlossId) -> impl Iterator<Item = u32> + '_ {
        let words = self.of.len() as u32;
        numbers(self.tokens.row(gloss as usize)).filter(move |&t| t < words)
    }

    /// Content words of the definition alone.
    pub fn defining(&self, gloss: GlossId) -> &[u32] {
        let Inverse { defining_ends, defining, .. } = self.inverse();
        let start = if gloss == 0 { 0 } else { defining_ends[gloss as usize - 1] as usize };
        &defining[start..defining_ends[gloss as usize] as usize]
    }

    /// Glosses that use a word.
    pub fn using(&self, word: WordId) -> impl Iterator<Item = GlossId> + '_ {
        let inverse = self.inverse();
        let start = if word.0 == 0 { 0 } else { inverse.ends[word.index() - 1] as usize };
        inverse.glosses[start..inverse.ends[word.index()] as usize].iter().copied()
    }

    /// How telling a word is in glosses: the logarithm of how few use it.
    pub fn idf(&self, word: WordId) -> f32 {
        self.inverse().idf[word.index()]
    }

    /// Length of the sum of the definition's word vectors weighted by [`Glosses::idf`].
    pub fn vector_length(&self, gloss: GlossId) -> f32 {
        f32::from(self.lengths[gloss as usize]) / LENGTH
    }

    /// Length of the gloss as a bag of words weighted by [`Glosses::idf`].
    pub fn bag_length(&self, gloss: GlossId) -> f32 {
        self.tokens(gloss).map(|t| self.idf(WordId(t)).powi(2)).sum::<f32>().sqrt()
    }

    /// The text of a gloss, where the pack keeps texts.
    pub fn text(&self, gloss: GlossId) -> Option<String> {
        self.texts.as_ref()?.get(gloss as usize)
    }

    /// Scores all glosses against weighted words: cosine of the two bags of words.
    /// Only glosses that share a word come back.
    pub fn matching(&self, query: &[(WordId, f32)]) -> Vec<(GlossId, f32)> {
        let length = query.iter().map(|&(t, w)| (w * self.idf(t)).powi(2)).sum::<f32>().sqrt();
        let mut sums: std::collections::HashMap<GlossId, f32> = std::collections::HashMap::new();
        for &(token, weight) in query {
            let idf = self.idf(token);
            for gloss in self.using(token) {
                *sums.entry(gloss).or_default() += weight * idf * idf;
            }
        }
        let mut out: Vec<(GlossId, f32)> =
            sums.into_iter().map(|(g, sum)| (g, sum / (length * self.bag_length(g)).max(1e-6))).collect();
        out.sort_unstable_by_key(|&(g, _)| g);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glosses_are_found_both_ways() {
        // words: 0 ring, 1 band, 2 finger, 3 bell
        let entries = vec![
            GlossEntry {
                words: vec![0, 1],
                tokens: vec![2, 1],
                defining: 1,
                vector_length: 1.0,
                text: "worn on a finger".into(),
            },
            GlossEntry {
                words: vec![0],
                tokens: vec![3],
                defining: 1,
                vector_length: 1.0,
                text: "sound of a bell".into(),
            },
        ];
        let mut w = Writer::new();
        Glosses::write(&mut w, &entries, &[vec![0, 1], vec![0], vec![], vec![]], true);
        let g = Glosses::open(&Pack::from_bytes("t", &w.to_bytes()).unwrap(), 4).unwrap().unwrap();
        assert_eq!(g.of(WordId(0)), [0, 1]);
        assert_eq!(g.words(0), [0, 1]);
        assert_eq!(g.defining(0), [2]);
        assert_eq!(g.tokens(0).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(g.using(WordId(3)).collect::<Vec<_>>(), [1]);
        assert_eq!(g.text(1).as_deref(), Some("sound of a bell"));
        assert_eq!(g.matching(&[(WordId(3), 1.0)]).len(), 1);
    }
}
