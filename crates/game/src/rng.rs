//! Seeded random generators. Every random choice of a game comes from one of them.

use rand::SeedableRng;
use serde::{Deserialize, Serialize};

/// The random generator of all games. The same seed gives the same numbers on every machine.
pub type GameRng = rand_chacha::ChaCha8Rng;

/// The seed of one game. It determines hidden information (bags, keys) and stays on the server while the game runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// The generator of one stream. Different streams are independent.
    pub fn rng(self, stream: u64) -> GameRng {
        let mut rng = GameRng::seed_from_u64(self.0);
        rng.set_stream(stream);
        rng
    }
}

/// Hides the seed, so that no log contains it.
impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(hidden)")
    }
}
