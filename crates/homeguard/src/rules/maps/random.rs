//! Random maps: genes drawn with weights, then portals.

use rand::RngExt;

use super::generator::MapGenerator;
use super::portals::{PortalRules, random_portals};
use crate::rules::{Map, Size};

/// How often each gene value is drawn (Šindelář 2024, sections 8.1 and 8.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneWeights(pub [f64; 3]);

impl Default for GeneWeights {
    fn default() -> Self {
        GeneWeights([0.6, 0.2, 0.2])
    }
}

impl GeneWeights {
    /// Draws one gene.
    pub fn draw(&self, rng: &mut impl rand::Rng) -> u8 {
        let total: f64 = self.0.iter().sum();
        let mut left = rng.random::<f64>() * total;
        for (value, weight) in self.0.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return value as u8;
            }
        }
        0
    }

    /// Draws a whole genome.
    pub fn genome(&self, genes: usize, rng: &mut impl rand::Rng) -> Vec<u8> {
        (0..genes).map(|_| self.draw(rng)).collect()
    }
}

/// A random map with the usual starts.
pub fn random_map(
    size: Size,
    generator: &impl MapGenerator,
    weights: GeneWeights,
    portals: PortalRules,
    rng: &mut impl rand::Rng,
) -> Map {
    let genome = weights.genome(generator.genes(size), rng);
    let plain = Map::with_covers(size, generator.covers(size, &genome)).expect("generators give one cover per site");
    let pairs = random_portals(&plain, portals, rng);
    plain.with_portals(pairs).expect("portals are drawn from free cells")
}
