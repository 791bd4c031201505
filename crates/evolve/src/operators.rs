//! Genomes of small integers and their variation operators (Šindelář 2024, sections 4.4 and 8.2).

use rand::RngExt;

/// The values of a gene and their sampling weights.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneDistribution {
    weights: Vec<f64>,
    total: f64,
}

impl GeneDistribution {
    /// Values `0..weights.len()`, drawn in proportion to the weights.
    pub fn new(weights: &[f64]) -> Self {
        GeneDistribution { weights: weights.to_vec(), total: weights.iter().sum() }
    }

    /// Number of values.
    pub fn values(&self) -> usize {
        self.weights.len()
    }

    /// Draws one value.
    pub fn sample(&self, rng: &mut impl rand::Rng) -> u8 {
        let mut left = rng.random::<f64>() * self.total;
        for (value, weight) in self.weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return value as u8;
            }
        }
        0
    }
}

/// Genomes of one length, side by side in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Genomes {
    genes: usize,
    data: Vec<u8>,
}

impl Genomes {
    /// No genomes yet.
    pub fn new(genes: usize) -> Self {
        Genomes { genes, data: Vec::new() }
    }

    /// Number of genomes.
    pub fn len(&self) -> usize {
        self.data.len().checked_div(self.genes).unwrap_or(0)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// One genome.
    pub fn get(&self, index: usize) -> &[u8] {
        &self.data[index * self.genes..(index + 1) * self.genes]
    }

    /// All genomes in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.data.chunks_exact(self.genes.max(1))
    }

    /// Adds a genome of the right length; others are refused.
    pub fn push(&mut self, genome: &[u8]) -> bool {
        let fits = genome.len() == self.genes;
        if fits {
            self.data.extend_from_slice(genome);
        }
        fits
    }

    /// Takes out all genomes, keeping the memory.
    pub fn clear(&mut self) {
        self.data.clear();
    }
}

/// How two parents make a child.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Crossover {
    /// One-point crossover: a head of the first parent and the tail of the second.
    #[default]
    OnePoint,
    /// The rounded linear combination of both parents with a random coefficient (the first operator of the thesis).
    LinearCombination,
}

/// Crosses two parents into `child`.
pub(crate) fn crossover(kind: Crossover, a: &[u8], b: &[u8], child: &mut [u8], rng: &mut impl rand::Rng) {
    if kind == Crossover::LinearCombination {
        let share = rng.random::<f32>();
        for (gene, (x, y)) in child.iter_mut().zip(a.iter().zip(b)) {
            *gene = (share * f32::from(*x) + (1.0 - share) * f32::from(*y)).round() as u8;
        }
        return;
    }
    let cut = rng.random_range(0..=child.len());
    child[..cut].copy_from_slice(&a[..cut]);
    child[cut..].copy_from_slice(&b[cut..]);
}

/// Resamples each gene so that `expected` genes are resampled on average.
///
/// Jumps from one changed gene to the next (geometric gaps) instead of asking every gene.
pub(crate) fn mutate(
    genome: &mut [u8],
    expected: f64,
    distribution: &GeneDistribution,
    force_different: bool,
    rng: &mut impl rand::Rng,
) {
    let chance = (expected / genome.len().max(1) as f64).clamp(0.0, 1.0);
    if chance <= 0.0 {
        return;
    }
    let scale = if chance < 1.0 { 1.0 / (1.0 - chance).ln() } else { 0.0 };
    let mut at = 0usize;
    loop {
        let uniform = 1.0 - rng.random::<f64>();
        at = at.saturating_add((uniform.ln() * scale) as usize);
        if at >= genome.len() {
            return;
        }
        let old = genome[at];
        let mut new = distribution.sample(rng);
        if force_different && distribution.values() > 1 {
            for _ in 0..64 {
                if new != old {
                    break;
                }
                new = distribution.sample(rng);
            }
        }
        genome[at] = new;
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn mutation_changes_the_expected_number_of_genes() {
        let distribution = GeneDistribution::new(&[1.0, 1.0, 1.0]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut changed = 0;
        let rounds = 20_000;
        for _ in 0..rounds {
            let mut genome = [0u8; 60];
            mutate(&mut genome, 2.0, &distribution, true, &mut rng);
            changed += genome.iter().filter(|g| **g != 0).count();
        }
        let mean = changed as f64 / f64::from(rounds);
        assert!((mean - 2.0).abs() < 0.05, "{mean}");
    }

    #[test]
    fn crossover_takes_a_head_and_a_tail() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..100 {
            let mut child = [9; 10];
            crossover(Crossover::OnePoint, &[0; 10], &[1; 10], &mut child, &mut rng);
            assert!(child.windows(2).all(|pair| pair[0] <= pair[1]), "{child:?}");
        }
    }

    #[test]
    fn a_linear_combination_lies_between_its_parents() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut child = [9; 10];
        for _ in 0..50 {
            crossover(Crossover::LinearCombination, &[0; 10], &[2; 10], &mut child, &mut rng);
            assert!(child.iter().all(|gene| *gene == child[0] && *gene <= 2));
        }
    }

    #[test]
    fn values_are_drawn_by_weight() {
        let distribution = GeneDistribution::new(&[0.6, 0.3, 0.1]);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            counts[usize::from(distribution.sample(&mut rng))] += 1;
        }
        for (count, share) in counts.iter().zip([0.6, 0.3, 0.1]) {
            assert!((f64::from(*count) / 30_000.0 - share).abs() < 0.02);
        }
    }
}
