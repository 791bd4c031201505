//! CVT-MAP-Elites (Vassiliades, Chatzilygeroudis, Mouret 2018) with the operators of Šindelář 2024 (sections 4.3,
//! 4.4, 8.2): the genome itself is the descriptor, parents are drawn uniformly from the archive.

use rand::RngExt;

use crate::centroids::Centroids;
use crate::operators::{Crossover, GeneDistribution, Genomes, crossover, mutate};

/// Children too similar to anything made before are dropped before they cost an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DuplicateFilter {
    /// A child that differs from some earlier genome in at most this many genes is similar.
    pub within: usize,
    /// Probability that a similar child is dropped.
    pub probability: f64,
}

/// Parameters without published values use ours: 1,000 cells, 2 genes changed on average, half of the children crossed.
#[derive(Clone, Debug, PartialEq)]
pub struct MapElitesSettings {
    /// Length of a genome.
    pub genes: usize,
    /// Weight of each gene value, for random genomes and for mutation.
    pub weights: Vec<f64>,
    /// Cells of the archive.
    pub cells: usize,
    /// Random genomes for the centroids, and rounds of k-means on them.
    pub samples: usize,
    /// Rounds of k-means.
    pub rounds: usize,
    /// Random genomes before the archive is used for parents.
    pub initial: usize,
    /// Probability that a child has two parents.
    pub crossover_chance: f64,
    /// How two parents make a child.
    pub crossover: Crossover,
    /// Probability that a child is mutated.
    pub mutation_chance: f64,
    /// Genes changed by a mutation on average.
    pub mutated_genes: f64,
    /// A mutated gene always takes another value.
    pub force_different: bool,
    /// Drop similar children early.
    pub skip: Option<DuplicateFilter>,
}

impl MapElitesSettings {
    /// The defaults for a genome length and gene weights.
    pub fn new(genes: usize, weights: &[f64]) -> Self {
        MapElitesSettings {
            genes,
            weights: weights.to_vec(),
            cells: 1_000,
            samples: 5_000,
            rounds: 4,
            initial: 1_000,
            crossover_chance: 0.5,
            crossover: Crossover::OnePoint,
            mutation_chance: 1.0,
            mutated_genes: 2.0,
            force_different: false,
            skip: None,
        }
    }
}

/// Why parts cannot be put together again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElitesError {
    /// Genome lengths differ.
    #[error("centroids are for genomes of {centroids} genes, the settings say {settings}")]
    Genes {
        /// In the centroids.
        centroids: usize,
        /// In the settings.
        settings: usize,
    },
    /// An elite with the wrong number of genes.
    #[error("an elite has {given} genes instead of {expected}")]
    Elite {
        /// Its genes.
        given: usize,
        /// The expected value.
        expected: usize,
    },
}

/// The best genome of one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Elite {
    /// Its genes.
    pub genome: Vec<u8>,
    /// Its fitness.
    pub fitness: f64,
}

/// The archive and its history. Ask for children, evaluate them, tell the results.
#[derive(Clone, Debug)]
pub struct MapElites {
    settings: MapElitesSettings,
    distribution: GeneDistribution,
    centroids: Centroids,
    archive: Vec<Option<Elite>>,
    /// Cells that hold an elite, for drawing parents.
    filled: Vec<u32>,
    history: Genomes,
    made: usize,
}

impl MapElites {
    /// An empty archive over fresh centroids.
    pub fn new(settings: MapElitesSettings, rng: &mut impl rand::Rng) -> Self {
        let distribution = GeneDistribution::new(&settings.weights);
        let centroids =
            Centroids::random(settings.cells, settings.genes, &distribution, settings.samples, settings.rounds, rng);
        MapElites {
            archive: vec![None; centroids.cells()],
            filled: Vec::new(),
            history: Genomes::new(settings.genes),
            made: 0,
            distribution,
            centroids,
            settings,
        }
    }

    /// Resumes from known centroids, elites and history.
    pub fn resume(
        settings: MapElitesSettings,
        centroids: Centroids,
        elites: Vec<Elite>,
        history: Genomes,
    ) -> Result<Self, ElitesError> {
        if centroids.genes() != settings.genes {
            return Err(ElitesError::Genes { centroids: centroids.genes(), settings: settings.genes });
        }
        let mut resumed = MapElites {
            distribution: GeneDistribution::new(&settings.weights),
            archive: vec![None; centroids.cells()],
            filled: Vec::new(),
            made: history.len(),
            history,
            centroids,
            settings,
        };
        for elite in elites {
            if elite.genome.len() != resumed.settings.genes {
                return Err(ElitesError::Elite { given: elite.genome.len(), expected: resumed.settings.genes });
            }
            resumed.place(&elite.genome, elite.fitness);
        }
        Ok(resumed)
    }

    /// Fills `children` with `count` new genomes: random ones first, then children of elites.
    pub fn ask(&mut self, count: usize, children: &mut Genomes, rng: &mut impl rand::Rng) {
        children.clear();
        let mut child = vec![0u8; self.settings.genes];
        let mut refused = 0;
        while children.len() < count && self.settings.genes > 0 {
            if self.made + children.len() < self.settings.initial || self.filled.is_empty() {
                child.fill_with(|| self.distribution.sample(rng));
            } else {
                self.breed(&mut child, rng);
            }
            // after many refusals everything near is known: take the child anyway
            if refused < 20 * count && self.is_skipped(&child, rng) {
                refused += 1;
                continue;
            }
            children.push(&child);
        }
    }

    fn parent(&self, rng: &mut impl rand::Rng) -> &[u8] {
        let cell = self.filled[rng.random_range(0..self.filled.len())];
        self.archive[cell as usize].as_ref().map_or(&[], |elite| &elite.genome)
    }

    fn breed(&self, child: &mut [u8], rng: &mut impl rand::Rng) {
        let first = self.parent(rng);
        if rng.random::<f64>() < self.settings.crossover_chance {
            let second = self.parent(rng);
            crossover(self.settings.crossover, first, second, child, rng);
        } else {
            child.copy_from_slice(first);
        }
        if rng.random::<f64>() < self.settings.mutation_chance {
            mutate(child, self.settings.mutated_genes, &self.distribution, self.settings.force_different, rng);
        }
    }

    fn is_skipped(&self, child: &[u8], rng: &mut impl rand::Rng) -> bool {
        let Some(skip) = self.settings.skip else {
            return false;
        };
        let similar =
            self.history.iter().any(|known| known.iter().zip(child).filter(|(a, b)| a != b).count() <= skip.within);
        similar && rng.random::<f64>() < skip.probability
    }

    /// Takes the fitness of children; each goes into the cell of its nearest centroid if it beats what is there.
    pub fn tell(&mut self, children: &Genomes, fitness: &[f64]) {
        for (child, value) in children.iter().zip(fitness) {
            self.place(child, *value);
            self.made += 1;
            if self.settings.skip.is_some() {
                self.history.push(child);
            }
        }
    }

    fn place(&mut self, genome: &[u8], fitness: f64) {
        let cell = self.centroids.nearest(genome);
        match &mut self.archive[cell] {
            Some(elite) if fitness > elite.fitness => {
                elite.genome.copy_from_slice(genome);
                elite.fitness = fitness;
            }
            Some(_) => {}
            empty => {
                *empty = Some(Elite { genome: genome.to_vec(), fitness });
                self.filled.push(cell as u32);
            }
        }
    }

    /// The elites with their cells.
    pub fn elites(&self) -> impl Iterator<Item = (usize, &Elite)> {
        self.archive.iter().enumerate().filter_map(|(cell, elite)| Some((cell, elite.as_ref()?)))
    }

    /// The partition of genome space.
    pub fn centroids(&self) -> &Centroids {
        &self.centroids
    }

    /// Genomes made so far; kept only while similar children are skipped.
    pub fn history(&self) -> &Genomes {
        &self.history
    }

    /// Number of evaluated genomes.
    pub fn made(&self) -> usize {
        self.made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn ones(genome: &[u8]) -> f64 {
        genome.iter().filter(|gene| **gene == 1).count() as f64
    }

    fn evolve(settings: MapElitesSettings, steps: usize, seed: u64) -> MapElites {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut elites = MapElites::new(settings, &mut rng);
        let mut children = Genomes::default();
        children.clone_from(&Genomes::new(elites.settings.genes));
        for _ in 0..steps {
            elites.ask(64, &mut children, &mut rng);
            let fitness: Vec<f64> = children.iter().map(ones).collect();
            elites.tell(&children, &fitness);
        }
        elites
    }

    fn small() -> MapElitesSettings {
        MapElitesSettings { cells: 50, initial: 200, ..MapElitesSettings::new(30, &[0.6, 0.2, 0.2]) }
    }

    #[test]
    fn evolution_beats_random_drawing_and_fills_cells() {
        let random = evolve(MapElitesSettings { initial: usize::MAX, ..small() }, 100, 1);
        let evolved = evolve(small(), 100, 1);
        let mean = |elites: &MapElites| {
            let values: Vec<f64> = elites.elites().map(|(_, e)| e.fitness).collect();
            values.iter().sum::<f64>() / values.len() as f64
        };
        assert!(mean(&evolved) > mean(&random) + 2.0);
        assert!(evolved.elites().count() >= 45);
        assert_eq!(evolved.made(), 6_400);
    }

    #[test]
    fn the_same_seed_gives_the_same_archive() {
        let a: Vec<_> = evolve(small(), 20, 7).elites().map(|(c, e)| (c, e.clone())).collect();
        let b: Vec<_> = evolve(small(), 20, 7).elites().map(|(c, e)| (c, e.clone())).collect();
        assert_eq!(a, b);
    }

    #[test]
    fn similar_children_are_skipped_and_archives_resume() {
        let settings = MapElitesSettings { skip: Some(DuplicateFilter { within: 1, probability: 1.0 }), ..small() };
        let elites = evolve(settings.clone(), 12, 3);
        assert_eq!(elites.history().len(), elites.made());
        let mut close = 0;
        for i in 0..elites.history().len() {
            for j in 0..i {
                let (a, b) = (elites.history().get(i), elites.history().get(j));
                // children of one step are not compared with each other
                if i / 64 != j / 64 && a.iter().zip(b).filter(|(x, y)| x != y).count() <= 1 {
                    close += 1;
                }
            }
        }
        assert_eq!(close, 0);
        let parts = elites.elites().map(|(_, e)| e.clone()).collect();
        let resumed = MapElites::resume(settings, elites.centroids().clone(), parts, elites.history().clone()).unwrap();
        assert_eq!(resumed.elites().count(), elites.elites().count());
        assert_eq!(resumed.made(), elites.made());
    }
}
