//! The register of finished child lists and the incremental construction on top of it.

use crate::alphabet::Tile;

/// One arc of a list under construction: letter, accepts, and the id of the list it leads to.
#[inline]
fn arc(letter: Tile, accepts: bool, target: u32) -> u64 {
    (letter as u64) << 33 | (accepts as u64) << 32 | target as u64
}

/// Letter, accepts and target of a packed arc.
#[inline]
pub(super) fn parts(arc: u64) -> (Tile, bool, u32) {
    ((arc >> 33) as u8, arc >> 32 & 1 == 1, arc as u32)
}

/// All distinct child lists found so far; list 0 is the empty one.
pub(super) struct Minimiser {
    arcs: Vec<u64>,
    /// Start of each list in `arcs`; a list ends where the next starts.
    starts: Vec<u32>,
    /// Open-addressing table: the upper half of a list's hash, then its id; 0 where nothing is.
    table: Vec<u64>,
    mask: usize,
}

/// The hash of a list from the hash of what follows its first arc.
#[inline]
pub(super) fn hash_step(hash: u64, arc: u64) -> u64 {
    (hash.rotate_left(23) ^ arc).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Lists are hashed from the last arc to the first, so that the hash of every tail comes for free.
#[inline]
pub(super) fn hash(arcs: &[u64]) -> u64 {
    arcs.iter().rev().fold(0, |h, &a| hash_step(h, a))
}

impl Minimiser {
    pub(super) fn new() -> Self {
        Self { arcs: Vec::new(), starts: vec![0, 0], table: vec![0; 1 << 16], mask: (1 << 16) - 1 }
    }

    /// Number of lists, the empty one included.
    pub(super) fn lists(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn list(&self, id: u32) -> &[u64] {
        &self.arcs[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize]
    }

    /// The list equal to these arcs, if there is one; `hash` is theirs.
    #[inline]
    pub(super) fn find(&self, arcs: &[u64], hash: u64) -> Option<u32> {
        self.probe(arcs, hash).ok()
    }

    /// The list equal to these arcs, or the place in the table where it belongs.
    #[inline]
    fn probe(&self, arcs: &[u64], hash: u64) -> Result<u32, usize> {
        let mut at = self.place(hash);
        loop {
            let entry = self.table[at];
            if entry == 0 {
                return Err(at);
            }
            // other lists are rarely compared: their hashes differ
            if entry >> 32 == hash >> 32 {
                let list = self.list(entry as u32);
                if list.len() == arcs.len() && list.iter().zip(arcs).all(|(a, b)| a == b) {
                    return Ok(entry as u32);
                }
            }
            at = (at + 1) & self.mask;
        }
    }

    /// Where the search for a hash begins.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> 20) as usize & self.mask
    }

    fn intern(&mut self, arcs: &[u64]) -> u32 {
        if arcs.is_empty() {
            return 0;
        }
        let hash = hash(arcs);
        let at = match self.probe(arcs, hash) {
            Ok(id) => return id,
            Err(at) => at,
        };
        let id = self.lists() as u32;
        self.arcs.extend_from_slice(arcs);
        self.starts.push(self.arcs.len() as u32);
        self.table[at] = hash >> 32 << 32 | id as u64;
        if self.lists() * 2 > self.table.len() {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        self.mask = self.table.len() * 4 - 1;
        self.table = vec![0; self.mask + 1];
        for id in 1..self.lists() as u32 {
            let hash = hash(self.list(id));
            let mut at = self.place(hash);
            while self.table[at] != 0 {
                at = (at + 1) & self.mask;
            }
            self.table[at] = hash >> 32 << 32 | id as u64;
        }
    }

    /// A new automaton over the same register.
    pub(super) fn start(&self) -> Automaton {
        Automaton { levels: vec![Vec::new()], current: Vec::new() }
    }
}

/// The unfinished right edge of an automaton that grows in sorted order.
pub(super) struct Automaton {
    /// Arcs of the state at each depth of the current word.
    levels: Vec<Vec<u64>>,
    current: Vec<Tile>,
}

/// Letters two words share at their start.
#[inline]
pub(super) fn common_prefix(a: &[Tile], b: &[Tile]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

impl Automaton {
    /// Adds the next word in order. `turn` is the list that the turning point after it leads to.
    /// `frozen` is called for every state finished by this: its depth, its list, whether a word ends there.
    pub(super) fn add(
        &mut self,
        register: &mut Minimiser,
        word: &[Tile],
        accepts: bool,
        turn: Option<u32>,
        frozen: impl FnMut(usize, u32, bool),
    ) {
        let shared = common_prefix(&self.current, word);
        self.freeze(register, shared, frozen);
        for (depth, &letter) in word.iter().enumerate().skip(shared) {
            self.levels[depth].push(arc(letter, accepts && depth + 1 == word.len(), 0));
            if self.levels.len() <= depth + 1 {
                self.levels.push(Vec::new());
            }
        }
        self.current.truncate(shared);
        self.current.extend_from_slice(&word[shared..]);
        if let Some(list) = turn {
            self.levels[word.len()].push(arc(0, false, list));
        }
    }

    /// Finishes all states deeper than `depth`.
    fn freeze(&mut self, register: &mut Minimiser, depth: usize, mut frozen: impl FnMut(usize, u32, bool)) {
        for d in (depth + 1..=self.current.len()).rev() {
            let id = register.intern(&self.levels[d]);
            self.levels[d].clear();
            let into = self.levels[d - 1].last_mut().expect("a state has the arc that leads to it");
            *into |= id as u64;
            frozen(d, id, *into >> 32 & 1 == 1);
        }
    }

    /// Finishes the automaton; the answer is the list of its root.
    pub(super) fn finish(mut self, register: &mut Minimiser, frozen: impl FnMut(usize, u32, bool)) -> u32 {
        self.freeze(register, 0, frozen);
        register.intern(&self.levels[0])
    }
}
