//! The elimination algorithms of Šindelář 2024 (section 4.7): items ordered from worst to best, given some known
//! bad items and distances between embeddings.

use rand::{Rng, RngExt};

/// Distances between items; symmetric, zero on the diagonal.
pub trait Distances {
    /// Number of items.
    fn len(&self) -> usize;
    /// Distance between two items.
    fn distance(&self, a: usize, b: usize) -> f64;
    /// True without items.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Items as vectors under the Euclidean distance.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedItems<'v>(pub &'v [Vec<f32>]);

impl Distances for EmbeddedItems<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn distance(&self, a: usize, b: usize) -> f64 {
        let squared: f32 = self.0[a].iter().zip(&self.0[b]).map(|(x, y)| (x - y) * (x - y)).sum();
        f64::from(squared).sqrt()
    }
}

/// A known bad item and how much it weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBad {
    /// The item.
    pub item: usize,
    /// Repetitions of the item in the round (relative importance); at least 1.
    pub times: usize,
    /// The item is used only in rounds divisible by this number; 1 is always.
    pub every: usize,
}

impl KnownBad {
    /// A known bad item of ordinary importance.
    pub fn plain(item: usize) -> Self {
        KnownBad { item, times: 1, every: 1 }
    }
}

/// The four algorithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Elimination {
    /// 1: ascending mean distance to the known bad.
    MeanDistance,
    /// 2: the known bad take turns, each removes the nearest item left.
    RoundRobin,
    /// 3: as 2, but the instrument is sampled by softmin of the distance to its nearest item left.
    Softmin {
        /// High temperatures draw evenly.
        temperature: f64,
    },
    /// 4: an epidemic: every infected item infects its nearest susceptible one; only the known bad stay infected.
    Epidemic {
        /// Rounds until an infected item recovers.
        recovery: usize,
    },
}

impl Elimination {
    /// All items from the worst to the best.
    pub fn order(self, items: &impl Distances, known: &[KnownBad], rng: &mut impl Rng) -> Vec<usize> {
        if known.is_empty() {
            return (0..items.len()).collect();
        }
        match self {
            Elimination::MeanDistance => mean_distance(items, known),
            Elimination::RoundRobin => round_robin(items, known, None, rng),
            Elimination::Softmin { temperature } => round_robin(items, known, Some(temperature), rng),
            Elimination::Epidemic { recovery } => epidemic(items, known, recovery),
        }
    }
}

fn mean_distance(items: &impl Distances, known: &[KnownBad]) -> Vec<usize> {
    let mut keyed: Vec<(f64, usize)> = (0..items.len())
        .map(|item| {
            let sum: f64 = known.iter().map(|k| k.times as f64 / k.every as f64 * items.distance(item, k.item)).sum();
            (sum, item)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    keyed.into_iter().map(|(_, item)| item).collect()
}

/// The items by distance from one of them, nearest first.
fn neighbours(items: &impl Distances, from: usize) -> Vec<(f32, u32)> {
    let mut list: Vec<(f32, u32)> =
        (0..items.len()).map(|item| (items.distance(from, item) as f32, item as u32)).collect();
    list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    list
}

/// A known bad item with its sorted neighbours and a cursor into them.
struct Instrument {
    list: Vec<(f32, u32)>,
    next: usize,
    every: usize,
}

impl Instrument {
    /// Distance and item of the nearest one left.
    fn nearest(&mut self, removed: &[bool]) -> Option<(f32, usize)> {
        while let Some(&(distance, item)) = self.list.get(self.next) {
            if !removed[item as usize] {
                return Some((distance, item as usize));
            }
            self.next += 1;
        }
        None
    }
}

fn instruments(items: &impl Distances, known: &[KnownBad]) -> Vec<Instrument> {
    known
        .iter()
        .flat_map(|k| std::iter::repeat_n(k, k.times.max(1)))
        .map(|k| Instrument { list: neighbours(items, k.item), next: 0, every: k.every.max(1) })
        .collect()
}

fn round_robin(items: &impl Distances, known: &[KnownBad], temperature: Option<f64>, rng: &mut impl Rng) -> Vec<usize> {
    let mut instruments = instruments(items, known);
    let mut removed = vec![false; items.len()];
    let mut order = Vec::with_capacity(items.len());
    let mut step = 0usize;
    while order.len() < items.len() {
        let turn = step % instruments.len();
        let round = step / instruments.len();
        let chosen = match temperature {
            None => turn,
            Some(temperature) => draw(&mut instruments, &removed, temperature, rng),
        };
        step += 1;
        if temperature.is_none() && !round.is_multiple_of(instruments[chosen].every) {
            // this terminates: every instrument has a turn again in a later round
            continue;
        }
        if let Some((_, item)) = instruments[chosen].nearest(&removed) {
            removed[item] = true;
            order.push(item);
        }
    }
    order
}

/// Draws an instrument by softmin of the distance to its nearest item left.
fn draw(instruments: &mut [Instrument], removed: &[bool], temperature: f64, rng: &mut impl Rng) -> usize {
    let distances: Vec<f64> =
        instruments.iter_mut().map(|i| i.nearest(removed).map_or(f64::INFINITY, |(d, _)| f64::from(d))).collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let weights: Vec<f64> = distances
        .iter()
        .zip(instruments.iter())
        .map(|(d, i)| (-(d - least) / temperature.max(1e-12)).exp() / i.every as f64)
        .collect();
    let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return index;
        }
    }
    distances.iter().position(|d| *d == least).unwrap_or(0)
}

fn epidemic(items: &impl Distances, known: &[KnownBad], recovery: usize) -> Vec<usize> {
    let mut infected: Vec<(Instrument, Option<usize>)> =
        instruments(items, known).into_iter().map(|instrument| (instrument, None)).collect();
    let mut removed = vec![false; items.len()];
    let mut order = Vec::with_capacity(items.len());
    for k in known {
        if !std::mem::replace(&mut removed[k.item], true) {
            order.push(k.item);
        }
    }
    let mut round = 0usize;
    while order.len() < items.len() {
        round += 1;
        infected.retain(|(_, since)| since.is_none_or(|since| round - since <= recovery));
        // all infect at once: items of equal rounds are ordered by distance
        let mut struck: Vec<(f32, usize)> = infected
            .iter_mut()
            .filter(|(instrument, _)| round.is_multiple_of(instrument.every))
            .filter_map(|(instrument, _)| instrument.nearest(&removed))
            .collect();
        struck.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, item) in struck {
            if !std::mem::replace(&mut removed[item], true) {
                order.push(item);
                if recovery > 0 {
                    let instrument = Instrument { list: neighbours(items, item), next: 0, every: 1 };
                    infected.push((instrument, Some(round)));
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn points(seed: u64, n: usize) -> Vec<Vec<f32>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        (0..n).map(|_| vec![rng.random(), rng.random()]).collect()
    }

    const ALL: [Elimination; 4] = [
        Elimination::MeanDistance,
        Elimination::RoundRobin,
        Elimination::Softmin { temperature: 1.0 },
        Elimination::Epidemic { recovery: 3 },
    ];

    #[test]
    fn every_order_is_a_permutation_and_repeats() {
        let vectors = points(1, 80);
        let known: Vec<KnownBad> = [3, 50, 7].map(KnownBad::plain).to_vec();
        for algorithm in ALL {
            let run = || {
                let mut rng = ChaCha8Rng::seed_from_u64(5);
                algorithm.order(&EmbeddedItems(&vectors), &known, &mut rng)
            };
            let order = run();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..80).collect::<Vec<_>>(), "{algorithm:?}");
            assert_eq!(order, run());
        }
    }

    /// Algorithm 2 by its words, with no lists.
    #[test]
    fn round_robin_equals_the_slow_form_and_starts_with_the_known() {
        let vectors = points(2, 60);
        let items = EmbeddedItems(&vectors);
        let known = [4usize, 9, 30];
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let plain = known.map(KnownBad::plain);
        let order = Elimination::RoundRobin.order(&items, &plain, &mut rng);
        let mut left: Vec<usize> = (0..60).collect();
        for (step, item) in order.iter().enumerate() {
            let k = known[step % 3];
            let nearest = *left
                .iter()
                .min_by(|a, b| (items.distance(k, **a) as f32).total_cmp(&(items.distance(k, **b) as f32)))
                .unwrap();
            assert_eq!(*item, nearest);
            left.retain(|other| *other != nearest);
        }
        assert_eq!(order[..3], known);
    }

    #[test]
    fn weights_shift_the_order_towards_the_heavier_item() {
        // two heaps; the item in the right one counts three times
        let mut vectors: Vec<Vec<f32>> = (0..20).map(|i| vec![i as f32 * 0.01, 0.0]).collect();
        vectors.extend((0..20).map(|i| vec![100.0 + i as f32 * 0.01, 0.0]));
        let heavy = [KnownBad::plain(0), KnownBad { item: 20, times: 3, every: 1 }];
        let rare = [KnownBad::plain(0), KnownBad { item: 20, times: 1, every: 4 }];
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let right = |known: &[KnownBad], rng: &mut ChaCha8Rng| {
            let order = Elimination::RoundRobin.order(&EmbeddedItems(&vectors), known, rng);
            order[..16].iter().filter(|i| **i >= 20).count()
        };
        assert_eq!(right(&heavy, &mut rng), 12);
        assert!(right(&rare, &mut rng) <= 4);
    }
}
