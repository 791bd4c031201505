//! Weighted sampling without replacement from a stream.
//!
//! Efraimidis and Spirakis, "Weighted random sampling with a reservoir" (2006), algorithm A-ExpJ: each item gets the
//! key `u^(1/w)` and the items with the largest keys stay; exponential jumps skip the items that cannot enter, so a
//! random number is drawn only for those that do.

use rand::RngExt;

/// Keeps `capacity` items of a stream, each drawn with its weight.
pub(crate) struct Reservoir<T> {
    items: Vec<T>,
    /// Min-heap of (logarithm of the key, item slot).
    heap: Vec<(f64, u32)>,
    capacity: usize,
    /// Weight that may still pass before the next item enters.
    skip: f64,
}

impl<T> Reservoir<T> {
    pub(crate) fn new() -> Self {
        Reservoir { items: Vec::new(), heap: Vec::new(), capacity: 0, skip: 0.0 }
    }

    pub(crate) fn clear(&mut self, capacity: usize) {
        self.items.clear();
        self.heap.clear();
        self.capacity = capacity;
        self.skip = 0.0;
    }

    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// Offers an item; `make` is called only if it enters.
    #[inline(always)]
    pub(crate) fn offer(&mut self, weight: f64, rng: &mut impl rand::Rng, make: impl FnOnce() -> T) {
        if self.items.len() == self.capacity {
            self.skip -= weight;
            if self.skip > 0.0 {
                return;
            }
        }
        self.enter(weight, rng, make());
    }

    #[cold]
    fn enter(&mut self, weight: f64, rng: &mut impl rand::Rng, item: T) {
        if self.capacity == 0 {
            return;
        }
        if self.items.len() < self.capacity {
            let key = unit(rng).ln() / weight;
            self.items.push(item);
            self.heap.push((key, self.items.len() as u32 - 1));
            self.sift_up(self.heap.len() - 1);
            if self.items.len() < self.capacity {
                return;
            }
        } else {
            let (smallest, slot) = self.heap[0];
            // a key above the smallest one, given that the item enters
            let floor = (smallest * weight).exp();
            let key = (floor + (1.0 - floor) * unit(rng)).ln() / weight;
            self.items[slot as usize] = item;
            self.heap[0] = (key, slot);
            self.sift_down();
        }
        self.skip = unit(rng).ln() / self.heap[0].0;
    }

    fn sift_up(&mut self, mut at: usize) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if self.heap[parent].0 <= self.heap[at].0 {
                break;
            }
            self.heap.swap(parent, at);
            at = parent;
        }
    }

    fn sift_down(&mut self) {
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                return;
            }
            if child + 1 < self.heap.len() && self.heap[child + 1].0 < self.heap[child].0 {
                child += 1;
            }
            if self.heap[at].0 <= self.heap[child].0 {
                return;
            }
            self.heap.swap(at, child);
            at = child;
        }
    }
}

/// A number strictly between 0 and 1.
fn unit(rng: &mut impl rand::Rng) -> f64 {
    loop {
        let value: f64 = rng.random();
        if value > 0.0 {
            return value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn a_short_stream_is_kept_whole() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut reservoir = Reservoir::new();
        reservoir.clear(10);
        for i in 0..7 {
            reservoir.offer(1.0, &mut rng, || i);
        }
        assert_eq!(reservoir.items(), [0, 1, 2, 3, 4, 5, 6]);
    }

    /// Two of three items with weights 1, 2, 3: inclusion probabilities by summing over the order of draws.
    #[test]
    fn inclusion_follows_the_weights() {
        let weights = [1.0, 2.0, 3.0];
        let mut expected = [0.0; 3];
        for i in 0..3 {
            for j in (0..3).filter(|j| *j != i) {
                let p = weights[i] / 6.0 * (weights[j] / (6.0 - weights[i]));
                expected[i] += p;
                expected[j] += p;
            }
        }
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut reservoir = Reservoir::new();
        let rounds = 40_000;
        let mut counts = [0; 3];
        for _ in 0..rounds {
            reservoir.clear(2);
            for (i, weight) in weights.iter().enumerate() {
                reservoir.offer(*weight, &mut rng, || i);
            }
            for &i in reservoir.items() {
                counts[i] += 1;
            }
        }
        for i in 0..3 {
            let share = f64::from(counts[i]) / f64::from(rounds);
            assert!((share - expected[i]).abs() < 0.01, "{i}: {share} against {}", expected[i]);
        }
    }
}
