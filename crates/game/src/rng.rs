//! Seeded randomness: every random choice of a game comes from a generator made here.

use rand::SeedableRng;
use serde::{Deserialize, Serialize};

/// The generator all games use; the same seed gives the same numbers on every machine.
pub type GameRng = rand_chacha::ChaCha8Rng;

/// The seed of one game. It decides hidden things (bags, keys), so it never leaves the server while the game runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// The generator for one purpose of the game; different streams are independent.
    pub fn rng(self, stream: u64) -> GameRng {
        let mut rng = GameRng::seed_from_u64(self.0);
        rng.set_stream(stream);
        rng
    }
}

/// Prints nothing of the seed, so that it cannot slip into a log.
impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(hidden)")
    }
}
