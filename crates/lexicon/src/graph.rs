//! The word graph: one node array that holds all words forwards (DAWG) and from every letter outwards (GADDAG).
//!
//! A node is one arc of the automaton: its letter, whether a word ends with it, whether it is the last of its
//! siblings, and where the list of its children starts. Lists of children are shared wherever they are equal,
//! whole or as the tail of a longer list, and between the two automata (Gordon 1994 for the GADDAG; the DAWG is
//! what follows its turning point, so it costs nothing extra).

use crate::alphabet::{Alphabet, Tile};
use memmap2::Mmap;

/// Where a list of sibling nodes starts; 0 is the empty list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeIndex(pub u32);

/// The nodes of a lexicon, owned or mapped from a file, 32 bits wide when everything fits and 64 otherwise.
pub(crate) enum Nodes {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
    MappedNarrow { map: Mmap, start: usize, len: usize },
    MappedWide { map: Mmap, start: usize, len: usize },
}

/// A narrow node: 24 bits of index, then end-of-list, word-ends-here, and 6 bits of letter.
pub(crate) const NARROW_INDEX_BITS: u32 = 24;
/// A wide node: 40 bits of index, the same two flags, then 8 bits of letter.
pub(crate) const WIDE_INDEX_BITS: u32 = 40;

/// One arc, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub letter: Tile,
    pub accepts: bool,
    pub last: bool,
    pub target: u32,
}

impl Node {
    pub(crate) fn narrow(self) -> u32 {
        self.target | (self.last as u32) << 24 | (self.accepts as u32) << 25 | (self.letter as u32) << 26
    }

    pub(crate) fn wide(self) -> u64 {
        let flags = (self.last as u64) << 40 | (self.accepts as u64) << 41 | (self.letter as u64) << 42;
        self.target as u64 | flags
    }

    #[inline]
    pub(crate) fn from_narrow(n: u32) -> Self {
        Self {
            letter: (n >> 26) as u8,
            accepts: n >> 25 & 1 == 1,
            last: n >> 24 & 1 == 1,
            target: n & ((1 << NARROW_INDEX_BITS) - 1),
        }
    }

    #[inline]
    pub(crate) fn from_wide(n: u64) -> Self {
        Self {
            letter: (n >> 42) as u8,
            accepts: n >> 41 & 1 == 1,
            last: n >> WIDE_INDEX_BITS & 1 == 1,
            target: n as u32,
        }
    }
}

impl Nodes {
    pub(crate) fn narrow(&self) -> Option<&[u32]> {
        match self {
            Self::Narrow(v) => Some(v),
            Self::MappedNarrow { map, start, len } => Some(bytemuck::cast_slice(&map[*start..*start + *len * 4])),
            _ => None,
        }
    }

    pub(crate) fn wide(&self) -> Option<&[u64]> {
        match self {
            Self::Wide(v) => Some(v),
            Self::MappedWide { map, start, len } => Some(bytemuck::cast_slice(&map[*start..*start + *len * 8])),
            _ => None,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.narrow().map_or_else(|| self.wide().map_or(0, <[u64]>::len), <[u32]>::len)
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Node {
        match self.narrow() {
            Some(nodes) => Node::from_narrow(nodes[index]),
            None => Node::from_wide(self.wide().expect("nodes are narrow or wide")[index]),
        }
    }
}

/// A language's words with its alphabet: membership, enumeration and the graph to search them.
pub struct Lexicon {
    pub(crate) alphabet: Alphabet,
    pub(crate) nodes: Nodes,
    pub(crate) dawg_root: NodeIndex,
    pub(crate) gaddag_root: NodeIndex,
    pub(crate) words: u64,
    pub(crate) longest: u32,
}

impl std::fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (words, nodes) = (self.words, self.nodes.len());
        f.debug_struct("Lexicon")
            .field("language", &self.alphabet.name())
            .field("words", &words)
            .field("nodes", &nodes)
            .finish()
    }
}

impl Lexicon {
    /// The alphabet and tiles the words are made of.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// Number of words.
    pub fn word_count(&self) -> u64 {
        self.words
    }

    /// Number of nodes in the array.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Letters in the longest word.
    pub fn longest_word(&self) -> usize {
        self.longest as usize
    }

    /// Bits in a node: 32 when letters and indices fit, otherwise 64.
    pub fn node_bits(&self) -> u32 {
        if self.nodes.narrow().is_some() { 32 } else { 64 }
    }

    /// Where words start, read forwards.
    pub fn dawg_root(&self) -> NodeIndex {
        self.dawg_root
    }

    /// Where reversed prefixes start.
    pub fn gaddag_root(&self) -> NodeIndex {
        self.gaddag_root
    }

    /// The arcs of a list: letter, whether a word ends there, and where its children are.
    pub fn arcs(&self, list: NodeIndex) -> impl Iterator<Item = (Tile, bool, NodeIndex)> + '_ {
        let mut next = if list.0 == 0 { None } else { Some(list.0 as usize) };
        std::iter::from_fn(move || {
            let node = self.nodes.get(next?);
            next = if node.last { None } else { next.map(|i| i + 1) };
            Some((node.letter, node.accepts, NodeIndex(node.target)))
        })
    }

    /// The arc for one letter: whether a word ends with it, and its children.
    pub fn step(&self, list: NodeIndex, letter: Tile) -> Option<(bool, NodeIndex)> {
        self.arcs(list).find(|&(l, ..)| l == letter).map(|(_, accepts, target)| (accepts, target))
    }

    /// Follows several letters from a list; `None` as soon as one is missing.
    pub fn follow(&self, mut list: NodeIndex, letters: impl IntoIterator<Item = Tile>) -> Option<(bool, NodeIndex)> {
        let mut accepts = false;
        for letter in letters {
            (accepts, list) = self.step(list, letter)?;
        }
        Some((accepts, list))
    }

    /// Whether these tiles are a word.
    pub fn contains(&self, word: &[Tile]) -> bool {
        !word.is_empty() && self.follow(self.dawg_root, word.iter().copied()).is_some_and(|(accepts, _)| accepts)
    }

    /// Whether this text is a word, whatever its case.
    pub fn contains_text(&self, word: &str) -> bool {
        self.alphabet.encode(word).is_ok_and(|tiles| self.contains(&tiles))
    }

    /// All words in the order of the alphabet.
    pub fn words(&self) -> Words<'_> {
        Words { lexicon: self, stack: vec![self.dawg_root.0], word: Vec::new() }
    }
}

/// Iterator over the words of a lexicon, in the order of its alphabet.
pub struct Words<'a> {
    lexicon: &'a Lexicon,
    /// The next node to look at on each level; 0 when the level is exhausted.
    stack: Vec<u32>,
    word: Vec<Tile>,
}

impl Iterator for Words<'_> {
    type Item = Vec<Tile>;

    fn next(&mut self) -> Option<Vec<Tile>> {
        loop {
            let at = self.stack.last_mut()?;
            if *at == 0 {
                self.stack.pop();
                self.word.pop();
                continue;
            }
            let node = self.lexicon.nodes.get(*at as usize);
            *at = if node.last { 0 } else { *at + 1 };
            self.word.push(node.letter);
            self.stack.push(node.target);
            if node.accepts {
                return Some(self.word.clone());
            }
        }
    }
}
