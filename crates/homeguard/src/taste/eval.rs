//! Judges the taste model with simulated players: how much better than random maps are the ten it proposes?

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

use super::elimination::{Elimination, Known, Vectors};
use super::features::{Features, measure};
use super::pool::{Measured, Pool, plain_map};
use super::propose::{Wish, propose};
use super::simulated::{Aspects, PLAYERS, Rater, SimulatedPlayer, player_rng};
use crate::rules::Map;
use crate::tree::TreeMaker;

/// Numbers of ratings after which ten maps are proposed.
pub const CHECKPOINTS: [usize; 4] = [5, 10, 20, 40];
/// Proposals that are judged.
pub const PROPOSALS: usize = 10;
/// Noise of simulated ratings, in standard deviations of true liking.
pub const NOISE: f64 = 0.5;
/// Random maps that define mean and deviation of every player's liking.
const REFERENCE: usize = 200;

/// Random maps as the players see them; made once and shared.
pub struct Reference {
    aspects: Vec<Aspects>,
    features: Vec<Features>,
}

impl Reference {
    /// Draws random maps that are not part of any pool.
    pub fn new(pool: &Pool, seed: u64, maker: &mut TreeMaker) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::MAX);
        let maps: Vec<Map> = (0..REFERENCE).map(|_| plain_map(pool.size(), &mut rng)).collect();
        Reference {
            aspects: maps.iter().map(|map| Aspects::of(map, maker)).collect(),
            features: maps.iter().map(|map| measure(map, maker).features).collect(),
        }
    }

    /// The rater of one player.
    pub fn rater(&self, player: &SimulatedPlayer) -> Rater {
        let utilities: Vec<f64> = self.aspects.iter().map(|a| player.utility(a)).collect();
        Rater::new(&utilities, NOISE)
    }

    /// Mean number of behaviour cells that ten of the random maps reach.
    pub fn cells(&self, pool: &Pool) -> f64 {
        let groups: Vec<usize> = self
            .features
            .chunks_exact(PROPOSALS)
            .map(|ten| ten.iter().map(|f| pool.cell(f)).collect::<HashSet<_>>().len())
            .collect();
        groups.iter().sum::<usize>() as f64 / groups.len().max(1) as f64
    }
}

/// One session of one player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// Mean true liking of the ten proposals at each checkpoint, in standard deviations of random maps.
    pub lift: [f64; CHECKPOINTS.len()],
    /// The same for the study's elimination after 20 ratings of the same maps.
    pub elimination: f64,
    /// Behaviour cells the ten proposals after 20 ratings reach.
    pub cells: usize,
}

/// Plays one session: the model asks for ratings of maps it chooses, and proposes ten maps at each checkpoint.
pub fn session(pool: &Pool, reference: &Reference, player: usize, seed: u64, maker: &mut TreeMaker) -> Session {
    let who = &PLAYERS[player];
    let rater = reference.rater(who);
    let mut rng = player_rng(seed, player);
    let mut rated: Vec<(Map, Features, f64)> = Vec::new();
    let mut session = Session::default();
    let mut queue: Vec<Measured> = Vec::new();
    let most = CHECKPOINTS[CHECKPOINTS.len() - 1];
    while rated.len() < most {
        if queue.is_empty() {
            let wish = Wish {
                // the first five differ as much as possible, then one at a time
                count: if rated.is_empty() { CHECKPOINTS[0] } else { 1 },
                seed: rand::Rng::next_u64(&mut rng),
                breed: 0,
                curiosity: 0.6,
                surprises: false,
            };
            let proposals = propose(pool, &rated, wish, maker);
            queue = proposals.into_iter().map(|p| Measured { map: p.map, features: p.features }).collect();
        }
        let Some(query) = queue.pop() else { break };
        let utility = who.utility(&Aspects::of(&query.map, maker));
        let rating = rater.rate(utility, &mut rng);
        rated.push((query.map, query.features, f64::from(rating)));
        if let Some(at) = CHECKPOINTS.iter().position(|n| *n == rated.len()) {
            let wish = Wish {
                count: PROPOSALS,
                seed: rand::Rng::next_u64(&mut rng),
                breed: 48,
                curiosity: 0.0,
                surprises: true,
            };
            let proposals = propose(pool, &rated, wish, maker);
            let liking = |map: &Map, maker: &mut TreeMaker| rater.standard(who.utility(&Aspects::of(map, maker)));
            let total: f64 = proposals.iter().map(|p| liking(&p.map, maker)).sum();
            session.lift[at] = total / proposals.len().max(1) as f64;
            if rated.len() == 20 {
                let cells: HashSet<usize> = proposals.iter().map(|p| pool.cell(&p.features)).collect();
                session.cells = cells.len();
                let survivors = eliminate(pool, &rated, &mut rng);
                let total: f64 = survivors.iter().map(|i| liking(&pool.maps()[*i].map, maker)).sum();
                session.elimination = total / survivors.len().max(1) as f64;
            }
        }
    }
    session
}

/// The ten prepared maps that the study's round-robin elimination removes last, given the same ratings.
fn eliminate(pool: &Pool, rated: &[(Map, Features, f64)], rng: &mut ChaCha8Rng) -> Vec<usize> {
    let vectors: Vec<Vec<f32>> = pool
        .points()
        .iter()
        .copied()
        .chain(rated.iter().map(|(_, f, _)| pool.scale().point(f)))
        .map(|point| point.iter().map(|v| *v as f32).collect())
        .collect();
    let first = pool.maps().len();
    // the worse the rating, the more turns
    let known: Vec<Known> = rated
        .iter()
        .enumerate()
        .filter(|(_, (.., rating))| *rating < 0.0)
        .map(|(i, (.., rating))| Known { item: first + i, times: if *rating <= -2.0 { 2 } else { 1 }, every: 1 })
        .collect();
    let order = Elimination::RoundRobin.order(&Vectors(&vectors), &known, rng);
    order.into_iter().rev().filter(|i| *i < first).take(PROPOSALS).collect()
}
