//! The registry of games and their services, type-erased behind one interface.
//!
//! Server and CLI use games only through [`ErasedGame`] and [`ErasedTable`]: settings, actions, views and services are
//! JSON there, and the game's own types inside.
//!
//! ```
//! use catalog::Catalog;
//!
//! let catalog = Catalog::load(None); // without a data folder: only games that need none
//! for game in catalog.games() {
//!     println!("{}: {} levels", game.info().id, game.levels().len());
//! }
//! for missing in catalog.missing() {
//!     println!("{} is left out: {}", missing.id, missing.reason);
//! }
//! ```
//!
//! # Adding a game
//! 1. Add the crate to `Cargo.toml` of this one, as an optional dependency that the feature `games` switches on.
//! 2. Add one line to `register` in `src/loaders/mod.rs`: `games.add("<id>", |data| …)`. The closure gets the data
//!    folder (`Option<&Path>`) and returns `Ok(game)`, or `Err` with what is missing; it is the place that reads
//!    files, since games do no I/O. A loader longer than a line goes to `src/loaders/<id>.rs`.
//!
//! A game whose data is missing is left out and the reason is logged; the other games load.

mod adapter;
mod background;
pub mod data;
mod erased;
#[cfg(feature = "games")]
mod loaders;
pub mod models;
#[cfg(feature = "games")]
pub use loaders::crossword::names as crossword_names;
#[cfg(feature = "games")]
pub use loaders::scrabble as scrabble_languages;
#[cfg(any(test, feature = "test-games"))]
pub mod test_games;

pub use adapter::erase;
pub use background::run_in_background;
pub use erased::{
    ActionError, AnyView, BotDecision, ErasedBot, ErasedGame, ErasedTable, LegalAction, ServiceInfo, ServiceRequest,
};

use game::Game;
use std::path::Path;
use std::sync::Arc;

/// A game that is left out of this installation, and why.
#[derive(Clone, Debug)]
pub struct Missing {
    pub id: &'static str,
    pub reason: String,
}

/// The games of this installation.
#[derive(Clone, Default)]
pub struct Catalog {
    games: Vec<Arc<dyn ErasedGame>>,
    missing: Vec<Missing>,
}

impl Catalog {
    /// Every game that is built and has its data, in the order of the lobby.
    ///
    /// `data` is the folder with the packs (see [`data::find`]); without it only games that need none are listed.
    pub fn load(data: Option<&Path>) -> Self {
        let mut games = Registrar { catalog: Self::default(), data };
        register(&mut games);
        games.catalog
    }

    /// A list made by hand, for tests and tools.
    pub fn of(games: Vec<Arc<dyn ErasedGame>>) -> Self {
        Self { games, missing: Vec::new() }
    }

    /// The games in the order of the lobby.
    pub fn games(&self) -> &[Arc<dyn ErasedGame>] {
        &self.games
    }

    /// What is built but left out here, and why.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// One game by its id.
    pub fn game(&self, id: &str) -> Option<&Arc<dyn ErasedGame>> {
        self.games.iter().find(|game| game.info().id == id)
    }
}

/// Takes the games one by one.
pub struct Registrar<'a> {
    catalog: Catalog,
    data: Option<&'a Path>,
}

impl Registrar<'_> {
    /// Lists the game that `load` makes, or notes why it is missing.
    pub fn add<G: Game, E: std::fmt::Display>(
        &mut self,
        id: &'static str,
        load: impl FnOnce(Option<&Path>) -> Result<G, E>,
    ) {
        let begun = std::time::Instant::now();
        match load(self.data) {
            Ok(game) => {
                tracing::debug!(game = id, ms = begun.elapsed().as_millis() as u64, "game loaded");
                self.catalog.games.push(erase(game));
            }
            Err(reason) => {
                let reason = reason.to_string();
                tracing::warn!(game = id, %reason, "game left out");
                self.catalog.missing.push(Missing { id, reason });
            }
        }
    }
}

#[cfg(feature = "games")]
use loaders::register;

/// Built without games: nothing to list.
#[cfg(not(feature = "games"))]
fn register(_: &mut Registrar<'_>) {}

#[cfg(test)]
mod tests;
