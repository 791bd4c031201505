//! Pruning by k-means over states or over orders; the leaf nearest to each centre stays (Šindelář 2024, section 4.9).

use rand_chacha::ChaCha8Rng;

use super::settings::Selector;
use crate::rules::{Battlefield, Cover, Floor, HIT_POINTS, Troops};

/// Rounds of Lloyd's algorithm: the centres need not be perfect to spread the leaves.
const ROUNDS: usize = 4;

/// A leaf as the selector sees it.
pub(super) struct Leaf<'l> {
    pub troops: &'l Troops,
    /// The orders of this iteration, two per round.
    pub orders: Vec<u8>,
    /// Branches it represents.
    pub weight: u32,
}

/// The kept leaves in order, each with its weight: itself and the branches it replaces.
pub(super) fn representatives(
    board: &Battlefield,
    selector: Selector,
    leaves: &[Leaf<'_>],
    keep: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<(usize, u32)> {
    let points: Vec<Vec<f64>> = leaves
        .iter()
        .map(|leaf| match selector {
            Selector::Orders | Selector::Score => one_hot(&leaf.orders),
            Selector::States { covers } => state(board, leaf.troops, covers),
        })
        .collect();
    let clusters = evolve::kmeans::kmeans(&points, keep, ROUNDS, rng);
    let mut chosen: Vec<(usize, u32)> = clusters
        .representatives(&points)
        .into_iter()
        .map(|leaf| {
            let own = clusters.of_point[leaf];
            let members = leaves.iter().zip(&clusters.of_point).filter(|(_, cluster)| **cluster == own);
            (leaf, members.map(|(member, _)| member.weight).sum())
        })
        .collect();
    chosen.sort_unstable();
    chosen
}

fn one_hot(orders: &[u8]) -> Vec<f64> {
    orders.iter().flat_map(|order| (0..6).map(move |o| f64::from(u8::from(*order == o)))).collect()
}

/// Hit points and positions of all soldiers as shares of their range, and cover around each if wanted.
fn state(board: &Battlefield, troops: &Troops, covers: bool) -> Vec<f64> {
    let size = board.map().size();
    let far = (size.side() - 1) as f64;
    let mut out = Vec::new();
    for (cell, hp) in troops.at.iter().zip(troops.hp) {
        let square = size.floor_square(Floor(*cell));
        out.extend([f64::from(hp) / f64::from(HIT_POINTS), f64::from(square.x) / far, f64::from(square.y) / far]);
        if covers {
            for (dx, dy) in [(0, -1), (0, 1), (-1, 0), (1, 0)] {
                let beside = size.square(i32::from(square.x) + dx, i32::from(square.y) + dy);
                out.push(match beside.map_or(Cover::None, |square| board.map().cover_at(square)) {
                    Cover::None => 0.0,
                    Cover::Short => 0.5,
                    Cover::Long => 1.0,
                });
            }
        }
    }
    out
}
