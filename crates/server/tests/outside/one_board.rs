//! Codenames on one board: the seed of a table decides the key and nothing else.

#[path = "../../../codenames/tests/common/mod.rs"]
mod made_up;

use crate::twinned::{Gate, Twinned};
use catalog::Catalog;
use game::{Game, Seat, Seed, Setup, Viewer};
use std::sync::Arc;

/// A catalog of Codenames in a made-up language on the board of one seed, on which red begins.
pub fn catalog(gate: Arc<Gate>) -> Catalog {
    let inner = made_up::game();
    let red = |seed: &u64| {
        let (rules_version, settings) = (inner.info().rules_version, Default::default());
        let state = inner.start(&Setup { rules_version, settings, seats: 4, seed: Seed(*seed) });
        state.is_ok_and(|state| inner.to_act(&state).contains(Seat(0)))
    };
    let base = Seed((0..20).find(red).expect("red begins every second time"));
    Twinned { inner, viewer: Viewer::Spectator, base, gate }.catalog()
}
