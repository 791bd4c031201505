//! Sorted lists of numbers with a value each, and what two of them share: the inner loops of the model.

use crate::kernel::{WIDTH, place, shared_places};

/// Values by number, sorted, numbers and values apart so that numbers lie close together.
#[derive(Clone, Debug)]
pub struct Table<T> {
    keys: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { keys: Vec::new(), values: Vec::new() }
    }
}

impl<T: Copy> Table<T> {
    /// The table of some entries; of equal numbers the first in `entries` is kept.
    pub fn new(mut entries: Vec<(u32, T)>) -> Table<T> {
        entries.sort_by_key(|e| e.0);
        entries.dedup_by_key(|e| e.0);
        let (keys, values) = entries.into_iter().unzip();
        Table { keys, values }
    }

    /// The value of a number.
    #[inline]
    pub fn find(&self, key: u32) -> Option<T> {
        self.keys.binary_search(&key).ok().map(|i| self.values[i])
    }

    /// All numbers, rising.
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// All entries, numbers rising.
    pub fn iter(&self) -> impl Iterator<Item = (u32, T)> + '_ {
        self.keys.iter().copied().zip(self.values.iter().copied())
    }

    /// Calls `each` with every number that both tables have and its two values, numbers rising.
    #[inline]
    pub fn meet<U: Copy>(&self, other: &Table<U>, mut each: impl FnMut(u32, T, U)) {
        meet(&self.keys, &other.keys, |i, j| each(self.keys[i], self.values[i], other.values[j]));
    }
}

/// Calls `each` with the places of every number that two rising lists share.
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

/// How many numbers two rising lists share.
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
            b in proptest::collection::btree_map(0u32..300, any::<u8>(), 0..120)
        ) {
            let table = |m: &BTreeMap<u32, u8>| Table::new(m.iter().rev().map(|(&k, &v)| (k, v)).collect());
            let (x, y) = (table(&a), table(&b));
            let mut got = Vec::new();
            x.meet(&y, |k, v, w| got.push((k, v, w)));
            let slow: Vec<(u32, u8, u8)> = a.iter().filter_map(|(&k, &v)| Some((k, v, *b.get(&k)?))).collect();
            prop_assert_eq!(shared(x.keys(), y.keys()), slow.len());
            prop_assert_eq!(got, slow);
            prop_assert!((0..300).all(|k| x.find(k) == a.get(&k).copied()));
        }

        #[test]
        fn a_short_list_is_looked_up_in_a_long_one(short in proptest::collection::btree_set(0u32..9000, 0..4)) {
            let long: BTreeSet<u32> = (0..9000).step_by(7).collect();
            let list = |s: &BTreeSet<u32>| s.iter().copied().collect::<Vec<_>>();
            prop_assert_eq!(shared(&list(&short), &list(&long)), short.intersection(&long).count());
        }
    }
}
