//! Making maps: genomes, the two generators of the study, portals.

mod generator;
mod portals;
mod random;

pub use generator::{Checkers, Generator, Lines};
pub use portals::{PortalRules, random_portals};
pub use random::{GeneWeights, random_map};
