//! What the other player's last move tells about the tiles it kept.
//!
//! If the other had held some leave besides the tiles it played, would it have made that move? The move's equity is
//! compared with the best one for that rack; leaves for which it would have been a clear mistake are improbable. Every
//! try of a simulation weighs a few leaves of its own and takes one of them, so that tries do not share a short list.

use super::Quick;
use crate::movegen::{Generator, Rack};
use crate::rules::{Board, Play};
use lexicon::{Tile, WalkArc};
use rand::RngExt;

/// The other's last move and what it was made on.
#[derive(Clone)]
pub struct Inference {
    before: Board,
    play: Play,
    /// Tiles that were kept, not drawn afterwards.
    kept: usize,
}

/// Points by which a move may be worse than the best before it becomes a third as likely.
const TOLERANCE: f64 = 6.0;
/// The least weight of a leave: nobody always plays as we would.
const LEAST: f64 = 0.02;
/// Leaves that are weighed for one try.
const CHOICES: usize = 4;

impl Inference {
    /// Looks back at `play`, made on `before`, after which `kept` of the `unseen` tiles stayed on the rack.
    pub fn look_back(before: &Board, play: &Play, unseen: usize, kept: usize) -> Option<Self> {
        (kept > 0 && kept < unseen).then(|| Self { before: before.clone(), play: *play, kept })
    }

    /// Takes a leave out of the pool at random, the likelier ones more often, as the start of the other rack.
    pub fn sample<A: WalkArc>(
        &self,
        player: &Quick<'_>,
        generator: &Generator<'_, A>,
        rng: &mut impl RngExt,
        pool: &mut Vec<Tile>,
    ) -> Vec<Tile> {
        let mut chosen = Vec::new();
        let mut total = 0.0;
        for _ in 0..CHOICES {
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

    /// How likely the move was for somebody who kept `leave`, from [`LEAST`] to 1.
    fn weight<A: WalkArc>(&self, player: &Quick<'_>, generator: &Generator<'_, A>, leave: &[Tile]) -> f64 {
        let mut full = leave.to_vec();
        full.extend(self.play.rack_tiles());
        let rack = Rack::new(&full, player.leaves);
        let kept = rack.remaining(self.play.rack_tiles()).expect("the rack holds the tiles played");
        let equity = self.play.score as i32 * 1000 + rack.keep_value(kept);
        let best = generator.best(&self.before, &rack, equity).map_or(equity, |b| b.equity.max(equity));
        (-((best - equity) as f64 / 1000.0) / TOLERANCE).exp().max(LEAST)
    }
}
