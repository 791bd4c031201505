//! A centroidal Voronoi partition of genome space: k-means centroids of random genomes, and which one is nearest.

use crate::operators::{GeneDistribution, Genomes};

/// Cells summed together: enough to fill the vector registers.
const LANES: usize = 32;

/// Centroids in R^genes with tables that find the nearest one to an integer genome by additions only.
#[derive(Clone, Debug, PartialEq)]
pub struct Centroids {
    genes: usize,
    values: usize,
    cells: usize,
    /// Centre of each cell, gene by gene.
    centres: Vec<f32>,
    /// Squared distance of the all-zero genome to every centre, padded to whole lanes with infinity.
    zero: Vec<f32>,
    /// For each block of cells, gene and non-zero value: the summand of that value in the squared distances of the block.
    /// Blocks come first, so that one block's rows lie side by side instead of a page apart.
    steps: Vec<[f32; LANES]>,
}

impl Centroids {
    /// Runs k-means on `samples` random genomes.
    pub fn random(
        cells: usize,
        genes: usize,
        distribution: &GeneDistribution,
        samples: usize,
        rounds: usize,
        rng: &mut impl rand::Rng,
    ) -> Self {
        let mut points = Genomes::new(genes);
        let mut genome = vec![0; genes];
        for _ in 0..samples.max(cells) {
            genome.fill_with(|| distribution.sample(rng));
            points.push(&genome);
        }
        let mut centres: Vec<f32> = points.iter().take(cells).flatten().map(|gene| f32::from(*gene)).collect();
        for _ in 0..rounds {
            let current = Centroids::from_centres(centres, genes, distribution.values());
            let mut sums = vec![0f64; cells * genes];
            let mut counts = vec![0usize; cells];
            for point in points.iter() {
                let cell = current.nearest(point);
                counts[cell] += 1;
                for (sum, gene) in sums[cell * genes..].iter_mut().zip(point) {
                    *sum += f64::from(*gene);
                }
            }
            centres = current.centres;
            for cell in (0..cells).filter(|cell| counts[*cell] > 0) {
                for gene in 0..genes {
                    centres[cell * genes + gene] = (sums[cell * genes + gene] / counts[cell] as f64) as f32;
                }
            }
        }
        Centroids::from_centres(centres, genes, distribution.values())
    }

    /// Centroids that are known, for resuming: `centres.len()` must be a multiple of `genes`.
    pub fn from_centres(centres: Vec<f32>, genes: usize, values: usize) -> Self {
        let cells = centres.len() / genes.max(1);
        let padded = cells.div_ceil(LANES) * LANES;
        let rows = genes * values.saturating_sub(1);
        let mut zero = vec![f32::INFINITY; padded];
        let mut steps = vec![[0f32; LANES]; rows * (padded / LANES)];
        for cell in 0..cells {
            let centre = &centres[cell * genes..(cell + 1) * genes];
            zero[cell] = centre.iter().map(|c| c * c).sum();
            for (gene, c) in centre.iter().enumerate() {
                for value in 1..values {
                    let v = value as f32;
                    let row = gene * (values - 1) + value - 1;
                    steps[cell / LANES * rows + row][cell % LANES] = v * v - 2.0 * v * c;
                }
            }
        }
        Centroids { genes, values, cells, centres, zero, steps }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Length of a genome.
    pub fn genes(&self) -> usize {
        self.genes
    }

    /// The centres, cell by cell.
    pub fn centres(&self) -> &[f32] {
        &self.centres
    }

    /// The cell whose centre is nearest to a genome; ties go to the first.
    pub fn nearest(&self, genome: &[u8]) -> usize {
        let mut rows = [0u32; 256];
        let mut count = 0;
        // long genomes would need more rows than fit: they are summed in the general way
        if self.genes > rows.len() {
            return self.nearest_slow(genome);
        }
        for (gene, value) in genome.iter().enumerate().take(self.genes) {
            let value = usize::from(*value).min(self.values - 1);
            if value > 0 {
                rows[count] = (gene * (self.values - 1) + value - 1) as u32;
                count += 1;
            }
        }
        lowest_sum(&self.zero, &self.steps, &rows[..count])
    }

    fn nearest_slow(&self, genome: &[u8]) -> usize {
        let mut best = (f32::INFINITY, 0);
        for (cell, centre) in self.centres.chunks_exact(self.genes).enumerate() {
            let squared: f32 = centre.iter().zip(genome).map(|(c, g)| (f32::from(*g) - c) * (f32::from(*g) - c)).sum();
            if squared < best.0 {
                best = (squared, cell);
            }
        }
        best.1
    }
}

/// The lane with the lowest sum of `zero` and the given rows of `steps`, with wider registers where there are some.
///
/// The same additions in the same order everywhere: the result does not depend on the machine.
fn lowest_sum(zero: &[f32], steps: &[[f32; LANES]], rows: &[u32]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was just detected.
        return unsafe { lowest_sum_avx2(zero, steps, rows) };
    }
    lowest_sum_anywhere(zero, steps, rows)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn lowest_sum_avx2(zero: &[f32], steps: &[[f32; LANES]], rows: &[u32]) -> usize {
    lowest_sum_anywhere(zero, steps, rows)
}

#[inline(always)]
fn lowest_sum_anywhere(zero: &[f32], steps: &[[f32; LANES]], rows: &[u32]) -> usize {
    let mut best = (f32::INFINITY, 0);
    let (starts, _) = zero.as_chunks::<LANES>();
    let rows_per_block = steps.len() / starts.len().max(1);
    for (block, start) in starts.iter().enumerate() {
        let mut sums = *start;
        let block_steps = &steps[block * rows_per_block..(block + 1) * rows_per_block];
        for &row in rows {
            let step = &block_steps[row as usize];
            // written out, so that it becomes vector additions in every build
            for (sum, step) in sums.iter_mut().zip(step) {
                *sum += step;
            }
        }
        let mut low = sums[0];
        for &sum in &sums[1..] {
            low = if sum < low { sum } else { low };
        }
        if low < best.0 {
            let lane = sums.iter().position(|sum| *sum == low).unwrap_or(0);
            best = (low, block * LANES + lane);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_table_finds_the_cell_that_plain_distances_find() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let distribution = GeneDistribution::new(&[0.6, 0.2, 0.2]);
        let centroids = Centroids::random(70, 24, &distribution, 500, 3, &mut rng);
        for _ in 0..500 {
            let genome: Vec<u8> = (0..24).map(|_| rng.random_range(0..3)).collect();
            let squared = |cell: usize| -> f64 {
                centroids.centres()[cell * 24..(cell + 1) * 24]
                    .iter()
                    .zip(&genome)
                    .map(|(c, g)| (f64::from(*g) - f64::from(*c)).powi(2))
                    .sum()
            };
            let found = centroids.nearest(&genome);
            let least = (0..70).map(squared).fold(f64::INFINITY, f64::min);
            assert!(squared(found) - least < 1e-4);
        }
    }

    #[test]
    fn rounds_of_k_means_bring_centres_nearer() {
        let distribution = GeneDistribution::new(&[0.6, 0.2, 0.2]);
        let spread = |rounds: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(2);
            let centroids = Centroids::random(20, 12, &distribution, 2_000, rounds, &mut rng);
            let mut total = 0.0;
            for _ in 0..500 {
                let genome: Vec<u8> = (0..12).map(|_| distribution.sample(&mut rng)).collect();
                let cell = centroids.nearest(&genome);
                total += centroids.centres()[cell * 12..(cell + 1) * 12]
                    .iter()
                    .zip(&genome)
                    .map(|(c, g)| (f64::from(*g) - f64::from(*c)).powi(2))
                    .sum::<f64>();
            }
            total
        };
        assert!(spread(8) < spread(0));
    }
}
