//! The transposition table.

/// The type of a stored score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// An entry of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry<M> {
    key: u64,
    pub score: i32,
    pub depth: u32,
    pub bound: Bound,
    pub best: M,
}

/// A table of fixed size. A new position replaces the old one; the same position is replaced by a search of at least its
/// depth.
pub struct TranspositionTable<M> {
    slots: Vec<Option<Entry<M>>>,
}

impl<M: Copy> TranspositionTable<M> {
    /// A table with `2^bits` entries.
    pub fn new(bits: u32) -> Self {
        Self { slots: vec![None; 1 << bits] }
    }

    fn slot(&self, key: u64) -> usize {
        (key as usize) & (self.slots.len() - 1)
    }

    /// The entry of the position with `key`.
    pub fn get(&self, key: u64) -> Option<&Entry<M>> {
        self.slots[self.slot(key)].as_ref().filter(|entry| entry.key == key)
    }

    /// Stores a result, unless the table holds a deeper result of the same position.
    pub fn put(&mut self, key: u64, depth: u32, score: i32, bound: Bound, best: M) {
        let slot = self.slot(key);
        let keep = self.slots[slot].as_ref().is_some_and(|old| old.key == key && old.depth > depth);
        if !keep {
            self.slots[slot] = Some(Entry { key, score, depth, bound, best });
        }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.slots.fill(None);
    }
}
