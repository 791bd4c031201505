//! `check_map`: whether a map from the editor can be played.

use game::{Cost, Needs, Service, ServiceCall, ServiceError};
use serde::Serialize;
use utoipa::ToSchema;

use super::measure::{MapRequest, example};
use crate::rules::Map;
use crate::table::Homeguard;

/// Whether a map can be played.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckAnswer {
    pub playable: bool,
    /// What is wrong, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

pub(super) fn service() -> Service<Homeguard> {
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
