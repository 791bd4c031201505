//! The vocabulary while packs are being built, and the tables that are made over it.

use semantics::words::stable_fingerprint;
use semantics::{Relation, Relations, WordFlags, pack::Writer};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Words in the order of their numbers.
pub struct PackVocabulary {
    pub words: Vec<(String, WordFlags)>,
    ids: HashMap<String, u32>,
    lemma: Vec<u32>,
}

impl PackVocabulary {
    /// A vocabulary of words in their final order, with no lemmas yet.
    pub fn new(words: Vec<(String, WordFlags)>) -> PackVocabulary {
        let ids = words.iter().enumerate().map(|(i, (w, _))| (w.clone(), i as u32)).collect();
        let lemma = (0..words.len() as u32).collect();
        PackVocabulary { words, ids, lemma }
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The number of a word.
    pub fn id(&self, word: &str) -> Option<u32> {
        self.ids.get(word).copied()
    }

    /// Sets base forms from pairs of form and base form; returns the table to be written and the
    /// pairs whose form lies outside the vocabulary but whose base form does not.
    pub fn set_lemmas(&mut self, pairs: &[(String, String)]) -> (Vec<u32>, Vec<(String, String)>) {
        let mut outside = BTreeMap::new();
        for (form, lemma) in pairs {
            let (form, lemma) = (form.to_lowercase(), lemma.to_lowercase());
            let Some(base) = self.id(&lemma) else { continue };
            match self.id(&form) {
                Some(id) => self.lemma[id as usize] = base,
                None if form != lemma => {
                    outside.entry(form).or_insert(lemma);
                }
                None => {}
            }
        }
        for id in 0..self.words.len() {
            if self.lemma[id] as usize == id {
                self.words[id].1.0 |= WordFlags::LEMMA;
            }
        }
        let table = self.lemma.iter().enumerate().map(|(i, &l)| if l as usize == i { u32::MAX } else { l }).collect();
        (table, outside.into_iter().collect())
    }

    pub fn lemma(&self, id: u32) -> u32 {
        self.lemma[id as usize]
    }

    /// Base forms of the telling words of a text, each once, in order.
    pub fn content(&self, text: &str) -> Vec<u32> {
        let mut seen = BTreeSet::new();
        semantics::tokens::words_of(text)
            .filter_map(|t| self.id(&t))
            .filter(|&id| !self.words[id as usize].1.has(WordFlags::STOP))
            .map(|id| self.lemma(id))
            .filter(|&id| !self.words[id as usize].1.has(WordFlags::STOP))
            .filter(|&id| seen.insert(id))
            .collect()
    }

    /// What other packs carry to show that they belong to this vocabulary.
    pub fn fingerprint(&self) -> u64 {
        stable_fingerprint(self.words.iter().map(|(w, _)| w.as_str()))
    }
}

/// Links of all kinds while they are collected.
#[derive(Default)]
pub struct Links {
    lists: BTreeMap<Relation, Vec<BTreeSet<u32>>>,
    words: usize,
}

impl Links {
    pub fn new(words: usize) -> Links {
        Links { lists: BTreeMap::new(), words }
    }

    /// Adds a link and its reverse.
    pub fn add(&mut self, from: u32, kind: Relation, to: u32) {
        if from == to {
            return;
        }
        let words = self.words;
        let mut put = |a: u32, kind: Relation, b: u32| {
            self.lists.entry(kind).or_insert_with(|| vec![BTreeSet::new(); words])[a as usize].insert(b);
        };
        put(from, kind, to);
        put(to, kind.reverse(), from);
    }

    /// Writes all links.
    pub fn write(&self, w: &mut Writer) {
        let lists: Vec<(Relation, Vec<Vec<u32>>)> = self
            .lists
            .iter()
            .map(|(kind, lists)| (*kind, lists.iter().map(|s| s.iter().copied().collect()).collect()))
            .collect();
        Relations::write(w, self.words, &lists);
    }

    /// How many links of each kind there are, each counted from both sides.
    pub fn summary(&self) -> String {
        let counts = self.lists.iter().map(|(k, l)| format!("{k:?} {}", l.iter().map(BTreeSet::len).sum::<usize>()));
        counts.collect::<Vec<_>>().join(", ")
    }
}

/// CooccurrenceCounts words that stand together in the given sentences (lists of word numbers).
pub struct CooccurrenceCounts {
    rows: Vec<HashMap<u32, u32>>,
    totals: Vec<u32>,
    sentences: u64,
}

impl CooccurrenceCounts {
    pub fn new(words: usize) -> CooccurrenceCounts {
        CooccurrenceCounts { rows: vec![HashMap::new(); words], totals: vec![0; words], sentences: 0 }
    }

    /// CooccurrenceCounts one sentence; of very long ones only the first 30 words, so that none outweighs the rest.
    pub fn add(&mut self, sentence: &[u32]) {
        let sentence = &sentence[..sentence.len().min(30)];
        if sentence.is_empty() {
            return;
        }
        self.sentences += 1;
        for (i, &a) in sentence.iter().enumerate() {
            self.totals[a as usize] += 1;
            for &b in &sentence[..i] {
                if a != b {
                    *self.rows[a as usize].entry(b).or_default() += 1;
                    *self.rows[b as usize].entry(a).or_default() += 1;
                }
            }
        }
    }

    /// Writes the matrix, leaving out pairs that chance explains: seen once, and both words common.
    pub fn write(&self, w: &mut Writer, least_npmi: f64) -> usize {
        let mut kept = 0;
        let rows: Vec<Vec<(u32, u32)>> = self
            .rows
            .iter()
            .enumerate()
            .map(|(a, row)| {
                let mut row: Vec<(u32, u32)> = row
                    .iter()
                    .map(|(&b, &n)| (b, n))
                    .filter(|&(b, n)| {
                        let (first, second) = (f64::from(self.totals[a]), f64::from(self.totals[b as usize]));
                        let m =
                            semantics::cooccurrence::Measures::new(f64::from(n), first, second, self.sentences as f64);
                        // in counts this small a single meeting means something only for rare words
                        m.npmi > least_npmi && (n > 1 || first.min(second) <= 6.0)
                    })
                    .collect();
                row.sort_unstable();
                kept += row.len();
                row
            })
            .collect();
        semantics::cooccurrence::Cooccurrence::write(w, &rows, &self.totals, self.sentences);
        kept
    }
}
