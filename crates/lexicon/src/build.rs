//! Building a word graph from a list of words, minimal from the start.
//!
//! Words are added in sorted order and every finished list of children is looked up among those already made
//! (the incremental construction of Ciura & Deorowicz; Dvořák 2006, algorithm 3.1). The GADDAG needs no rotations:
//! after the turning point follows exactly what the DAWG has after that prefix, so it is enough to add every
//! distinct prefix once, reversed, with an arc into the DAWG.

mod layout;
mod minimise;

use crate::alphabet::{Alphabet, AlphabetError, Tile};
use crate::graph::{Lexicon, NodeIndex};
use minimise::Minimiser;

/// Bits per letter in a packed word.
const PACK_BITS: u32 = 6;
/// Letters that fit into a packed word beside its payload.
const PACK_LETTERS: usize = 15;
/// Low bits of a packed key that hold what belongs to the word.
const PAYLOAD_BITS: u32 = 128 - PACK_BITS * PACK_LETTERS as u32;

/// Why a lexicon could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("line {line}: {source}")]
    Word { line: usize, source: AlphabetError },
    #[error("the list holds no word")]
    Empty,
    #[error("{words} words need {nodes} nodes; a lexicon holds at most {limit}")]
    TooLarge { words: u64, nodes: u64, limit: u64 },
}

/// What was read from a word list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// Lines that were read as words.
    pub read: usize,
    /// Lines left out because they have letters without a tile (with the first few of them).
    pub without_tile: usize,
    pub first_without_tile: Vec<String>,
    /// Lines left out because they are shorter than two letters or longer than the limit.
    pub wrong_length: usize,
}

/// Collects words and builds the graph.
pub struct LexiconBuilder {
    alphabet: Alphabet,
    max_length: usize,
    /// Words of up to fifteen letters of small alphabets, six bits a letter from the top.
    packed: Vec<u128>,
    /// All others.
    long: Vec<Box<[Tile]>>,
    report: BuildReport,
    /// Tile of a single character, for the common case.
    direct: Vec<Tile>,
}

impl LexiconBuilder {
    /// A builder for words of at least two letters.
    pub fn new(alphabet: Alphabet) -> Self {
        let mut direct = vec![0; 0x250];
        let single = (0..0x250u32).filter_map(char::from_u32);
        let multi = alphabet.letters().iter().any(|l| l.text.chars().count() > 1);
        for c in single.filter(|_| !multi) {
            let mut buffer = [0; 4];
            if let Some((tile, _)) = alphabet.tile_at(c.encode_utf8(&mut buffer)) {
                direct[c as usize] = tile;
            }
        }
        let report = BuildReport::default();
        Self { alphabet, max_length: usize::MAX, packed: Vec::new(), long: Vec::new(), report, direct }
    }

    /// Leaves out words with more letters than this.
    pub fn max_length(mut self, letters: usize) -> Self {
        self.max_length = letters;
        self
    }

    /// Adds one word per line; lines that cannot be words of this alphabet are counted in the report.
    pub fn add_text(&mut self, text: &str) {
        let mut tiles = Vec::with_capacity(64);
        for line in text.lines() {
            let word = line.trim_start_matches('\u{feff}').trim();
            if word.is_empty() || word.starts_with('#') {
                continue;
            }
            self.report.read += 1;
            tiles.clear();
            let simple = word.chars().all(|c| {
                let tile = self.direct.get(c as usize).copied().unwrap_or(0);
                tiles.push(tile);
                tile != 0
            });
            if !simple {
                match self.alphabet.encode(word) {
                    Ok(encoded) => tiles = encoded,
                    Err(_) => {
                        self.report.without_tile += 1;
                        if self.report.first_without_tile.len() < 5 {
                            self.report.first_without_tile.push(word.to_owned());
                        }
                        continue;
                    }
                }
            }
            self.add(&tiles);
        }
    }

    /// Adds one word given as tiles.
    pub fn add(&mut self, word: &[Tile]) {
        if word.len() < 2 || word.len() > self.max_length {
            self.report.wrong_length += 1;
        } else if word.len() <= PACK_LETTERS && self.alphabet.len() < 1 << PACK_BITS {
            self.packed.push(pack(word));
        } else {
            self.long.push(word.into());
        }
    }

    /// What was read and what was left out so far.
    pub fn report(&self) -> &BuildReport {
        &self.report
    }

    /// Builds the graph.
    pub fn build(mut self) -> Result<Lexicon, BuildError> {
        self.packed.sort_unstable();
        self.packed.dedup();
        self.long.sort_unstable();
        self.long.dedup();
        let words = (self.packed.len() + self.long.len()) as u64;
        if words == 0 {
            return Err(BuildError::Empty);
        }
        if self.long.is_empty() { self.build_packed(words) } else { self.build_long(words) }
    }

    /// All words are packed: sorting and reversing are integer work.
    fn build_packed(self, words: u64) -> Result<Lexicon, BuildError> {
        let mut minimiser = Minimiser::new();
        let mut prefixes: Vec<u128> = Vec::with_capacity(self.packed.len() * 3);
        let mut reversed = [0u128; PACK_LETTERS + 1];
        let mut longest = 0;
        let mut dawg = minimiser.start();
        let mut previous = [0u8; PACK_LETTERS];
        for &key in &self.packed {
            let (word, len) = unpack(key);
            longest = longest.max(len);
            let from = minimise::common_prefix(&previous, &word[..len]);
            dawg.add(&mut minimiser, &word[..len], true, None, |depth, id, accepts| {
                prefixes.push(reversed[depth] | (id as u128) << 1 | accepts as u128);
            });
            for d in from..len {
                reversed[d + 1] = reversed[d] >> PACK_BITS & !((1 << PAYLOAD_BITS) - 1);
                reversed[d + 1] |= (word[d] as u128) << (128 - PACK_BITS);
            }
            previous = [0; PACK_LETTERS];
            previous[..len].copy_from_slice(&word[..len]);
        }
        let dawg_root = dawg.finish(&mut minimiser, |depth, id, accepts| {
            prefixes.push(reversed[depth] | (id as u128) << 1 | accepts as u128);
        });
        drop(self.packed);
        prefixes.sort_unstable();
        let mut gaddag = minimiser.start();
        for &key in &prefixes {
            let (word, len) = unpack(key & !((1 << PAYLOAD_BITS) - 1));
            let payload = key as u64 & ((1 << PAYLOAD_BITS) - 1);
            let turn = Some((payload >> 1) as u32).filter(|&id| id != 0);
            gaddag.add(&mut minimiser, &word[..len], payload & 1 == 1, turn, |_, _, _| {});
        }
        drop(prefixes);
        let gaddag_root = gaddag.finish(&mut minimiser, |_, _, _| {});
        finish(self.alphabet, minimiser, dawg_root, gaddag_root, words, longest as u32)
    }

    /// Words of any length and alphabet: the same steps on byte strings.
    fn build_long(self, words: u64) -> Result<Lexicon, BuildError> {
        let mut all = self.long;
        all.extend(self.packed.iter().map(|&key| {
            let (word, len) = unpack(key);
            Box::from(&word[..len])
        }));
        all.sort_unstable();
        let longest = all.iter().map(|w| w.len()).max().unwrap_or(0);
        let mut minimiser = Minimiser::new();
        let mut prefixes: Vec<(Box<[Tile]>, u32, bool)> = Vec::new();
        let mut dawg = minimiser.start();
        let mut current: Box<[Tile]> = Box::default();
        let reverse = |word: &[Tile], depth: usize| -> Box<[Tile]> { word[..depth].iter().rev().copied().collect() };
        for word in &all {
            dawg.add(&mut minimiser, word, true, None, |depth, id, accepts| {
                prefixes.push((reverse(&current, depth), id, accepts));
            });
            current = word.clone();
        }
        let dawg_root = dawg.finish(&mut minimiser, |depth, id, accepts| {
            prefixes.push((reverse(&current, depth), id, accepts));
        });
        prefixes.sort_unstable();
        let mut gaddag = minimiser.start();
        for (word, id, accepts) in &prefixes {
            gaddag.add(&mut minimiser, word, *accepts, Some(*id).filter(|&id| id != 0), |_, _, _| {});
        }
        let gaddag_root = gaddag.finish(&mut minimiser, |_, _, _| {});
        finish(self.alphabet, minimiser, dawg_root, gaddag_root, words, longest as u32)
    }
}

fn finish(
    alphabet: Alphabet,
    minimiser: Minimiser,
    dawg: u32,
    gaddag: u32,
    words: u64,
    longest: u32,
) -> Result<Lexicon, BuildError> {
    let (nodes, [dawg, gaddag]) = layout::lay_out(&minimiser, [dawg, gaddag], alphabet.len(), words)?;
    Ok(Lexicon { alphabet, nodes, dawg_root: NodeIndex(dawg), gaddag_root: NodeIndex(gaddag), words, longest })
}

fn pack(word: &[Tile]) -> u128 {
    let mut key = 0u128;
    for (i, &t) in word.iter().enumerate() {
        key |= (t as u128) << (128 - PACK_BITS * (i as u32 + 1));
    }
    key
}

fn unpack(key: u128) -> ([Tile; PACK_LETTERS], usize) {
    let mut word = [0; PACK_LETTERS];
    let mut len = 0;
    while len < PACK_LETTERS {
        let tile = (key >> (128 - PACK_BITS * (len as u32 + 1))) as u8 & ((1 << PACK_BITS) - 1);
        if tile == 0 {
            break;
        }
        word[len] = tile;
        len += 1;
    }
    (word, len)
}
