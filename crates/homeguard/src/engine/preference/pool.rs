//! Precomputed maps with measured features, so that a proposal needs few simulations.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::features::{COUNT, FEATURES, MapFeatures, VERSION, measure};
use super::model::{FeatureScale, Point};
use super::surrogate::SurrogateModel;
use crate::engine::tree::TreeMaker;
use crate::formats::{MapRecord, MapRecordFile};
use crate::rules::maps::{
    CheckersGenerator, GeneWeights, LineGenerator, MapGenerator, PortalRules, random_map, random_portals,
};
use crate::rules::{Map, Size};
use evolve::BehaviourAxis;

/// A map with its features.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredMap {
    /// The map.
    pub map: Map,
    /// Its features.
    pub features: MapFeatures,
}

/// Precomputed maps of one size, the scale of their features, and the behaviour grid.
#[derive(Clone, Debug)]
pub struct MapPool {
    size: Size,
    maps: Vec<MeasuredMap>,
    /// How many of the first maps are plainly random: the reference of scale and grid.
    plain: usize,
    scale: FeatureScale,
    axes: Vec<BehaviourAxis>,
    points: Vec<Point>,
    surrogate: SurrogateModel,
}

/// The behaviour axes people see: indices of features and their ids.
pub const BEHAVIOUR: [&str; 4] = ["cover", "advantage", "drama", "calm"];
/// Steps per behaviour axis.
const STEPS: usize = 3;

/// Why a file of precomputed maps cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MapPoolError {
    /// The file has no reference maps.
    #[error("the file of precomputed maps holds no plainly random map (class 0): it must hold at least 10")]
    TooFew,
    /// Made by another version of the features.
    #[error("the precomputed maps carry features of '{found}', this program measures '{expected}'")]
    Version {
        /// First header line.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// A record that does not fit.
    #[error("precomputed map {0}: one row of {COUNT} features and the size of the first map are needed")]
    Record(usize),
}

fn header() -> String {
    format!("homeguard features {VERSION}")
}

/// A map drawn from a wide family: plain random ones, other densities, mirrored ones, bars, rims and centres.
pub fn varied_map(size: Size, rng: &mut ChaCha8Rng) -> Map {
    let weights = {
        let covered: f64 = rng.random_range(0.08..0.75);
        let trees: f64 = rng.random();
        GeneWeights([1.0 - covered, covered * (1.0 - trees), covered * trees])
    };
    let portals = PortalRules {
        pairs: if rng.random::<f64>() < 0.6 { 3 } else { rng.random_range(0..6) },
        reach: rng.random_range(2..8),
    };
    let style: f64 = rng.random();
    if style < 0.35 {
        return random_map(size, &CheckersGenerator, weights, portals, rng);
    }
    if style < 0.5 {
        return random_map(size, &LineGenerator::new(rng.random_range(2..5)), weights, portals, rng);
    }
    let mut genome = weights.genome(CheckersGenerator.genes(size), rng);
    let middle = (size.side() as f64 - 1.0) / 2.0;
    if style < 0.75 {
        // mirrored across the main diagonal or turned by half
        let turned = rng.random::<bool>();
        let far = size.side() as u8 - 1;
        for site in size.all_sites() {
            let at = size.site_square(site);
            let (x, y) = if turned { (far - at.x, far - at.y) } else { (at.y, at.x) };
            let image = size.square(i32::from(x), i32::from(y)).and_then(|square| size.site_at(square));
            if let Some(image) = image.filter(|image| *image < site) {
                genome[site.index()] = genome[image.index()];
            }
        }
    } else {
        // covers fade towards the rim or towards the centre
        let towards_rim = rng.random::<bool>();
        for site in size.all_sites() {
            let at = size.site_square(site);
            let off = (f64::from(at.x) - middle).hypot(f64::from(at.y) - middle) / (middle * 1.3);
            let kept = if towards_rim { off } else { 1.0 - off };
            if rng.random::<f64>() > kept.clamp(0.0, 1.0) * 1.5 {
                genome[site.index()] = 0;
            }
        }
    }
    let plain = Map::with_covers(size, CheckersGenerator.covers(size, &genome)).expect("one gene per site");
    let pairs = random_portals(&plain, portals, rng);
    plain.with_portals(pairs).expect("portals are drawn from free cells")
}

/// A plainly random map: the reference everything is compared with.
pub fn plain_map(size: Size, rng: &mut ChaCha8Rng) -> Map {
    random_map(size, &CheckersGenerator, GeneWeights::default(), PortalRules::default(), rng)
}

impl MapPool {
    /// Draws and measures `plain` random and `varied` other maps; `progress` receives the number done.
    pub fn generate(
        size: Size,
        plain: usize,
        varied: usize,
        seed: u64,
        maker: &mut TreeMaker,
        mut progress: impl FnMut(usize),
    ) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plain = plain.max(10);
        let maps = (0..plain + varied)
            .map(|i| {
                let map = if i < plain { plain_map(size, &mut rng) } else { varied_map(size, &mut rng) };
                let features = measure(&map, maker).features;
                progress(i + 1);
                MeasuredMap { map, features }
            })
            .collect();
        MapPool::assemble(size, maps, plain)
    }

    fn assemble(size: Size, maps: Vec<MeasuredMap>, plain: usize) -> Self {
        let reference = maps[..plain].iter().map(|m| &m.features);
        let scale = FeatureScale::of(reference.clone());
        let axes = BEHAVIOUR
            .iter()
            .map(|id| {
                let values: Vec<f64> = reference.clone().filter_map(|f| f.get(id)).collect();
                BehaviourAxis::quantiles(id, &values, STEPS)
            })
            .collect();
        let points: Vec<Point> = maps.iter().map(|m| scale.point(&m.features)).collect();
        let surrogate = SurrogateModel::fit(&points);
        MapPool { size, maps, plain, scale, axes, points, surrogate }
    }

    /// The pool as a file in the map format of the thesis: features as embedding, class 0 plain and 1 varied.
    pub fn to_records(&self) -> MapRecordFile {
        let names: Vec<&str> = FEATURES.iter().map(|f| f.id).collect();
        MapRecordFile {
            header: format!("{}\n{}\n", header(), names.join(" ")),
            records: self
                .maps
                .iter()
                .enumerate()
                .map(|(i, measured)| MapRecord {
                    map: measured.map.clone(),
                    embeddings: vec![measured.features.0.to_vec()],
                    class: i64::from(i >= self.plain),
                })
                .collect(),
        }
    }

    /// Reads the output of [`MapPool::to_records`].
    pub fn from_records(file: &MapRecordFile) -> Result<Self, MapPoolError> {
        let found = file.header.lines().next().unwrap_or("");
        if found != header() {
            return Err(MapPoolError::Version { found: found.chars().take(60).collect(), expected: header() });
        }
        let plain = file.records.iter().take_while(|r| r.class == 0).count();
        if plain < 10 {
            return Err(MapPoolError::TooFew);
        }
        let size = file.records[0].map.size();
        let maps: Option<Vec<MeasuredMap>> = file
            .records
            .iter()
            .map(|record| {
                let row: [f64; COUNT] = record.embeddings.first()?.as_slice().try_into().ok()?;
                (record.map.size() == size).then(|| MeasuredMap { map: record.map.clone(), features: MapFeatures(row) })
            })
            .collect();
        let maps = maps.ok_or_else(|| {
            let bad = file
                .records
                .iter()
                .position(|r| r.map.size() != size || r.embeddings.first().is_none_or(|e| e.len() != COUNT));
            MapPoolError::Record(bad.unwrap_or(0) + 1)
        })?;
        Ok(MapPool::assemble(size, maps, plain))
    }

    /// Board size of all maps.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The maps, plain ones first.
    pub fn maps(&self) -> &[MeasuredMap] {
        &self.maps
    }

    /// The plainly random maps among them.
    pub fn plain(&self) -> &[MeasuredMap] {
        &self.maps[..self.plain]
    }

    /// The scale of features.
    pub fn scale(&self) -> &FeatureScale {
        &self.scale
    }

    /// The behaviour axes.
    pub fn axes(&self) -> &[BehaviourAxis] {
        &self.axes
    }

    pub(crate) fn points(&self) -> &[Point] {
        &self.points
    }

    pub(crate) fn surrogate(&self) -> &SurrogateModel {
        &self.surrogate
    }

    /// Values of the behaviour axes.
    pub fn behaviour(features: &MapFeatures) -> [f64; BEHAVIOUR.len()] {
        BEHAVIOUR.map(|id| features.get(id).unwrap_or(0.0))
    }

    /// The behaviour cell of a map.
    pub fn cell(&self, features: &MapFeatures) -> usize {
        self.axes
            .iter()
            .zip(MapPool::behaviour(features))
            .fold(0, |cell, (axis, value)| cell * axis.steps() + axis.step(value))
    }
}
