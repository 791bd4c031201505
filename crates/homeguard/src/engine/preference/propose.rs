//! Proposals: maps with a high expected rating, diverse, with occasional surprises, and a reason for each.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::drift::{RatedFeatures, weighted};
use super::features::{FEATURES, MapFeatures, layout_only, measure};
use super::model::{Point, PreferenceModel, RatingPrediction};
use super::pool::{MapPool, MeasuredMap, varied_map};
use crate::engine::tree::TreeMaker;
use crate::rules::Map;
use crate::rules::maps::{CheckersGenerator, MapGenerator, PortalRules, random_portals};
use evolve::{Centroids, Elite, Genomes, GridArchive, MapElites, MapElitesSettings};

/// Parameters of a proposal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProposalParams {
    /// How many maps.
    pub count: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Maximum number of new maps to evolve and simulate; 0 chooses among the precomputed maps only.
    pub evolve: usize,
    /// Standard deviations added to the expected rating (upper confidence bound).
    pub exploration: f64,
    /// Every tenth map that is shown is drawn at random.
    pub surprises: bool,
}

/// A map that was shown before, for diversity over a session.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownMap {
    /// The map.
    pub map: Map,
    /// Its behaviour cell, if known.
    pub cell: Option<usize>,
}

/// What the player has seen: the diversity archive of a session, oldest map first.
struct Archive<'p> {
    pool: &'p MapPool,
    shown: Vec<ShownMap>,
}

/// Latest maps whose behaviour cells are not proposed again.
const RECENT: usize = 4;
/// Cover sites in which a proposed map differs at least from every map of the archive.
const DIFFERENT_SITES: usize = 6;

impl<'p> Archive<'p> {
    /// The rated maps, then the others that were shown.
    fn new(pool: &'p MapPool, rated: &[RatedFeatures], shown: &[ShownMap]) -> Self {
        let own = rated.iter().filter(|record| !record.shared);
        let mut all: Vec<ShownMap> =
            own.map(|record| ShownMap { map: record.map.clone(), cell: Some(pool.cell(&record.features)) }).collect();
        let further: Vec<ShownMap> =
            shown.iter().filter(|one| all.iter().all(|known| known.map != one.map)).cloned().collect();
        all.extend(further);
        Archive { pool, shown: all }
    }

    fn is_recent_cell(&self, cell: usize) -> bool {
        self.shown.iter().rev().take(RECENT).any(|one| one.cell == Some(cell))
    }

    fn is_repeated(&self, map: &Map) -> bool {
        self.shown.iter().any(|one| {
            let (a, b) = (one.map.covers(), map.covers());
            a.len() == b.len() && a.iter().zip(b).filter(|(x, y)| x != y).count() < DIFFERENT_SITES
        })
    }

    fn add(&mut self, map: &Map, features: &MapFeatures) {
        self.shown.push(ShownMap { map: map.clone(), cell: Some(self.pool.cell(features)) });
    }

    /// Whether the next map is a random one.
    fn is_surprise(&self) -> bool {
        self.shown.len() % 10 == 9
    }
}

/// Maps evolved and simulated per proposal.
pub const EVOLVED: usize = 20;
/// Children screened by the surrogate for each one that is simulated.
const SCREENED: usize = 5;

impl ProposalParams {
    /// The defaults: evolution on, an exploration bonus below 20 ratings.
    pub fn usual(count: usize, seed: u64, ratings: usize) -> Self {
        ProposalParams {
            count,
            seed,
            evolve: EVOLVED,
            exploration: if ratings < 20 { 0.6 } else { 0.0 },
            surprises: true,
        }
    }
}

/// Why a map was proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposalKind {
    /// No ratings yet: maps that differ as much as possible.
    GettingToKnow,
    /// Expected to please.
    Liked,
    /// Drawn at random.
    Surprise,
}

/// One reason in a form that can be translated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReasonPart {
    /// Index into [`FEATURES`].
    pub feature: usize,
    /// Whether the map has much of it.
    pub high: bool,
    /// Expected effect on the rating.
    pub effect: f64,
}

/// A proposed map.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The map.
    pub map: Map,
    /// Its features.
    pub features: MapFeatures,
    /// The expected rating.
    pub predicted: RatingPrediction,
    /// Why it was chosen.
    pub kind: ProposalKind,
    /// The strongest reasons.
    pub reasons: Vec<ReasonPart>,
}

impl Proposal {
    /// The reasons as an English sentence.
    pub fn why(&self) -> String {
        let phrase = |reason: &ReasonPart| {
            let feature = FEATURES[reason.feature];
            if reason.high { feature.high } else { feature.low }
        };
        match self.kind {
            ProposalKind::GettingToKnow => "unlike the others, to learn what you like".to_owned(),
            ProposalKind::Surprise => "a surprise, drawn at random".to_owned(),
            ProposalKind::Liked => {
                let liked: Vec<&str> = self.reasons.iter().filter(|r| r.effect > 0.0).map(phrase).collect();
                let against: Vec<&str> = self.reasons.iter().filter(|r| r.effect <= 0.0).map(phrase).collect();
                match (liked.is_empty(), against.is_empty()) {
                    (true, true) => "close to maps you rated well".to_owned(),
                    (true, false) => format!("worth a try in spite of {}", against.join(" and ")),
                    (false, true) => format!("you seem to like {}", liked.join(" and ")),
                    (false, false) => {
                        format!("you seem to like {}, in spite of {}", liked.join(" and "), against.join(" and "))
                    }
                }
            }
        }
    }
}

/// Proposes maps from a pool for a player with some rated maps; `shown` are the maps of the session without a rating.
pub fn propose(
    pool: &MapPool,
    rated: &[RatedFeatures],
    shown: &[ShownMap],
    params: ProposalParams,
    maker: &mut TreeMaker,
) -> Vec<Proposal> {
    let mut rng = ChaCha8Rng::seed_from_u64(params.seed);
    let model = PreferenceModel::fit(pool.scale(), &weighted(pool.scale(), rated));
    let mut archive = Archive::new(pool, rated, shown);
    let fresh: Vec<usize> = (0..pool.maps().len())
        .filter(|i| !archive.is_repeated(&pool.maps()[*i].map) && !pool.maps()[*i].features.is_dull())
        .collect();
    if rated.is_empty() {
        return spread_out(pool, &fresh, params.count, &mut rng)
            .into_iter()
            .map(|i| proposal(&model, pool.maps()[i].clone(), ProposalKind::GettingToKnow))
            .collect();
    }
    // predictive variances are slow: an exploring choice uses a random part of the pool
    let part: Vec<usize> = if params.exploration > 0.0 && fresh.len() > EXPLORED_POOL {
        (0..EXPLORED_POOL).map(|_| fresh[rng.random_range(0..fresh.len())]).collect()
    } else {
        fresh
    };
    let mut candidates: Vec<(f64, MeasuredMap)> = part
        .iter()
        .map(|&i| (acquisition(&model, &pool.points()[i], params.exploration), pool.maps()[i].clone()))
        .collect();
    if params.evolve > 0 {
        let evolved = evolve_maps(pool, &model, &candidates, params, maker, &mut rng);
        candidates.extend(evolved.into_iter().filter(|(_, measured)| !measured.features.is_dull()));
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut proposals = Vec::new();
    while proposals.len() < params.count {
        let random = if params.surprises && archive.is_surprise() {
            surprise(pool, &archive, maker, &mut rng).map(|measured| (measured, ProposalKind::Surprise))
        } else {
            None
        };
        let liked = || next_best(&archive, &candidates).map(|measured| (measured, ProposalKind::Liked));
        let next = random.or_else(liked);
        let Some((measured, kind)) = next else { break };
        archive.add(&measured.map, &measured.features);
        proposals.push(proposal(&model, measured, kind));
    }
    proposals
}

/// The best `count` maps of the pool by a score, with the diversity rules of [`propose`]: for comparing models.
pub fn diverse_choice(
    pool: &MapPool,
    rated: &[RatedFeatures],
    score: impl Fn(&MeasuredMap) -> f64,
    count: usize,
) -> Vec<MeasuredMap> {
    let mut archive = Archive::new(pool, rated, &[]);
    let mut candidates: Vec<(f64, MeasuredMap)> = pool
        .maps()
        .iter()
        .filter(|measured| !archive.is_repeated(&measured.map) && !measured.features.is_dull())
        .map(|measured| (score(measured), measured.clone()))
        .collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let Some(next) = next_best(&archive, &candidates) else { break };
        archive.add(&next.map, &next.features);
        chosen.push(next);
    }
    chosen
}

/// The first candidate from a new behaviour cell that differs from all shown maps; any cell if there is none.
fn next_best(archive: &Archive<'_>, candidates: &[(f64, MeasuredMap)]) -> Option<MeasuredMap> {
    let new_cell = |measured: &MeasuredMap| !archive.is_recent_cell(archive.pool.cell(&measured.features));
    let fits = |only_new_cells: bool| {
        candidates
            .iter()
            .map(|(_, measured)| measured)
            .find(|measured| (!only_new_cells || new_cell(measured)) && !archive.is_repeated(&measured.map))
    };
    fits(true).or_else(|| fits(false)).cloned()
}

/// A random map from a new behaviour cell, if a few draws find one.
fn surprise(pool: &MapPool, archive: &Archive<'_>, maker: &mut TreeMaker, rng: &mut ChaCha8Rng) -> Option<MeasuredMap> {
    let mut last = None;
    for _ in 0..4 {
        let map = varied_map(pool.size(), rng);
        if archive.is_repeated(&map) {
            continue;
        }
        let features = measure(&map, maker).features;
        let good = !features.is_dull() && !archive.is_recent_cell(pool.cell(&features));
        last = Some(MeasuredMap { map, features });
        if good {
            break;
        }
    }
    last
}

/// Precomputed maps considered by an exploring choice.
const EXPLORED_POOL: usize = 500;

/// Expected rating plus the exploration bonus.
fn acquisition(model: &PreferenceModel, point: &Point, exploration: f64) -> f64 {
    if exploration > 0.0 {
        let predicted = model.predict_point(point);
        predicted.mean + exploration * predicted.deviation
    } else {
        model.mean_at(point)
    }
}

fn proposal(model: &PreferenceModel, measured: MeasuredMap, kind: ProposalKind) -> Proposal {
    let reasons = if kind == ProposalKind::Liked {
        model
            .effects(&measured.features)
            .into_iter()
            .filter(|effect| effect.effect.abs() > 0.05 && effect.standing.abs() > 0.3)
            .take(3)
            .map(|effect| ReasonPart { feature: effect.feature, high: effect.standing > 0.0, effect: effect.effect })
            .collect()
    } else {
        Vec::new()
    };
    Proposal {
        predicted: model.predict(&measured.features),
        map: measured.map,
        features: measured.features,
        kind,
        reasons,
    }
}

/// Maps far from each other: the first at random, each next one farthest from those chosen (Gonzalez 1985).
fn spread_out(pool: &MapPool, fresh: &[usize], count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    if fresh.is_empty() {
        return chosen;
    }
    // a random part of the pool, so that another seed shows other maps
    let part: Vec<usize> = (0..fresh.len().min(600)).map(|_| fresh[rng.random_range(0..fresh.len())]).collect();
    let squared = |a: usize, b: usize| -> f64 {
        pool.points()[a]
            .iter()
            .zip(&pool.points()[b])
            .map(|(x, y)| f64::from(x.clamp(-2.5, 2.5) - y.clamp(-2.5, 2.5)).powi(2))
            .sum()
    };
    let mut distance = vec![f64::INFINITY; part.len()];
    let mut next = rng.random_range(0..part.len());
    while chosen.len() < count.min(part.len()) {
        let newest = part[next];
        chosen.push(newest);
        for (i, best) in distance.iter_mut().enumerate() {
            *best = best.min(squared(part[i], newest));
        }
        next = (0..part.len()).max_by(|a, b| distance[*a].total_cmp(&distance[*b])).unwrap_or(0);
        if distance[next] <= 0.0 {
            break;
        }
    }
    chosen
}

/// Evolves new maps from the best candidates, simulates them and returns them with their acquisition value.
fn evolve_maps(
    pool: &MapPool,
    model: &PreferenceModel,
    candidates: &[(f64, MeasuredMap)],
    params: ProposalParams,
    maker: &mut TreeMaker,
    rng: &mut ChaCha8Rng,
) -> Vec<(f64, MeasuredMap)> {
    let size = pool.size();
    // the best map of every behaviour cell may become a parent, if it is among the better half of those
    let mut niches = GridArchive::new(pool.axes().to_vec());
    for (i, (value, measured)) in candidates.iter().enumerate() {
        niches.offer(&MapPool::behaviour(&measured.features), *value, i);
    }
    let mut parents: Vec<(f64, usize)> = niches.iter().map(|(_, v, i)| (v, *i)).collect();
    parents.sort_by(|a, b| b.0.total_cmp(&a.0));
    parents.truncate((parents.len() / 2).clamp(1, 24));
    let genome = |map: &Map| map.covers().iter().map(|c| c.gene()).collect::<Vec<u8>>();
    let elites: Vec<Elite> =
        parents.iter().map(|(value, i)| Elite { genome: genome(&candidates[*i].1.map), fitness: *value }).collect();
    let settings = MapElitesSettings {
        cells: 64,
        initial: 0,
        mutated_genes: 3.0,
        ..MapElitesSettings::new(CheckersGenerator.genes(size), &[0.6, 0.2, 0.2])
    };
    let distribution = evolve::GeneDistribution::new(&settings.weights);
    let centroids = Centroids::random(settings.cells, settings.genes, &distribution, 256, 2, rng);
    let history = Genomes::new(settings.genes);
    let Ok(mut archive) = MapElites::resume(settings, centroids, elites, history) else {
        return Vec::new();
    };
    let mut children = Genomes::new(CheckersGenerator.genes(size));
    let mut evolved = Vec::new();
    while evolved.len() < params.evolve && !game::cancelled() {
        let wanted = (params.evolve - evolved.len()).min(10);
        archive.ask(wanted * SCREENED, &mut children, rng);
        let mut promising: Vec<(f64, usize, Map)> = (0..children.len())
            .map(|child| {
                let covers = CheckersGenerator.covers(size, children.get(child));
                let plain = Map::with_covers(size, covers).expect("one gene per site");
                // portals come from a parent or are sampled
                let inherited = rng.random::<f64>() < 0.7;
                let parent = parents[rng.random_range(0..parents.len())].1;
                let portals = if inherited {
                    candidates[parent].1.map.portals().to_vec()
                } else {
                    random_portals(&plain, PortalRules::default(), rng)
                };
                let map = plain.with_portals(portals).unwrap_or(plain);
                let guessed = pool.surrogate().complete(&pool.scale().point(&layout_only(&map)));
                (acquisition(model, &guessed, params.exploration), child, map)
            })
            .collect();
        if promising.is_empty() {
            break;
        }
        promising.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut simulated = Genomes::new(CheckersGenerator.genes(size));
        let mut fitness = Vec::new();
        for (_, child, map) in promising.into_iter().take(wanted) {
            let features = measure(&map, maker).features;
            let value = acquisition(model, &pool.scale().point(&features), params.exploration);
            simulated.push(children.get(child));
            fitness.push(value);
            evolved.push((value, MeasuredMap { map, features }));
        }
        archive.tell(&simulated, &fitness);
    }
    evolved
}
