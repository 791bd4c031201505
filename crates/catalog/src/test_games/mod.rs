//! Tiny games for tests: no user ever sees them.

mod coins;
mod noughts;

pub use coins::Coins;
pub use noughts::Noughts;

use crate::{Catalog, erase};
use game::{Budget, Level};

/// A catalog of the tiny games.
pub fn catalog() -> Catalog {
    Catalog::of(vec![erase(Noughts { newest: 2 }), erase(Coins)])
}

fn level(id: &str) -> Level {
    Level { id: id.into(), name: id.into(), description: "A player for tests.".into(), budget: Budget::Nodes(1) }
}
