//! `gallery`: the best precomputed map of every behaviour cell.

use evolve::GridArchive;
use game::{Cost, Needs, Service, ServiceCall};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::bad_request;
use crate::engine::preference::{BEHAVIOUR, MapPool, PreferenceModel, PreferenceProfile, weighted};
use crate::engine::tree::TreeMaker;
use crate::formats::MapJson;
use crate::table::Homeguard;

/// The profile to rank for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GalleryRequest {
    #[serde(default)]
    pub profile: PreferenceProfile,
    /// How many maps at most.
    #[serde(default = "dozens")]
    pub count: usize,
}

fn dozens() -> usize {
    36
}

/// One map of the gallery.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GalleryEntry {
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
    pub maps: Vec<GalleryEntry>,
}

pub(super) fn service() -> Service<Homeguard> {
    Service::new(
        "gallery",
        "One precomputed map of every kind, the one this player should like best.",
        Cost::Light,
        Needs::Nothing,
        json!({ "count": 12 }),
        |game: &Homeguard, request: GalleryRequest, _: ServiceCall<'_, Homeguard>| {
            let rated = request.profile.rated(&mut TreeMaker::new()).map_err(bad_request)?;
            let pool = game.pool();
            let model = PreferenceModel::fit(pool.scale(), &weighted(pool.scale(), &rated));
            let mut niches = GridArchive::new(pool.axes().to_vec());
            for measured in pool.maps() {
                let expected = model.predict(&measured.features).mean;
                niches.offer(&MapPool::behaviour(&measured.features), expected, measured);
            }
            let mut maps: Vec<GalleryEntry> = niches
                .iter()
                .map(|(_, predicted, measured)| GalleryEntry {
                    map: MapJson::from(&measured.map),
                    steps: pool
                        .axes()
                        .iter()
                        .zip(MapPool::behaviour(&measured.features))
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
