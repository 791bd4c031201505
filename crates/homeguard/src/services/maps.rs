//! `gallery`, `measure`, `check_map`: maps to look at, to measure and to edit.

use std::collections::BTreeMap;

use evolve::Niches;
use game::{Cost, Needs, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::taste::bad;
use crate::formats::MapJson;
use crate::rules::Map;
use crate::table::Homeguard;
use crate::taste::features::{FEATURES, measure};
use crate::taste::{BEHAVIOUR, Pool, Profile, TasteModel};
use crate::tree::{Metrics, TreeMaker};

/// For whom.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GalleryRequest {
    #[serde(default)]
    pub profile: Profile,
    /// How many maps at most.
    #[serde(default = "dozens")]
    pub count: usize,
}

fn dozens() -> usize {
    36
}

/// One picture of the gallery.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Exhibit {
    pub map: MapJson,
    /// Step of the map on each behaviour axis, 0 low to 2 high.
    pub steps: Vec<usize>,
    pub predicted: f64,
}

/// The best map of every kind.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GalleryAnswer {
    /// Names of the behaviour axes.
    pub axes: Vec<String>,
    pub maps: Vec<Exhibit>,
}

pub(super) fn gallery_service() -> Service<Homeguard> {
    Service::new(
        "gallery",
        "One prepared map of every kind, the one this player should like best.",
        Cost::Light,
        Needs::Nothing,
        json!({ "count": 12 }),
        |game: &Homeguard, request: GalleryRequest, _: ServiceCall<'_, Homeguard>| {
            let rated = request.profile.rated(&mut TreeMaker::new()).map_err(bad)?;
            let known: Vec<_> = rated.iter().map(|(_, features, rating)| (*features, *rating)).collect();
            let pool = game.pool();
            let model = TasteModel::fit(pool.scale(), &known);
            let mut niches = Niches::new(pool.axes().to_vec());
            for measured in pool.maps() {
                let expected = model.predict(&measured.features).mean;
                niches.offer(&Pool::behaviour(&measured.features), expected, measured);
            }
            let mut maps: Vec<Exhibit> = niches
                .iter()
                .map(|(_, predicted, measured)| Exhibit {
                    map: MapJson::from(&measured.map),
                    steps: pool
                        .axes()
                        .iter()
                        .zip(Pool::behaviour(&measured.features))
                        .map(|(axis, value)| axis.step(value))
                        .collect(),
                    predicted,
                })
                .collect();
            maps.sort_by(|a, b| b.predicted.total_cmp(&a.predicted));
            maps.truncate(request.count);
            Ok(GalleryAnswer { axes: BEHAVIOUR.iter().map(|id| (*id).to_owned()).collect(), maps })
        },
    )
}

/// A map.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MapRequest {
    pub map: MapJson,
}

/// Numbers about a map.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MeasureAnswer {
    /// Statistics of layout and trees by name.
    pub statistics: BTreeMap<String, f64>,
    /// The study's five measures.
    pub metrics: BTreeMap<String, f64>,
    /// Values on the behaviour axes.
    pub behaviour: BTreeMap<String, f64>,
}

fn example() -> serde_json::Value {
    json!({ "map": { "size": 7, "rows": ["..2...3", ".......", "2.1....", ".0...0.", "....1..", ".......", "3......"] } })
}

pub(super) fn measure_service() -> Service<Homeguard> {
    Service::new(
        "measure",
        "Tree statistics and the study's five measures of a map.",
        Cost::Light,
        Needs::Nothing,
        example(),
        |_: &Homeguard, request: MapRequest, _: ServiceCall<'_, Homeguard>| {
            let map = Map::try_from(&request.map).map_err(bad)?;
            let measured = measure(&map, &mut TreeMaker::new());
            let named = |names: &mut dyn Iterator<Item = &str>, values: &[f64]| -> BTreeMap<String, f64> {
                names.zip(values).map(|(name, value)| (name.to_owned(), *value)).collect()
            };
            Ok(MeasureAnswer {
                statistics: named(&mut FEATURES.iter().map(|f| f.id), &measured.features.0),
                metrics: named(&mut Metrics::NAMES.into_iter(), &measured.metrics.values()),
                behaviour: named(&mut BEHAVIOUR.into_iter(), &Pool::behaviour(&measured.features)),
            })
        },
    )
}

/// Whether a map can be played.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckAnswer {
    pub playable: bool,
    /// What is wrong, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

pub(super) fn check_service() -> Service<Homeguard> {
    Service::new(
        "check_map",
        "Whether a map from the editor can be played, and if not, why.",
        Cost::Light,
        Needs::Nothing,
        example(),
        |_: &Homeguard, request: MapRequest, _: ServiceCall<'_, Homeguard>| -> Result<CheckAnswer, ServiceError> {
            let problem = Map::try_from(&request.map).err().map(|error| error.to_string());
            Ok(CheckAnswer { playable: problem.is_none(), problem })
        },
    )
}
