//! The transposition table: shared by threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use super::geometry::Cell;

/// How a stored value bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TtBound {
    None = 0,
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug)]
pub struct TtEntry {
    pub best: Cell,
    pub depth: i8,
    pub bound: TtBound,
    pub value: i16,
    pub eval: i16,
}

struct Slot {
    /// The key xor-ed with the data: a torn write does not match any key (Hyatt's scheme).
    check: AtomicU64,
    data: AtomicU64,
}

#[repr(align(64))]
struct Bucket([Slot; 4]);

const WORDS: usize = size_of::<Bucket>() / size_of::<AtomicU64>();

/// Buckets in one piece of memory.
///
/// The memory is asked for as plain words and the first bucket begins at the first line of cache in it: for words the
/// system hands out empty pages when they are first used, while memory that must begin at a line would be cleared as a
/// whole at once, for which a first move would have to wait.
struct Buckets {
    words: Box<[AtomicU64]>,
    first: usize,
    count: usize,
}

impl Buckets {
    /// Buckets without entries; `count` is a power of two.
    fn empty(count: usize) -> Self {
        // SAFETY: for atomic integers all bits zero is the value 0.
        let words: Box<[AtomicU64]> = unsafe { Box::new_zeroed_slice((count + 1) * WORDS).assume_init() };
        let first = words.as_ptr().align_offset(align_of::<Bucket>());
        assert!(count.is_power_of_two() && first < WORDS);
        Self { words, first, count }
    }

    /// The bucket of this number, taken modulo their count.
    #[inline(always)]
    fn get(&self, number: usize) -> &Bucket {
        let at = self.first + (number & (self.count - 1)) * WORDS;
        // SAFETY: at least a bucket more than `count` lies in `words` and `first` is less than a bucket, so the whole bucket
        // does; it is aligned because the first one is, and is made of the atomic words it is read as.
        unsafe { &*self.words.as_ptr().add(at).cast::<Bucket>() }
    }
}

/// Positions met by the search, by hash.
pub struct SharedTable {
    buckets: Buckets,
    generation: u8,
}

impl SharedTable {
    /// A table of at most this many MiB (at least one).
    pub fn new(mib: usize) -> Self {
        let wanted = mib.max(1) * 1024 * 1024 / size_of::<Bucket>();
        let count = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        Self { buckets: Buckets::empty(count), generation: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets = Buckets::empty(self.buckets.count);
        self.generation = 0;
    }

    /// Lets entries of earlier searches be replaced first.
    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) & 63;
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        self.buckets.get((key >> 20) as usize)
    }

    /// Asks the processor to fetch a bucket that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching has no effect on program state; the address is inside the table.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch(std::ptr::from_ref(self.bucket(key)).cast(), _MM_HINT_T0);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == key && data != 0).then(|| unpack(data))
        })
    }

    /// Remembers a position, over the least useful one of its bucket.
    #[inline]
    pub fn store(&self, key: u64, entry: TtEntry) {
        let bucket = self.bucket(key);
        let mut victim = &bucket.0[0];
        let mut worst = i32::MAX;
        for slot in &bucket.0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                let old = unpack(data);
                let mut entry = entry;
                if entry.best == Cell::NONE {
                    entry.best = old.best;
                }
                if entry.bound != TtBound::Exact
                    && i32::from(entry.depth) < i32::from(old.depth) - 3
                    && age(data) == self.generation
                {
                    return;
                }
                self.write(slot, key, entry);
                return;
            }
            let stale = (self.generation.wrapping_sub(age(data)) & 63) as i32;
            let worth = if data == 0 { i32::MIN } else { i32::from(unpack(data).depth) - 8 * stale };
            if worth < worst {
                worst = worth;
                victim = slot;
            }
        }
        self.write(victim, key, entry);
    }

    #[inline]
    fn write(&self, slot: &Slot, key: u64, entry: TtEntry) {
        let data = pack(entry, self.generation);
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }
}

fn age(data: u64) -> u8 {
    (data >> 26) as u8 & 63
}

fn pack(entry: TtEntry, generation: u8) -> u64 {
    entry.best.index() as u64
        | (entry.depth as u8 as u64) << 16
        | (entry.bound as u64) << 24
        | u64::from(generation) << 26
        | (entry.value as u16 as u64) << 32
        | (entry.eval as u16 as u64) << 48
}

fn unpack(data: u64) -> TtEntry {
    TtEntry {
        best: Cell::from_index(data as usize & 0xFFFF),
        depth: (data >> 16) as u8 as i8,
        bound: match data >> 24 & 3 {
            1 => TtBound::Upper,
            2 => TtBound::Lower,
            3 => TtBound::Exact,
            _ => TtBound::None,
        },
        value: (data >> 32) as u16 as i16,
        eval: (data >> 48) as u16 as i16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let table = SharedTable::new(1);
        let entry = TtEntry { best: Cell::at(3, 4), depth: 7, bound: TtBound::Lower, value: -123, eval: 55 };
        table.store(0xDEAD_BEEF_1234_5678, entry);
        let got = table.probe(0xDEAD_BEEF_1234_5678).expect("stored");
        assert_eq!((got.best, got.depth, got.bound, got.value, got.eval), (entry.best, 7, TtBound::Lower, -123, 55));
        assert!(table.probe(0xDEAD_BEEF_1234_5679).is_none());
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        let mut table = SharedTable::new(1);
        let entry = TtEntry { best: Cell::at(3, 4), depth: 7, bound: TtBound::Exact, value: 1, eval: 2 };
        table.store(0x1234_5678_9ABC_DEF0, entry);
        table.clear();
        assert!(table.probe(0x1234_5678_9ABC_DEF0).is_none());
        assert!(table.probe(0).is_none());
    }
}
