//! `shared_ratings`: the developer ratings that come with the program, as a profile.

use game::{Cost, Needs, Service, ServiceCall};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::rate::RateAnswer;
use crate::table::Homeguard;

/// No parameters.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedRequest {}

pub(super) fn service() -> Service<Homeguard> {
    Service::new(
        "shared_ratings",
        "The ratings that come with the program, as a profile.",
        Cost::Light,
        Needs::Nothing,
        json!({}),
        |game: &Homeguard, _: SharedRequest, _: ServiceCall<'_, Homeguard>| {
            Ok(RateAnswer { profile: game.shared_ratings().clone() })
        },
    )
}
