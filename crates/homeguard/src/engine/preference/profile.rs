//! A player's ratings: the profile file that is exported, imported and reset.

use serde::{Deserialize, Serialize};

use super::drift::RatedFeatures;
use super::features::{COUNT, MapFeatures, VERSION, measure};
use crate::engine::tree::TreeMaker;
use crate::formats::{MapJson, MapTextError};
use crate::rules::Map;

/// A rating of a map: −2 (never again) to 2 (more like this).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(try_from = "i64", into = "i64")]
#[schema(value_type = i64)]
pub struct MapRating(i8);

/// A number that is no rating.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a rating: use -2, -1, 0, 1 or 2")]
pub struct RatingError(pub i64);

impl MapRating {
    /// Checks a rating.
    pub fn new(value: i64) -> Result<Self, RatingError> {
        if (-2..=2).contains(&value) { Ok(MapRating(value as i8)) } else { Err(RatingError(value)) }
    }

    /// −2 to 2.
    pub fn value(self) -> i8 {
        self.0
    }
}

impl TryFrom<i64> for MapRating {
    type Error = RatingError;
    fn try_from(value: i64) -> Result<Self, RatingError> {
        MapRating::new(value)
    }
}

impl From<MapRating> for i64 {
    fn from(rating: MapRating) -> i64 {
        i64::from(rating.0)
    }
}

/// One rated map, with its measured features so that they need not be simulated again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct RatedMap {
    /// The map.
    pub map: MapJson,
    /// The rating.
    pub rating: MapRating,
    /// True for ratings that came with the program (the developer's), which a switch can leave out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// Version of the features below; others are measured again.
    #[serde(default)]
    pub features_version: u32,
    /// Measured features.
    #[serde(default)]
    pub features: Vec<f64>,
}

/// A player's ratings, as a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PreferenceProfile {
    /// Version of this format.
    #[serde(default = "current")]
    pub version: u32,
    /// All ratings in order.
    #[serde(default)]
    #[schema(max_items = 2_000)]
    pub ratings: Vec<RatedMap>,
}

fn current() -> u32 {
    1
}

impl Default for PreferenceProfile {
    fn default() -> Self {
        PreferenceProfile { version: current(), ratings: Vec::new() }
    }
}

/// Why a profile cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProfileError {
    /// A later format.
    #[error("the profile has version {0}, this program reads version 1")]
    Version(u32),
    /// A rated map that is no map.
    #[error("rating {number} of the profile: {error}")]
    Map {
        /// From 1.
        number: usize,
        /// The fault.
        error: MapTextError,
    },
}

impl PreferenceProfile {
    /// Adds a rating; a second rating of the same map replaces the first.
    pub fn rate(&mut self, map: &Map, rating: MapRating, maker: &mut TreeMaker) {
        let json = MapJson::from(map);
        self.ratings.retain(|rated| rated.map != json);
        self.ratings.push(RatedMap {
            map: json,
            rating,
            shared: false,
            features_version: VERSION,
            features: measure(map, maker).features.0.to_vec(),
        });
    }

    /// Joins another profile's ratings as shared ones; own ratings of the same maps win.
    pub fn import(&mut self, other: &PreferenceProfile) {
        for rated in &other.ratings {
            if !self.ratings.iter().any(|own| own.map == rated.map) {
                let mut rated = rated.clone();
                rated.shared = true;
                self.ratings.push(rated);
            }
        }
    }

    /// Measures all maps with features of another version again and stores the result.
    pub fn refresh(&mut self, maker: &mut TreeMaker) -> Result<(), ProfileError> {
        let records = self.rated(maker)?;
        for (rated, record) in self.ratings.iter_mut().zip(records) {
            rated.features_version = VERSION;
            rated.features = record.features.0.to_vec();
        }
        Ok(())
    }

    /// Every rated map with features and rating, measured again where the numbers are of another version.
    pub fn rated(&self, maker: &mut TreeMaker) -> Result<Vec<RatedFeatures>, ProfileError> {
        if self.version != current() {
            return Err(ProfileError::Version(self.version));
        }
        self.ratings
            .iter()
            .enumerate()
            .map(|(i, rated)| {
                let map = Map::try_from(&rated.map).map_err(|error| ProfileError::Map { number: i + 1, error })?;
                let stored: Option<[f64; COUNT]> = rated.features.as_slice().try_into().ok();
                let fresh = stored.filter(|row| rated.features_version == VERSION && row.iter().all(|v| v.is_finite()));
                let features = match fresh {
                    Some(row) => MapFeatures(row),
                    None => measure(&map, maker).features,
                };
                Ok(RatedFeatures { map, features, rating: f64::from(rated.rating.value()), shared: rated.shared })
            })
            .collect()
    }
}
