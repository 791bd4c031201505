//! Queries of a word list: patterns, anagrams and hooks.

use crate::alphabet::{AlphabetError, Tile};
use crate::graph::{Lexicon, NodeIndex};

/// One place of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Letter(Tile),
    Any,
    Several,
    OneOf(Vec<Tile>, bool),
}

/// A pattern of words: letters, `?` or `.` for any one letter, `*` for any number, `[AEI]` or `[^AEI]` for one of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<Part>);

/// Why a pattern could not be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PatternError {
    #[error("pattern: {0}")]
    Letter(#[from] AlphabetError),
    #[error("pattern: a `[` without its `]`")]
    Open,
}

impl Pattern {
    /// Reads a pattern in the letters of a lexicon.
    pub fn parse(text: &str, lexicon: &Lexicon) -> Result<Self, PatternError> {
        let alphabet = lexicon.alphabet();
        let (mut parts, mut rest) = (Vec::new(), text.trim());
        while let Some(c) = rest.chars().next() {
            match c {
                '?' | '.' => parts.push(Part::Any),
                '*' => parts.push(Part::Several),
                '[' => {
                    let (inside, after) = rest[1..].split_once(']').ok_or(PatternError::Open)?;
                    let (letters, wanted) = inside.strip_prefix('^').map_or((inside, true), |s| (s, false));
                    parts.push(Part::OneOf(alphabet.encode(letters)?, wanted));
                    rest = after;
                    continue;
                }
                _ => {
                    let Some((tile, used)) = alphabet.tile_at(rest) else {
                        return Err(AlphabetError::Letter { word: text.to_owned(), rest: rest.to_owned() }.into());
                    };
                    parts.push(Part::Letter(tile));
                    rest = &rest[used..];
                    continue;
                }
            }
            rest = &rest[1..];
        }
        Ok(Self(parts))
    }
}

/// The number of ways to choose `k` of `n`.
fn choose(n: usize, k: usize) -> f64 {
    if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product() }
}

/// What may stand before and after a word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    pub front: Vec<Tile>,
    pub back: Vec<Tile>,
}

impl Lexicon {
    /// The words that fit a pattern, in order, at most `limit`.
    pub fn matching(&self, pattern: &Pattern, limit: usize) -> Vec<Vec<Tile>> {
        let mut found = Vec::new();
        self.match_from(self.dawg_root(), false, &pattern.0, &mut Vec::new(), &mut found);
        found.sort();
        found.dedup();
        found.truncate(limit);
        found
    }

    fn match_from(
        &self,
        list: NodeIndex,
        ends: bool,
        parts: &[Part],
        word: &mut Vec<Tile>,
        found: &mut Vec<Vec<Tile>>,
    ) {
        let Some((part, rest)) = parts.split_first() else {
            if ends {
                found.push(word.clone());
            }
            return;
        };
        if *part == Part::Several {
            self.match_from(list, ends, rest, word, found);
        }
        for (letter, accepts, target) in self.arcs(list) {
            let fits = match part {
                Part::Letter(l) => *l == letter,
                Part::Any | Part::Several => true,
                Part::OneOf(set, wanted) => set.contains(&letter) == *wanted,
            };
            if fits {
                word.push(letter);
                let after = if *part == Part::Several { parts } else { rest };
                self.match_from(target, accepts, after, word, found);
                word.pop();
            }
        }
    }

    /// All words that the rack's tiles spell (0 is a blank), using all tiles or, with `partial`, some of them.
    pub fn anagrams(&self, rack: &[Tile], partial: bool) -> Vec<Vec<Tile>> {
        let mut counts = [0u8; 256];
        for &tile in rack {
            counts[tile as usize] = counts[tile as usize].saturating_add(1);
        }
        let mut found = Vec::new();
        self.spell(self.dawg_root(), rack.len(), partial, &mut counts, &mut Vec::new(), &mut found);
        found.sort();
        found.dedup();
        found
    }

    fn spell(
        &self,
        list: NodeIndex,
        left: usize,
        partial: bool,
        counts: &mut [u8; 256],
        word: &mut Vec<Tile>,
        found: &mut Vec<Vec<Tile>>,
    ) {
        if left == 0 {
            return;
        }
        for (letter, accepts, target) in self.arcs(list) {
            for tile in [letter, 0] {
                if counts[tile as usize] == 0 {
                    continue;
                }
                counts[tile as usize] -= 1;
                word.push(letter);
                if accepts && (partial || left == 1) {
                    found.push(word.clone());
                }
                self.spell(target, left - 1, partial, counts, word, found);
                word.pop();
                counts[tile as usize] += 1;
            }
        }
    }

    /// The number of ways to draw a word's tiles from a full set, blanks included: the measure by which word lists are
    /// sorted for study.
    pub fn combinations(&self, word: &[Tile]) -> f64 {
        let alphabet = self.alphabet();
        let blanks = usize::from(alphabet.blanks());
        let mut counts = [0usize; 256];
        word.iter().for_each(|&tile| counts[usize::from(tile)] += 1);
        // ways[b]: with b of the letters so far played as blanks
        let mut ways = vec![0.0; blanks + 1];
        ways[0] = 1.0;
        for tile in (1..=alphabet.len()).filter(|&tile| counts[tile] > 0) {
            let held = usize::from(alphabet.count(tile as Tile));
            let mut next = vec![0.0; blanks + 1];
            for (used, &before) in ways.iter().enumerate() {
                for as_blank in 0..=counts[tile].min(blanks - used) {
                    next[used + as_blank] += before * choose(held, counts[tile] - as_blank);
                }
            }
            ways = next;
        }
        ways.iter().enumerate().map(|(used, ways)| ways * choose(blanks, used)).sum()
    }

    /// The words of a length, the most probable first; equal ones in the order of the alphabet.
    pub fn by_probability(&self, length: usize) -> Vec<(Vec<Tile>, f64)> {
        let words = self.words().filter(|word| word.len() == length);
        let mut list: Vec<(Vec<Tile>, f64)> = words.map(|word| (word.clone(), self.combinations(&word))).collect();
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        list
    }

    /// The letters that make another word when put before or after these tiles.
    pub fn hooks(&self, word: &[Tile]) -> Hooks {
        let accepting = |list: Option<(bool, NodeIndex)>| -> Vec<Tile> {
            let arcs = list.into_iter().flat_map(|(_, target)| self.arcs(target));
            arcs.filter(|&(letter, accepts, _)| accepts && letter != 0).map(|(letter, ..)| letter).collect()
        };
        let front = accepting(self.follow(self.gaddag_root(), word.iter().rev().copied()));
        let back = accepting(self.follow(self.dawg_root(), word.iter().copied()));
        Hooks { front, back }
    }
}
