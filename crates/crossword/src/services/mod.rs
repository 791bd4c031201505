//! Requests beside the table: open a file, list puzzles, solve, hint, look a clue up, show how it was solved, make one, print.

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
fn view<'c>(call: &'c ServiceCall<'_, Crossword>) -> Result<&'c crate::rules::View, ServiceError> {
    call.view.ok_or_else(|| ServiceError::BadRequest("this is about a table: call it there".to_owned()))
}
