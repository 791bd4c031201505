//! A genetic algorithm over real genomes in groups (Dvořák 2006, algorithm 6.1, for the weighted Scrabble player).
//!
//! A child is put together group by group: with a fifth of the chance the group comes from a parent drawn in
//! proportion to its fitness, otherwise from one of the best tenth; each number is then changed with a small chance.

use rand::RngExt;

/// How a generation follows from the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneticSettings {
    pub population: usize,
    /// Numbers per group that are inherited together.
    pub group: usize,
    /// Chance that a group comes from a parent drawn by fitness.
    pub by_fitness: f64,
    /// Share of the population that the other groups come from.
    pub elite: f64,
    /// Chance that a number is changed.
    pub mutation: f64,
    /// Size of a change.
    pub step: f64,
}

impl Default for GeneticSettings {
    /// The published figures (Dvořák 2006).
    fn default() -> Self {
        Self { population: 100, group: 4, by_fitness: 0.2, elite: 0.1, mutation: 0.08, step: 1.0 }
    }
}

/// A generation: genomes and, once known, their fitness.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    pub number: u32,
    pub genomes: Vec<Vec<f64>>,
    pub fitness: Vec<f64>,
}

/// A number around zero, roughly normal (sum of uniforms).
fn around_zero(rng: &mut impl RngExt) -> f64 {
    (0..6).map(|_| rng.random::<f64>() - 0.5).sum::<f64>() * std::f64::consts::SQRT_2
}

impl Generation {
    /// Random genomes of `length` numbers around zero.
    pub fn random(settings: &GeneticSettings, length: usize, rng: &mut impl RngExt) -> Self {
        let genome = |rng: &mut _| (0..length).map(|_| around_zero(rng) * settings.step).collect();
        let genomes = (0..settings.population).map(|_| genome(rng)).collect();
        Self { number: 0, genomes, fitness: Vec::new() }
    }

    /// Genomes scattered around `centre`.
    pub fn around(settings: &GeneticSettings, centre: &[f64], rng: &mut impl RngExt) -> Self {
        let mut generation = Self::random(settings, centre.len(), rng);
        for genome in &mut generation.genomes {
            genome.iter_mut().zip(centre).for_each(|(number, centre)| *number += centre);
        }
        generation
    }

    /// Indices from the fittest down.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.fitness.len()).collect();
        order.sort_by(|&a, &b| self.fitness[b].total_cmp(&self.fitness[a]).then(a.cmp(&b)));
        order
    }

    /// The next generation; the fitness of this one must be known.
    pub fn next(&self, settings: &GeneticSettings, rng: &mut impl RngExt) -> Self {
        assert_eq!(self.fitness.len(), self.genomes.len(), "every genome has been judged");
        let order = self.ranking();
        let elite = ((self.genomes.len() as f64 * settings.elite).ceil() as usize).clamp(1, self.genomes.len());
        let total: f64 = self.fitness.iter().map(|f| f.max(0.0)).sum();
        let by_fitness = |rng: &mut dyn FnMut() -> f64| {
            let mut at = rng() * total;
            let found = self.fitness.iter().position(|f| {
                at -= f.max(0.0);
                at <= 0.0
            });
            found.unwrap_or(order[0])
        };
        let child = |rng: &mut _| {
            let length = self.genomes[0].len();
            let mut genome = Vec::with_capacity(length);
            while genome.len() < length {
                let parent = if unit(rng) < settings.by_fitness {
                    by_fitness(&mut || unit(rng))
                } else {
                    order[(unit(rng) * elite as f64) as usize % elite]
                };
                let to = (genome.len() + settings.group).min(length);
                for &number in &self.genomes[parent][genome.len()..to] {
                    let change = if unit(rng) < settings.mutation { around_zero(rng) * settings.step } else { 0.0 };
                    genome.push(number + change);
                }
            }
            genome
        };
        let genomes = (0..settings.population).map(|_| child(rng)).collect();
        Self { number: self.number + 1, genomes, fitness: Vec::new() }
    }
}

fn unit(rng: &mut impl RngExt) -> f64 {
    rng.random::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn a_simple_hill_is_climbed() {
        let settings = GeneticSettings { population: 60, group: 2, ..GeneticSettings::default() };
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let mut generation = Generation::random(&settings, 6, &mut rng);
        let goal = [2.0, -1.0, 0.5, 3.0, 0.0, -2.0];
        let judge = |g: &Vec<f64>| 30.0 - g.iter().zip(&goal).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let mut first = f64::MIN;
        for round in 0..60 {
            generation.fitness = generation.genomes.iter().map(judge).collect();
            let best = generation.fitness[generation.ranking()[0]];
            if round == 0 {
                first = best;
            } else if round == 59 {
                assert!(best > first && best > 28.0, "{first} to {best}");
            }
            generation = generation.next(&settings, &mut rng);
        }
    }

    #[test]
    fn genomes_around_a_centre_have_it_as_their_mean() {
        let settings = GeneticSettings { population: 400, step: 0.5, ..GeneticSettings::default() };
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let centre = [4.0, -2.0];
        let generation = Generation::around(&settings, &centre, &mut rng);
        for (i, wanted) in centre.iter().enumerate() {
            let numbers: Vec<f64> = generation.genomes.iter().map(|g| g[i]).collect();
            let mean = numbers.iter().sum::<f64>() / 400.0;
            assert!((mean - wanted).abs() < 0.1, "{mean} for {wanted}");
            assert!(numbers.iter().any(|n| (n - wanted).abs() > 0.4), "scattered");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_children() {
        let settings = GeneticSettings { population: 10, ..GeneticSettings::default() };
        let run = || {
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
            let mut g = Generation::random(&settings, 20, &mut rng);
            g.fitness = (0..10).map(f64::from).collect();
            g.next(&settings, &mut rng)
        };
        assert_eq!(run(), run());
    }
}
