//! Precomputed maps with measured features, so that a proposal needs few simulations.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::features::{BEFORE_PLAY, COUNT, FEATURES, MapFeatures, measure};
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
    #[error(
        "precomputed map {0}: it needs {BEFORE_PLAY} features in the map file, a line in the file of quick games, and the size of the first map"
    )]
    Record(usize),
}

/// First line of the map file.
const HEADER: &str = "homeguard features 2";
/// First line of the file of quick games.
const PLAY_HEADER: &str = "homeguard play features 1";

fn check_header(found: &str, expected: &str) -> Result<(), MapPoolError> {
    if found == expected {
        return Ok(());
    }
    Err(MapPoolError::Version { found: found.chars().take(60).collect(), expected: expected.to_owned() })
}

/// A number with four decimals at most, without trailing zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
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

    /// The pool as a file in the map format of the thesis: features of layout and trees as embedding, class 0 plain
    /// and 1 varied. The features of quick games are in [`MapPool::play_text`].
    pub fn to_records(&self) -> MapRecordFile {
        let names: Vec<&str> = FEATURES[..BEFORE_PLAY].iter().map(|f| f.id).collect();
        MapRecordFile {
            header: format!("{HEADER}\n{}\n", names.join(" ")),
            records: self
                .maps
                .iter()
                .enumerate()
                .map(|(i, measured)| MapRecord {
                    map: measured.map.clone(),
                    embeddings: vec![measured.features.0[..BEFORE_PLAY].to_vec()],
                    class: i64::from(i >= self.plain),
                })
                .collect(),
        }
    }

    /// The features of quick games, a line per map: two header lines, then numbers.
    pub fn play_text(&self) -> String {
        let names: Vec<&str> = FEATURES[BEFORE_PLAY..].iter().map(|f| f.id).collect();
        let mut text = format!("{PLAY_HEADER}\n{}\n", names.join(" "));
        for measured in &self.maps {
            let row: Vec<String> = measured.features.0[BEFORE_PLAY..].iter().map(|value| short(*value)).collect();
            text.push_str(&row.join(" "));
            text.push('\n');
        }
        text
    }

    /// Reads the output of [`MapPool::to_records`] and [`MapPool::play_text`].
    pub fn from_records(file: &MapRecordFile, play: &str) -> Result<Self, MapPoolError> {
        check_header(file.header.lines().next().unwrap_or(""), HEADER)?;
        let mut play_rows = play.lines();
        check_header(play_rows.next().unwrap_or(""), PLAY_HEADER)?;
        play_rows.next();
        let plain = file.records.iter().take_while(|r| r.class == 0).count();
        if plain < 10 {
            return Err(MapPoolError::TooFew);
        }
        let size = file.records[0].map.size();
        let maps: Result<Vec<MeasuredMap>, MapPoolError> = file
            .records
            .iter()
            .enumerate()
            .map(|(i, record)| {
                let numbers = play_rows.next().unwrap_or("").split_whitespace().map(|word| word.parse::<f64>().ok());
                let before = record.embeddings.first().filter(|row| row.len() == BEFORE_PLAY);
                let row: Option<Vec<f64>> =
                    before.into_iter().flatten().map(|value| Some(*value)).chain(numbers).collect();
                let row: Option<[f64; COUNT]> = row.and_then(|row| row.try_into().ok());
                let row = row.filter(|row| record.map.size() == size && row.iter().all(|value| value.is_finite()));
                let features = MapFeatures(row.ok_or(MapPoolError::Record(i + 1))?);
                Ok(MeasuredMap { map: record.map.clone(), features })
            })
            .collect();
        Ok(MapPool::assemble(size, maps?, plain))
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
