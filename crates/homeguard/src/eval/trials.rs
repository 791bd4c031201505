//! Blind trials of the preference model on a population of raters, with baselines that get the same ratings.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::observed::{ASPECTS, Observed, observe};
use super::population::{CHANGE_AFTER, Group, PopulationRater};
use crate::engine::preference::features::measure;
use crate::engine::preference::{
    EVOLVED, MapPool, MeasuredMap, ProposalParams, RatedFeatures, diverse_choice, plain_map, propose, varied_map,
};
use crate::engine::tree::TreeMaker;
use crate::rules::Map;

/// Random maps that define mean and deviation of every utility.
const REFERENCE: usize = 300;
/// Maps per proposal.
const PROPOSALS: usize = 10;

/// How maps are chosen from the same ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TrialMethod {
    /// The preference model with evolution.
    Model,
    /// Mean rating of the three nearest rated maps, with the same diversity rules.
    NearestNeighbours,
    /// Ridge regression on all features, with the same diversity rules.
    Ridge,
    /// The procedure of the thesis, given by the caller.
    Thesis,
    /// Random maps.
    Random,
}

impl TrialMethod {
    /// All methods.
    pub const ALL: [TrialMethod; 5] = [
        TrialMethod::Model,
        TrialMethod::NearestNeighbours,
        TrialMethod::Ridge,
        TrialMethod::Thesis,
        TrialMethod::Random,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            TrialMethod::Model => "model",
            TrialMethod::NearestNeighbours => "knn",
            TrialMethod::Ridge => "ridge",
            TrialMethod::Thesis => "thesis",
            TrialMethod::Random => "random",
        }
    }
}

/// A generator of maps from ratings: the procedure of the thesis.
pub type Generate<'g> = dyn Fn(&[RatedFeatures], usize, u64) -> Vec<Map> + Sync + 'g;

/// The scene of all trials: reference maps and shared observations.
pub struct Trials<'p> {
    pool: &'p MapPool,
    thesis: &'p Generate<'p>,
    mean: Observed,
    deviation: Observed,
    reference: Vec<Observed>,
    cells: Vec<usize>,
    observed: HashMap<&'p Map, OnceLock<Observed>>,
}

/// The outcome of one trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialResult {
    /// Lift of ten proposals by each method, in the order of [`TrialMethod::ALL`].
    pub lift: [f64; TrialMethod::ALL.len()],
    /// Behaviour cells of the maps 21 to 30, if each is requested alone; cells that no random map reaches do not count.
    pub cells: usize,
    /// Pairs among all maps of the session that differ in fewer than six cover sites.
    pub repeats: usize,
    /// For changing raters: lift ten ratings after the change.
    pub changed: Option<f64>,
}

impl<'p> Trials<'p> {
    /// Draws and observes the reference maps. `observe_all` observes many maps, perhaps on all cores.
    pub fn new(
        pool: &'p MapPool,
        thesis: &'p Generate<'p>,
        seed: u64,
        observe_all: impl Fn(&[Map]) -> Vec<Observed>,
    ) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::MAX - 1);
        let maps: Vec<Map> = (0..REFERENCE).map(|_| plain_map(pool.size(), &mut rng)).collect();
        let mut maker = TreeMaker::new();
        let cells = maps.iter().map(|map| pool.cell(&measure(map, &mut maker).features)).collect();
        let raw = observe_all(&maps);
        let n = raw.len() as f64;
        let mean: Observed = std::array::from_fn(|i| raw.iter().map(|o| o[i]).sum::<f64>() / n);
        let deviation = std::array::from_fn(|i| {
            let variance = raw.iter().map(|o| (o[i] - mean[i]).powi(2)).sum::<f64>() / n;
            variance.sqrt().max(1e-9)
        });
        let mut trials = Trials {
            pool,
            thesis,
            mean,
            deviation,
            reference: Vec::new(),
            cells,
            observed: pool.maps().iter().map(|measured| (&measured.map, OnceLock::new())).collect(),
        };
        trials.reference = raw.iter().map(|o| trials.standardise(o)).collect();
        trials
    }

    /// Quantities in deviations of random maps, cut at ±3.5.
    fn standardise(&self, raw: &Observed) -> Observed {
        std::array::from_fn::<f64, ASPECTS, _>(|i| ((raw[i] - self.mean[i]) / self.deviation[i]).clamp(-3.5, 3.5))
    }

    fn observed(&self, map: &Map) -> Observed {
        match self.observed.get(map) {
            Some(known) => *known.get_or_init(|| self.standardise(&observe(map))),
            None => self.standardise(&observe(map)),
        }
    }

    /// Mean number of behaviour cells that ten random maps reach.
    pub fn random_cells(&self) -> f64 {
        let groups = self.cells.chunks_exact(PROPOSALS).map(|some| some.iter().collect::<HashSet<_>>().len());
        groups.sum::<usize>() as f64 / (REFERENCE / PROPOSALS) as f64
    }

    /// Runs one trial: 20 ratings, ten proposals by each method, then ten more maps one at a time.
    pub fn run(&self, rater: &PopulationRater, seed: u64, maker: &mut TreeMaker) -> TrialResult {
        let mut session = RaterSession::new(self, rater, seed);
        while session.rated.len() < CHANGE_AFTER {
            let first = session.rated.is_empty();
            let params = ProposalParams {
                count: if first { 5 } else { 1 },
                seed: session.rng.next_u64(),
                evolve: 0,
                exploration: 0.6,
                surprises: false,
            };
            let queries = propose(self.pool, &session.rated, &[], params, maker);
            if queries.is_empty() {
                break;
            }
            queries.into_iter().for_each(|query| session.rate(query.map, query.features));
        }
        let lift = TrialMethod::ALL.map(|method| session.lift(method, maker));
        let repeats_before = session.rated.len();
        let (cells, changed) = session.continue_session(maker);
        let repeats = session.repeats();
        debug_assert!(session.rated.len() >= repeats_before);
        TrialResult { lift, cells, repeats, changed }
    }
}

/// One rater in one session.
struct RaterSession<'t, 'p> {
    trials: &'t Trials<'p>,
    rater: &'t PopulationRater,
    /// Mean and deviation of the utility before and after the change.
    scales: [(f64, f64); 2],
    rated: Vec<RatedFeatures>,
    rng: ChaCha8Rng,
}

impl<'t, 'p> RaterSession<'t, 'p> {
    fn new(trials: &'t Trials<'p>, rater: &'t PopulationRater, seed: u64) -> Self {
        let scales = [0, CHANGE_AFTER].map(|ratings| {
            let utility = rater.utility_after(ratings);
            let values: Vec<f64> = trials.reference.iter().map(|z| utility.value(z)).collect();
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
            (mean, variance.sqrt().max(1e-3))
        });
        RaterSession { trials, rater, scales, rated: Vec::new(), rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// The utility of a map in deviations of random maps.
    fn standard(&self, map: &Map, ratings: usize) -> f64 {
        let (mean, deviation) = self.scales[usize::from(ratings >= CHANGE_AFTER)];
        (self.rater.utility_after(ratings).value(&self.trials.observed(map)) - mean) / deviation
    }

    fn rate(&mut self, map: Map, features: crate::engine::preference::features::MapFeatures) {
        let standard = self.standard(&map, self.rated.len());
        let rating = self.rater.rate(standard, &mut self.rng);
        self.rated.push(RatedFeatures { map, features, rating, shared: false });
    }

    fn mean_standard(&self, maps: &[Map], ratings: usize) -> f64 {
        maps.iter().map(|map| self.standard(map, ratings)).sum::<f64>() / maps.len().max(1) as f64
    }

    /// Lift of ten maps by one method from the ratings so far; one in ten is random for every method.
    fn lift(&mut self, method: TrialMethod, maker: &mut TreeMaker) -> f64 {
        let (pool, seed) = (self.trials.pool, self.rng.next_u64());
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let liked = PROPOSALS - 1;
        let chosen = |score: &dyn Fn(&MeasuredMap) -> f64| -> Vec<Map> {
            diverse_choice(pool, &self.rated, score, liked).into_iter().map(|measured| measured.map).collect()
        };
        let mut maps: Vec<Map> = match method {
            TrialMethod::Model => {
                let params =
                    ProposalParams { count: PROPOSALS, seed, evolve: EVOLVED, exploration: 0.0, surprises: true };
                propose(pool, &self.rated, &[], params, maker).into_iter().map(|p| p.map).collect()
            }
            TrialMethod::NearestNeighbours => chosen(&nearest_neighbours(pool, &self.rated)),
            TrialMethod::Ridge => chosen(&ridge(pool, &self.rated)),
            TrialMethod::Thesis => (self.trials.thesis)(&self.rated, liked, seed),
            TrialMethod::Random => (0..liked).map(|_| plain_map(pool.size(), &mut rng)).collect(),
        };
        if method != TrialMethod::Model {
            maps.push(varied_map(pool.size(), &mut rng));
        }
        self.mean_standard(&maps, CHANGE_AFTER - 1)
    }

    /// The maps 21 to 30, one at a time, with ratings; a changing rater has changed.
    fn continue_session(&mut self, maker: &mut TreeMaker) -> (usize, Option<f64>) {
        let pool = self.trials.pool;
        let mut cells = HashSet::new();
        for _ in 0..PROPOSALS {
            let params = ProposalParams::usual(1, self.rng.next_u64(), self.rated.len());
            for proposal in propose(pool, &self.rated, &[], params, maker) {
                let cell = pool.cell(&proposal.features);
                if self.trials.cells.contains(&cell) {
                    cells.insert(cell);
                }
                self.rate(proposal.map, proposal.features);
            }
        }
        let changed = (self.rater.group == Group::Changing).then(|| {
            let seed = self.rng.next_u64();
            let params = ProposalParams { count: PROPOSALS, seed, evolve: EVOLVED, exploration: 0.0, surprises: true };
            let maps: Vec<Map> =
                propose(pool, &self.rated, &[], params, maker).into_iter().map(|proposal| proposal.map).collect();
            self.mean_standard(&maps, CHANGE_AFTER)
        });
        (cells.len(), changed)
    }

    fn repeats(&self) -> usize {
        let differ = |a: &Map, b: &Map| a.covers().iter().zip(b.covers()).filter(|(x, y)| x != y).count();
        let all = &self.rated;
        (0..all.len())
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .filter(|(i, j)| differ(&all[*i].map, &all[*j].map) < 6)
            .count()
    }
}

/// Mean rating of the three nearest rated maps by standardised features.
fn nearest_neighbours(pool: &MapPool, rated: &[RatedFeatures]) -> impl Fn(&MeasuredMap) -> f64 {
    let known: Vec<(Vec<f64>, f64)> =
        rated.iter().map(|record| (pool.scale().standardise(&record.features), record.rating)).collect();
    let scale = pool.scale().clone();
    move |measured| {
        let own = scale.standardise(&measured.features);
        let mut near: Vec<(f64, f64)> = known
            .iter()
            .map(|(other, rating)| (own.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>(), *rating))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        near.truncate(3);
        near.iter().map(|(_, rating)| rating).sum::<f64>() / near.len().max(1) as f64
            - 1e-6 * near.first().map_or(0.0, |(distance, _)| *distance)
    }
}

/// Ridge regression of the rating on standardised features, in its dual form.
fn ridge(pool: &MapPool, rated: &[RatedFeatures]) -> impl Fn(&MeasuredMap) -> f64 {
    const PENALTY: f64 = 20.0;
    let scale = pool.scale().clone();
    let rows: Vec<Vec<f64>> = rated.iter().map(|record| scale.standardise(&record.features)).collect();
    let mean = rated.iter().map(|record| record.rating).sum::<f64>() / rated.len().max(1) as f64;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let n = rows.len();
    let mut gram: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| dot(&rows[i], &rows[j]) + if i == j { PENALTY } else { 0.0 }).collect())
        .collect();
    let mut weights: Vec<f64> = rated.iter().map(|record| record.rating - mean).collect();
    // positive definite: elimination needs no pivots
    for i in 0..n {
        for j in i + 1..n {
            let share = gram[j][i] / gram[i][i];
            for k in i..n {
                gram[j][k] -= share * gram[i][k];
            }
            weights[j] -= share * weights[i];
        }
    }
    for i in (0..n).rev() {
        let later: f64 = (i + 1..n).map(|k| gram[i][k] * weights[k]).sum();
        weights[i] = (weights[i] - later) / gram[i][i];
    }
    move |measured| {
        let own = scale.standardise(&measured.features);
        mean + rows.iter().zip(&weights).map(|(row, weight)| weight * dot(row, &own)).sum::<f64>()
    }
}
