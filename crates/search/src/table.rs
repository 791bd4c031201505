//! The transposition table: what is already known of positions met again.

/// What a stored score means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What is known of one position.
#[derive(Clone, Copy, Debug)]
pub struct Entry<M> {
    key: u64,
    pub score: i32,
    pub depth: u32,
    pub bound: Bound,
    pub best: M,
}

/// A table of fixed size; a slot keeps what came last or was searched deepest in this search.
pub struct TranspositionTable<M> {
    slots: Vec<Option<Entry<M>>>,
}

impl<M: Copy> TranspositionTable<M> {
    /// A table with `2^bits` slots.
    pub fn new(bits: u32) -> Self {
        Self { slots: vec![None; 1 << bits] }
    }

    fn slot(&self, key: u64) -> usize {
        (key as usize) & (self.slots.len() - 1)
    }

    /// What is known of the position with `key`.
    pub fn get(&self, key: u64) -> Option<&Entry<M>> {
        self.slots[self.slot(key)].as_ref().filter(|entry| entry.key == key)
    }

    /// Stores what was found, unless the slot knows the same position deeper.
    pub fn put(&mut self, key: u64, depth: u32, score: i32, bound: Bound, best: M) {
        let slot = self.slot(key);
        let keep = self.slots[slot].as_ref().is_some_and(|old| old.key == key && old.depth > depth);
        if !keep {
            self.slots[slot] = Some(Entry { key, score, depth, bound, best });
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(None);
    }
}
