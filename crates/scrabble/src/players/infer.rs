//! What the other player's last move tells about the tiles it kept.
//!
//! For sampled leaves: if the other had held leave + tiles played, would it have made that move? The move's equity
//! is compared with the best one for that rack; leaves for which it would have been a clear mistake are improbable.

use super::{Quick, Style};
use crate::movegen::{Generator, Rack};
use crate::rules::{Board, Play};
use crate::with_graph;
use game::Seed;
use lexicon::Tile;
use rand::RngExt;

/// A weighted sample of what the other player may have kept.
#[derive(Clone, Debug)]
pub struct Inference {
    leaves: Vec<(f64, Vec<Tile>)>,
    total: f64,
}

/// Points by which a move may be worse than the best before it becomes a third as likely.
const TOLERANCE: f64 = 6.0;

impl Inference {
    /// Looks back at `play`, made on `before`; `unseen` are the tiles we cannot see now, of which `size` less the
    /// freshly drawn ones were kept.
    pub fn look_back(
        player: &Quick<'_>,
        before: &Board,
        play: &Play,
        unseen: &[Tile],
        kept: usize,
        samples: usize,
        seed: u64,
    ) -> Option<Self> {
        if kept == 0 || kept >= unseen.len() {
            return None;
        }
        let player = Quick { style: Style::Static, ..*player };
        let mut rng = Seed(seed).rng(77);
        let mut leaves = Vec::with_capacity(samples);
        let mut total = 0.0;
        with_graph!(player.dictionary, graph => {
            let generator = Generator::new(graph, player.dictionary.values(), player.layout);
            let mut pool = unseen.to_vec();
            for _ in 0..samples {
                for i in 0..kept {
                    let j = rng.random_range(i..pool.len());
                    pool.swap(i, j);
                }
                let leave = pool[..kept].to_vec();
                let mut full: Vec<Tile> = leave.clone();
                full.extend(play.rack_tiles());
                let rack = Rack::new(&full, player.leaves);
                let mask = rack.remaining(play.rack_tiles())?;
                let equity = play.score as i32 * 1000 + rack.keep_value(mask);
                let best = generator.best(before, &rack, equity).map_or(equity, |b| b.equity);
                let weight = (-((best - equity) as f64 / 1000.0) / TOLERANCE).exp().max(0.02);
                total += weight;
                leaves.push((weight, leave));
            }
        });
        Some(Self { leaves, total })
    }

    /// Takes a leave out of the pool at random, by weight, as the start of the other rack.
    pub fn sample(&self, rng: &mut impl RngExt, pool: &mut Vec<Tile>, size: usize) -> Vec<Tile> {
        let mut at = rng.random::<f64>() * self.total;
        let chosen = self.leaves.iter().find(|(weight, _)| {
            at -= weight;
            at <= 0.0
        });
        let Some((_, leave)) = chosen.or(self.leaves.last()) else { return Vec::new() };
        let mut taken = Vec::with_capacity(size);
        for &tile in leave.iter().take(size) {
            if let Some(index) = pool.iter().position(|&t| t == tile) {
                taken.push(pool.swap_remove(index));
            }
        }
        taken
    }
}
