//! Sparse tables from ids to values and their intersections: the inner loops of the model.

use crate::kernel::{WIDTH, place, shared_places};

/// Values by id.
///
/// Ids are hashed into [`PLACES`] buckets by their lowest bits and stored in bucket order. A bitmap marks the occupied
/// buckets, so that the intersection of two tables mostly skips 64 buckets at a time.
#[derive(Clone, Debug)]
pub struct BitmapTable<T> {
    keys: Vec<u32>,
    values: Vec<T>,
    /// Bitmap of occupied buckets, with the number of occupied buckets before each word; empty for an empty table.
    taken: Vec<(u64, u32)>,
    /// Start of each occupied bucket, and the end of the last.
    starts: Vec<u32>,
}

/// Number of buckets; a multiple of 64.
const PLACES: u32 = 4096;

impl<T> Default for BitmapTable<T> {
    fn default() -> Self {
        BitmapTable { keys: Vec::new(), values: Vec::new(), taken: Vec::new(), starts: Vec::new() }
    }
}

impl<T: Copy> BitmapTable<T> {
    /// A table of entries; of equal ids the first in `entries` is kept.
    pub fn new(mut entries: Vec<(u32, T)>) -> BitmapTable<T> {
        entries.sort_by_key(|e| (e.0 % PLACES, e.0));
        entries.dedup_by_key(|e| e.0);
        let (keys, values): (Vec<u32>, Vec<T>) = entries.into_iter().unzip();
        if keys.is_empty() {
            return BitmapTable::default();
        }
        let mut taken = vec![(0u64, 0u32); PLACES as usize / 64];
        let mut starts = Vec::new();
        for (i, key) in keys.iter().enumerate() {
            let (word, bit) = position(*key);
            if taken[word].0 & bit == 0 {
                taken[word].0 |= bit;
                starts.push(i as u32);
            }
        }
        starts.push(keys.len() as u32);
        let mut before = 0;
        for (bits, count) in &mut taken {
            *count = before;
            before += bits.count_ones();
        }
        BitmapTable { keys, values, taken, starts }
    }

    /// All ids, in bucket order.
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// All entries, in bucket order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, T)> + '_ {
        self.keys.iter().copied().zip(self.values.iter().copied())
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The value of an id.
    #[inline]
    pub fn find(&self, key: u32) -> Option<T> {
        let (word, bit) = position(key);
        let held = self.taken.get(word)?.0 & bit != 0;
        held.then(|| self.range(word, bit).find(|&i| self.keys[i] == key)).flatten().map(|i| self.values[i])
    }

    /// The range of an occupied bucket.
    #[inline]
    fn range(&self, word: usize, bit: u64) -> std::ops::Range<usize> {
        let (bits, before) = self.taken[word];
        let place = (before + (bits & (bit - 1)).count_ones()) as usize;
        let ends = &self.starts[place..place + 2];
        ends[0] as usize..ends[1] as usize
    }

    /// Calls `each` with every common id and its two values, in bucket order.
    #[inline]
    pub fn meet<U: Copy>(&self, other: &BitmapTable<U>, mut each: impl FnMut(u32, T, U)) {
        for (word, (a, b)) in self.taken.iter().zip(&other.taken).enumerate() {
            let mut both = a.0 & b.0;
            while both != 0 {
                let bit = both & both.wrapping_neg();
                both ^= bit;
                let (here, there) = (self.range(word, bit), other.range(word, bit));
                let theirs = || other.keys[there.clone()].iter().zip(&other.values[there.clone()]);
                for (key, value) in self.keys[here.clone()].iter().zip(&self.values[here]) {
                    for (_, other) in theirs().filter(|(k, _)| *k == key) {
                        each(*key, *value, *other);
                    }
                }
            }
        }
    }
}

/// The bitmap word and bit of an id's bucket.
#[inline]
fn position(key: u32) -> (usize, u64) {
    let place = key % PLACES;
    (place as usize / 64, 1 << (place % 64))
}

/// Calls `each` with the positions of every element that two sorted lists share.
#[inline]
pub fn meet(a: &[u32], b: &[u32], mut each: impl FnMut(usize, usize)) {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a[i..].first_chunk::<WIDTH>(), b[j..].first_chunk::<WIDTH>()) {
        let mut bits = shared_places(x, y);
        while bits != 0 {
            let k = bits.trailing_zeros() as usize;
            if let Some(l) = place(x[k], y) {
                each(i + k, j + l);
            }
            bits &= bits - 1;
        }
        let (end_x, end_y) = (x[WIDTH - 1], y[WIDTH - 1]);
        i += if end_x <= end_y { WIDTH } else { 0 };
        j += if end_y <= end_x { WIDTH } else { 0 };
    }
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        if x == y {
            each(i, j);
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
}

/// Number of elements that two sorted lists share.
#[inline]
pub fn shared(a: &[u32], b: &[u32]) -> usize {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if long.len() > 64 * short.len() {
        return short.iter().filter(|x| long.binary_search(x).is_ok()).count();
    }
    let mut n = 0;
    meet(short, long, |_, _| n += 1);
    n
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn tables_meet_where_sets_do(
            a in proptest::collection::btree_map(0u32..300, any::<u8>(), 0..120),
            b in proptest::collection::btree_map(0u32..300, any::<u8>(), 0..120),
            apart in prop_oneof![Just(1u32), Just(1024), Just(5000)]
        ) {
            // numbers that are far apart share places
            let (a, b): (BTreeMap<u32, u8>, BTreeMap<u32, u8>) =
                (a.into_iter().map(|(k, v)| (k * apart, v)).collect(), b.into_iter().map(|(k, v)| (k * apart, v)).collect());
            let table = |m: &BTreeMap<u32, u8>| BitmapTable::new(m.iter().rev().map(|(&k, &v)| (k, v)).collect());
            let (x, y) = (table(&a), table(&b));
            let mut got = Vec::new();
            x.meet(&y, |k, v, w| got.push((k, v, w)));
            let slow: Vec<(u32, u8, u8)> = a.iter().filter_map(|(&k, &v)| Some((k, v, *b.get(&k)?))).collect();
            got.sort_unstable();
            let numbers = |m: &BTreeMap<u32, u8>| m.keys().copied().collect::<Vec<u32>>();
            prop_assert_eq!(shared(&numbers(&a), &numbers(&b)), slow.len());
            prop_assert_eq!(got, slow);
            prop_assert_eq!(x.len(), a.len());
            prop_assert!((0..300).map(|k| k * apart).all(|k| x.find(k) == a.get(&k).copied()));
        }

        #[test]
        fn a_short_list_is_looked_up_in_a_long_one(short in proptest::collection::btree_set(0u32..9000, 0..4)) {
            let long: BTreeSet<u32> = (0..9000).step_by(7).collect();
            let list = |s: &BTreeSet<u32>| s.iter().copied().collect::<Vec<_>>();
            prop_assert_eq!(shared(&list(&short), &list(&long)), short.intersection(&long).count());
        }
    }
}
