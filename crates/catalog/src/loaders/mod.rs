//! The registrations: one line per game, loaders that read files in a file of their own.

mod codenames;
pub mod crossword;
mod gomoku;
mod homeguard;
pub mod scrabble;

use crate::Registrar;

/// Lists all games that are built, in the order of the lobby.
pub(crate) fn register(games: &mut Registrar<'_>) {
    games.add("gomoku", gomoku::load);
    games.add("scrabble", scrabble::load);
    games.add("codenames", codenames::load);
    games.add("homeguard", homeguard::load);
    games.add("crossword", crossword::load);
}
