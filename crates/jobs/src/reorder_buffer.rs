//! Reorder buffer: returns results in the order of the jobs, whatever the order of their arrival.

use std::collections::BTreeMap;

/// Holds results that arrive early and drops duplicates.
#[derive(Debug, Default)]
pub(crate) struct ReorderBuffer {
    next: usize,
    /// `None` for a number that is skipped.
    early: BTreeMap<usize, Option<Vec<u8>>>,
}

impl ReorderBuffer {
    /// Whether this number has arrived or is skipped.
    pub(crate) fn knows(&self, number: usize) -> bool {
        number < self.next || self.early.contains_key(&number)
    }

    /// Adds a result. The first result of a number counts.
    pub(crate) fn put(&mut self, number: usize, bytes: Vec<u8>) {
        if !self.knows(number) {
            self.early.insert(number, Some(bytes));
        }
    }

    /// Skips a number: the caller has its result already.
    pub(crate) fn skip(&mut self, number: usize) {
        if !self.knows(number) {
            self.early.insert(number, None);
        }
    }

    /// The next result in order, if it has arrived.
    pub(crate) fn pop(&mut self) -> Option<(usize, Vec<u8>)> {
        loop {
            let bytes = self.early.remove(&self.next)?;
            self.next += 1;
            if let Some(bytes) = bytes {
                return Some((self.next - 1, bytes));
            }
        }
    }

    /// Whether everything before `number` was returned or skipped.
    pub(crate) fn is_through(&self, number: usize) -> bool {
        self.next >= number
    }

    /// Number of results that have arrived, returned or not.
    pub(crate) fn done(&self) -> usize {
        self.next + self.early.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn everything_comes_once_and_in_order(
            arrivals in proptest::collection::vec(0usize..12, 0..60),
            skipped in proptest::collection::btree_set(0usize..12, 0..5),
        ) {
            let mut order = ReorderBuffer::default();
            skipped.iter().for_each(|&number| order.skip(number));
            let mut out = Vec::new();
            for (i, &number) in arrivals.iter().enumerate() {
                let seen = arrivals[..i].contains(&number) || skipped.contains(&number);
                prop_assert_eq!(order.knows(number), seen);
                order.put(number, vec![number as u8, i as u8]);
                out.extend(std::iter::from_fn(|| order.pop()));
            }
            // the slow way: the first arrival of each number, while there is no gap, without those skipped
            let first = |number| arrivals.iter().position(|&a| a == number);
            let known = |number: &usize| skipped.contains(number) || first(*number).is_some();
            let without_gap: Vec<usize> = (0..12).take_while(known).collect();
            let handed = without_gap.iter().filter(|number| !skipped.contains(number));
            let expected: Vec<_> =
                handed.map(|&n| (n, vec![n as u8, first(n).unwrap() as u8])).collect();
            prop_assert_eq!(out, expected);
            // what was skipped at the very end is passed by the next question
            prop_assert!(order.pop().is_none());
            prop_assert!(order.is_through(without_gap.len()) && !order.is_through(without_gap.len() + 1));
            prop_assert_eq!(order.done(), (0..12).filter(|number| known(number)).count());
        }
    }
}
