//! Glosses and definitions: which words explain which, with an index both ways.

use crate::pack::{Column, Pack, PackError, Texts, Writer, numbers, pack_sorted, unpack_sorted, write_texts};
use crate::words::WordId;

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
    tokens: Column<u8>,
    token_ends: Column<u32>,
    defining: Column<u8>,
    words: Column<u32>,
    word_ends: Column<u32>,
    of: Column<u32>,
    of_ends: Column<u32>,
    inverse: Column<u8>,
    inverse_ends: Column<u32>,
    lengths: Column<f32>,
    idf: Column<f32>,
    texts: Option<Texts>,
}

fn row<'a>(data: &'a [u32], ends: &[u32], i: usize) -> &'a [u32] {
    let start = if i == 0 { 0 } else { ends[i - 1] as usize };
    &data[start..ends[i] as usize]
}

impl Glosses {
    /// Writes a dictionary over a vocabulary of `words` words; `of` lists for every word its
    /// glosses, the commonest meaning first. Texts are left out if `with_texts` is false.
    pub fn write(w: &mut Writer, words: usize, entries: &[GlossEntry], of: &[Vec<u32>], with_texts: bool) {
        let mut inverse = vec![Vec::new(); words];
        for (i, e) in entries.iter().enumerate() {
            for &t in &e.tokens {
                inverse[t as usize].push(i as u32);
            }
        }
        let idf: Vec<f32> =
            inverse.iter().map(|list| (entries.len() as f32 / (list.len() as f32 + 1.0)).ln().max(0.0)).collect();
        let ends = |lists: &mut dyn Iterator<Item = usize>| -> Vec<u32> {
            lists
                .scan(0u32, |at, n| {
                    Some({
                        *at += n as u32;
                        *at
                    })
                })
                .collect()
        };
        let (mut tokens, mut token_ends) = (Vec::new(), Vec::with_capacity(entries.len()));
        for e in entries {
            e.tokens.iter().for_each(|&t| pack_sorted(&[t], &mut tokens));
            token_ends.push(tokens.len() as u32);
        }
        w.add("gloss.tokens", &tokens);
        w.add("gloss.token_ends", &token_ends);
        w.add("gloss.defining", &entries.iter().map(|e| e.defining).collect::<Vec<u8>>());
        w.add("gloss.words", &entries.iter().flat_map(|e| e.words.iter().copied()).collect::<Vec<u32>>());
        w.add("gloss.word_ends", &ends(&mut entries.iter().map(|e| e.words.len())));
        w.add("gloss.of", &of.concat());
        w.add("gloss.of_ends", &ends(&mut of.iter().map(Vec::len)));
        let (mut bytes, mut byte_ends) = (Vec::new(), Vec::with_capacity(words));
        for list in &inverse {
            pack_sorted(list, &mut bytes);
            byte_ends.push(bytes.len() as u32);
        }
        w.add("gloss.inverse", &bytes);
        w.add("gloss.inverse_ends", &byte_ends);
        w.add("gloss.lengths", &entries.iter().map(|e| e.vector_length).collect::<Vec<f32>>());
        w.add("gloss.idf", &idf);
        if with_texts {
            write_texts(w, "gloss.text", &entries.iter().map(|e| e.text.as_str()).collect::<Vec<_>>());
        }
    }

    /// Reads the dictionary of a pack, if it has one.
    pub fn open(pack: &Pack, words: usize) -> Result<Option<Glosses>, PackError> {
        if !pack.has("gloss.tokens") {
            return Ok(None);
        }
        let g = Glosses {
            tokens: pack.column("gloss.tokens")?,
            token_ends: pack.column("gloss.token_ends")?,
            defining: pack.column("gloss.defining")?,
            words: pack.column("gloss.words")?,
            word_ends: pack.column("gloss.word_ends")?,
            of: pack.column("gloss.of")?,
            of_ends: pack.column("gloss.of_ends")?,
            inverse: pack.column("gloss.inverse")?,
            inverse_ends: pack.column("gloss.inverse_ends")?,
            lengths: pack.column("gloss.lengths")?,
            idf: pack.column("gloss.idf")?,
            texts: if pack.has("gloss.text.len") { Some(Texts::open(pack, "gloss.text")?) } else { None },
        };
        let n = g.token_ends.len();
        let table = |ends: &[u32], rows: usize, data: usize| {
            ends.len() == rows
                && ends.windows(2).all(|w| w[0] <= w[1])
                && ends.last().is_none_or(|&e| e as usize == data)
        };
        let sound = table(&g.token_ends, n, g.tokens.len())
            && table(&g.word_ends, n, g.words.len())
            && table(&g.of_ends, words, g.of.len())
            && table(&g.inverse_ends, words, g.inverse.len())
            && g.defining.len() == n
            && g.lengths.len() == n
            && g.idf.len() == words
            && g.words.iter().all(|&t| (t as usize) < words)
            && g.of.iter().all(|&e| (e as usize) < n)
            && g.texts.as_ref().is_none_or(|t| t.len() == n);
        if !sound {
            return Err(pack.damaged(format!("the glosses do not fit {words} words")));
        }
        Ok(Some(g))
    }

    /// How many glosses there are.
    pub fn len(&self) -> usize {
        self.token_ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.token_ends.is_empty()
    }

    /// The glosses of a word, its commonest meaning first.
    pub fn of(&self, word: WordId) -> &[GlossId] {
        row(&self.of, &self.of_ends, word.index())
    }

    /// The words a gloss explains.
    pub fn words(&self, gloss: GlossId) -> &[u32] {
        row(&self.words, &self.word_ends, gloss as usize)
    }

    /// Content words of a gloss and its examples.
    pub fn tokens(&self, gloss: GlossId) -> impl Iterator<Item = u32> + '_ {
        let i = gloss as usize;
        let start = if i == 0 { 0 } else { self.token_ends[i - 1] as usize };
        let words = self.idf.len() as u32;
        numbers(&self.tokens[start..self.token_ends[i] as usize]).filter(move |&t| t < words)
    }

    /// Content words of the definition alone.
    pub fn defining(&self, gloss: GlossId) -> impl Iterator<Item = u32> + '_ {
        self.tokens(gloss).take(self.defining[gloss as usize] as usize)
    }

    /// Glosses that use a word.
    pub fn using(&self, word: WordId) -> impl Iterator<Item = GlossId> + '_ {
        let i = word.index();
        let start = if i == 0 { 0 } else { self.inverse_ends[i - 1] as usize };
        let n = self.len() as u32;
        unpack_sorted(&self.inverse[start..self.inverse_ends[i] as usize]).filter(move |&g| g < n)
    }

    /// How telling a word is in glosses: the logarithm of how few use it.
    pub fn idf(&self, word: WordId) -> f32 {
        self.idf[word.index()]
    }

    /// Length of the sum of the definition's word vectors weighted by [`Glosses::idf`].
    pub fn vector_length(&self, gloss: GlossId) -> f32 {
        self.lengths[gloss as usize]
    }

    /// Length of the gloss as a bag of words weighted by [`Glosses::idf`].
    pub fn bag_length(&self, gloss: GlossId) -> f32 {
        self.tokens(gloss).map(|t| self.idf[t as usize].powi(2)).sum::<f32>().sqrt()
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
        Glosses::write(&mut w, 4, &entries, &[vec![0, 1], vec![0], vec![], vec![]], true);
        let g = Glosses::open(&Pack::from_bytes("t", &w.to_bytes()).unwrap(), 4).unwrap().unwrap();
        assert_eq!(g.of(WordId(0)), [0, 1]);
        assert_eq!(g.words(0), [0, 1]);
        assert_eq!(g.defining(0).collect::<Vec<_>>(), [2]);
        assert_eq!(g.tokens(0).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(g.using(WordId(3)).collect::<Vec<_>>(), [1]);
        assert_eq!(g.text(1).as_deref(), Some("sound of a bell"));
        assert_eq!(g.matching(&[(WordId(3), 1.0)]).len(), 1);
    }
}
