//! Requests beside the table, one file per service.

mod anagram;
mod analyse;
mod check;
mod export;
mod hint;
mod import;
mod leave;
mod pattern;
mod position;
mod report;
mod word;
mod word_list;
mod words_answer;

use crate::table::{GameLanguage, Scrabble, SeatKnowledge, View};
use game::{Service, ServiceCall, ServiceError};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The call of a service of this game.
pub(crate) type Call<'a> = ServiceCall<'a, Scrabble>;

/// A request without fields.
#[derive(Deserialize, ToSchema)]
struct EmptyRequest {}

/// Every service of the game.
pub(crate) fn all() -> Vec<Service<Scrabble>> {
    vec![
        check::service(),
        hint::service(),
        analyse::service(),
        report::service(),
        export::service(),
        position::service(),
        import::service(),
        word::service(),
        anagram::service(),
        pattern::service(),
        word_list::service(),
        leave::service(),
    ]
}

/// The default number of ranked moves.
fn ten() -> usize {
    10
}

fn language(game: &Scrabble, code: &str) -> Result<Arc<GameLanguage>, ServiceError> {
    game.languages.get(code).map_err(ServiceError::Unavailable)
}

fn view<'a>(call: &Call<'a>) -> Result<&'a View, ServiceError> {
    call.view.ok_or_else(|| ServiceError::BadRequest("this service needs a table".into()))
}

/// The language of the table and what the caller's seat knows.
fn knowledge(game: &Scrabble, call: &Call<'_>) -> Result<(Arc<GameLanguage>, SeatKnowledge), ServiceError> {
    let view = view(call)?;
    let language = language(game, &view.language)?;
    let seat = call.viewer.seat().filter(|_| view.rack.is_some());
    let seat =
        seat.ok_or_else(|| ServiceError::BadRequest("only a player has a rack: spectators cannot ask".into()))?;
    let known = SeatKnowledge::new(&language, view, seat).map_err(ServiceError::BadRequest)?;
    Ok((language, known))
}
