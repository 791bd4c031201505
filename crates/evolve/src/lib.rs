//! Quality-diversity search and genetic algorithms: CVT-MAP-Elites over integer genomes, archives over behaviour axes,
//! a genetic algorithm over real genomes, k-means.
//!
//! Maximise the number of ones in a genome of 12 genes, with one elite per cell of genome space:
//!
//! ```
//! use evolve::{Genomes, MapElites, MapElitesSettings};
//! use rand::SeedableRng;
//!
//! let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
//! let settings = MapElitesSettings { cells: 16, initial: 32, ..MapElitesSettings::new(12, &[0.6, 0.2, 0.2]) };
//! let mut archive = MapElites::new(settings, &mut rng);
//! let mut children = Genomes::new(12);
//! for _ in 0..20 {
//!     archive.ask(16, &mut children, &mut rng);
//!     let fitness: Vec<f64> = children.iter().map(|g| g.iter().filter(|gene| **gene == 1).count() as f64).collect();
//!     archive.tell(&children, &fitness);
//! }
//! assert!(archive.elites().any(|(_, elite)| elite.fitness >= 6.0));
//! ```
//!
//! - [`MapElites`]: ask for children, evaluate them anywhere, tell their fitness.
//! - [`Centroids`]: a Voronoi partition of genome space with a fast nearest-cell search.
//! - [`GridArchive`]: the best item per cell of a grid of behaviour axes.
//! - [`genetic`]: a genetic algorithm over real genomes.
//! - [`kmeans`]: Lloyd's algorithm on real vectors.

mod centroids;
pub mod genetic;
mod grid_archive;
pub mod kmeans;
mod map_elites;
mod operators;

pub use centroids::Centroids;
pub use grid_archive::{BehaviourAxis, GridArchive};
pub use map_elites::{DuplicateFilter, Elite, ElitesError, MapElites, MapElitesSettings};
pub use operators::{Crossover, GeneDistribution, Genomes};
