//! Results in the order of the jobs, whatever the order in which they come.

use std::collections::BTreeMap;

/// Holds back what came too early and drops what came before.
#[derive(Debug, Default)]
pub(crate) struct InOrder {
    next: usize,
    early: BTreeMap<usize, Vec<u8>>,
}

impl InOrder {
    /// Whether this number has come already.
    pub(crate) fn knows(&self, number: usize) -> bool {
        number < self.next || self.early.contains_key(&number)
    }

    /// Takes a result; the first one of a number counts.
    pub(crate) fn put(&mut self, number: usize, bytes: Vec<u8>) {
        if !self.knows(number) {
            self.early.insert(number, bytes);
        }
    }

    /// The next result in order, if it is there.
    pub(crate) fn pop(&mut self) -> Option<(usize, Vec<u8>)> {
        let bytes = self.early.remove(&self.next)?;
        self.next += 1;
        Some((self.next - 1, bytes))
    }

    /// How many results are here, handed over or not.
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
        fn everything_comes_once_and_in_order(arrivals in proptest::collection::vec(0usize..12, 0..60)) {
            let mut order = InOrder::default();
            let mut out = Vec::new();
            for (i, &number) in arrivals.iter().enumerate() {
                let seen = arrivals[..i].contains(&number);
                prop_assert_eq!(order.knows(number), seen);
                order.put(number, vec![number as u8, i as u8]);
                out.extend(std::iter::from_fn(|| order.pop()));
            }
            // the slow way: sort the first arrival of each number, take them while there is no gap
            let first = |number| arrivals.iter().position(|&a| a == number);
            let expected: Vec<_> = (0..12)
                .map_while(|n| first(n).map(|at| (n, vec![n as u8, at as u8])))
                .collect();
            prop_assert_eq!(out, expected);
            let distinct: std::collections::BTreeSet<_> = arrivals.iter().collect();
            prop_assert_eq!(order.done(), distinct.len());
        }
    }
}
