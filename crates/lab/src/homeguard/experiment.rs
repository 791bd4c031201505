//! The experiments of Šindelář 2024 (chapter 7): how early elimination finds the bad trees.

use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::dataset::Dataset;
use numerics::Interval;

/// The four experiment types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LabelScheme {
    /// A tree is bad if it is among the lowest in at least one measure.
    Basic,
    /// All trees of randomly chosen layouts are bad.
    MapRecognition,
    /// All trees of a layout are bad if at least this share of them is.
    Consistent(f64),
}

impl LabelScheme {
    /// The four of the thesis.
    pub const ALL: [LabelScheme; 4] =
        [LabelScheme::Basic, LabelScheme::MapRecognition, LabelScheme::Consistent(0.1), LabelScheme::Consistent(0.2)];

    /// A name for files.
    pub fn name(self) -> String {
        match self {
            LabelScheme::Basic => "basic".to_owned(),
            LabelScheme::MapRecognition => "map".to_owned(),
            LabelScheme::Consistent(share) => format!("consistent{share}"),
        }
    }
}

/// Which test trees are bad at `percent`.
pub fn labels(data: &Dataset, kind: LabelScheme, percent: f64, seed: u64) -> Vec<bool> {
    let items: Vec<_> = data.test_items().collect();
    let n = items.len();
    let classes: Vec<usize> = items.iter().map(|item| item.class).collect();
    if kind == LabelScheme::MapRecognition {
        let mut distinct = classes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let wanted = ((distinct.len() as f64 * percent / 100.0).round() as usize).clamp(1, distinct.len());
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let bad: Vec<usize> = sample(&mut rng, distinct.len(), wanted).iter().map(|i| distinct[i]).collect();
        return classes.iter().map(|class| bad.contains(class)).collect();
    }
    let mut bad = vec![false; n];
    let lowest = (n as f64 * percent / 100.0).round() as usize;
    for metric in 0..5 {
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| items[*a].metrics[metric].total_cmp(&items[*b].metrics[metric]).then(a.cmp(b)));
        for i in order.into_iter().take(lowest) {
            bad[i] = true;
        }
    }
    if let LabelScheme::Consistent(share) = kind {
        let by_tree = bad.clone();
        for (i, label) in bad.iter_mut().enumerate() {
            let mates: Vec<usize> = (0..n).filter(|j| classes[*j] == classes[i]).collect();
            let count = mates.iter().filter(|j| by_tree[**j]).count();
            *label = count as f64 >= share * mates.len() as f64;
        }
    }
    bad
}

/// For every item all items by distance, nearest first.
pub struct Neighbours(Vec<Vec<u32>>);

impl Neighbours {
    /// Sorts all distances between vectors.
    pub fn of(vectors: &[Vec<f32>]) -> Self {
        let lists = vectors
            .par_iter()
            .enumerate()
            .map(|(own, a)| {
                let mut keyed: Vec<(f32, u32)> = vectors
                    .iter()
                    .enumerate()
                    .map(|(i, b)| {
                        let squared = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f32>();
                        // the item itself comes first even among equal vectors
                        (if i == own { -1.0 } else { squared }, i as u32)
                    })
                    .collect();
                keyed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                keyed.into_iter().map(|(_, i)| i).collect()
            })
            .collect();
        Neighbours(lists)
    }

    /// Algorithm 2 (round robin): all items, worst first.
    pub fn eliminate(&self, known: &[usize]) -> Vec<u32> {
        let n = self.0.len();
        let mut removed = vec![false; n];
        let mut next = vec![0usize; known.len()];
        let mut order = Vec::with_capacity(n);
        while order.len() < n {
            for (turn, &k) in known.iter().enumerate() {
                while let Some(&item) = self.0[k].get(next[turn]) {
                    next[turn] += 1;
                    if !std::mem::replace(&mut removed[item as usize], true) {
                        order.push(item);
                        break;
                    }
                }
            }
        }
        order
    }
}

/// Share of the bad items among the first i percent of an order, for i = 1 to 99.
pub fn recall(order: &[u32], bad: &[bool]) -> Vec<f64> {
    let total = bad.iter().filter(|b| **b).count().max(1) as f64;
    let mut found = 0;
    let mut curve = Vec::with_capacity(99);
    let mut at = 0;
    for percent in 1..=99 {
        let until = (order.len() * percent + 50) / 100;
        while at < until {
            found += usize::from(bad[order[at] as usize]);
            at += 1;
        }
        curve.push(found as f64 / total);
    }
    curve
}

/// Expected recall of a random order in which the known bad come first (closed form).
pub fn random_recall(items: usize, bad: usize, known: usize, removed: usize) -> f64 {
    let (n, a, f, p) = (items as f64, bad as f64, known as f64, removed as f64);
    if p <= f { p / a } else { f / a + (p - f) / (n - f) * (a - f) / a }
}

/// One experiment's curves with intervals over the training sets.
#[derive(Clone, Debug)]
pub struct RecallCurves {
    /// Recall at 1 to 99 percent removed.
    pub value: Vec<Interval>,
    /// Recall less that of random vectors for the same known bad.
    pub gain: Vec<Interval>,
    /// Mean of the gain over all percentages.
    pub area: Interval,
    /// Bad trees in the test set.
    pub bad: usize,
    /// Known bad trees per draw (fewer than configured if there are not that many bad).
    pub known: usize,
}

impl RecallCurves {
    /// The printed formula: every recall times the share removed.
    pub fn literal(mut self) -> Self {
        for curve in [&mut self.value, &mut self.gain] {
            for (i, point) in curve.iter_mut().enumerate() {
                let share = (i + 1) as f64 / 100.0;
                *point = Interval { mean: point.mean * share, half: point.half * share };
            }
        }
        self
    }
}

/// Runs one experiment. `units` are the sorted neighbours per training set (one per set, or one for all), `random`
/// those of random vectors per set; `draws` draws of known bad are averaged within a set.
pub fn run(
    units: &[Neighbours],
    random: &[Neighbours],
    bad: &[bool],
    known: usize,
    draws: usize,
    seed: u64,
) -> RecallCurves {
    let bad_items: Vec<usize> = (0..bad.len()).filter(|i| bad[*i]).collect();
    let known = known.min(bad_items.len().saturating_sub(1)).max(1);
    let sets: Vec<(Vec<f64>, Vec<f64>)> = random
        .par_iter()
        .enumerate()
        .map(|(set, baseline)| {
            let embedding = &units[set % units.len()];
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(set as u64);
            let (mut value, mut gain) = (vec![0.0; 99], vec![0.0; 99]);
            for _ in 0..draws.max(1) {
                let drawn: Vec<usize> = sample(&mut rng, bad_items.len(), known).iter().map(|i| bad_items[i]).collect();
                let own = recall(&embedding.eliminate(&drawn), bad);
                let chance = recall(&baseline.eliminate(&drawn), bad);
                for i in 0..99 {
                    value[i] += own[i] / draws as f64;
                    gain[i] += (own[i] - chance[i]) / draws as f64;
                }
            }
            (value, gain)
        })
        .collect();
    let over_sets = |values: Vec<f64>| Interval::student(&values);
    RecallCurves {
        value: (0..99).map(|i| over_sets(sets.iter().map(|s| s.0[i]).collect())).collect(),
        gain: (0..99).map(|i| over_sets(sets.iter().map(|s| s.1[i]).collect())).collect(),
        area: over_sets(sets.iter().map(|s| s.1.iter().sum::<f64>() / 99.0).collect()),
        bad: bad_items.len(),
        known,
    }
}

/// Vectors of random numbers, new ones for every training set.
pub fn random_vectors(items: usize, seed: u64, set: usize) -> Vec<Vec<f32>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xBAD5_EED5);
    rng.set_stream(set as u64);
    (0..items).map(|_| (0..16).map(|_| rng.random::<f32>()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use homeguard::engine::preference::elimination::{Elimination, EmbeddedItems, KnownBad};

    #[test]
    fn lists_give_the_order_of_the_library() {
        let vectors = random_vectors(120, 3, 0);
        let known = [5usize, 77, 30];
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let expected = Elimination::RoundRobin.order(&EmbeddedItems(&vectors), &known.map(KnownBad::plain), &mut rng);
        let got: Vec<usize> = Neighbours::of(&vectors).eliminate(&known).into_iter().map(|i| i as usize).collect();
        assert_eq!(got, expected);
    }

    #[test]
    fn random_vectors_reach_the_closed_form() {
        let (n, a, f) = (400, 100, 20);
        let bad: Vec<bool> = (0..n).map(|i| i < a).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let mut mean = vec![0.0; 99];
        let rounds = 60;
        for set in 0..rounds {
            let lists = Neighbours::of(&random_vectors(n, 1, set));
            let known: Vec<usize> = sample(&mut rng, a, f).into_vec();
            for (sum, r) in mean.iter_mut().zip(recall(&lists.eliminate(&known), &bad)) {
                *sum += r / rounds as f64;
            }
        }
        for percent in [3, 10, 40, 80] {
            let expected = random_recall(n, a, f, n * percent / 100);
            assert!(
                (mean[percent - 1] - expected).abs() < 0.03,
                "{percent} %: {} against {expected}",
                mean[percent - 1]
            );
        }
    }

    #[test]
    fn vectors_that_know_the_answer_gain_and_intervals_are_paired() {
        let n = 200;
        let bad: Vec<bool> = (0..n).map(|i| i < 50).collect();
        let perfect: Vec<Vec<f32>> = bad.iter().map(|b| vec![f32::from(u8::from(*b))]).collect();
        let random: Vec<Neighbours> = (0..5).map(|set| Neighbours::of(&random_vectors(n, 2, set))).collect();
        let curves = run(&[Neighbours::of(&perfect)], &random, &bad, 10, 5, 1);
        assert!(curves.value[24].mean > 0.99 && curves.gain[24].low() > 0.4);
        assert!(curves.gain[98].mean.abs() < 0.05);
    }
}
