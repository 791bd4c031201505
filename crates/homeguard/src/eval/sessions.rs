//! Rating sessions with simulated raters: the lift of ten proposed maps over random maps.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::raters::{NoisyRater, PLAYERS, RaterFeatures, SimulatedRater, player_rng};
use crate::engine::preference::elimination::{Elimination, EmbeddedItems, KnownBad};
use crate::engine::preference::features::measure;
use crate::engine::preference::{
    EVOLVED, MapPool, MeasuredMap, Proposal, ProposalParams, RatedFeatures, plain_map, propose,
};
use crate::engine::tree::TreeMaker;
use crate::rules::Map;

/// Numbers of ratings after which ten maps are proposed.
pub const CHECKPOINTS: [usize; 4] = [5, 10, 20, 40];
/// Proposals per checkpoint.
pub const PROPOSALS: usize = 10;
/// Noise of simulated ratings, in standard deviations of true liking.
pub const NOISE: f64 = 0.5;
/// Random maps that define mean and deviation of every player's liking.
const REFERENCE: usize = 300;

/// Rater measurements of random maps, and of precomputed maps on demand; shared by all sessions.
pub struct ReferenceMaps<'p> {
    pool: &'p MapPool,
    features: Vec<RaterFeatures>,
    /// Behaviour cells of the random maps.
    cells: Vec<usize>,
    precomputed: HashMap<&'p Map, OnceLock<RaterFeatures>>,
}

impl<'p> ReferenceMaps<'p> {
    /// Draws random maps that are not part of any pool.
    pub fn new(pool: &'p MapPool, seed: u64, maker: &mut TreeMaker) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::MAX);
        let maps: Vec<Map> = (0..REFERENCE).map(|_| plain_map(pool.size(), &mut rng)).collect();
        ReferenceMaps {
            pool,
            features: maps.iter().map(|map| RaterFeatures::of(map, maker)).collect(),
            cells: maps.iter().map(|map| pool.cell(&measure(map, maker).features)).collect(),
            precomputed: pool.maps().iter().map(|measured| (&measured.map, OnceLock::new())).collect(),
        }
    }

    /// The rater of one player.
    pub fn rater(&self, player: &SimulatedRater) -> NoisyRater {
        let utilities: Vec<f64> = self.features.iter().map(|a| player.utility(a)).collect();
        NoisyRater::new(&utilities, NOISE)
    }

    /// Mean number of behaviour cells that `count` of the random maps reach.
    pub fn cells(&self, count: usize) -> f64 {
        let groups: Vec<usize> =
            self.cells.chunks_exact(count).map(|some| some.iter().collect::<HashSet<_>>().len()).collect();
        groups.iter().sum::<usize>() as f64 / groups.len().max(1) as f64
    }

    /// The behaviour cells of some proposals, without those that no random map reaches.
    pub fn cells_of(&self, proposals: &[Proposal]) -> HashSet<usize> {
        let reached = |cell: &usize| self.cells.contains(cell);
        proposals.iter().map(|p| self.pool.cell(&p.features)).filter(reached).collect()
    }

    /// The true utility of a map; measurements of precomputed maps are shared by all raters.
    fn utility(&self, who: &SimulatedRater, map: &Map, maker: &mut TreeMaker) -> f64 {
        match self.precomputed.get(map) {
            Some(known) => who.utility(known.get_or_init(|| RaterFeatures::of(map, maker))),
            None => who.utility(&RaterFeatures::of(map, maker)),
        }
    }
}

/// One session of one player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatingSession {
    /// Mean true liking of the ten proposals at each checkpoint, in standard deviations of random maps.
    pub lift: [f64; CHECKPOINTS.len()],
    /// The same for round-robin elimination, given the same ratings at each checkpoint.
    pub elimination: [f64; CHECKPOINTS.len()],
    /// Behaviour cells that random maps reach and the ten proposals after 20 ratings too.
    pub cells: HashSet<usize>,
}

/// How far a session goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionLength {
    /// Through all checkpoints.
    Full,
    /// To 20 ratings, with proposals only there: cheaper, for narrower intervals.
    Twenty,
}

/// Plays one session: the model asks for ratings of maps it chooses, and proposes ten maps at each checkpoint.
pub fn session(
    reference: &ReferenceMaps<'_>,
    player: usize,
    seed: u64,
    extent: SessionLength,
    maker: &mut TreeMaker,
) -> RatingSession {
    let pool = reference.pool;
    let who = &PLAYERS[player];
    let rater = reference.rater(who);
    let mut rng = player_rng(seed, player);
    let mut rated: Vec<RatedFeatures> = Vec::new();
    let mut session = RatingSession::default();
    let mut queue: Vec<MeasuredMap> = Vec::new();
    let checkpoints: &[usize] = match extent {
        SessionLength::Full => &CHECKPOINTS,
        SessionLength::Twenty => &[20],
    };
    let most = checkpoints.iter().copied().max().unwrap_or(0);
    while rated.len() < most {
        if queue.is_empty() {
            let params = ProposalParams {
                // the first five differ as much as possible, then one at a time
                count: if rated.is_empty() { CHECKPOINTS[0] } else { 1 },
                seed: rand::Rng::next_u64(&mut rng),
                evolve: 0,
                exploration: 0.6,
                surprises: false,
            };
            let proposals = propose(pool, &rated, &[], params, maker);
            queue = proposals.into_iter().map(|p| MeasuredMap { map: p.map, features: p.features }).collect();
        }
        let Some(query) = queue.pop() else { break };
        let rating = rater.rate(reference.utility(who, &query.map, maker), &mut rng);
        rated.push(RatedFeatures {
            map: query.map,
            features: query.features,
            rating: f64::from(rating),
            shared: false,
        });
        let at = CHECKPOINTS.iter().position(|n| *n == rated.len());
        if let Some(at) = at.filter(|at| checkpoints.contains(&CHECKPOINTS[*at])) {
            let params = ProposalParams {
                count: PROPOSALS,
                seed: rand::Rng::next_u64(&mut rng),
                evolve: EVOLVED,
                exploration: 0.0,
                surprises: true,
            };
            let proposals = propose(pool, &rated, &[], params, maker);
            let mut lift = |maps: &mut dyn Iterator<Item = &Map>| -> f64 {
                let likings: Vec<f64> = maps.map(|map| rater.standard(reference.utility(who, map, maker))).collect();
                likings.iter().sum::<f64>() / likings.len().max(1) as f64
            };
            session.lift[at] = lift(&mut proposals.iter().map(|p| &p.map));
            let survivors = eliminate(pool, &rated, &mut rng);
            session.elimination[at] = lift(&mut survivors.iter().map(|i| &pool.maps()[*i].map));
            if rated.len() == 20 {
                session.cells = reference.cells_of(&proposals);
            }
        }
    }
    session
}

/// The ten precomputed maps that round-robin elimination removes last, given the same ratings.
fn eliminate(pool: &MapPool, rated: &[RatedFeatures], rng: &mut ChaCha8Rng) -> Vec<usize> {
    let vectors: Vec<Vec<f32>> = pool
        .points()
        .iter()
        .copied()
        .chain(rated.iter().map(|record| pool.scale().point(&record.features)))
        .map(|point| point.to_vec())
        .collect();
    let first = pool.maps().len();
    // the worse the rating, the more turns
    let known: Vec<KnownBad> = rated
        .iter()
        .enumerate()
        .filter(|(_, record)| record.rating < 0.0)
        .map(|(i, record)| KnownBad { item: first + i, times: if record.rating <= -2.0 { 2 } else { 1 }, every: 1 })
        .collect();
    let order = Elimination::RoundRobin.order(&EmbeddedItems(&vectors), &known, rng);
    order.into_iter().rev().filter(|i| *i < first).take(PROPOSALS).collect()
}
