//! The generator of Šindelář 2024 (sections 1.3, 4.7, 4.8, 8.2, 9.10): encoder, elimination, fitness, CVT-MAP-Elites.
//!
//! Every map that the evolution makes gets an embedding. An elimination algorithm orders all of them from worst to best,
//! given some known bad maps. The fitness of a map is the share of maps before it. The known bad maps are those with the
//! lowest game metrics among prepared maps, and those that the player rated badly.

use evolve::{Centroids, Crossover, DuplicateFilter, Elite, GeneDistribution, Genomes, MapElites, MapElitesSettings};
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::encoder::SetAutoencoder;
use super::preference::elimination::{Elimination, EmbeddedItems, KnownBad};
use super::preference::{MapPool, RatedFeatures};
use super::tree::{PlaythroughTree, TreeMaker, TreeMetrics, TreeSettings};
use crate::rules::maps::{CheckersGenerator, LineGenerator, MapGenerator, PortalRules, random_portals};
use crate::rules::{Battlefield, Map, Size};

/// The function from genomes to covers (section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverGenerator {
    /// One gene per cover site.
    Checkers,
    /// One gene per bar of a lattice.
    Lines,
}

impl CoverGenerator {
    fn genes(self, size: Size) -> usize {
        match self {
            CoverGenerator::Checkers => CheckersGenerator.genes(size),
            CoverGenerator::Lines => LineGenerator::default().genes(size),
        }
    }

    fn map(self, size: Size, genome: &[u8], rng: &mut ChaCha8Rng) -> Map {
        let covers = match self {
            CoverGenerator::Checkers => CheckersGenerator.covers(size, genome),
            CoverGenerator::Lines => LineGenerator::default().covers(size, genome),
        };
        let plain = Map::with_covers(size, covers).expect("generators give one cover per site");
        let portals = random_portals(&plain, PortalRules::default(), rng);
        plain.with_portals(portals).expect("portals are drawn from free cells")
    }
}

/// Where the embedding of a new map comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbeddingSource {
    /// The embedding of the prepared map with the nearest covers, as in the demo of the thesis.
    Nearest,
    /// A playthrough tree of the map itself: slower by about 15 ms per map.
    Simulation,
}

/// Parameters of the generator; names in brackets are those of the thesis.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratorParams {
    /// Genome to covers.
    pub generator: CoverGenerator,
    /// Embedding of new maps.
    pub source: EmbeddingSource,
    /// Elimination algorithm.
    pub elimination: Elimination,
    /// Known bad maps by the game metrics.
    pub known_bad: usize,
    /// How often a rating of −2 counts in the elimination; −1 counts half as often.
    pub rating_weight: usize,
    /// Cells of the archive (`bucketCount`).
    pub buckets: usize,
    /// Probability that a child is mutated (`mutationChance`).
    pub mutation_chance: f64,
    /// Genes that a mutation changes on average.
    pub mutated_genes: f64,
    /// Probability that a child has two parents (`crossoverChance`).
    pub crossover_chance: f64,
    /// How two parents make a child.
    pub crossover: Crossover,
    /// Weights of the gene values in random genomes and mutations (`weights`).
    pub weights: [f64; 3],
    /// New genomes per generation (`countOfNewGenomes`).
    pub new_genomes: usize,
    /// Random genomes at the start (`initialGenSize`).
    pub initial: usize,
    /// Generations after the start.
    pub generations: usize,
    /// Children like earlier genomes are skipped before evaluation (`preFitness`).
    pub skip: Option<DuplicateFilter>,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for GeneratorParams {
    /// The thesis publishes no values; these are ours.
    fn default() -> Self {
        GeneratorParams {
            generator: CoverGenerator::Checkers,
            source: EmbeddingSource::Nearest,
            elimination: Elimination::RoundRobin,
            known_bad: 40,
            rating_weight: 8,
            buckets: 1_000,
            mutation_chance: 1.0,
            mutated_genes: 2.0,
            crossover_chance: 0.5,
            crossover: Crossover::OnePoint,
            weights: [0.6, 0.2, 0.2],
            new_genomes: 64,
            initial: 1_000,
            generations: 10,
            skip: None,
            seed: 1,
        }
    }
}

/// All genomes of a run, to resume it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratorState {
    /// Genomes in the order of their making, one digit per gene.
    pub genomes: Vec<String>,
}

/// A generated map.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedMap {
    /// The map.
    pub map: Map,
    /// Share of all maps of the run that the elimination places before it.
    pub fitness: f64,
}

/// Prepared maps with embeddings, and which of them are bad by the game metrics.
pub struct EmbeddingLibrary {
    size: Size,
    encoder: SetAutoencoder,
    covers: Vec<Vec<u8>>,
    vectors: Vec<Vec<f32>>,
    bad: Vec<usize>,
}

/// Percent of the prepared maps with the lowest value of each metric that count as bad.
const BAD_PERCENT: usize = 15;
/// Branches kept in the tree of an embedding.
const BRANCHES: i64 = 150;

impl EmbeddingLibrary {
    /// Grows a tree for each of the first `count` plain maps of a pool and embeds it.
    pub fn new(pool: &MapPool, mut encoder: SetAutoencoder, count: usize) -> Self {
        let mut maker = TreeMaker::new();
        let maps = &pool.plain()[..count.min(pool.plain().len())];
        let trees: Vec<PlaythroughTree> = maps.iter().map(|m| tree_of(&m.map, encoder.layers(), &mut maker)).collect();
        let vectors: Vec<Vec<f32>> = trees.iter().map(|tree| encoder.embed(tree)).collect();
        let metrics: Vec<[f64; 5]> = trees.iter().map(|tree| TreeMetrics::of(tree).values()).collect();
        let mut bad: Vec<usize> = Vec::new();
        for metric in 0..5 {
            let mut order: Vec<usize> = (0..metrics.len()).collect();
            order.sort_by(|a, b| metrics[*a][metric].total_cmp(&metrics[*b][metric]));
            bad.extend(order.into_iter().take(metrics.len() * BAD_PERCENT / 100));
        }
        bad.sort_unstable();
        bad.dedup();
        let covers = maps.iter().map(|m| genes(&m.map)).collect();
        EmbeddingLibrary { size: pool.size(), encoder, covers, vectors, bad }
    }

    fn embed(&mut self, map: &Map, source: EmbeddingSource, maker: &mut TreeMaker) -> Vec<f32> {
        match source {
            EmbeddingSource::Simulation => {
                let tree = tree_of(map, self.encoder.layers(), maker);
                self.encoder.embed(&tree)
            }
            EmbeddingSource::Nearest => {
                let own = genes(map);
                let squared = |other: &Vec<u8>| -> u32 {
                    own.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
                };
                let nearest = (0..self.covers.len()).min_by_key(|i| squared(&self.covers[*i]));
                nearest.map(|i| self.vectors[i].clone()).unwrap_or_default()
            }
        }
    }

    /// Runs the generator and returns the fittest maps of the archive, best first; `state` is extended.
    pub fn generate(
        &mut self,
        rated: &[RatedFeatures],
        params: &GeneratorParams,
        count: usize,
        state: &mut GeneratorState,
    ) -> Vec<GeneratedMap> {
        let mut rng = ChaCha8Rng::seed_from_u64(params.seed);
        let mut maker = TreeMaker::new();
        let known = self.known_bad(rated, params, &mut maker, &mut rng);
        let settings = elites_settings(params, self.size);
        let distribution = GeneDistribution::new(&params.weights);
        let (samples, rounds) = (settings.samples.min(4 * settings.cells), 2);
        let centroids = Centroids::random(settings.cells, settings.genes, &distribution, samples, rounds, &mut rng);
        let mut run = Run { genomes: Genomes::new(settings.genes), maps: Vec::new(), vectors: Vec::new() };
        for text in &state.genomes {
            let genome: Vec<u8> = text.bytes().map(|digit| digit.wrapping_sub(b'0').min(2)).collect();
            self.add(&mut run, &genome, params, &mut maker);
        }
        let mut children = Genomes::new(settings.genes);
        for generation in 0..=params.generations {
            let fitness = run.fitness(&known, params.elimination, &mut rng);
            let elites = run.elites(&fitness);
            let Ok(mut archive) = MapElites::resume(settings.clone(), centroids.clone(), elites, run.genomes.clone())
            else {
                break;
            };
            let missing = params.initial.saturating_sub(run.genomes.len());
            archive.ask(if generation == 0 { missing } else { params.new_genomes }, &mut children, &mut rng);
            for child in children.iter() {
                self.add(&mut run, child, params, &mut maker);
            }
        }
        let fitness = run.fitness(&known, params.elimination, &mut rng);
        state.genomes =
            run.genomes.iter().map(|genome| genome.iter().map(|gene| char::from(b'0' + gene)).collect()).collect();
        run.best(&centroids, &fitness, count)
    }

    fn add(&mut self, run: &mut Run, genome: &[u8], params: &GeneratorParams, maker: &mut TreeMaker) {
        if !run.genomes.push(genome) {
            return;
        }
        // the portals of a map depend on its number only, so that a resumed run makes the same maps
        let mut rng = ChaCha8Rng::seed_from_u64(params.seed);
        rng.set_stream(run.maps.len() as u64 + 1);
        let map = params.generator.map(self.size, genome, &mut rng);
        run.vectors.push(self.embed(&map, params.source, maker));
        run.maps.push(map);
    }

    /// Embeddings of the known bad maps with their weights.
    fn known_bad(
        &mut self,
        rated: &[RatedFeatures],
        params: &GeneratorParams,
        maker: &mut TreeMaker,
        rng: &mut ChaCha8Rng,
    ) -> Vec<(Vec<f32>, usize)> {
        let drawn = sample(rng, self.bad.len(), params.known_bad.min(self.bad.len()));
        let mut known: Vec<(Vec<f32>, usize)> = drawn.iter().map(|i| (self.vectors[self.bad[i]].clone(), 1)).collect();
        for record in rated.iter().filter(|record| record.rating < 0.0) {
            let weight = if record.rating <= -2.0 { params.rating_weight } else { params.rating_weight.div_ceil(2) };
            known.push((self.embed(&record.map, params.source, maker), weight.max(1)));
        }
        known
    }
}

fn elites_settings(params: &GeneratorParams, size: Size) -> MapElitesSettings {
    MapElitesSettings {
        cells: params.buckets.max(1),
        initial: params.initial,
        crossover_chance: params.crossover_chance,
        crossover: params.crossover,
        mutation_chance: params.mutation_chance,
        mutated_genes: params.mutated_genes,
        skip: params.skip,
        ..MapElitesSettings::new(params.generator.genes(size), &params.weights)
    }
}

fn genes(map: &Map) -> Vec<u8> {
    map.covers().iter().map(|cover| cover.gene()).collect()
}

fn tree_of(map: &Map, layers: usize, maker: &mut TreeMaker) -> PlaythroughTree {
    let board = Battlefield::new(map.clone());
    let settings = TreeSettings::sindelar(layers / 4, BRANCHES, 0.0);
    maker.make(&board, &settings, 0).unwrap_or_default()
}

/// Every map made so far.
struct Run {
    genomes: Genomes,
    maps: Vec<Map>,
    vectors: Vec<Vec<f32>>,
}

impl Run {
    /// Share of maps before each map in the elimination order.
    fn fitness(&self, known: &[(Vec<f32>, usize)], elimination: Elimination, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let n = self.vectors.len();
        let vectors: Vec<Vec<f32>> =
            self.vectors.iter().cloned().chain(known.iter().map(|(vector, _)| vector.clone())).collect();
        let bad: Vec<KnownBad> =
            known.iter().enumerate().map(|(i, (_, times))| KnownBad { item: n + i, times: *times, every: 1 }).collect();
        let order = elimination.order(&EmbeddedItems(&vectors), &bad, rng);
        let mut fitness = vec![0.0; n];
        for (place, item) in order.into_iter().filter(|item| *item < n).enumerate() {
            fitness[item] = place as f64 / n.max(1) as f64;
        }
        // maps with the embedding of the same prepared map differ only by the order of their making
        fitness.iter_mut().for_each(|value| *value += rng.random::<f64>() * 1e-9);
        fitness
    }

    fn elites(&self, fitness: &[f64]) -> Vec<Elite> {
        self.genomes.iter().zip(fitness).map(|(genome, f)| Elite { genome: genome.to_vec(), fitness: *f }).collect()
    }

    /// The fittest maps, one per cell of the archive.
    fn best(&self, centroids: &Centroids, fitness: &[f64], count: usize) -> Vec<GeneratedMap> {
        let mut order: Vec<usize> = (0..self.maps.len()).collect();
        order.sort_by(|a, b| fitness[*b].total_cmp(&fitness[*a]));
        let mut cells = std::collections::HashSet::new();
        order
            .into_iter()
            .filter(|i| cells.insert(centroids.nearest(self.genomes.get(*i))))
            .take(count)
            .map(|i| GeneratedMap { map: self.maps[i].clone(), fitness: fitness[i] })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::encoder::NetSettings;

    fn library(size: Size) -> EmbeddingLibrary {
        let pool = MapPool::generate(size, 30, 10, 5, &mut TreeMaker::new(), |_| {});
        let mut maker = TreeMaker::new();
        let trees: Vec<PlaythroughTree> = pool.plain()[..4].iter().map(|m| tree_of(&m.map, 8, &mut maker)).collect();
        let settings = NetSettings {
            channels: 8,
            embedding: 4,
            heads: 2,
            branches: 16,
            batch: 4,
            epochs: 1,
            learning_rate: 0.01,
            decay: 1.0,
            seed: 1,
        };
        EmbeddingLibrary::new(&pool, SetAutoencoder::new(settings, &trees.iter().collect::<Vec<_>>()), 30)
    }

    fn small() -> GeneratorParams {
        GeneratorParams {
            buckets: 30,
            initial: 40,
            new_genomes: 10,
            generations: 4,
            known_bad: 5,
            ..Default::default()
        }
    }

    #[test]
    fn every_variant_gives_distinct_maps_in_order_of_fitness() {
        let size = Size::new(7).unwrap();
        let mut library = library(size);
        let lines = GeneratorParams { generator: CoverGenerator::Lines, ..small() };
        let epidemic = GeneratorParams {
            elimination: Elimination::Epidemic { recovery: 2 },
            source: EmbeddingSource::Simulation,
            crossover: Crossover::LinearCombination,
            ..small()
        };
        for params in [small(), lines, epidemic] {
            let run =
                |library: &mut EmbeddingLibrary| library.generate(&[], &params, 6, &mut GeneratorState::default());
            let maps = run(&mut library);
            assert_eq!(maps.len(), 6);
            assert!(maps.windows(2).all(|pair| pair[0].fitness >= pair[1].fitness));
            assert!(maps[0].fitness > 0.8);
            assert_eq!(run(&mut library), maps, "same seed, same maps");
        }
    }

    #[test]
    fn a_run_is_resumed_from_its_genomes() {
        let mut library = library(Size::new(7).unwrap());
        let mut state = GeneratorState::default();
        library.generate(&[], &small(), 3, &mut state);
        let before = state.genomes.clone();
        assert_eq!(before.len(), 40 + 4 * 10);
        library.generate(&[], &small(), 3, &mut state);
        assert_eq!(state.genomes[..before.len()], before);
        assert_eq!(state.genomes.len(), before.len() + 4 * 10);
    }
}
