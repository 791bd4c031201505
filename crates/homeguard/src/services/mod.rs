//! Requests beside the table: what could happen, who would be hit, which map next.

mod advise;
mod aim;
mod maps;
mod taste;
mod threats;

use game::Service;

use crate::table::Homeguard;

/// All services.
pub(crate) fn all() -> Vec<Service<Homeguard>> {
    vec![
        threats::service(),
        aim::service(),
        advise::service(),
        taste::propose_service(),
        taste::rate_service(),
        taste::summary_service(),
        taste::shared_service(),
        maps::gallery_service(),
        maps::measure_service(),
        maps::check_service(),
    ]
}
