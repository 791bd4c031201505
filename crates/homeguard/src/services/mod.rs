//! Services beside the table: threats, lines of fire, advice, and maps for a profile. One file per service.

mod advise;
mod aim;
mod check_map;
mod gallery;
mod measure;
mod preference;
mod propose;
mod rate;
mod shared_ratings;
mod threats;

use game::{Service, ServiceError};

use crate::table::Homeguard;

/// All services.
pub(crate) fn all() -> Vec<Service<Homeguard>> {
    vec![
        threats::service(),
        aim::service(),
        advise::service(),
        propose::service(),
        rate::service(),
        preference::service(),
        shared_ratings::service(),
        gallery::service(),
        measure::service(),
        check_map::service(),
    ]
}

fn bad_request(error: impl std::fmt::Display) -> ServiceError {
    ServiceError::BadRequest(error.to_string())
}
