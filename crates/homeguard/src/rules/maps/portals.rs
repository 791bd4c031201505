//! Portals are drawn separately from covers (Šindelář 2024, section 4.2).

use rand::RngExt;

use crate::rules::{Floor, Map};

/// How many portals a generated map has and how far apart their ends are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortalRules {
    /// Wanted pairs.
    pub pairs: usize,
    /// Least Chebyshev distance between the two ends.
    pub reach: u8,
}

impl Default for PortalRules {
    fn default() -> Self {
        PortalRules { pairs: 3, reach: 3 }
    }
}

/// Draws portal pairs: no start or respawn cell, no cell twice. Fewer pairs come back if the board is too full.
pub fn random_portals(map: &Map, rules: PortalRules, rng: &mut impl rand::Rng) -> Vec<[Floor; 2]> {
    let size = map.size();
    let mut free: Vec<Floor> = size
        .all_floors()
        .filter(|cell| !map.starts().iter().flatten().any(|start| start == cell) && !map.respawns().contains(cell))
        .collect();
    let mut pairs = Vec::new();
    let mut failures = 0;
    while pairs.len() < rules.pairs && free.len() >= 2 && failures < 200 {
        let (i, j) = (rng.random_range(0..free.len()), rng.random_range(0..free.len()));
        let (a, b) = (free[i], free[j]);
        if size.floor_square(a).chebyshev(size.floor_square(b)) >= rules.reach.max(1) {
            pairs.push([a, b]);
            free.retain(|cell| *cell != a && *cell != b);
        } else {
            failures += 1;
        }
    }
    pairs
}
