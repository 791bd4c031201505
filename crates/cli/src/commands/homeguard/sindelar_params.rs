//! The parameters of `parlour homeguard generate --method sindelar`, from flags and from a configuration file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use evolve::{Crossover, DuplicateFilter};
use homeguard::engine::generator::{CoverGenerator, EmbeddingSource, GeneratorParams};
use homeguard::engine::preference::elimination::Elimination;
use serde::Deserialize;

/// Flags of the generator; the key in a configuration file is the name in brackets.
#[derive(clap::Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[command(next_help_heading = "Method sindelar (CONFIG key)")]
pub struct SindelarArgs {
    /// Elimination algorithm 1 to 4 [default: 2] (algorithm)
    #[arg(long)]
    algorithm: Option<u8>,
    /// Temperature of algorithm 3 [default: 1] (temperature)
    #[arg(long)]
    temperature: Option<f64>,
    /// Rounds until recovery in algorithm 4 [default: 5] (recovery)
    #[arg(long)]
    recovery: Option<usize>,
    /// Known bad maps by the game metrics [default: 40] (knownBad)
    #[arg(long)]
    known_bad: Option<usize>,
    /// Repetitions of a map rated -2 in the elimination, half for -1 [default: 8] (ratingWeight)
    #[arg(long)]
    rating_weight: Option<usize>,
    /// Embedding of new maps: nearest (prepared map) or simulation [default: nearest] (embedding)
    #[arg(long)]
    embedding: Option<String>,
    /// Cover generator: checkers or lines [default: checkers] (generator)
    #[arg(long)]
    generator: Option<String>,
    /// Cells of the archive [default: 1000] (bucketCount)
    #[arg(long)]
    bucket_count: Option<usize>,
    /// Probability of a mutation [default: 1] (mutationChance)
    #[arg(long)]
    mutation_chance: Option<f64>,
    /// Genes changed by a mutation on average [default: 2] (mutatedGenes)
    #[arg(long)]
    mutated_genes: Option<f64>,
    /// Probability of two parents [default: 0.5] (crossoverChance)
    #[arg(long)]
    crossover_chance: Option<f64>,
    /// Crossover: one-point or linear [default: one-point] (crossover)
    #[arg(long)]
    crossover: Option<String>,
    /// Weights of no cover, rock and tree [default: 0.6,0.2,0.2] (weights)
    #[arg(long, value_delimiter = ',', num_args = 1)]
    weights: Option<Vec<f64>>,
    /// New genomes per generation [default: 64] (countOfNewGenomes)
    #[arg(long)]
    count_of_new_genomes: Option<usize>,
    /// Random genomes at the start [default: 1000] (initialGenSize)
    #[arg(long)]
    initial_gen_size: Option<usize>,
    /// Generations [default: 10] (generations)
    #[arg(long)]
    generations: Option<usize>,
    /// Genes up to which a child is similar to an earlier genome; with --skip-chance (skipWithin)
    #[arg(long)]
    skip_within: Option<usize>,
    /// Probability to skip a similar child before evaluation [default: 1] (skipChance)
    #[arg(long)]
    skip_chance: Option<f64>,
    /// Configuration with these keys as JSON; flags win
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// File of all genomes; the run resumes from it if it exists, and extends it
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub resume: Option<PathBuf>,
    /// Encoder file that `train` wrote [default: homeguard/encoder.bin in the data folder]
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub encoder: Option<PathBuf>,
}

impl SindelarArgs {
    /// The parameters; flags win over the configuration file, that over the defaults.
    pub fn params(&self, seed: u64) -> Result<GeneratorParams> {
        let file = match &self.config {
            Some(path) => read_config(path)?,
            None => SindelarArgs::default(),
        };
        let d = GeneratorParams::default();
        let either = |own: Option<f64>, other: Option<f64>, default: f64| own.or(other).unwrap_or(default);
        let count = |own: Option<usize>, other: Option<usize>, default: usize| own.or(other).unwrap_or(default);
        let word = |own: &Option<String>, other: &Option<String>, default: &str| {
            own.clone().or_else(|| other.clone()).unwrap_or_else(|| default.to_owned())
        };
        let elimination = match self.algorithm.or(file.algorithm).unwrap_or(2) {
            1 => Elimination::MeanDistance,
            2 => Elimination::RoundRobin,
            3 => Elimination::Softmin { temperature: either(self.temperature, file.temperature, 1.0) },
            4 => Elimination::Epidemic { recovery: count(self.recovery, file.recovery, 5) },
            other => bail!("--algorithm {other}: use 1, 2, 3 or 4"),
        };
        let source = match word(&self.embedding, &file.embedding, "nearest").as_str() {
            "nearest" => EmbeddingSource::Nearest,
            "simulation" => EmbeddingSource::Simulation,
            other => bail!("--embedding {other}: use nearest or simulation"),
        };
        let generator = match word(&self.generator, &file.generator, "checkers").as_str() {
            "checkers" => CoverGenerator::Checkers,
            "lines" => CoverGenerator::Lines,
            other => bail!("--generator {other}: use checkers or lines"),
        };
        let crossover = match word(&self.crossover, &file.crossover, "one-point").as_str() {
            "one-point" => Crossover::OnePoint,
            "linear" => Crossover::LinearCombination,
            other => bail!("--crossover {other}: use one-point or linear"),
        };
        let weights = match self.weights.as_ref().or(file.weights.as_ref()).map(Vec::as_slice) {
            None => d.weights,
            Some([a, b, c]) if [a, b, c].iter().all(|w| **w >= 0.0) && a + b + c > 0.0 => [*a, *b, *c],
            Some(other) => bail!("--weights {other:?}: three weights of at least 0 are needed, not all 0"),
        };
        let skip_chance = either(self.skip_chance, file.skip_chance, 1.0);
        let skip = self.skip_within.or(file.skip_within);
        let params = GeneratorParams {
            generator,
            source,
            elimination,
            known_bad: count(self.known_bad, file.known_bad, d.known_bad),
            rating_weight: count(self.rating_weight, file.rating_weight, d.rating_weight),
            buckets: count(self.bucket_count, file.bucket_count, d.buckets),
            mutation_chance: either(self.mutation_chance, file.mutation_chance, d.mutation_chance),
            mutated_genes: either(self.mutated_genes, file.mutated_genes, d.mutated_genes),
            crossover_chance: either(self.crossover_chance, file.crossover_chance, d.crossover_chance),
            crossover,
            weights,
            new_genomes: count(self.count_of_new_genomes, file.count_of_new_genomes, d.new_genomes),
            initial: count(self.initial_gen_size, file.initial_gen_size, d.initial).max(1),
            generations: count(self.generations, file.generations, d.generations),
            skip: skip.map(|within| DuplicateFilter { within, probability: skip_chance }),
            seed,
        };
        for (name, value) in [
            ("mutation-chance", params.mutation_chance),
            ("crossover-chance", params.crossover_chance),
            ("skip-chance", skip_chance),
        ] {
            if !(0.0..=1.0).contains(&value) {
                bail!("--{name} {value}: a probability from 0 to 1 is needed");
            }
        }
        Ok(params)
    }
}

fn read_config(path: &Path) -> Result<SindelarArgs> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}
