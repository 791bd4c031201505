//! `rate`: adds a rating to a profile and returns the profile.

use game::{Cost, Needs, Service, ServiceCall};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::bad_request;
use crate::engine::preference::{MapRating, PreferenceProfile};
use crate::engine::tree::TreeMaker;
use crate::formats::MapJson;
use crate::rules::Map;
use crate::table::Homeguard;

/// A rating to add.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RateRequest {
    #[serde(default)]
    pub profile: PreferenceProfile,
    pub map: MapJson,
    /// −2 (never again) to 2 (more like this).
    pub rating: i64,
}

/// The profile with the rating in it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RateAnswer {
    pub profile: PreferenceProfile,
}

pub(super) fn service() -> Service<Homeguard> {
    Service::new(
        "rate",
        "Adds a rating to a profile and gives the profile back.",
        Cost::Light,
        Needs::Nothing,
        json!({ "map": { "size": 7, "rows": ["..2...3", ".......", "2..1...", "..0.0..", "...1...", ".......", "3......"] }, "rating": 1 }),
        |_: &Homeguard, request: RateRequest, _: ServiceCall<'_, Homeguard>| {
            let map = Map::try_from(&request.map).map_err(bad_request)?;
            let rating = MapRating::new(request.rating).map_err(bad_request)?;
            let mut profile = request.profile;
            profile.rate(&map, rating, &mut TreeMaker::new());
            Ok(RateAnswer { profile })
        },
    )
}
