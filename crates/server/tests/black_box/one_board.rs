//! Codenames on one board: the seed of a table decides the key and nothing else.

#[path = "../../../codenames/tests/common/mod.rs"]
pub mod made_up;

use crate::indistinguishable::{Gate, Indistinguishable};
use catalog::Catalog;
use game::Viewer;
use std::sync::Arc;

/// A catalog of Codenames in a made-up language on one board, on which red begins.
pub fn catalog(gate: Arc<Gate>) -> Catalog {
    Indistinguishable::new(made_up::game(), Viewer::Spectator, 4, gate).catalog()
}
