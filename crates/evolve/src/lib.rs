//! Evolution: k-means, CVT-MAP-Elites over integer genomes, and archives over visible behaviour axes.
//!
//! - [`genetic`]: a genetic algorithm over real genomes.
//! - [`kmeans`]: Lloyd's algorithm on real vectors.
//! - [`Centroids`]: a Voronoi partition of genome space with a fast nearest-cell search.
//! - [`MapElites`]: ask for children, evaluate them anywhere, tell their fitness.
//! - [`Niches`]: the best of everything seen per cell of a behaviour grid.

mod centroids;
mod elites;
pub mod genetic;
pub mod kmeans;
mod niches;
mod operators;

pub use centroids::Centroids;
pub use elites::{DuplicateFilter, Elite, ElitesError, ElitesSettings, MapElites};
pub use niches::{Axis, Niches};
pub use operators::{GeneDistribution, Genomes};
