//! The services: open a file, list puzzles, solve, hint, look up a clue, replay the solving, make a puzzle, print.

mod clue;
mod hint;
mod make;
mod open;
mod print;
mod puzzles;
mod solve;

use crate::table::Crossword;
use game::{Service, ServiceCall, ServiceError};

/// All services.
pub(crate) fn all() -> Vec<Service<Crossword>> {
    vec![
        puzzles::service(),
        open::service(),
        solve::service(),
        hint::service(),
        clue::service(),
        make::service(),
        solve::replay_service(),
        print::service(),
    ]
}

/// The caller's view of a table.
fn view<'c>(call: &'c ServiceCall<'_, Crossword>) -> Result<&'c crate::table::View, ServiceError> {
    call.view.ok_or_else(|| {
        ServiceError::BadRequest("this service needs a table: call it at /api/v1/tables/<id>/<name>".to_owned())
    })
}
