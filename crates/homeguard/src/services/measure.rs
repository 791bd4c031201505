//! `measure`: statistics of a map and of its playthrough trees.

use std::collections::BTreeMap;

use game::{Cost, Needs, Service, ServiceCall};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::bad_request;
use crate::engine::preference::features::{FEATURES, measure};
use crate::engine::preference::{BEHAVIOUR, MapPool};
use crate::engine::tree::{TreeMaker, TreeMetrics};
use crate::formats::MapJson;
use crate::rules::Map;
use crate::table::Homeguard;

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
    /// The five metrics.
    pub metrics: BTreeMap<String, f64>,
    /// Values on the behaviour axes.
    pub behaviour: BTreeMap<String, f64>,
}

pub(super) fn example() -> serde_json::Value {
    json!({ "map": { "size": 7, "rows": ["..2...3", ".......", "2.1....", ".0...0.", "....1..", ".......", "3......"] } })
}

pub(super) fn service() -> Service<Homeguard> {
    Service::new(
        "measure",
        "PlaythroughTree statistics and the study's five measures of a map.",
        Cost::Light,
        Needs::Nothing,
        example(),
        |_: &Homeguard, request: MapRequest, _: ServiceCall<'_, Homeguard>| {
            let map = Map::try_from(&request.map).map_err(bad_request)?;
            let measured = measure(&map, &mut TreeMaker::new());
            let named = |names: &mut dyn Iterator<Item = &str>, values: &[f64]| -> BTreeMap<String, f64> {
                names.zip(values).map(|(name, value)| (name.to_owned(), *value)).collect()
            };
            Ok(MeasureAnswer {
                statistics: named(&mut FEATURES.iter().map(|f| f.id), &measured.features.0),
                metrics: named(&mut TreeMetrics::NAMES.into_iter(), &measured.metrics.values()),
                behaviour: named(&mut BEHAVIOUR.into_iter(), &MapPool::behaviour(&measured.features)),
            })
        },
    )
}
