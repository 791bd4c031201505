//! Rack inference: what the opponent's last play tells about the tiles it kept.
//!
//! A candidate leave is weighted by how close the play comes to the best play of leave plus tiles played: leaves that
//! make the play a clear mistake are improbable. Every rollout weighs a few leaves and samples one, so that rollouts do
//! not share a short list.

use super::OnePlyPlayer;
use crate::engine::movegen::{MoveGenerator, Rack};
use crate::rules::{Play, TileBoard};
use lexicon::{Tile, WalkArc};
use rand::RngExt;

/// The opponent's last play and the board before it.
#[derive(Clone)]
pub struct Inference {
    before: TileBoard,
    play: Play,
    /// Number of tiles kept.
    kept: usize,
}

/// Points behind the best play that make a play e times less likely.
const TOLERANCE: f64 = 6.0;
/// Minimum weight of a leave: opponents do not always play as the engine does.
const MIN_WEIGHT: f64 = 0.02;
/// Leaves weighed per rollout.
const SAMPLES: usize = 4;

impl Inference {
    /// The inference from `play`, made on `before`, after which `kept` of the `unseen` tiles stayed on the rack.
    pub fn from_last_play(before: &TileBoard, play: &Play, unseen: usize, kept: usize) -> Option<Self> {
        (kept > 0 && kept < unseen).then(|| Self { before: before.clone(), play: *play, kept })
    }

    /// Samples a leave from the pool in proportion to its weight and removes it.
    pub fn sample<A: WalkArc>(
        &self,
        player: &OnePlyPlayer<'_>,
        generator: &MoveGenerator<'_, A>,
        rng: &mut impl RngExt,
        pool: &mut Vec<Tile>,
    ) -> Vec<Tile> {
        let mut chosen = Vec::new();
        let mut total = 0.0;
        for _ in 0..SAMPLES {
            for i in 0..self.kept.min(pool.len()) {
                let j = rng.random_range(i..pool.len());
                pool.swap(i, j);
            }
            let leave = &pool[..self.kept.min(pool.len())];
            let weight = self.weight(player, generator, leave);
            total += weight;
            if rng.random::<f64>() * total < weight {
                chosen.clear();
                chosen.extend_from_slice(leave);
            }
        }
        for tile in &chosen {
            let at = pool.iter().position(|t| t == tile).expect("the leave was drawn from the pool");
            pool.swap_remove(at);
        }
        chosen
    }

    /// Likelihood: how likely the move was for somebody who kept `leave`, from [`MIN_WEIGHT`] to 1.
    fn weight<A: WalkArc>(&self, player: &OnePlyPlayer<'_>, generator: &MoveGenerator<'_, A>, leave: &[Tile]) -> f64 {
        let mut full = leave.to_vec();
        full.extend(self.play.rack_tiles());
        let rack = Rack::new(&full, player.leaves);
        let kept = rack.remaining(self.play.rack_tiles()).expect("the rack holds the tiles played");
        let equity = self.play.score as i32 * 1000 + rack.keep_value(kept);
        let best = generator.best(&self.before, &rack, equity).map_or(equity, |b| b.equity.max(equity));
        (-((best - equity) as f64 / 1000.0) / TOLERANCE).exp().max(MIN_WEIGHT)
    }
}
