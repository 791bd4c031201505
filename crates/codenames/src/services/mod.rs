//! Typed requests beside the table: judge a clue, ask for clues, explain a turn, sessions for phone apps.

mod advice;
mod explain;
mod person;
mod rating;
mod records;
mod sessions;

use crate::table::Codenames;
use game::Service;

/// All services of the game.
pub fn all() -> Vec<Service<Codenames>> {
    let mut services = advice::services();
    services.extend(explain::services());
    services.extend(person::services());
    services.extend(rating::services());
    services.extend(records::services());
    services.extend(sessions::services());
    services
}
