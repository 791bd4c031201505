//! The word graph unfolded for searching: every arc carries the set of letters that may follow it, and the set of
//! those that end a word.
//!
//! With the sets at hand a search intersects "what follows", "what the rack has" and "what fits the square" in one
//! operation, never visits a list without a candidate, and tries only word endings for its last tile.
//! Children of an arc lie next to each other in letter order, so a child is found by counting the smaller letters in
//! the set.

use crate::alphabet::Tile;
use crate::arcs::Arcs;
use crate::graph::{Lexicon, Node};
use bytemuck::{Pod, Zeroable};

/// A graph this search cannot hold: more than 63 letters, or more than sixteen million nodes.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "move generation takes alphabets of up to 63 letters and 16,777,216 nodes; this lexicon has {letters} letters and {nodes} nodes"
)]
pub struct TooBig {
    pub letters: usize,
    pub nodes: usize,
}

/// One arc with the sets of letters that follow it.
pub trait WalkArc: Pod + Send + Sync {
    /// Packs an arc.
    fn new(first_child: u32, accepts: bool, follows: u64, endings: u64) -> Self;
    /// The widest alphabet it can hold.
    const LETTERS: usize;
    /// Whether a word ends with this arc.
    fn accepts(self) -> bool;
    /// The letters that may follow, as a bit set; bit 0 is the turning point.
    fn follows(self) -> u64;
    /// The letters that may follow and end a word.
    fn endings(self) -> u64;
    /// Where the children start.
    fn first_child(self) -> u32;
}

/// An arc of an alphabet of up to 31 letters: twelve bytes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Arc32 {
    node: u32,
    follows: u32,
    endings: u32,
}

impl WalkArc for Arc32 {
    const LETTERS: usize = 31;
    #[inline(always)]
    fn new(first_child: u32, accepts: bool, follows: u64, endings: u64) -> Self {
        Self { node: first_child << 1 | accepts as u32, follows: follows as u32, endings: endings as u32 }
    }
    #[inline(always)]
    fn endings(self) -> u64 {
        self.endings as u64
    }
    #[inline(always)]
    fn accepts(self) -> bool {
        self.node & 1 == 1
    }
    #[inline(always)]
    fn follows(self) -> u64 {
        self.follows as u64
    }
    #[inline(always)]
    fn first_child(self) -> u32 {
        self.node >> 1
    }
}

/// An arc of an alphabet of up to 63 letters: twenty bytes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Arc64 {
    node: u32,
    follows: [u32; 2],
    endings: [u32; 2],
}

fn split(set: u64) -> [u32; 2] {
    [set as u32, (set >> 32) as u32]
}

#[inline(always)]
fn joined([low, high]: [u32; 2]) -> u64 {
    low as u64 | (high as u64) << 32
}

impl WalkArc for Arc64 {
    const LETTERS: usize = 63;
    #[inline(always)]
    fn new(first_child: u32, accepts: bool, follows: u64, endings: u64) -> Self {
        Self { node: first_child << 1 | accepts as u32, follows: split(follows), endings: split(endings) }
    }
    #[inline(always)]
    fn endings(self) -> u64 {
        joined(self.endings)
    }
    #[inline(always)]
    fn accepts(self) -> bool {
        self.node & 1 == 1
    }
    #[inline(always)]
    fn follows(self) -> u64 {
        joined(self.follows)
    }
    #[inline(always)]
    fn first_child(self) -> u32 {
        self.node >> 1
    }
}

/// The unfolded graph over one kind of arc.
pub struct WalkGraph<A> {
    arcs: Arcs<A>,
    dawg: A,
    gaddag: A,
}

impl<A: WalkArc> WalkGraph<A> {
    /// Unfolds a lexicon; the caller chooses an arc wide enough for its alphabet.
    pub fn new(lexicon: &Lexicon) -> Result<Self, TooBig> {
        let (letters, nodes) = (lexicon.alphabet().len(), lexicon.node_count());
        let Some(narrow) = lexicon.nodes.narrow() else {
            return Err(TooBig { letters, nodes });
        };
        if letters > A::LETTERS {
            return Err(TooBig { letters, nodes });
        }
        let mut sets = vec![(0u64, 0u64); nodes];
        for i in (1..nodes).rev() {
            let node = Node::from_narrow(narrow[i]);
            let (follows, endings) = if node.last { (0, 0) } else { sets[i + 1] };
            sets[i] = (follows | 1 << node.letter, endings | (node.accepts as u64) << node.letter);
        }
        let arc = |at: u32, accepts: bool| {
            let (follows, endings) = sets[at as usize];
            A::new(at, accepts, follows, endings)
        };
        let root = |at: u32| arc(at, false);
        let unfold = |&n: &u32| {
            let node = Node::from_narrow(n);
            arc(node.target, node.accepts)
        };
        let (dawg, gaddag) = (root(lexicon.dawg_root().0), root(lexicon.gaddag_root().0));
        Ok(Self { arcs: Arcs::new(narrow.iter().map(unfold)), dawg, gaddag })
    }

    /// Where words start, read forwards.
    #[inline(always)]
    pub fn dawg(&self) -> A {
        self.dawg
    }

    /// Where reversed prefixes start.
    #[inline(always)]
    pub fn gaddag(&self) -> A {
        self.gaddag
    }

    /// The arc for a letter that is known to follow.
    #[inline(always)]
    pub fn child(&self, arc: A, letter: Tile) -> A {
        let follows = arc.follows();
        debug_assert!(follows >> letter & 1 == 1);
        let before = (follows & ((1u64 << letter) - 1)).count_ones();
        let at = (arc.first_child() + before) as usize;
        debug_assert!(at < self.arcs.len());
        // SAFETY: targets were checked to lie in the array when the lexicon was loaded, lists end inside it, and
        // `letter` is in `follows`, so the child lies within its list.
        unsafe { *self.arcs.as_ptr().add(at) }
    }

    /// Prefetches the children of an arc.
    #[inline(always)]
    pub fn prefetch(&self, arc: A) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let at = self.arcs.as_ptr().wrapping_add(arc.first_child() as usize);
            // SAFETY: a prefetch reads nothing; any address may be given.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
        }
    }

    /// The arc for a letter, if it may follow.
    #[inline(always)]
    pub fn step(&self, arc: A, letter: Tile) -> Option<A> {
        if arc.follows() >> letter & 1 == 1 { Some(self.child(arc, letter)) } else { None }
    }
}
