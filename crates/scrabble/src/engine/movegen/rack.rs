//! A rack prepared for search: counts, letter set, and the leave value of every subset.

use lexicon::Tile;

/// Tiles on a full rack.
pub const MAX_RACK: usize = 7;

/// Leave values, in thousandths of a point.
pub trait LeaveValues: Sync {
    /// Fills `table[mask]` with the value of the leave made of the `slots` whose bit is set in `mask`.
    fn fill(&self, slots: &[Tile], table: &mut [i32; 1 << MAX_RACK]);
}

/// All leaves have value 0: the greedy player.
pub struct NoLeaves;

impl LeaveValues for NoLeaves {
    fn fill(&self, slots: &[Tile], table: &mut [i32; 1 << MAX_RACK]) {
        table[..1 << slots.len()].fill(0);
    }
}

/// A rack with its tiles in slots; equal tiles occupy neighbouring slots and are used from the lowest slot up.
#[derive(Clone)]
pub struct Rack {
    slots: [Tile; MAX_RACK],
    len: usize,
    /// Tiles of each letter; 0 counts the blanks.
    pub(crate) counts: [u8; 64],
    /// Lowest slot of each letter.
    pub(crate) first_slot: [u8; 64],
    /// The letters present, as a bit set without blanks.
    pub(crate) letters: u64,
    /// Leave value of the slots whose bit is set.
    pub(crate) keep: [i32; 1 << MAX_RACK],
}

impl Rack {
    /// A rack of at most seven tiles.
    pub fn new(tiles: &[Tile], leaves: &dyn LeaveValues) -> Self {
        assert!(tiles.len() <= MAX_RACK, "a rack holds at most {MAX_RACK} tiles");
        let mut slots = [0; MAX_RACK];
        slots[..tiles.len()].copy_from_slice(tiles);
        slots[..tiles.len()].sort_unstable();
        let (mut counts, mut first_slot, mut letters) = ([0; 64], [0; 64], 0u64);
        for (i, &tile) in slots[..tiles.len()].iter().enumerate() {
            if counts[tile as usize] == 0 {
                first_slot[tile as usize] = i as u8;
            }
            counts[tile as usize] += 1;
            letters |= 1 << tile;
        }
        let mut keep = [0; 1 << MAX_RACK];
        leaves.fill(&slots[..tiles.len()], &mut keep);
        Self { slots, len: tiles.len(), counts, first_slot, letters: letters & !1, keep }
    }

    /// The tiles in order.
    #[inline(always)]
    pub fn tiles(&self) -> &[Tile] {
        &self.slots[..self.len]
    }

    /// Number of tiles.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no tile is left.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Leave value of the tiles in `mask`.
    #[inline(always)]
    pub fn keep_value(&self, mask: usize) -> i32 {
        self.keep[mask]
    }

    /// The slots that remain when these tiles are used, or `None` if the rack does not have them.
    pub fn remaining(&self, used: impl Iterator<Item = Tile>) -> Option<usize> {
        let mut taken = [0u8; 64];
        let mut mask = (1 << self.len) - 1;
        for tile in used {
            let tile = tile as usize;
            if taken[tile] == self.counts[tile] {
                return None;
            }
            mask &= !(1 << (self.first_slot[tile] + taken[tile]));
            taken[tile] += 1;
        }
        Some(mask)
    }

    /// The tiles in the slots of `mask`.
    pub fn kept(&self, mask: usize) -> Vec<Tile> {
        (0..self.len).filter(|i| mask >> i & 1 == 1).map(|i| self.slots[i]).collect()
    }

    /// The best leave value by number of tiles kept.
    pub(crate) fn best_keep(&self) -> [i32; MAX_RACK + 1] {
        let mut best = [i32::MIN / 2; MAX_RACK + 1];
        for mask in 0..1usize << self.len {
            let count = mask.count_ones() as usize;
            best[count] = best[count].max(self.keep[mask]);
        }
        best
    }
}
