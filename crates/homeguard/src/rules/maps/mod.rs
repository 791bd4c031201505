//! Map generation: genomes, the two generators of Šindelář 2024 (section 4.2), portals.

mod generator;
mod portals;
mod random;

pub use generator::{CheckersGenerator, LineGenerator, MapGenerator};
pub use portals::{PortalRules, random_portals};
pub use random::{GeneWeights, random_map};
